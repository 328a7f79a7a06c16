import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { evidenceDocument } from '@bowline/core/replay/evidence';
import { replay, served } from '@bowline/core/replay/replay';
import { checks } from '@bowline/core/verdict/checks/index';
import { rulesOf, rulesVersion } from '@bowline/core/verdict/rules';
import { expect, it } from 'vitest';
import { hashing } from '../../script/hashing.ts';

// Verdicts by version of the rules: answers of `GET /verdict`, recorded by `npm run record` on a local chain under
// every scene, and verdicts on simulated moments (`npm run record:simulated`), for cases that no scene produces.

const folder = new URL('./', import.meta.url);
const versions = Object.keys(rulesOf);
const answersOf = (file: string) =>
  gunzipSync(readFileSync(new URL(file, folder)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => served.parse(JSON.parse(line)));
const recorded = (version: string | number) => answersOf(`rules-${version}.jsonl.gz`);
const simulatedBy = (version: number) => answersOf(`simulated-${version}.jsonl.gz`);
const simulated = simulatedBy(rulesVersion);

// GD-7
it.each([
  ...versions.map((version) => [version, recorded(version)] as const),
  ['2, simulated', simulatedBy(2)] as const,
  ['3, simulated', simulatedBy(3)] as const,
  [`${rulesVersion}, simulated`, simulated] as const,
])(
  'rules %s: every recorded verdict follows from its evidence',
  async (version, answers) => {
    for (const answer of answers) {
      expect(answer.evidence).toMatchObject({ rules: Number.parseInt(version, 10) });
      const differing = (await replay(answer, hashing)).filter(({ said, found }) => said !== found);
      expect(differing).toEqual([]);
    }
  },
  120_000,
);

// GD-7
it('there are enough of them, of every version and with every verdict', () => {
  const answers = recorded(rulesVersion);
  expect(answers.length).toBeGreaterThanOrEqual(300);
  expect(new Set(answers.map(({ ticket, evidence }) => ticket?.evidence_hash ?? evidence)).size).toBe(answers.length);
  expect(new Set([...answers, ...simulated].map(({ verdict }) => verdict))).toEqual(
    new Set(['GO', 'CAUTION', 'NO_GO', 'NO_DATA']),
  );
});

// GD-7
it('every check has decided something in them, in each of the ways that it can', () => {
  const findings = [...recorded(rulesVersion), ...simulated].flatMap(
    ({ evidence }) => (evidence as { findings: { check: string; outcome: string }[] }).findings,
  );
  const seen = new Set(findings.map(({ check, outcome }) => `${check} ${outcome}`));
  for (const { id } of checks) {
    expect(seen, id).toContain(`${id} pass`);
    expect(
      [...seen].some((each) => each.startsWith(`${id} no_`) || each.startsWith(`${id} caution`)),
      id,
    ).toBe(true);
  }
});

// GD-42
it('rules 4 decide as rules 3 did: they say moves otherwise, and judge none otherwise', () => {
  const moves: string[] = [];
  for (const { evidence } of [...recorded(3), ...simulatedBy(3)]) {
    const { proposal, verdict, findings } = evidenceDocument.parse(evidence);
    const now = rulesOf[4]?.judge(proposal);
    expect(now?.verdict).toBe(verdict);
    expect(now?.findings.map(({ check, outcome }) => [check, outcome])).toEqual(
      findings.map(({ check, outcome }) => [check, outcome]),
    );
    moves.push(...(now?.findings.flatMap(({ check, detail }) => (check === 'recent_move' ? [detail] : [])) ?? []));
  }
  expect(moves.filter((each) => each.includes('fallen by')).length).toBeGreaterThan(50);
  expect(moves.filter((each) => each.includes('risen by')).length).toBeGreaterThan(50);
});

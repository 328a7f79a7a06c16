import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { replay, served } from '@bowline/core/replay/replay';
import { checks } from '@bowline/core/verdict/checks/index';
import { rulesVersion } from '@bowline/core/verdict/rules';
import { expect, it } from 'vitest';
import { hashing } from '../../cli/hashing.ts';

// Answers of `GET /verdict`, recorded by `npm run lab -- record` on a local chain under every scene, and verdicts on simulated
// moments (`npm run lab -- record:simulated`), for cases that no scene produces.

const folder = new URL('./', import.meta.url);
const answersOf = (file: string) =>
  gunzipSync(readFileSync(new URL(file, folder)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => served.parse(JSON.parse(line)));
const recorded = answersOf(`rules-${rulesVersion}.jsonl.gz`);
const simulated = answersOf(`simulated-${rulesVersion}.jsonl.gz`);

// GD-7
it.each([['recorded', recorded] as const, ['simulated', simulated] as const])(
  '%s verdicts follow from their evidence',
  async (_, answers) => {
    for (const answer of answers) {
      const differing = (await replay(answer, hashing)).filter(({ said, found }) => said !== found);
      expect(differing).toEqual([]);
    }
  },
  120_000,
);

// GD-7
it('there are enough of them, with every verdict', () => {
  expect(recorded.length).toBeGreaterThanOrEqual(300);
  expect(new Set(recorded.map(({ ticket, evidence }) => ticket?.evidence_hash ?? evidence)).size).toBe(recorded.length);
  expect(new Set([...recorded, ...simulated].map(({ verdict }) => verdict))).toEqual(
    new Set(['GO', 'CAUTION', 'NO_GO', 'NO_DATA']),
  );
});

// GD-7
it('every check has decided something in them, in each of the ways that it can', () => {
  const findings = [...recorded, ...simulated].flatMap(
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

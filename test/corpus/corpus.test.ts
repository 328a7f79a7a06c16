import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { hashing } from '@bowline/chain/hashing';
import { readEvidence } from '@bowline/core/replay/evidence';
import { replay, served } from '@bowline/core/replay/replay';
import { checks } from '@bowline/core/verdict/checks/index';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeAgain } from './second-judge.ts';

// Answers of `GET /verdict`, recorded by `npm run lab -- record` on a local chain under every scene, and verdicts on
// simulated moments (`npm run lab -- record:simulated`), for cases that no scene produces.

const folder = new URL('./', import.meta.url);
const answersOf = (file: string) =>
  gunzipSync(readFileSync(new URL(file, folder)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => served.parse(JSON.parse(line)));
const recorded = answersOf(`rules-${rulesVersion}.jsonl.gz`);
const simulated = answersOf(`simulated-${rulesVersion}.jsonl.gz`);

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

it('there are enough of them, with every verdict', () => {
  expect(recorded.length).toBeGreaterThanOrEqual(300);
  expect(new Set(recorded.map(({ ticket, evidence }) => ticket?.evidence_hash ?? evidence)).size).toBe(recorded.length);
  expect(new Set([...recorded, ...simulated].map(({ verdict }) => verdict))).toEqual(
    new Set(['GO', 'CAUTION', 'NO_GO', 'NO_DATA']),
  );
});

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

interface Document {
  readonly proposal: Record<string, unknown>;
  readonly verdict: string;
  readonly findings: readonly {
    readonly check: string;
    readonly outcome: string;
    readonly reason?: string;
    readonly measured?: string;
  }[];
}
const documents = [...recorded, ...simulated].map(({ evidence }) => evidence as unknown as Document);

/** The part of a verdict that the rules determine. */
const determined = (
  verdict: string,
  findings: readonly {
    check: string;
    outcome: string;
    reason?: string | undefined;
    measured?: string | bigint | undefined;
  }[],
) => ({
  verdict,
  findings: findings.map(({ check, outcome, reason, measured }) => `${check} ${outcome} ${reason} ${measured}`),
});

const bySecondJudge = (proposal: unknown) => {
  const { verdict, findings } = judgeAgain(proposal);
  return determined(
    verdict,
    Object.entries(findings).map(([check, finding]) => ({ check, ...finding })),
  );
};

it('a second judge, written from docs/reference/rules.md alone, says the same of all recorded verdicts', () => {
  for (const { proposal, verdict, findings } of documents) {
    expect(bySecondJudge(proposal)).toEqual(determined(verdict, findings));
  }
});

const paths = (value: unknown, at: readonly string[] = []): string[][] => {
  const here = at.length === 0 ? [] : [[...at]];
  if (typeof value !== 'object' || value === null) return here;
  return [...here, ...Object.entries(value).flatMap(([key, each]) => paths(each, [...at, key]))];
};

/** Facts that hardly ever occur: `off`, absent, zero, negative, or moved by a little or a lot. */
const change = fc.record({
  at: fc.nat(),
  to: fc.oneof(
    fc.constantFrom('off', 'absent', 'refused', '0', '-1', '1'),
    fc.integer({ min: -60, max: 60 }).map((added) => ({ added })),
    fc.integer({ min: -3_000, max: 3_000 }).map((added) => ({ added })),
    fc.oneof(fc.integer({ min: -200, max: 200 }), fc.integer({ min: -12_000, max: 30_000 })).map((bps) => ({ bps })),
  ),
});
type Change = typeof change extends fc.Arbitrary<infer Each> ? Each : never;

function changed(proposal: Document['proposal'], changes: readonly Change[]): Document['proposal'] {
  const copy = structuredClone(proposal);
  for (const { at, to } of changes) {
    const all = paths(copy).filter(([first]) => first !== 'asset' && first !== 'quoteAsset' && first !== 'size');
    const path = all[at % all.length] ?? [];
    const last = path.at(-1) ?? '';
    const parent = path.slice(0, -1).reduce<unknown>((of, key) => (of as Record<string, unknown>)[key], copy);
    const fields = parent as Record<string, unknown>;
    const old = fields[last];
    if (to === 'absent' && Array.isArray(parent)) parent.splice(Number(last), 1);
    else if (to === 'absent') delete fields[last];
    else if (typeof to === 'string') fields[last] = to;
    else if (typeof old !== 'string' || !/^-?\d+$/.test(old)) continue;
    else if ('added' in to) fields[last] = `${BigInt(old) + BigInt(to.added)}`;
    else fields[last] = `${(BigInt(old) * BigInt(10_000 + to.bps)) / 10_000n}`;
  }
  return copy;
}

it('and of any facts that its evidence could name', () => {
  let judged = 0;
  fc.assert(
    fc.property(fc.nat(), fc.array(change, { maxLength: 6 }), (at, changes) => {
      const document = documents[at % documents.length];
      if (document === undefined) return;
      const proposal = changed(document.proposal, changes);
      let read: ReturnType<typeof readEvidence>;
      try {
        read = readEvidence({ ...document, rules: rulesVersion, proposal });
      } catch {
        return;
      }
      judged += 1;
      const { verdict, findings } = judgeProposal(read.proposal);
      expect(bySecondJudge(proposal)).toEqual(determined(verdict, findings));
    }),
    { numRuns: 4_000 },
  );
  expect(judged).toBeGreaterThan(1_000);
});

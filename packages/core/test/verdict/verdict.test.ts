import { expect, test } from 'vitest';
import type { Proposal } from '../../domain/facts.ts';
import { WAD } from '../../domain/units.ts';
import { checks } from '../../verdict/checks/index.ts';
import { judgeProposal } from '../../verdict/rules.ts';

import { fairProposal, fairShare, withChain } from './proposals.ts';

test('GO when every check passes, and every finding is kept', () => {
  const { verdict, reason, findings } = judgeProposal(fairProposal());
  expect(verdict).toBe('GO');
  expect(reason).toBeUndefined();
  expect(findings.map(({ check }) => check)).toEqual(checks.map(({ id }) => id));
});

// AG-11
test('a known danger outranks missing facts, and those outrank a doubt', () => {
  const doubtful = withChain({ spotWad: (100_000n * WAD * 10_060n) / 10_000n });
  const { venus: _, ...withoutVenus } = doubtful.chain;
  const unknown: Proposal = { ...doubtful, chain: withoutVenus };
  const dangerous = withChain({ spotWad: 110_000n * WAD, venus: undefined });

  expect(judgeProposal(doubtful)).toMatchObject({ verdict: 'CAUTION', reason: 'pool_off_reference' });
  expect(judgeProposal(unknown)).toMatchObject({ verdict: 'NO_DATA', reason: 'reference_missing' });
  expect(judgeProposal(dangerous)).toMatchObject({ verdict: 'NO_GO', reason: 'pool_off_reference' });
});

// AG-11
test('without any one of its facts it never says GO', () => {
  const fair = fairProposal();
  const ofChain = ['chainlink', 'venus', 'quoteToken', 'spotWad', 'twapWad', 'quote'] as const;
  for (const fact of [...ofChain, 'liquidity', 'finalBlock', 'play'] as const) {
    expect(judgeProposal(withChain({ [fact]: undefined })).verdict, fact).toBe('NO_DATA');
  }
  for (const fact of ['exchange', 'depth', 'history', 'pyth'] as const) {
    const { [fact]: _, ...silent } = fair;
    expect(judgeProposal(silent as Proposal).verdict, fact).toBe('NO_DATA');
  }
  for (const fact of ['chainlink', 'multiplier'] as const) {
    const { [fact]: _, ...chain } = fairShare().chain;
    expect(judgeProposal({ ...fairShare(), chain: chain as Proposal['chain'] }).verdict, fact).toBe('NO_DATA');
  }
  const { session: _, ...anyDay } = fairShare();
  expect(judgeProposal(anyDay).verdict).toBe('NO_DATA');
});

/** Every proposal that differs from this one in a single whole number. */
function* withOneNumber(proposal: unknown, value: bigint): Generator<unknown> {
  if (typeof proposal !== 'object' || proposal === null) return;
  for (const [name, field] of Object.entries(proposal)) {
    const copy = (changed: unknown) =>
      Array.isArray(proposal) ? proposal.with(Number(name), changed) : { ...proposal, [name]: changed };
    if (typeof field === 'bigint') yield copy(value);
    else for (const changed of withOneNumber(field, value)) yield copy(changed);
  }
}

// GD-5
test('whatever a source says, there is a verdict, and never an exception', () => {
  for (const fair of [fairProposal(), fairShare()]) {
    expect(judgeProposal(fair).verdict).toBe('GO');
    for (const value of [0n, -1n, 1n, 2n ** 256n, -(2n ** 256n)]) {
      for (const proposal of withOneNumber(fair, value)) {
        expect(judgeProposal(proposal as Proposal).findings).toHaveLength(checks.length);
      }
    }
  }
});

test('is a function of the proposal alone', () => {
  const proposal = withChain({ spotWad: 101_000n * WAD });
  expect(judgeProposal(structuredClone(proposal))).toEqual(judgeProposal(proposal));
});

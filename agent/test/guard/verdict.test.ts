import { expect, test } from 'vitest';
import type { Proposal } from '../../src/domain/facts.ts';
import { WAD } from '../../src/domain/units.ts';
import { checks } from '../../src/guard/checks/index.ts';
import { judgeProposal } from '../../src/guard/rules.ts';

import { fairProposal, withChain } from './proposals.ts';

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
  for (const fact of ['chainlink', 'venus', 'quoteToken', 'spotWad', 'twapWad', 'quote'] as const) {
    expect(judgeProposal(withChain({ [fact]: undefined })).verdict, fact).toBe('NO_DATA');
  }
  const { exchange: _, ...silent } = fair;
  expect(judgeProposal(silent).verdict).toBe('NO_DATA');
});

test('is a function of the proposal alone', () => {
  const proposal = withChain({ spotWad: 101_000n * WAD });
  expect(judgeProposal(structuredClone(proposal))).toEqual(judgeProposal(proposal));
});

import { expect, test } from 'vitest';
import type { Proposal } from '../../domain/facts.ts';
import { WAD } from '../../domain/units.ts';
import { checks } from '../../verdict/checks/index.ts';
import { judgeProposal } from '../../verdict/rules.ts';

import { BTCB, fairProposal, USDT, withChain } from './proposals.ts';

test('GO when every check passes, and every finding is kept', () => {
  const { verdict, reason, findings } = judgeProposal(fairProposal());
  expect(verdict).toBe('GO');
  expect(reason).toBeUndefined();
  expect(findings.map(({ check }) => check)).toEqual(checks.map(({ id }) => id));
});

// AG-11
test('a known danger outranks missing facts, and those outrank a doubt', () => {
  const { quote } = fairProposal().chain;
  if (quote === undefined) throw new Error('no quote');
  const dear = (bps: bigint) => ({ quote: { ...quote, amountOut: (quote.amountOut * (10_000n - bps)) / 10_000n } });
  const doubtful = withChain(dear(50n));
  const unknown = withChain({ ...dear(50n), finalBlock: undefined });
  const dangerous = withChain({ ...dear(100n), finalBlock: undefined });

  expect(judgeProposal(doubtful)).toMatchObject({ verdict: 'CAUTION', reason: 'cost_high' });
  expect(judgeProposal(unknown)).toMatchObject({ verdict: 'NO_DATA', reason: 'finality_missing' });
  expect(judgeProposal(dangerous)).toMatchObject({ verdict: 'NO_GO', reason: 'cost_high' });
});

// AG-11
test('without any one of these facts it never says GO', () => {
  for (const fact of ['quoteToken', 'quote', 'finalBlock', 'play'] as const) {
    expect(judgeProposal(withChain({ [fact]: undefined })).verdict, fact).toBe('NO_DATA');
  }
});

const nothing = { exchange: undefined, history: undefined, pyth: undefined };
const { chainlink: _chainlink, ...withoutChainlink } = fairProposal().chain;
const lacking = (facts: object): Proposal =>
  Object.fromEntries(Object.entries({ ...fairProposal(), ...facts }).filter(([, fact]) => fact !== undefined)) as never;

// GD-14
test('what Venus says decides nothing', () => {
  const venus = { source: 'venus', usdWad: 95_000n * WAD } as const;
  for (const feed of [undefined, USDT.feed, BTCB.feed]) {
    expect(judgeProposal(withChain({ venus: { ...venus, ...(feed && { feed }) } })).verdict).toBe('GO');
  }
});

// GD-14
test.each([
  ['Chainlink', lacking({ chain: withoutChainlink })],
  ['the exchange, with its past', lacking({ ...nothing, pyth: fairProposal().pyth })],
  ['its past', lacking({ history: undefined })],
  ['Pyth', lacking({ pyth: undefined })],
  ['Venus', lacking({ chain: withChain({ venus: undefined }).chain })],
  ["the pool's own price and mean", withChain({ spotWad: undefined, twapWad: undefined })],
])('%s may be silent', (_what, proposal) => {
  expect(judgeProposal(proposal).verdict).toBe('GO');
});

// GD-14
test.each([
  ['the exchange and Pyth', lacking(nothing)],
  ['Chainlink and the exchange', lacking({ ...nothing, pyth: fairProposal().pyth, chain: withoutChainlink })],
  ['Chainlink and Pyth', lacking({ pyth: undefined, chain: withoutChainlink })],
  ['Chainlink, with Pyth off', lacking({ pyth: 'off', chain: withoutChainlink })],
])('%s may not', (_what, proposal) => {
  expect(judgeProposal(proposal)).toMatchObject({ verdict: 'NO_DATA', reason: 'reference_missing' });
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
  const fair = fairProposal();
  expect(judgeProposal(fair).verdict).toBe('GO');
  for (const value of [0n, -1n, 1n, 2n ** 256n, -(2n ** 256n)]) {
    for (const proposal of withOneNumber(fair, value)) {
      expect(judgeProposal(proposal as Proposal).findings).toHaveLength(checks.length);
    }
  }
});

test('is a function of the proposal alone', () => {
  const proposal = withChain({ spotWad: 101_000n * WAD });
  expect(judgeProposal(structuredClone(proposal))).toEqual(judgeProposal(proposal));
});

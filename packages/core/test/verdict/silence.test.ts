import { describe, expect, it } from 'vitest';
import type { Proposal } from '../../domain/facts.ts';
import { WAD } from '../../domain/units.ts';
import { judgeProposal } from '../../verdict/rules.ts';
import { silenceBehind } from '../../verdict/silence.ts';
import { fairProposal, NOW, withChain } from './proposals.ts';

// AG-2: whether a verdict that is no GO has any reason but that our own sources do not answer.

/** `undefined` takes a fact away. */
type Changes = { readonly [Fact in 'exchange' | 'depth' | 'history' | 'pyth']?: Proposal[Fact] | undefined };

function silent(changes: Changes, proposal: Proposal = fairProposal()): readonly string[] {
  const facts = Object.entries({ ...proposal, ...changes }).filter(([, fact]) => fact !== undefined);
  const changed = Object.fromEntries(facts) as unknown as Proposal;
  return silenceBehind(changed, judgeProposal(changed));
}

const nothing: Changes = { exchange: undefined, depth: undefined, history: undefined, pyth: undefined };
const { exchange, pyth, history } = fairProposal();
if (exchange === undefined || exchange === 'off' || pyth === undefined || pyth === 'off') throw new Error('no facts');
if (history === undefined || history === 'off') throw new Error('no facts');

describe('our own sources are silent, and nothing else is wrong', () => {
  it.each<[string, Changes, readonly string[]]>([
    ['nobody answers', nothing, ['exchange', 'depth', 'history', 'pyth']],
    ['the exchange does not', { ...nothing, pyth }, ['exchange', 'depth', 'history']],
    ['its price is missing', { exchange: undefined }, ['exchange']],
    ['its book is missing', { depth: undefined }, ['depth']],
    ['its past is missing', { history: undefined }, ['history']],
    ['its past is too short', { history: { ...history, closesWad: history.closesWad.slice(-48) } }, ['history']],
    ['its past has a price of zero', { history: { ...history, closesWad: [0n, ...history.closesWad] } }, ['history']],
    ['its price is no price', { exchange: { ...exchange, bidWad: exchange.askWad + 1n } }, ['exchange']],
    ['its price is of another time', { exchange: { ...exchange, answeredAt: NOW - 31n } }, ['exchange']],
    ['and ahead of the clock', { exchange: { ...exchange, answeredAt: NOW + 31n } }, ['exchange']],
    ['Pyth does not answer', { pyth: undefined }, ['pyth']],
    ['Pyth has stopped', { pyth: { ...pyth, updatedAt: NOW - 61n } }, ['pyth']],
    ['Pyth does not say how sure it is', { pyth: { source: 'pyth', usdWad: pyth.usdWad, updatedAt: NOW } }, ['pyth']],
    [
      'Pyth has stopped at another price',
      { pyth: { ...pyth, usdWad: 90_000n * WAD, updatedAt: NOW - 3_600n } },
      ['pyth'],
    ],
    ['one is off and the other silent', { ...nothing, pyth: 'off' }, ['exchange', 'depth', 'history']],
  ])('%s', (_, changes, expected) => {
    expect(silent(changes)).toEqual(expected);
  });

  it('a doubt beside it is none that was decided by', () => {
    // 0.8 % in the pool.
    const { spotWad = 0n } = fairProposal().chain;
    const doubtful = withChain({ spotWad: spotWad + 800n * WAD, twapWad: spotWad + 800n * WAD });
    expect(judgeProposal(doubtful).verdict).toBe('CAUTION');
    expect(silent({ pyth: undefined }, doubtful)).toEqual(['pyth']);
  });
});

describe('there is another reason', () => {
  it.each<[string, Proposal]>([
    ['a feed that has stopped', withChain({ chainlink: { source: 'chainlink', usdWad: WAD, updatedAt: NOW - 301n } })],
    ['no feed', withChain({ chainlink: undefined })],
    ['no feed of the quote token', withChain({ quoteToken: undefined })],
    ['no mean', withChain({ twapWad: undefined })],
    ['no quote', withChain({ quote: undefined })],
    ['a swap that is not played', withChain({ play: undefined })],
    ['no final block', withChain({ finalBlock: undefined })],
    ['Venus that does not answer', withChain({ venus: undefined })],
    ['a block of another time', withChain({ block: { number: 1_000n, timestamp: NOW - 61n } })],
    ['a pool that was pushed', withChain({ spotWad: 103_000n * WAD })],
  ])('%s', (_, proposal) => {
    expect(judgeProposal(proposal).verdict).toMatch(/^NO_/);
    for (const changes of [{}, nothing, { pyth: undefined }, { ...nothing, pyth }]) {
      expect(silent(changes, proposal)).toEqual([]);
    }
  });

  it.each<[string, Changes]>([
    ['a spread that is wide', { exchange: { ...exchange, bidWad: (exchange.askWad * 99n) / 100n } }],
    ['a book that is thin', { depth: { bidsWad: 1n, asksWad: 1n } }],
    ['a price that disagrees', { pyth: { ...pyth, usdWad: 90_000n * WAD } }],
    ['a price that is not sure', { pyth: { ...pyth, confidenceWad: 5_000n * WAD } }],
  ])('in what a source says of now: %s', (_, changes) => {
    expect(silent(changes)).toEqual([]);
    const other = 'pyth' in changes ? { depth: undefined } : { pyth: undefined };
    expect(silent({ ...changes, ...other })).toEqual([]);
  });

  it('none at all, where the verdict is GO or a doubt', () => {
    expect(silent({})).toEqual([]);
    expect(silent({ exchange: 'off', depth: 'off', history: 'off', pyth: 'off' })).toEqual([]);
    expect(silent({ exchange: { ...exchange, bidWad: (exchange.askWad * 997n) / 1_000n } })).toEqual([]);
  });
});

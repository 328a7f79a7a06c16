import { describe, expect, it } from 'vitest';
import type { Proposal } from '../../domain/facts.ts';
import { WAD } from '../../domain/units.ts';
import { judgeProposal } from '../../verdict/rules.ts';
import { silenceBehind } from '../../verdict/sole-cause.ts';
import { fairProposal, NOW, withChain } from './proposals.ts';

// AG-2: whether a verdict is not GO only because our own sources do not answer.

/** `undefined` removes a fact. */
type Changes = { readonly [Fact in 'exchange' | 'history' | 'pyth']?: Proposal[Fact] | undefined };

function silent(changes: Changes, proposal: Proposal = fairProposal()): readonly string[] {
  const facts = Object.entries({ ...proposal, ...changes }).filter(([, fact]) => fact !== undefined);
  const changed = Object.fromEntries(facts) as unknown as Proposal;
  return silenceBehind(changed, judgeProposal(changed));
}

const nothing: Changes = { exchange: undefined, history: undefined, pyth: undefined };
const noExchange: Changes = { exchange: undefined, history: undefined };
const { exchange, pyth, chain } = fairProposal();
const { quote: fairQuote } = chain;
if (exchange === undefined || exchange === 'off' || pyth === undefined || pyth === 'off') throw new Error('no facts');
if (fairQuote === undefined) throw new Error('no quote');

/** The pool asks 5 % more than the reference, which only a source's price shows. */
const tooDear = withChain({
  ...{ spotWad: 105_000n * WAD, twapWad: 105_000n * WAD },
  quote: { ...fairQuote, amountOut: (fairQuote.amountOut * 100n) / 105n },
  play: { received: (fairQuote.amountOut * 100n) / 105n, returned: fairQuote.amountIn },
});

describe('our own sources are silent, and nothing else is wrong', () => {
  it.each<[string, Changes, readonly string[]]>([
    ['nobody answers', nothing, ['exchange', 'pyth']],
    ['the exchange does not, and Pyth is off', { ...noExchange, pyth: 'off' }, ['exchange']],
    ['Pyth does not, and the exchange is off', { exchange: 'off', pyth: undefined }, ['pyth']],
    ['a price is no price', { exchange: { ...exchange, bidWad: exchange.askWad + 1n }, pyth: 'off' }, ['exchange']],
    ['a price is of another time', { exchange: { ...exchange, answeredAt: NOW - 31n }, pyth: 'off' }, ['exchange']],
    ['a price is ahead of the clock', { exchange: { ...exchange, answeredAt: NOW + 31n }, pyth: 'off' }, ['exchange']],
    ['Pyth has stopped', { exchange: 'off', pyth: { ...pyth, updatedAt: NOW - 61n } }, ['pyth']],
    [
      'Pyth does not say how sure it is',
      { exchange: 'off', pyth: { source: 'pyth', usdWad: pyth.usdWad, updatedAt: NOW } },
      ['pyth'],
    ],
    [
      'Pyth has stopped at another price',
      { exchange: 'off', pyth: { ...pyth, usdWad: 90_000n * WAD, updatedAt: NOW - 3_600n } },
      ['pyth'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(silent(changes)).toEqual(expected);
  });

  it('the exchange does not say the past, and the feed does not either', () => {
    const young = withChain({ chainlinkPast: undefined });
    expect(judgeProposal({ ...young, history: 'off' })).toMatchObject({ verdict: 'CAUTION', reason: 'past_missing' });
    expect(silent(noExchange, young)).toEqual(['exchange']);
    expect(silent({ history: 'off' }, young)).toEqual([]);
  });

  it('a doubt beside it is none that was decided by', () => {
    // The total cost is 0.55 %.
    const doubtful = withChain({ quote: { ...fairQuote, amountOut: (fairQuote.amountOut * 995n) / 1_000n } });
    expect(judgeProposal(doubtful).verdict).toBe('CAUTION');
    expect(silent(nothing, doubtful)).toEqual(['exchange', 'pyth']);
  });
});

describe('there is another reason', () => {
  it.each<[string, Proposal]>([
    ['no feed of the quote token', withChain({ quoteToken: undefined })],
    ['no quote', withChain({ quote: undefined })],
    ['a swap that is not played', withChain({ play: undefined })],
    ['no final block', withChain({ finalBlock: undefined })],
    ['a block of another time', withChain({ block: { number: 1_000n, timestamp: NOW - 61n } })],
    ['a pool that has been too dear for long', tooDear],
  ])('%s', (_, proposal) => {
    expect(judgeProposal(proposal).verdict).toMatch(/^NO_/);
    for (const changes of [{}, nothing, { pyth: undefined }, { ...nothing, pyth }]) {
      expect(silent(changes, proposal)).toEqual([]);
    }
  });

  it.each<[string, Proposal]>([
    ['a feed that has stopped', withChain({ chainlink: { source: 'chainlink', usdWad: WAD, updatedAt: NOW - 301n } })],
    ['no feed', withChain({ chainlink: undefined })],
  ])('on chain: %s', (_, proposal) => {
    expect(silent({ pyth: undefined }, proposal)).toEqual([]);
    expect(silent(nothing, proposal)).toEqual([]);
  });

  it.each<[string, Changes]>([
    ['a spread that is wide', { exchange: { ...exchange, bidWad: (exchange.askWad * 99n) / 100n }, pyth: 'off' }],
    ['a price that disagrees', { exchange: 'off', pyth: { ...pyth, usdWad: 90_000n * WAD } }],
    ['a price that is not sure', { exchange: 'off', pyth: { ...pyth, confidenceWad: 5_000n * WAD } }],
    ['sources that are off', { exchange: 'off', history: 'off', pyth: 'off' }],
  ])('in what a source says of now: %s', (_, changes) => {
    expect(judgeProposal({ ...fairProposal(), ...changes } as Proposal).verdict).toMatch(/^NO_/);
    expect(silent(changes)).toEqual([]);
  });

  it('none at all, where the verdict is GO or a doubt', () => {
    expect(silent({})).toEqual([]);
    expect(silent({ pyth: undefined })).toEqual([]);
    expect(silent(noExchange)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Proposal, Reference, Side } from '../../domain/facts.ts';
import { BPS, largest, smallest, WAD } from '../../domain/units.ts';
import { chainFreshness } from '../../verdict/checks/chain-freshness.ts';
import { stablecoinPeg } from '../../verdict/checks/stablecoin-peg.ts';
import { references, referenceUsdWad } from '../../verdict/references.ts';
import { judgeProposal } from '../../verdict/rules.ts';
import { conservativeUsdWad, countedOf, quoteUsdWad, sourcesOf, worstUsdWad } from '../../verdict/sources.ts';
import { fairProposal, NOW, withChain } from './proposals.ts';

// GD-14, GD-15: one source of each operator, for the asset and for the quote coin.

const USD = 100_000n * WAD;
const moved = (usdWad: bigint, bps: bigint): bigint => (usdWad * (BPS + bps)) / BPS;
const said = (source: Reference['source'], usdWad: bigint, updatedAt?: bigint): Reference => ({
  ...{ source, usdWad },
  ...(updatedAt !== undefined && { updatedAt }),
});
const redStone = (usdWad: bigint, updatedAt?: bigint) => said('redstone', usdWad, updatedAt);
const binance = (usdWad: bigint, updatedAt?: bigint) => said('binance_oracle', usdWad, updatedAt);
const names = (proposal: Proposal) => countedOf(proposal).map(({ source }) => source);
const standing = (proposal: Proposal, name: string) => {
  const found = sourcesOf(proposal).find(({ source }) => source === name);
  return found && ('absent' in found ? found.absent : 'counted');
};
const { exchange: _exchange, ...exchangeSilent } = withChain({ binanceOracle: binance(USD, NOW) });

describe('who counts', () => {
  it('one of each operator: Binance’s oracle has no voice beside its exchange', () => {
    const all = withChain({ redStone: redStone(USD, NOW), binanceOracle: binance(USD, NOW) });
    expect(names(all)).toEqual(['chainlink', 'exchange', 'pyth', 'redstone']);
  });

  it('Binance’s oracle where its exchange gives no price, or is not asked', () => {
    expect(names(exchangeSilent)).toEqual(['chainlink', 'binance_oracle', 'pyth']);
    expect(names({ ...exchangeSilent, exchange: 'off' })).toEqual(['chainlink', 'binance_oracle', 'pyth']);
  });

  it('two on the chain are enough for GO, and one is not', () => {
    const onChain = { ...withChain({ redStone: redStone(USD, NOW) }), exchange: 'off', pyth: 'off' } as const;
    expect(judgeProposal(onChain).verdict).toBe('GO');
    const alone = { ...withChain({ redStone: 'off' }), exchange: 'off', pyth: 'off' } as const;
    expect(judgeProposal(alone)).toMatchObject({ verdict: 'NO_DATA', reason: 'reference_missing' });
  });

  it.each<[string, Reference | 'off' | undefined, string | undefined]>([
    ['of now', redStone(USD, NOW), 'counted'],
    ['at the age that Chainlink may have', redStone(USD, NOW - 180n), 'counted'],
    ['older', redStone(USD, NOW - 181n), 'stale'],
    ['of the future', redStone(USD, NOW + 1n), 'stale'],
    // Venus prices may be set by its governance, and then have no time.
    ['of an unknown time', redStone(USD), 'stale'],
    ['of zero', redStone(0n, NOW), 'silent'],
    ['none', undefined, 'silent'],
    ['none of this asset', 'off', undefined],
  ])('RedStone, %s: %s', (_, price, expected) => {
    expect(standing(withChain({ redStone: price }), 'redstone')).toBe(expected);
  });

  it('the less sure Pyth is, the less it helps: beyond the caution limit of a cost it does not count', () => {
    const unsure = (bps: bigint): Proposal => ({
      ...fairProposal(),
      pyth: { source: 'pyth', usdWad: USD, updatedAt: NOW, confidenceWad: (USD * bps) / BPS },
      exchange: 'off',
    });
    const verdicts = [5n, 30n, 40n, 41n, 96n, 101n, 500n].map((bps) => judgeProposal(unsure(bps)).verdict);
    expect(verdicts).toEqual(['GO', 'GO', 'CAUTION', ...Array(4).fill('NO_DATA')]);
  });
});

describe('the reference', () => {
  /** The prices of Chainlink, the exchange, Pyth and RedStone, each moved by its `bps`. */
  const saying = (bps: readonly (bigint | undefined)[]): Proposal => {
    const [chainlink, exchange, pyth, other] = bps.map((each) => (each === undefined ? undefined : moved(USD, each)));
    const {
      exchange: _e,
      pyth: _p,
      ...rest
    } = withChain({
      chainlink: chainlink === undefined ? undefined : said('chainlink', chainlink, NOW),
      redStone: other === undefined ? 'off' : redStone(other, NOW),
    });
    return {
      ...rest,
      ...(exchange !== undefined && { exchange: { bidWad: exchange, askWad: exchange, answeredAt: NOW } }),
      ...(pyth !== undefined && { pyth: { ...said('pyth', pyth, NOW), confidenceWad: 0n } }),
    };
  };

  it.each<[readonly (bigint | undefined)[], bigint, bigint]>([
    [[0n, 10n, 20n, 30n], 10n, 20n],
    [[30n, 20n, 10n, 0n], 10n, 20n],
    [[0n, 10n, 20n, undefined], 10n, 10n],
    [[0n, undefined, 20n, undefined], 0n, 20n],
  ])('of %s is the second worst for the trader, of two the worst', (bps, buy, sell) => {
    expect(conservativeUsdWad(saying(bps), 'buy')).toBe(moved(USD, buy));
    expect(conservativeUsdWad(saying(bps), 'sell')).toBe(moved(USD, sell));
  });

  it('is no better for the trader than one of two honest ones, whatever the others say', () => {
    for (let round = 0; round < 200; round += 1) {
      const lies = [(round * 7919) % 4_000, (round * 104_729) % 4_000].map((each) => BigInt(each - 2_000));
      const honest = [0n, BigInt(round % 20)];
      const order = [lies[0], honest[0], round % 3 === 0 ? undefined : lies[1], honest[1]];
      const proposal = saying(order);
      const prices = honest.map((bps) => moved(USD, bps));
      expect(conservativeUsdWad(proposal, 'buy')).toBeLessThanOrEqual(largest(prices));
      expect(conservativeUsdWad(proposal, 'sell')).toBeGreaterThanOrEqual(smallest(prices));
    }
  });

  it('the worst is the worst of four', () => {
    expect(worstUsdWad(saying([0n, 10n, 20n, -30n]), 'buy')).toBe(moved(USD, -30n));
    expect(worstUsdWad(saying([0n, 10n, 20n, 40n]), 'sell')).toBe(moved(USD, 40n));
  });
});

describe('the quote coin', () => {
  /** Its price by Chainlink, RedStone, Binance Oracle and Pyth, as a difference from a dollar in 1/10,000. */
  const quoted = (
    [chainlink, other, oracle, pyth]: readonly (bigint | undefined)[],
    side: Side = 'buy',
    at = NOW,
  ): Proposal => {
    const price = (source: Reference['source'], bps: bigint) => said(source, moved(WAD, bps), NOW);
    const proposal = withChain({
      quoteToken: chainlink === undefined ? undefined : { ...price('chainlink', chainlink), updatedAt: at },
      quoteRedStone: other === undefined ? 'off' : price('redstone', other),
      quoteBinanceOracle: oracle === undefined ? 'off' : price('binance_oracle', oracle),
    });
    const quotePyth = pyth === undefined ? 'off' : { ...price('pyth', pyth), confidenceWad: 0n };
    return { ...proposal, side, quotePyth };
  };
  const worth = (bps: readonly (bigint | undefined)[], side?: Side) => quoteUsdWad(quoted(bps, side));

  it.each<[readonly (bigint | undefined)[], bigint, bigint]>([
    [[0n, 10n, 20n, 30n], 20n, 10n],
    [[0n, 10n, 20n, undefined], 10n, 10n],
    [[0n, undefined, undefined, 30n], 30n, 0n],
    [[undefined, undefined, undefined, 30n], 30n, 30n],
    [[7n, undefined, undefined, undefined], 7n, 7n],
  ])(
    'of %s is worth the second most to who pays with it, the second least to who gets it, of two the worse',
    (bps, buy, sell) => {
      expect(worth(bps)).toBe(moved(WAD, buy));
      expect(worth(bps, 'sell')).toBe(moved(WAD, sell));
    },
  );

  it('is worth the median where nothing is traded, and is not known without a source', () => {
    const { side: _, ...priced } = quoted([0n, 10n, 21n, 30n]);
    expect(quoteUsdWad(priced)).toBe((moved(WAD, 10n) + moved(WAD, 21n)) / 2n);
    expect(worth([undefined, undefined, undefined, undefined])).toBeUndefined();
  });

  it.each<[string, Side, bigint]>([
    ['paid, whose feed says too little', 'buy', -84n],
    // Beyond 50 it would be off its peg.
    ['received, whose feed says too much', 'sell', 45n],
  ])('%s: a second source refuses what the feed alone would let pass', (_, side, lie) => {
    // The pool asks or bids the price that the lie makes look fair; the exchange is silent.
    const spot = moved(USD, -lie);
    const [paid, got] = side === 'buy' ? [1_000n * WAD, (1_000n * WAD * WAD) / spot] : [WAD / 100n, spot / 100n];
    const trade = (sources: readonly (bigint | undefined)[]): string => {
      const proposal = quoted(sources, side);
      const { quote, ...chain } = proposal.chain;
      if (quote === undefined) throw new Error('no quote');
      const [amountIn, amountOut] = [paid, (got * 9_995n) / 10_000n];
      const [tokenIn, tokenOut] = side === 'buy' ? [quote.tokenIn, quote.tokenOut] : [quote.tokenOut, quote.tokenIn];
      const play = { received: amountOut, returned: (amountIn * 9_990n) / 10_000n };
      const facts = { ...chain, spotWad: spot, twapWad: spot, play };
      const { exchange: _e, history: _h, ...rest } = proposal;
      return judgeProposal({ ...rest, chain: { ...facts, quote: { side, tokenIn, tokenOut, amountIn, amountOut } } })
        .verdict;
    };
    expect(trade([lie, undefined, undefined, undefined])).toBe('GO');
    expect(trade([lie, 0n, undefined, undefined])).not.toBe('GO');
    expect(trade([lie, undefined, undefined, 0n])).not.toBe('GO');
    expect(trade([lie, 0n, 1n, undefined])).not.toBe('GO');
  });

  it('whose Chainlink feed has stopped is priced by another source, and the finding names who is silent', () => {
    const stopped = quoted([0n, undefined, undefined, 0n], 'buy', NOW - 86_401n * 2n);
    expect(judgeProposal(stopped).verdict).toBe('GO');
    const { outcome, detail } = chainFreshness.run(stopped);
    expect(outcome).toBe('pass');
    expect(detail).toContain('of USDT Chainlink gives a price of another time, Pyth says 1 USD.');
  });

  it('without any source of now is no data, and no known danger', () => {
    const stopped = quoted([0n, undefined, undefined, undefined], 'buy', NOW - 86_401n * 2n);
    expect(judgeProposal(stopped)).toMatchObject({ verdict: 'NO_DATA', reason: 'reference_stale' });
    expect(chainFreshness.run(stopped).detail).toContain('Chainlink gives a price of another time');
    const none = quoted([undefined, undefined, undefined, undefined]);
    expect(judgeProposal(none)).toMatchObject({ verdict: 'NO_DATA', reason: 'reference_missing' });
  });

  it('received off its dollar by the second least source is refused, whatever its feed says', () => {
    expect(stablecoinPeg.run(quoted([0n, -101n, undefined, -101n], 'sell'))).toMatchObject({ outcome: 'no_go' });
    expect(stablecoinPeg.run(quoted([0n, 0n, undefined, -101n], 'sell'))).toMatchObject({ outcome: 'pass' });
  });
});

describe('the references that a price lists', () => {
  const independent = (proposal: Proposal) =>
    references(proposal).flatMap((each) => (each.independent ? [each.source] : []));

  it('have RedStone while it is of now: it may honestly answer seldom', () => {
    expect(independent(withChain({ redStone: redStone(USD, NOW) }))).toContain('redstone');
    const old = withChain({ redStone: redStone(2n * USD, NOW - 3_600n) });
    expect(independent(old)).not.toContain('redstone');
    expect(references(old).map(({ source }) => source)).toContain('redstone');
    expect(referenceUsdWad(old)).toBe(USD);
  });

  it('have Binance’s oracle only where its exchange gives no price', () => {
    expect(independent(withChain({ binanceOracle: binance(USD, NOW) }))).not.toContain('binance_oracle');
    expect(independent(exchangeSilent)).toContain('binance_oracle');
  });
});

import type { Proposal } from '@bowline/core/domain/facts';
import { parseUnitsDown, WAD } from '@bowline/core/domain/units';
import { gainUsd } from '@bowline/core/texts/amounts';
import { moneyOf } from '@bowline/core/texts/verdict-answer';
import { describe, expect, test } from 'vitest';
import { fairProposal, withChain } from '../verdict/proposals.ts';

const wadOf = (decimal: string): bigint => {
  const wad = parseUnitsDown(decimal.replace('-', ''), 18) ?? 0n;
  return decimal.startsWith('-') ? -wad : wad;
};

/** The fair proposal whose pool asks `spot` and pays out `amountOut`. */
function trade(spot: bigint, amountOut: bigint): Proposal {
  const { quote } = fairProposal().chain;
  return withChain({ spotWad: spot * WAD, ...(quote && { quote: { ...quote, amountOut } }) });
}

describe('what a trade costs in US dollars', () => {
  test('a fair trade costs its fee', () => {
    expect(moneyOf(fairProposal())).toEqual({
      paid_usd: '1000',
      received_usd: '999.5',
      total_usd: '0.5',
      fee_usd: '0.5',
      distance_usd: '0',
      impact_usd: '0',
      total_bps: '5',
    });
  });

  test('fee, distance and impact add up to the total, whatever the market', () => {
    for (const [spot, amountOut] of [
      [105_000n, 9_500_000_000_000_000n],
      [99_000n, 10_100_000_000_000_000n],
      [100_000n, 7_000_000_000_000_000n],
      [1n, 1n],
    ] as const) {
      const money = moneyOf(trade(spot, amountOut));
      if (money === null) throw new Error('no price');
      const { paid_usd, received_usd, total_usd, fee_usd, distance_usd, impact_usd } = money;
      expect(wadOf(paid_usd) - wadOf(received_usd)).toBe(wadOf(total_usd));
      expect(wadOf(fee_usd) + wadOf(distance_usd) + wadOf(impact_usd)).toBe(wadOf(total_usd));
    }
  });

  test('a pool above the reference costs a buyer, one below it gains', () => {
    expect(Number(moneyOf(trade(101_000n, 9_895_000_000_000_000n))?.distance_usd)).toBeCloseTo(9.9, 1);
    const bargain = moneyOf(trade(99_000n, 10_095_000_000_000_000n));
    expect(bargain?.total_usd).toBe('-9.5');
    expect(bargain?.total_bps).toBe('-95');
    expect(Number(bargain?.distance_usd)).toBeCloseTo(-10.1, 1);
  });

  test('a seller counts the asset at its value, and loses below it', () => {
    const proposal = fairProposal();
    const { quote } = proposal.chain;
    if (quote === undefined) throw new Error('no quote');
    const sold = {
      ...proposal,
      side: 'sell' as const,
      chain: {
        ...proposal.chain,
        spotWad: 99_000n * WAD,
        quote: {
          side: 'sell' as const,
          tokenIn: quote.tokenOut,
          tokenOut: quote.tokenIn,
          amountIn: WAD / 100n,
          amountOut: 989n * WAD,
        },
      },
    };
    expect(moneyOf(sold)).toEqual({
      paid_usd: '1000',
      received_usd: '989',
      total_usd: '11',
      fee_usd: '0.5',
      distance_usd: '10',
      impact_usd: '0.5',
      total_bps: '110',
    });
  });

  test('without a quote, a price of the pool or of any source there is none', () => {
    expect(moneyOf(withChain({ quote: undefined }))).toBeNull();
    expect(moneyOf(withChain({ spotWad: undefined }))).toBeNull();
    expect(moneyOf(withChain({ quoteToken: undefined }))).toBeNull();
    const { pyth: _p, exchange: _e, chain, ...rest } = fairProposal();
    const { chainlink: _c, venus: _v, ...facts } = chain;
    expect(moneyOf({ ...rest, chain: facts })).toBeNull();
  });
});

test.each([
  [-3n, '-$0.0001'],
  [3n, '+$0.00'],
  [0n, '+$0.00'],
  [-WAD / 10_000n, '-$0.0001'],
  [-(WAD / 10_000n) - 1n, '-$0.0002'],
  [WAD / 5n, '+$0.20'],
  [-219_800_000_000_000_001n, '-$0.2199'],
])('a gain of %i wei of a dollar reads %s, to a hundredth of a cent', (wad, said) => {
  expect(gainUsd(wad)).toBe(said);
});

import { shortUnits } from '../../domain/readable.ts';
import { descending, deviationBpsUp, formatBps, mulDivDown, WAD } from '../../domain/units.ts';
import { type Check, judge, unmeasured } from '../check.ts';
import { references } from '../references.ts';
import { inWords, quoteUsdWad } from '../sources.ts';

// A feed with a wrong unit, such as a ratio for a price or ether for dollars, is off by a factor rather than by
// percents. It is compared with its own previous answer, and every reference with the pool's mean.
export const priceJump: Check = {
  id: 'price_jump',
  question: 'Has a price jumped by a factor?',
  rests: ['block', 'chainlink', 'quote_token', 'venus', 'redstone', 'exchange', 'binance_oracle', 'pyth'],
  run(proposal) {
    const { chain, limits, asset } = proposal;
    const { chainlink, chainlinkBeforeWad = 0n, twapWad = 0n } = chain;
    const mean = mulDivDown(twapWad, quoteUsdWad(proposal) ?? 0n, WAD);
    const pairs = references(proposal).map(({ source, usdWad }) => {
      return { before: "The pool's mean is", from: mean, now: `and ${inWords[source]} says`, to: usdWad };
    });
    if (chainlink !== undefined) {
      pairs.unshift({ before: 'Chainlink said', from: chainlinkBeforeWad, now: 'and says', to: chainlink.usdWad });
    }
    const [worst] = pairs
      .filter(({ from, to }) => from > 0n && to > 0n)
      .map((pair) => ({ ...pair, bps: byFactor(pair.from, pair.to) }))
      .toSorted((a, b) => descending(a.bps, b.bps));
    if (worst === undefined) {
      const detail = `There is nothing that a price of ${asset.symbol} could be held against.`;
      return unmeasured('no_data', 'reference_missing', limits.jumpBps.noGo, detail);
    }
    const { before, from, now, to, bps } = worst;
    const first = chain.chainlinkBeforeWad === undefined ? '; Chainlink has no answer before this one' : '';
    const statement = `${before} ${shortUnits(from, 18)} USD ${now} ${shortUnits(to, 18)} USD, ${formatBps(bps)} apart${first}`;
    return judge(bps, limits.jumpBps, 'price_jumped', statement);
  },
};

/** How much the larger exceeds the smaller: a half is as far off as a double. Both must be positive. */
const byFactor = (a: bigint, b: bigint): bigint => (a > b ? deviationBpsUp(a, b) : deviationBpsUp(b, a));

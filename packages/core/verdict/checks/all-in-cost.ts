import type { Proposal } from '../../domain/facts.ts';
import { shortUnits } from '../../domain/readable.ts';
import { BPS, deviationBpsUp, formatBps } from '../../domain/units.ts';
import { type Answer, type Check, judge, noQuote, unmeasured } from '../check.ts';
import { partsAt, type Worth, worthAt } from '../cost.ts';
import {
  apartBps,
  causeOf,
  conservativeUsdWad,
  isCounted,
  quorum,
  saying,
  sourcesOf,
  worstUsdWad,
} from '../sources.ts';

// The only bound on what a trade may lose: pool price, fee, impact and quote token together. Separate limits would let
// them add up. By the conservative value it may cost little; by the value of any single source, even one that two
// others outvote, it may not cost much. A single source decides nothing.
export const allInCost: Check = {
  id: 'all_in_cost',
  question: 'What does it cost in all, by two independent sources or more?',
  rests: ['block', 'chainlink', 'quote_token', 'redstone', 'exchange', 'binance_oracle', 'pyth'],
  run(proposal): Answer {
    const { side, asset, quoteAsset, chain } = proposal;
    const band = proposal.limits.costBps;
    if (chain.quote === undefined) return unmeasured('no_data', 'quote_missing', band.noGo, noQuote(proposal));
    const [usdWad, worstWad] = [conservativeUsdWad(proposal, side), worstUsdWad(proposal, side)];
    if (usdWad === undefined || worstWad === undefined) {
      const sources = sourcesOf(proposal);
      const count = `${sources.filter(isCounted).length} of ${sources.length} count (${quorum} are asked for)`;
      return unmeasured('no_data', causeOf(sources), band.noGo, `Of ${asset.symbol} ${saying(sources)}: ${count}.`);
    }
    const [found, worst] = [worthAt(proposal, usdWad), worthAt(proposal, worstWad)];
    if (found === undefined || worst === undefined) {
      const detail = `What is paid and received has no value in USD: no source gives a price of ${quoteAsset.symbol}, or nothing is paid.`;
      return unmeasured('no_data', 'reference_missing', band.noGo, detail);
    }
    const [worth, value, by] =
      worst.bps > band.noGo
        ? [worst, worstWad, 'by the worst of the sources']
        : [found, usdWad, 'by the conservative reference'];
    const why = worth.bps > band.caution ? causesOf(proposal, value, worth) : '';
    return judge(worth.bps, band, 'cost_high', `${inUsd(worth)} ${by}, ${inAll(worth)}${why}`);
  },
};

const inUsd = ({ paidUsdWad, receivedUsdWad }: Worth): string =>
  `${shortUnits(paidUsdWad, 18)} USD is paid for ${shortUnits(receivedUsdWad, 18)} USD`;

const inAll = ({ bps }: Worth): string =>
  bps < 0n ? `a gain of ${formatBps(-bps)}` : `a cost of ${formatBps(bps)} in all`;

/** What a cost consists of. Only explains it and decides nothing. */
function causesOf(proposal: Proposal, usdWad: bigint, worth: Worth): string {
  const { side, limits } = proposal;
  const { spotWad, twapWad = 0n, twapSeconds } = proposal.chain;
  const parts = partsAt(proposal, usdWad, worth);
  const share = (wad: bigint) => formatBps((wad * BPS) / worth.paidUsdWad);
  const of = parts
    ? `: ${share(parts.feeUsdWad)} are fees, ${share(parts.distanceUsdWad)} the pool's price, ${share(parts.impactUsdWad)} this size`
    : '';
  const apart = apartBps(proposal);
  const disagree = apart > limits.costBps.caution ? `; the sources are ${formatBps(apart)} apart` : '';
  const isPushed = spotWad !== undefined && twapWad > 0n && (side === 'buy' ? spotWad > twapWad : spotWad < twapWad);
  const pushed = isPushed ? deviationBpsUp(spotWad, twapWad) : 0n;
  if (pushed <= limits.costBps.caution) return `${of}${disagree}`;
  return `${of}${disagree}; the pool has moved by ${formatBps(pushed)} from its mean of the last ${twapSeconds} s`;
}

import type { Proposal } from '../../domain/facts.ts';
import { shortUnits } from '../../domain/readable.ts';
import { BPS, deviationBpsUp, formatBps } from '../../domain/units.ts';
import { type Answer, type Check, judge, missing } from '../check.ts';
import { costBps, partsAt, type Worth, worthAt } from '../cost.ts';
import { apartOf, conservativeUsdWad, isCounted, quorum, sourcesOf, worstUsdWad } from '../sources.ts';
import { causeOf, saying } from '../standing.ts';

const reasons = {
  silent: 'reference_missing',
  stale: 'reference_stale',
  uncertain: 'reference_uncertain',
} as const;

// The one bound of what a trade may lose: pool price, fee, impact and quote token together. Limits of each alone would
// let them add up. By the conservative value it may cost little; by the value of any single source, which two others may
// outvote together, it may not cost much. A single source decides nothing.
export const allInCost: Check = {
  id: 'all_in_cost',
  question: 'What does it cost in all, by two independent sources or more?',
  rests: ['block', 'chainlink', 'quote_token', 'redstone', 'exchange', 'binance_oracle', 'pyth'],
  run(proposal): Answer {
    const { side, limits, asset, quoteAsset } = proposal;
    const band = limits.costBps;
    if (proposal.chain.quote === undefined) {
      const detail = `The ${asset.symbol}/${quoteAsset.symbol} pool quotes no swap of this size.`;
      return missing('quote_missing', band.noGo, 'bps', detail);
    }
    const [usdWad, worstWad] = [conservativeUsdWad(proposal, side), worstUsdWad(proposal, side)];
    if (usdWad === undefined || worstWad === undefined) return tooFew(proposal);
    const found = measureAt(proposal, usdWad);
    const worst = measureAt(proposal, worstWad);
    if (found === undefined || worst === undefined) {
      const detail = `What is paid and received has no value in USD: no source gives a price of ${quoteAsset.symbol}, or nothing is paid.`;
      return missing('reference_missing', band.noGo, 'bps', detail);
    }
    const isWorst = worst.bps > band.noGo;
    const told = isWorst ? worst : found;
    const why = told.bps > band.caution ? causesOf(proposal, isWorst ? worstWad : usdWad, told) : '';
    return judge(told.bps, band, 'cost_high', `${inUsd(told, isWorst)}${why}`);
  },
};

/** Fewer sources count than are needed. */
function tooFew(proposal: Proposal): Answer {
  const sources = sourcesOf(proposal);
  const count = sources.filter(isCounted).length;
  const detail =
    `Of ${proposal.asset.symbol} ${saying(sources)}: ` +
    `${count} of ${sources.length} count (${quorum} are asked for).`;
  return missing(reasons[causeOf(sources)], proposal.limits.costBps.noGo, 'bps', detail);
}

type Measure = Worth & { readonly bps: bigint };

function measureAt(proposal: Proposal, usdWad: bigint): Measure | undefined {
  const worth = worthAt(proposal, usdWad);
  const bps = worth && costBps(worth);
  return worth === undefined || bps === undefined ? undefined : { ...worth, bps };
}

function inUsd({ paidUsdWad, receivedUsdWad, bps }: Measure, isWorst: boolean): string {
  const by = isWorst ? 'by the worst of the sources' : 'by the conservative reference';
  const paid = `${shortUnits(paidUsdWad, 18)} USD is paid for ${shortUnits(receivedUsdWad, 18)} USD ${by}`;
  return bps < 0n ? `${paid}, a gain of ${formatBps(-bps)}` : `${paid}, a cost of ${formatBps(bps)} in all`;
}

/** What a cost consists of: explains it, and decides nothing. */
function causesOf(proposal: Proposal, usdWad: bigint, worth: Measure): string {
  const { chain, side, limits } = proposal;
  const parts = partsAt(proposal, usdWad, worth);
  const share = (wad: bigint) => formatBps((wad * BPS) / worth.paidUsdWad);
  const of =
    parts === undefined
      ? ''
      : `: ${share(parts.feeUsdWad)} are fees, ${share(parts.distanceUsdWad)} the pool's price, ${share(parts.impactUsdWad)} this size`;
  const apart = apartOf(proposal)?.widestBps ?? 0n;
  const disagree = apart > limits.costBps.caution ? `; the sources are ${formatBps(apart)} apart` : '';
  const { spotWad, twapWad, twapSeconds } = chain;
  if (spotWad === undefined || twapWad === undefined || twapWad <= 0n) return `${of}${disagree}`;
  const pushed = (side === 'buy' ? spotWad > twapWad : spotWad < twapWad) ? deviationBpsUp(spotWad, twapWad) : 0n;
  if (pushed <= limits.costBps.caution) return `${of}${disagree}`;
  return `${of}${disagree}; the pool has moved by ${formatBps(pushed)} from its mean of the last ${twapSeconds} s`;
}

import { shortUnits } from '../../domain/readable.ts';
import { formatBps } from '../../domain/units.ts';
import { type Answer, type Check, judge, missing } from '../check.ts';
import { costBps, type Worth, worthAt } from '../cost.ts';
import { conservativeUsdWad, worstUsdWad } from '../sources.ts';

// The one bound of what a trade may lose: pool price, fee, impact and quote token together. Limits of each alone would
// let them add up. By the conservative value it may cost little; by the value of any single source, which two others may
// outvote together, it may not cost much.
export const allInCost: Check = {
  id: 'all_in_cost',
  question: 'What does it cost in all, by the conservative reference?',
  rests: ['block', 'chainlink', 'quote_token', 'redstone', 'exchange', 'binance_oracle', 'pyth'],
  run(proposal): Answer {
    const { side, limits, asset, quoteAsset } = proposal;
    const band = limits.costBps;
    if (proposal.chain.quote === undefined) {
      const detail = `The ${asset.symbol}/${quoteAsset.symbol} pool quotes no swap of this size.`;
      return missing('quote_missing', band.noGo, 'bps', detail);
    }
    const found = measureAt(conservativeUsdWad(proposal, side));
    const worst = measureAt(worstUsdWad(proposal, side));
    if (found === undefined || worst === undefined) {
      const detail = `What ${asset.symbol} is worth is not known by two independent sources.`;
      return missing('reference_missing', band.noGo, 'bps', detail);
    }
    const isWorst = worst.bps > band.noGo;
    return judge((isWorst ? worst : found).bps, band, 'cost_high', inUsd(isWorst ? worst : found, isWorst));

    function measureAt(usdWad: bigint | undefined) {
      const worth = usdWad === undefined ? undefined : worthAt(proposal, usdWad);
      const bps = worth && costBps(worth);
      return worth === undefined || bps === undefined ? undefined : { ...worth, bps };
    }
  },
};

function inUsd({ paidUsdWad, receivedUsdWad, bps }: Worth & { readonly bps: bigint }, isWorst: boolean): string {
  const by = isWorst ? 'by the worst of the sources' : 'by the conservative reference';
  const paid = `${shortUnits(paidUsdWad, 18)} USD is paid for ${shortUnits(receivedUsdWad, 18)} USD ${by}`;
  return bps < 0n ? `${paid}, a gain of ${formatBps(-bps)}` : `${paid}, a cost of ${formatBps(bps)} in all`;
}

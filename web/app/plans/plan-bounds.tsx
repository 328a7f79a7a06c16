import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { priceOf, type Sided } from '@bowline/core/domain/sided';
import { Fact } from '../parts/facts.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { floorSource } from './floor-source.ts';

interface Props {
  readonly plan: Plan;
  readonly sided: Sided | undefined;
}

/** What bounds the price of each run. Slippage is from a source's price: without a source it bounds nothing. */
export function PlanBounds({ plan, sided }: Props) {
  const source = floorSource(plan.priceSource, useSettings());
  const percent = `${exactAmount(BigInt(plan.maxSlippageBps), 2)} %`;
  const told = (wad: bigint, isTrigger: boolean, ofPurchase: Said, ofSale: Said): string => {
    if (sided === undefined) return planWords.limitUnlisted;
    const { asset, quote, isSale } = sided;
    const price = `${exactAmount(priceOf(wad, sided, isTrigger), quote.decimals)} ${quote.symbol}`;
    return (isSale ? ofSale : ofPurchase)(price, asset.symbol);
  };
  return (
    <>
      {source !== 'none' && (
        <Fact name={planWords.slippage}>{source === 'oracle' ? percent : planWords.foreignSlippage(percent)}</Fact>
      )}
      {plan.limitPriceWad !== 0n && (
        <Fact name={partWords.limitPrice}>{told(plan.limitPriceWad, false, planWords.limitOf, planWords.leastOf)}</Fact>
      )}
      {plan.farLimit && source !== 'oracle' && <Fact name={partWords.anyPrice}>{planWords.anyPriceAllowed}</Fact>}
      {plan.triggerPriceWad !== 0n && (
        <Fact name={partWords.triggerPrice}>
          {told(plan.triggerPriceWad, true, planWords.triggerOf, planWords.stopOf)}
        </Fact>
      )}
    </>
  );
}

type Said = (price: string, symbol: string) => string;

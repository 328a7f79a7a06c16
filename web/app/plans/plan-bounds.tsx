import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import type { Asset } from '../api/settings.ts';
import { Fact } from '../parts/facts.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { floorSource } from './floor-source.ts';

interface Props {
  readonly plan: Plan;
  readonly buy: Asset | undefined;
  readonly pay: Asset | undefined;
}

/** What bounds the price of each buy. Slippage is from a source's price: without a source it bounds nothing. */
export function PlanBounds({ plan, buy, pay }: Props) {
  const source = floorSource(plan.priceSource, useSettings());
  const percent = `${exactAmount(BigInt(plan.maxSlippageBps), 2)} %`;
  return (
    <>
      {source !== 'none' && (
        <Fact name={planWords.slippage}>{source === 'oracle' ? percent : planWords.foreignSlippage(percent)}</Fact>
      )}
      {plan.limitPriceWad !== 0n && (
        <Fact name={partWords.limitPrice}>
          {pay && buy ? planWords.limitOf(amountOf(plan.limitPriceWad, buy, pay), buy.symbol) : planWords.limitUnlisted}
        </Fact>
      )}
      {plan.farLimit && source !== 'oracle' && <Fact name={partWords.anyPrice}>{planWords.anyPriceAllowed}</Fact>}
      {plan.triggerPriceWad !== 0n && (
        <Fact name={partWords.triggerPrice}>
          {pay && buy
            ? planWords.triggerOf(amountOf(plan.triggerPriceWad, buy, pay), buy.symbol)
            : planWords.limitUnlisted}
        </Fact>
      )}
    </>
  );
}

/** The contract keeps it per 1e18 base units. Rounded up: a buy is never above what is shown. */
function amountOf(priceWad: bigint, buy: Asset, pay: Asset): string {
  const perWhole = (priceWad * 10n ** BigInt(buy.decimals) + 10n ** 18n - 1n) / 10n ** 18n;
  return `${exactAmount(perWhole, pay.decimals)} ${pay.symbol}`;
}

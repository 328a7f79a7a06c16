import { GUARD_TARGET_HEALTH } from '@bowline/core/domain/defaults';
import { repaymentAtTriggerUp } from '@bowline/core/domain/rescue-size';
import { smallest } from '@bowline/core/domain/units';
import { useState } from 'react';
import { parseUnits } from 'viem';
import type { LoanMarket } from '../chain/read-loan.ts';
import { Choice } from '../parts/choice.tsx';
import { moneyOf } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { blankGuard } from './guard-form.ts';
import { SalePart } from './sale-part.tsx';
import type { SetProps } from './set-form.tsx';
import { SetGuard } from './set-guard.tsx';

interface Props extends SetProps {
  /** Collateral that a guard could sell; empty if none. */
  readonly sellable: readonly LoanMarket[];
}

/** A new guard, and the choice of what pays. If the wallet could not pay a rescue, selling collateral is proposed. */
export function NewGuard({ sellable, ...props }: Props) {
  const short = sellable.length > 0 ? shortOf(props) : undefined;
  const [paid, setPaid] = useState<'wallet' | 'sale'>(short === undefined ? 'wallet' : 'sale');
  const funding = sellable.length > 0 && <Funding value={paid} onChange={setPaid} hint={short} />;
  if (paid === 'sale') return <SalePart {...props} {...{ funding }} collaterals={sellable} />;
  return <SetGuard {...props} {...{ funding }} />;
}

interface FundingProps {
  readonly value: 'wallet' | 'sale';
  readonly onChange: (value: 'wallet' | 'sale') => void;
  readonly hint?: string | undefined;
  /** Name of the `sale` option if it does not sell the loan's collateral. */
  readonly otherwise?: string;
}

/** The choice of what pays. */
export const Funding = ({ otherwise = guardWords.bySelling, ...props }: FundingProps) => (
  <Choice
    {...props}
    label={guardWords.paidFrom}
    options={[
      { value: 'wallet', name: guardWords.fromWallet },
      { value: 'sale', name: otherwise },
    ]}
  />
);

/** What the wallet holds and what a rescue at the usual trigger needs, in words; undefined if it holds enough. */
function shortOf({ loan, markets: [market] }: SetProps): string | undefined {
  if (market === undefined) return undefined;
  const triggerHealthWad = parseUnits(blankGuard.trigger, 18);
  const targetHealthWad = parseUnits(GUARD_TARGET_HEALTH, 18);
  const priceWad = loan.prices[market.market.toLowerCase()] ?? 0n;
  const needed = smallest([
    repaymentAtTriggerUp({ ...loan, priceWad, triggerHealthWad, targetHealthWad }),
    market.debt,
  ]);
  const { amount, cost } = moneyOf(market);
  if (market.walletBalance >= needed) return undefined;
  return guardWords.walletShort(amount(market.walletBalance), cost(needed));
}

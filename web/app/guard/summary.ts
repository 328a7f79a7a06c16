import type { Loan } from '../chain/read-loan.ts';
import { exactAmount, shortAmount, usd } from '../words/amounts.ts';
import { health, repaymentAtTriggerUp, repaymentUp } from '../words/health.ts';
import { duration, when } from '../words/times.ts';
import type { GuardDraft } from './guard-form.ts';

/** What exactly a guard may do once signed, one sentence each. */
export function guardSummary(draft: GuardDraft, loan: Loan, now: bigint): readonly string[] {
  const { market, triggerWad, targetWad, capPerRescue, capPerDay, total, cooldownSeconds, days, watchesChainlink } =
    draft;
  const amount = (base: bigint) => `${exactAmount(base, market.decimals)} ${market.symbol}`;
  const priceWad = loan.prices[market.market.toLowerCase()] ?? 0n;
  const isDue = loan.healthWad !== undefined && loan.healthWad < triggerWad;
  const needed = isDue
    ? repaymentUp({ ...loan, priceWad, targetWad })
    : repaymentAtTriggerUp({ debtUsdWad: loan.debtUsdWad, priceWad, triggerWad, targetWad });
  const repays = [needed, capPerRescue, market.debt, total, market.walletBalance].reduce((least, each) =>
    each < least ? each : least,
  );
  const shown = `${shortAmount(repays, market.decimals)} ${market.symbol}`;
  return [
    isDue
      ? `Your loan’s health is below the trigger already: a rescue can come at once, and repay about ${shown}.`
      : `Below a health of ${health(triggerWad)} a rescue repays your own ${market.symbol} debt: about ${shown} if health has just fallen there.`,
    ...(watchesChainlink
      ? [
          'It also comes when your collateral is worth that little by Chainlink’s prices, though not yet by Venus’s. Its amount is by Venus’s prices.',
        ]
      : []),
    repays < needed
      ? `Its ${health(targetWad)} target would need ${shortAmount(needed, market.decimals)} ${market.symbol}: caps, debt or what you hold allow less, so health rises less.`
      : `That brings its health to ${health(targetWad)}.`,
    `At most ${amount(capPerRescue)} in one rescue and ${amount(capPerDay)} in a UTC day, and ${duration(cooldownSeconds)} between two.`,
    `At most ${amount(total)} in total: you approve exactly that, for all guards that repay ${market.symbol}.`,
    `Your tokens can do nothing here but repay this debt of ${usd(loan.debtUsdWad)}. Anybody may call the rescue; the contract checks your terms.`,
    `It holds until ${when(now + days * 86_400n)}, or until you cancel it.`,
  ];
}

import type { Loan } from '../chain/read-loan.ts';
import { exactAmount, shortAmount, usd } from '../words/amounts.ts';
import { health, repaymentAtTriggerUp, repaymentUp } from '../words/health.ts';
import { duration, when } from '../words/times.ts';
import { dueBy } from './due.ts';
import type { GuardDraft } from './guard-form.ts';

function chainlinkSentences({ healthWad, chainlinkHealthWad }: Loan, due: ReturnType<typeof dueBy>): readonly string[] {
  if (due === 'chainlink') {
    return [`The amount is computed by Venus’s prices, by which your health is ${health(healthWad ?? 0n)}.`];
  }
  return [
    'A rescue also comes if Chainlink’s prices put your health below the trigger and Venus’s do not yet. The amount is still computed by Venus’s prices.',
    chainlinkHealthWad === undefined
      ? 'Your health by Chainlink’s prices could not be read. If it is below the trigger, a rescue can come at once.'
      : `By Chainlink’s prices your health is ${health(chainlinkHealthWad)} now.`,
  ];
}

function firstSentence(draft: GuardDraft, loan: Loan, due: ReturnType<typeof dueBy>, amount: string): string {
  const now = `below the trigger already: a rescue can come at once, and repay about ${amount}.`;
  if (due === 'venus') return `Your loan’s health is ${now}`;
  if (due === 'chainlink') {
    return `By Chainlink’s prices your loan’s health is ${health(loan.chainlinkHealthWad ?? 0n)}, ${now}`;
  }
  return `Below a health of ${health(draft.triggerWad)} a rescue repays your own ${draft.market.symbol} debt: about ${amount} if health has just fallen there.`;
}

/** What exactly a guard may do once signed, one sentence each. */
export function guardSummary(draft: GuardDraft, loan: Loan, now: bigint): readonly string[] {
  const { market, triggerWad, targetWad, capPerRescue, capPerDay, total, cooldownSeconds, days, watchesChainlink } =
    draft;
  const amount = (base: bigint) => `${exactAmount(base, market.decimals)} ${market.symbol}`;
  const priceWad = loan.prices[market.market.toLowerCase()] ?? 0n;
  const due = dueBy(loan, { triggerWad, targetWad, isByChainlink: watchesChainlink });
  const needed = due
    ? repaymentUp({ ...loan, priceWad, targetWad })
    : repaymentAtTriggerUp({ debtUsdWad: loan.debtUsdWad, priceWad, triggerWad, targetWad });
  const repays = [needed, capPerRescue, market.debt, total, market.walletBalance].reduce((least, each) =>
    each < least ? each : least,
  );
  const shown = `${shortAmount(repays, market.decimals)} ${market.symbol}`;
  return [
    firstSentence(draft, loan, due, shown),
    repays < needed
      ? `Its ${health(targetWad)} target would need ${shortAmount(needed, market.decimals)} ${market.symbol}: caps, debt or what you hold allow less, so health rises less.`
      : `That brings its health to ${health(targetWad)}.`,
    ...(watchesChainlink ? chainlinkSentences(loan, due) : []),
    `At most ${amount(capPerRescue)} in one rescue and ${amount(capPerDay)} in a UTC day, and ${duration(cooldownSeconds)} between two.`,
    `At most ${amount(total)} in total: you approve exactly that, for all guards that repay ${market.symbol}.`,
    `Your tokens can do nothing here but repay this debt of ${usd(loan.debtUsdWad)}. Anybody may call the rescue; the contract checks your terms.`,
    `It holds until ${when(now + days * 86_400n)}, or until you cancel it.`,
  ];
}

import { shortAddress } from '@bowline/core/domain/readable';
import type { Address } from 'viem';
import { nextRescue } from '../chain/coverage/due.ts';
import { chainlinkWords, cooldownException } from '../chain/coverage/price-source.ts';
import type { Loan } from '../chain/read-loan.ts';
import { exactAmount, shortAmount, usd } from '../words/amounts.ts';
import { health, repaymentUp } from '../words/health.ts';
import { duration, when } from '../words/times.ts';
import { endOf, type GuardDraft } from './guard-form.ts';

type Due = ReturnType<typeof nextRescue>['due'];

/** Why no rescue comes now, whatever Chainlink's prices are; undefined if they can trigger one. */
function whyNotByChainlink(
  { targetWad, minRepay }: GuardDraft,
  loan: Loan,
  priceWad: bigint,
  amount: (base: bigint) => string,
): string | undefined {
  const { name } = loan.protocol;
  if (loan.healthWad !== undefined && loan.healthWad >= targetWad) {
    return `by ${name}’s prices your health is not below the target`;
  }
  const needed = repaymentUp({ ...loan, priceWad, targetWad });
  if (needed >= minRepay) return undefined;
  return `by ${name}’s prices the target needs only ${amount(needed)}, less than the guard’s smallest repayment`;
}

function chainlinkSentences(
  draft: GuardDraft,
  loan: Loan,
  due: Due,
  priceWad: bigint,
  amount: (base: bigint) => string,
): readonly string[] {
  const { protocol, healthWad, chainlinkHealthWad } = loan;
  if (due === 'chainlink') {
    return [`The amount is computed by ${protocol.name}’s prices, by which your health is ${health(healthWad ?? 0n)}.`];
  }
  const whyNot = whyNotByChainlink(draft, loan, priceWad, amount);
  const isBelow = chainlinkHealthWad !== undefined && chainlinkHealthWad < draft.triggerWad;
  return [
    `A rescue also comes if Chainlink’s prices put your health below the trigger while ${protocol.name}’s put it only below the target. The amount is still computed by ${protocol.name}’s prices; no rescue comes for less than ${amount(draft.minRepay)}.`,
    chainlinkHealthWad === undefined
      ? `Your health by Chainlink’s prices could not be read. ${whyNot ? `No rescue comes by them now: ${whyNot}.` : 'If it is below the trigger, a rescue can come at once.'}`
      : `By Chainlink’s prices your health is ${health(chainlinkHealthWad)} now${isBelow && whyNot ? `, but no rescue comes by them yet: ${whyNot}` : ''}.`,
  ];
}

function firstSentence(draft: GuardDraft, loan: Loan, due: Due, amount: string, isEnough: boolean): string {
  const now = isEnough
    ? `below the trigger already: a rescue can come at once, and repay about ${amount}.`
    : 'below the trigger already.';
  if (due === 'protocol') return `Your loan’s health is ${now}`;
  if (due === 'chainlink') {
    return `By Chainlink’s prices your loan’s health is ${health(loan.chainlinkHealthWad ?? 0n)}, ${now}`;
  }
  const below = `Below a health of ${health(draft.triggerWad)} a rescue repays your own ${draft.market.symbol} debt`;
  return isEnough ? `${below}: about ${amount} if health has just fallen there.` : `${below}.`;
}

/**
 * What exactly a guard may do once signed, one sentence each.
 * @param keeper the only account that may rescue; undefined for anyone.
 */
export function guardSummary(
  draft: GuardDraft,
  loan: Loan,
  now: bigint,
  keeper?: Address | undefined,
): readonly string[] {
  const { market, targetWad, capPerRescue, capPerDay, minRepay, total, cooldownSeconds, watchesChainlink } = draft;
  const amount = (base: bigint) => `${exactAmount(base, market.decimals)} ${market.symbol}`;
  const short = (base: bigint) => `${shortAmount(base, market.decimals)} ${market.symbol}`;
  const priceWad = loan.prices[market.market.toLowerCase()] ?? 0n;
  const { due, needed } = nextRescue(loan, { ...draft, isByChainlink: watchesChainlink }, priceWad);
  const repays = [needed, capPerRescue, market.debt, total, market.walletBalance].reduce((least, each) =>
    each < least ? each : least,
  );
  const isEnough = repays >= minRepay;
  const exception = watchesChainlink ? `; ${cooldownException(loan.protocol.name, chainlinkWords)}` : '';
  const effect = () => {
    if (!isEnough)
      return `As things are it could repay only ${short(repays)}, less than its smallest repayment of ${short(minRepay)}: the contract would refuse.`;
    return repays < needed
      ? `Its ${health(targetWad)} target would need ${short(needed)}: caps, debt or what you hold allow less, so health rises less.`
      : `That brings its health to ${health(targetWad)}.`;
  };
  return [
    firstSentence(draft, loan, due, short(repays), isEnough),
    effect(),
    ...(watchesChainlink ? chainlinkSentences(draft, loan, due, priceWad, short) : []),
    `At most ${amount(capPerRescue)} in one rescue and ${amount(capPerDay)} in a UTC day, and ${duration(cooldownSeconds)} between two${exception}.`,
    `At most ${amount(total)} in total: you approve exactly that, for all guards that repay ${market.symbol}.`,
    `Your tokens can do nothing here but repay this debt of ${usd(loan.debtUsdWad)}. ${keeper ? `Only ${shortAddress(keeper)}` : 'Anybody'} may call the rescue; the contract checks your terms.`,
    `It holds until ${when(endOf(draft, now))}, or until you cancel it.`,
  ];
}

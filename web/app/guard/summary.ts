import { shortAddress } from '@bowline/core/domain/readable';
import { nextRescue, repaymentUp, takenBy } from '@bowline/core/domain/rescue-size';
import { smallest } from '@bowline/core/domain/units';
import type { Address } from 'viem';
import type { Loan } from '../chain/read-loan.ts';
import { moneyOf, usdUp } from '../words/amounts.ts';
import { coverWords } from '../words/en/coverage.ts';
import { fundingWords } from '../words/en/funding.ts';
import { guardWords } from '../words/en/guard.ts';
import { health } from '../words/health.ts';
import { duration, when } from '../words/times.ts';
import { endOf, type GuardDraft } from './guard-form.ts';

type Due = ReturnType<typeof nextRescue>['due'];

/** Why no rescue comes now, whatever Chainlink's prices are; undefined if they can trigger one. */
function whyNotByChainlink(
  { targetHealthWad, minRepay }: GuardDraft,
  loan: Loan,
  priceWad: bigint,
  amount: (base: bigint) => string,
): string | undefined {
  const { name } = loan.protocol;
  if (loan.healthWad !== undefined && loan.healthWad >= targetHealthWad) {
    return guardWords.whyNotTarget(name);
  }
  const needed = repaymentUp({ ...loan, priceWad, targetHealthWad });
  if (needed >= minRepay) return undefined;
  return guardWords.whyNotSmall(name, amount(needed));
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
    return [guardWords.sumByProtocol(protocol.name, health(healthWad ?? 0n))];
  }
  const whyNot = whyNotByChainlink(draft, loan, priceWad, amount);
  const isBelow = chainlinkHealthWad !== undefined && chainlinkHealthWad < draft.triggerHealthWad;
  return [
    alsoByChainlink(draft, loan),
    chainlinkSentence(chainlinkHealthWad, chainlinkHealthWad === undefined || isBelow ? whyNot : undefined),
  ];
}

const alsoByChainlink = ({ market, minRepay }: GuardDraft, { protocol }: Loan): string =>
  guardWords.sumAlsoChainlink(protocol.name, moneyOf(market).amount(minRepay));

/** @param whyNot why these prices bring no rescue, although health may be below the trigger. */
function chainlinkSentence(healthWad: bigint | undefined, whyNot: string | undefined): string {
  if (healthWad === undefined) {
    return whyNot ? guardWords.sumChainlinkUnreadBut(whyNot) : guardWords.sumChainlinkUnread;
  }
  const shown = health(healthWad);
  return whyNot ? guardWords.sumChainlinkNowBut(shown, whyNot) : guardWords.sumChainlinkNow(shown);
}

function firstSentence(draft: GuardDraft, loan: Loan, due: Due, amount: string, isEnough: boolean): string {
  if (due === 'protocol') return isEnough ? guardWords.sumAlreadyAbout(amount) : guardWords.sumAlready;
  if (due === 'chainlink') {
    const shown = health(loan.chainlinkHealthWad ?? 0n);
    return isEnough ? guardWords.sumChainlinkAbout(shown, amount) : guardWords.sumChainlink(shown);
  }
  const [symbol, trigger] = [draft.market.symbol, health(draft.triggerHealthWad)];
  return isEnough ? guardWords.sumBelowAbout(symbol, trigger, amount) : guardWords.sumBelow(symbol, trigger);
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
  const { market, targetHealthWad, capPerRescue, minRepay, total, watchesChainlink } = draft;
  const { amount: short } = moneyOf(market);
  const priceWad = loan.prices[market.market.toLowerCase()] ?? 0n;
  const { due, needed } = nextRescue(
    loan,
    { ...draft, market: market.market, means: undefined, isByChainlink: watchesChainlink },
    priceWad,
  );
  const repays = takenBy(loan, market.market, needed, smallest([capPerRescue, total, market.walletBalance]));
  const isEnough = repays >= minRepay;
  const debt = usdUp(loan.debtUsdWad);
  const effect = () => {
    if (!isEnough) return guardWords.sumTooSmall(short(repays), short(minRepay));
    return repays < needed
      ? guardWords.sumLess(health(targetHealthWad), short(needed))
      : guardWords.sumReaches(health(targetHealthWad));
  };
  return [
    firstSentence(draft, loan, due, short(repays), isEnough),
    effect(),
    ...(watchesChainlink ? chainlinkSentences(draft, loan, due, priceWad, short) : []),
    ...limitsOf(draft, loan),
    keeper ? guardWords.sumOnly(debt, shortAddress(keeper)) : guardWords.sumAnybody(debt),
    guardWords.sumUntil(when(endOf(draft, now))),
  ];
}

/** The limits of rescues: each, per day and in total. */
function limitsOf(draft: GuardDraft, { protocol }: Loan): readonly string[] {
  const { exact } = moneyOf(draft.market);
  const exception = draft.watchesChainlink && coverWords.cooldownException(protocol.name, coverWords.chainlink);
  const [rescue, day, cooldown] = [exact(draft.capPerRescue), exact(draft.capPerDay), duration(draft.cooldownSeconds)];
  return [
    guardWords.sumCaps(rescue, day, cooldown, exception || undefined),
    guardWords.sumTotal(exact(draft.total), draft.market.symbol),
  ];
}

/** What such a guard may do with the tokens of another account, which signs it. */
export function fundingSummary(draft: GuardDraft, loan: Loan, now: bigint): readonly string[] {
  const [trigger, target] = [health(draft.triggerHealthWad), health(draft.targetHealthWad)];
  return [
    fundingWords.pays(trigger, shortAddress(loan.borrower), draft.market.symbol, target),
    ...(draft.watchesChainlink ? [alsoByChainlink(draft, loan)] : []),
    ...limitsOf(draft, loan),
    fundingWords.onlyThat,
    guardWords.sumUntil(when(endOf(draft, now))),
  ];
}

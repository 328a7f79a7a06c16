import { MAX_SALE_COST_BPS, MAX_TRIGGER_WAD, MIN_RESCUE_USD_WAD, poolFees } from '@bowline/core/domain/bounds';
import { readableUp, wholeDebtUp } from '@bowline/core/domain/own-payments';
import { type Guard, UNWIND_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { shortAddress } from '@bowline/core/domain/readable';
import { lossWadUp, soldFor } from '@bowline/core/domain/sale-size';
import {
  SALE_COOLDOWN_SECONDS,
  SALE_COST_BPS,
  SALE_TARGET_HEALTH,
  type SaleWarning,
  saleWarnings,
} from '@bowline/core/domain/sale-terms';
import { BPS, formatBps, formatUnits, mulDivDown, mulDivUp, smallest, WAD } from '@bowline/core/domain/units';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { moneyOf, parseAmount, usd, usdUp } from '../words/amounts.ts';
import { fundingWords } from '../words/en/funding.ts';
import { guardWords } from '../words/en/guard.ts';
import { saleFormWords } from '../words/en/sale.ts';
import { health } from '../words/health.ts';
import { duration, when } from '../words/times.ts';
import {
  blankGuard,
  endOf,
  type GuardDraft,
  healthBetween,
  keptDays,
  minRepayOf,
  readEnd,
  suggested,
  targetAbove,
  why,
} from './guard-form.ts';

/** PancakeSwap v3 pool fees, in hundredths of a basis point, including the edited guard's. */
export const poolFeesWith = (chosen: string) =>
  [...new Set([...poolFees.map(String), chosen])].map((value) => ({
    value,
    name: formatBps(BigInt(value) / 100n),
  }));

export const blankSale = {
  trigger: '1.08',
  target: SALE_TARGET_HEALTH as string,
  /** `close` repays the whole debt like `unwind`, but at once instead of when health has fallen. */
  goal: 'restore' as 'restore' | 'unwind' | 'close',
  costPercent: formatUnits(BigInt(SALE_COST_BPS), 2),
  poolFee: '500' as string,
  capPerRescue: '',
  sellAtMost: '',
  days: blankGuard.days,
};

/** Half of the debt in one rescue, and all of the deposit. */
export const suggestedSale = (debt: LoanMarket, collateral: LoanMarket): typeof blankSale => ({
  ...blankSale,
  capPerRescue: suggested(debt).capPerRescue,
  sellAtMost: formatUnits(collateral.supplied, collateral.decimals),
});

interface Markets {
  readonly debt: LoanMarket;
  readonly collateral: LoanMarket;
}

/** After this, nobody may close the loan any more: its owner considers it done or failed. */
const CLOSING_SECONDS = 3_600n;
/** Prices may move this far before the sale is in a block. */
const MOVE_PERCENT = 5n;

/** Base units of the deposit that pay the whole debt with interest until then, at the highest cost. Rounded up. */
function soldToClose(loan: Pick<Loan, 'parts'>, { debt, collateral }: Markets, costBps: bigint): bigint {
  const priceOf = ({ market }: LoanMarket) => loan.parts?.find((part) => part.market === market)?.priceWad ?? 0n;
  const [paid, sold] = [priceOf(debt), priceOf(collateral)];
  return sold === 0n ? 0n : mulDivUp(mulDivUp(wholeDebtUp(debt.debt), paid, sold), BPS + costBps, BPS);
}

/** Sells no more of another account's deposit than pays the whole debt: its owner gives no more away. */
export function suggestedSavings(loan: Pick<Loan, 'parts'>, markets: Markets): typeof blankSale {
  const { debt, collateral } = markets;
  const sold = readableUp(soldToClose(loan, markets, BigInt(SALE_COST_BPS)));
  const most = sold === 0n ? collateral.supplied : smallest([sold, collateral.supplied]);
  return {
    ...suggestedSale(debt, collateral),
    ...{ trigger: blankGuard.trigger, target: blankGuard.target },
    sellAtMost: formatUnits(most, collateral.decimals),
  };
}

/** Closes a loan: repays the whole debt in one rescue at any served health, for no more of the deposit than needed. */
export function closingSale(
  loan: Pick<Loan, 'parts'>,
  markets: Markets,
  costPercent = blankSale.costPercent,
): typeof blankSale {
  const { debt, collateral } = markets;
  const cost = parseAmount(costPercent, 2);
  const sold = readableUp(mulDivUp(soldToClose(loan, markets, cost.ok ? cost.value : 0n), 100n + MOVE_PERCENT, 100n));
  return {
    ...{ ...blankSale, costPercent, goal: 'close', trigger: formatUnits(MAX_TRIGGER_WAD, 18) },
    capPerRescue: formatUnits(readableUp(wholeDebtUp(debt.debt)), debt.decimals),
    sellAtMost: formatUnits(smallest([sold, collateral.supplied]), collateral.decimals),
  };
}

/** Why no sale can close a loan at once, in words; undefined if one can. @param sellable what could be sold. */
export function whyNotClosing({ healthWad, protocol }: Loan, sellable: readonly LoanMarket[]): string | undefined {
  if (sellable.length === 0) return saleFormWords.noSale(protocol.name);
  const isHealthy = healthWad === undefined || healthWad >= MAX_TRIGGER_WAD;
  return isHealthy ? saleFormWords.tooHealthy(health(MAX_TRIGGER_WAD)) : undefined;
}

/**
 * The form with an existing guard's terms, for editing. An existing approval stays.
 * @param approved the approved amount, in base units of the collateral; undefined while not known.
 */
export function saleFormOf(
  guard: Guard,
  { debt, collateral }: Markets,
  approved: bigint | undefined,
  isExtending: boolean,
  now: bigint | undefined,
): typeof blankSale {
  const { sale, targetHealthWad } = guard;
  const isUnwind = targetHealthWad === UNWIND_HEALTH_WAD;
  return {
    trigger: formatUnits(guard.triggerHealthWad, 18),
    target: isUnwind ? blankSale.target : formatUnits(targetHealthWad, 18),
    goal: isUnwind ? 'unwind' : 'restore',
    costPercent: formatUnits(BigInt(sale?.maxCostBps ?? SALE_COST_BPS), 2),
    poolFee: String(sale?.route?.firstFee ?? blankSale.poolFee),
    capPerRescue: formatUnits(guard.capPerRescue, debt.decimals),
    sellAtMost: formatUnits(approved || collateral.supplied, collateral.decimals),
    days: keptDays(guard, isExtending, now),
  };
}

/** A guard that sells, as the user entered it. */
export interface SaleDraft extends Markets, Pick<GuardDraft, 'days' | 'expiresAt' | 'cooldownSeconds' | 'capPerDay'> {
  readonly triggerHealthWad: bigint;
  readonly targetHealthWad: bigint;
  readonly maxCostBps: number;
  /** Zero where both tokens are the same. */
  readonly poolFee: number;
  /** Base units of the debt's token. */
  readonly capPerRescue: bigint;
  readonly minRepay: bigint;
  /** Base units of the collateral's token. */
  readonly sellAtMost: bigint;
}

/**
 * Parses the form; `errors` names the invalid fields and why.
 * @param others the borrower's guards: those paid by the wallet must act first.
 * @param now unix seconds.
 * @param edited the replaced guard: terms that the form does not show stay.
 */
export function readSaleForm(
  form: typeof blankSale,
  { debt, collateral }: Markets,
  loan: Pick<Loan, 'borrower' | 'prices' | 'parts'>,
  others: readonly Guard[],
  now: bigint,
  edited?: Pick<Guard, 'minRepay' | 'expiresAt' | 'capPerRescue' | 'capPerDay' | 'cooldownSeconds'>,
) {
  const isClosing = form.goal === 'close';
  const trigger = healthBetween(form.trigger, WAD, MAX_TRIGGER_WAD, saleFormWords.triggerBounds);
  const target =
    form.goal === 'restore'
      ? targetAbove(trigger, form.target, saleFormWords.targetBounds)
      : { ok: true as const, value: UNWIND_HEALTH_WAD };
  const cost = parseAmount(form.costPercent, 2);
  const capPerRescue = parseAmount(form.capPerRescue, debt.decimals);
  const sellAtMost = parseAmount(form.sellAtMost, collateral.decimals);
  const warnings: readonly SaleWarning[] =
    trigger.ok && cost.ok
      ? saleWarnings(
          {
            ...{ borrower: loan.borrower, market: debt.market, triggerHealthWad: trigger.value },
            ...{ maxCostBps: Number(cost.value), priceSource: '0x1' },
          },
          others,
          now,
        )
      : [];
  const isNotBelow = !isClosing && warnings.includes('trigger_not_below_wallet');
  const priceWad = loan.prices[debt.market.toLowerCase()] ?? 0n;
  const isSmall = isClosing && mulDivDown(debt.debt, priceWad, WAD) < MIN_RESCUE_USD_WAD;
  const isTooLittle =
    isClosing && cost.ok && sellAtMost.ok && sellAtMost.value < soldToClose(loan, { debt, collateral }, cost.value);
  const { error: days, ...end } = isClosing
    ? { error: undefined, days: 0n, expiresAt: now + CLOSING_SECONDS }
    : readEnd(form.days, edited, now);
  const errors = {
    trigger: isNotBelow ? saleFormWords.notBelow : why(trigger),
    target: why(target),
    costPercent: cost.ok && cost.value > BigInt(MAX_SALE_COST_BPS) ? saleFormWords.costBounds : why(cost),
    capPerRescue: isSmall ? saleFormWords.tooSmall(usd(MIN_RESCUE_USD_WAD)) : why(capPerRescue),
    sellAtMost: isTooLittle ? saleFormWords.tooLittle(collateral.symbol) : why(sellAtMost),
    days,
  };
  const isWrong = Object.values(errors).some((error) => error !== undefined);
  if (isWrong || !trigger.ok || !target.ok || !cost.ok || !capPerRescue.ok || !sellAtMost.ok) {
    return { draft: undefined, errors, warnings };
  }
  const draft: SaleDraft = {
    ...{ debt, collateral, triggerHealthWad: trigger.value },
    targetHealthWad: target.value,
    maxCostBps: Number(cost.value),
    poolFee: debt.token.toLowerCase() === collateral.token.toLowerCase() ? 0 : Number(form.poolFee),
    capPerRescue: capPerRescue.value,
    // Two rescues, if the form's limit differs from the replaced guard's.
    capPerDay: capPerRescue.value === edited?.capPerRescue ? edited.capPerDay : 2n * capPerRescue.value,
    cooldownSeconds: edited?.cooldownSeconds ?? BigInt(SALE_COOLDOWN_SECONDS),
    // A loan to be closed may be smaller than the usual minimum of a rescue.
    minRepay: minRepayOf(priceWad, isClosing ? debt.debt : capPerRescue.value, edited),
    sellAtMost: sellAtMost.value,
    ...end,
  };
  return { draft, errors, warnings };
}

/** What such a guard may do, one sentence each: cost in words and money, and the loan afterwards. */
export function saleSummary(
  draft: SaleDraft,
  loan: Loan,
  warnings: readonly SaleWarning[],
  now: bigint,
  keeper?: Guard['keeper'],
): readonly string[] {
  const { debt, collateral, triggerHealthWad, targetHealthWad, maxCostBps } = draft;
  const money = moneyOf(debt).amount;
  const isUnwind = targetHealthWad === UNWIND_HEALTH_WAD;
  const lossWad = lossWadUp(weightOf(loan, collateral), maxCostBps);
  const repaid = repaidAtTrigger(draft, loan, lossWad);
  return [
    saleFormWords.below(health(triggerHealthWad), collateral.symbol, money(repaid), debt.symbol),
    isUnwind ? saleFormWords.closes : saleFormWords.restores(health(targetHealthWad)),
    costOf(draft, repaid),
    saleFormWords.afterwards(collateral.symbol),
    ...limitsOf(draft, loan, warnings),
    keeper ? guardWords.sumOnly(usdUp(loan.debtUsdWad), shortAddress(keeper)) : saleFormWords.anybody,
    guardWords.sumUntil(when(endOf(draft, now))),
  ];
}

/** What a guard may do with the deposit of another account, which signs. @param owes whether that has a loan there. */
export function savingsSummary(
  draft: SaleDraft,
  loan: Loan,
  warnings: readonly SaleWarning[],
  now: bigint,
  owes: boolean,
): readonly string[] {
  const { debt, collateral, triggerHealthWad, targetHealthWad } = draft;
  const repaid = repaidAtTrigger(draft, loan, 0n);
  return [
    fundingWords.paysFromDeposit(health(triggerHealthWad), collateral.symbol, moneyOf(debt).amount(repaid), {
      borrower: shortAddress(loan.borrower),
      target: health(targetHealthWad),
    }),
    costOf(draft, repaid),
    ...limitsOf(draft, loan, warnings),
    ...(owes ? [fundingWords.lowersYours(loan.protocol.name)] : []),
    fundingWords.onlyThat,
    guardWords.sumUntil(when(endOf(draft, now))),
  ];
}

/** What the owner pays for a rescue that repays this amount, and for the largest rescue. */
function costOf({ debt, maxCostBps, capPerRescue }: SaleDraft, repaid: bigint): string {
  const [about, most] = [repaid, capPerRescue].map((amount) =>
    moneyOf(debt).amount(mulDivUp(amount, BigInt(maxCostBps), BPS)),
  );
  return saleFormWords.costs(formatBps(BigInt(maxCostBps)), about as string, most as string);
}

/** When rescues come, and the most that they take. */
function limitsOf(draft: SaleDraft, { protocol }: Loan, warnings: readonly SaleWarning[]): readonly string[] {
  const { debt, collateral, capPerRescue, capPerDay, minRepay, cooldownSeconds, sellAtMost } = draft;
  const money = moneyOf(debt).amount;
  return [
    ...(warnings.includes('cost_tight') ? [saleFormWords.tight] : []),
    saleFormWords.atMost(moneyOf(collateral).exact(sellAtMost)),
    saleFormWords.needsPrices(protocol.name),
    guardWords.sumAlsoChainlink(protocol.name, money(minRepay)),
    guardWords.sumCaps(money(capPerRescue), money(capPerDay), duration(cooldownSeconds)),
  ];
}

/** What closing a loan does, one sentence each. @param others whether something else is owed besides this debt. */
export function closingSummary(draft: SaleDraft, loan: Loan, others: boolean, now: bigint): readonly string[] {
  const { debt, collateral, maxCostBps, sellAtMost } = draft;
  const money = moneyOf(debt).amount;
  const { amount: sold, exact } = moneyOf(collateral);
  const about = soldToClose(loan, draft, 0n);
  return [
    saleFormWords.closesNow(sold(about), money(debt.debt)),
    saleFormWords.keeps(sold(collateral.supplied - smallest([about, collateral.supplied]))),
    ...(others ? [saleFormWords.othersRemain] : []),
    saleFormWords.closingCost(formatBps(BigInt(maxCostBps)), money(mulDivUp(debt.debt, BigInt(maxCostBps), BPS))),
    saleFormWords.atMost(exact(sellAtMost)),
    saleFormWords.needsPrices(loan.protocol.name),
    saleFormWords.closingEnds(when(endOf(draft, now))),
  ];
}

/** What one rescue repays if health has just reached the trigger. @param lossWad what the loan loses by the sale. */
function repaidAtTrigger(draft: SaleDraft, loan: Loan, lossWad: bigint): bigint {
  const { debt, triggerHealthWad, targetHealthWad, capPerRescue } = draft;
  const weightedUsdWad = mulDivDown(loan.debtUsdWad, triggerHealthWad, WAD);
  const priceWad = loan.prices[debt.market.toLowerCase()] ?? 0n;
  const needed =
    targetHealthWad === UNWIND_HEALTH_WAD
      ? debt.debt
      : soldFor({ debtUsdWad: loan.debtUsdWad, weightedUsdWad, priceWad, targetHealthWad, lossWad });
  return smallest([needed, capPerRescue, debt.debt]);
}

/** The share of a deposit's value that counts; all of it where that is not known. */
function weightOf({ parts }: Loan, { market, supplied }: LoanMarket): bigint {
  const part = parts?.find((each) => each.market === market);
  const value = part && mulDivDown(supplied, part.priceWad, WAD);
  return part && value ? mulDivUp(part.weightedAt(part.priceWad), WAD, value) : WAD;
}

import { guardIrregularities } from '@bowline/core/audit/irregularities';
import { type Coverage, coverageOf } from '@bowline/core/domain/guard-cover';
import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import { withShares } from '@bowline/core/domain/guard-shares';
import { watchedHealth } from '@bowline/core/domain/loan-health';
import { type Guard, UNWIND_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { whyNotProfitable } from '@bowline/core/domain/served';
import { largest, smallest, WAD } from '@bowline/core/domain/units';
import { pad } from 'viem';
import { endangeredLoans, servedGuards, whyNotOpen } from '../../agent/src/loops/loan-guard/plan.ts';
import type { Trouble } from '../../agent/src/notify/tell.ts';
import { createTroubles } from '../../agent/src/notify/troubles.ts';
import { ask, world } from '../../agent/test/tools/world.ts';
import type { Covered } from '../../web/app/chain/coverage/use-covered.ts';
import type { Guard as PageGuard } from '../../web/app/chain/read-guards.ts';
import { type Watcher, whyUnwatched } from '../../web/app/chain/serving.ts';
import { actionItemsOf } from '../../web/app/home/action-items.ts';
import { figuresOf } from '../../web/app/home/state.ts';
import { partWords } from '../../web/app/words/en/parts.ts';
import { assetsOf, comparing, heardByPage, type Must, nameOf, pageSettings, snake } from './common.ts';
import type { Answers, GuardCase, PlayedGuard } from './guards.ts';
import { funder, type keeper, otherOwner, owner, type Stage, stranger } from './stage.ts';

/** Every answer about these guards and their money that differs from what LoanGuard and CollateralGuard did with them. */
export async function disagreementsOfGuards(stage: Stage, played: GuardCase): Promise<string[]> {
  const { must, wrong } = comparing();
  const { now, guards } = played;
  const { watcher } = await heardByPage(stage, now, { guards: played.policy });
  const all = guards.map((each) => coveredOf(stage, each, now));
  const covered = withShares(all, now);
  const lacking = lackingByPage(stage, covered, now);
  const told = await toldOf(stage, played);
  for (const [at, each] of guards.entries()) {
    const { guard, answers, history } = each;
    const id = guardKey(guard);
    compareCoverage(must, `guard ${id}`, each, coverageAt(stage, each, now), answers);
    for (const { time, ...then } of each.later) {
      compareCoverage(must, `guard ${id} at ${time}`, each, coverageAt(stage, each, time), then);
    }
    compareKeeper(must, stage, each, played);
    compareServed(must, stage, each, played, watcher);
    must(`audit, irregularities of guard ${id}`, guardIrregularities(history), []);
    const { notice, needed, isShort, isShared } = moneyOf(each, guards, now);
    if (notice !== undefined) must(`notices, guard ${id}`, told.get(`${id}`)?.type ?? 'none', notice);
    if (needed !== undefined) must(`notices, what guard ${id} needs`, told.get(`${id}`)?.data.needed, needed);
    // The page says nothing about a guard whose market has no debt.
    if (isShort !== undefined)
      must(`page, whether guard ${id} lacks money`, lacking.has(id), debtOf(each) > 0n && isShort);
    if (isShort === false) compareHome(must, stage, all[at] as Covered, now);
    const { coverage } = covered[at] as Covered;
    const isSaid = coverage.state !== 'unable' && coverage.shares !== undefined;
    if (isShared !== undefined) must(`page, whether guard ${id} shares too little`, isSaid, isShared);
    await compareTool(must, stage, each, covered[at] as Covered);
  }
  return wrong;
}

const pageGuard = ({ guard, means }: PlayedGuard): PageGuard => ({ ...guard, means });

const isByChainlink = ({ chainlink }: Stage, { guard }: PlayedGuard): boolean =>
  guard.priceSource === chainlink.address;

const coverageAt = (stage: Stage, each: PlayedGuard, time: bigint): Coverage<never> =>
  coverageOf(pageGuard(each), each.loan, time, isByChainlink(stage, each));

/** Why the agent never rescues with this guard under this policy. */
function whyNotServed(stage: Stage, { guard }: PlayedGuard, { policy }: GuardCase): string | undefined {
  const { tokens } = policy;
  const reasons: readonly (readonly [string, boolean])[] = [
    ['not_served_owner', policy.owner !== undefined && guard.borrower !== policy.owner],
    ['not_served_token', !tokens.some((each) => stage.tokens[each].address === guard.repayToken)],
    ['not_served_trigger', guard.triggerHealthWad > policy.maxTriggerHealthWad],
  ];
  return reasons.find(([, applies]) => applies)?.[0];
}

/** Compares what the page says about an agent with this policy with whether the agent makes the expected rescue. */
function compareServed(must: Must, stage: Stage, each: PlayedGuard, played: GuardCase, watcher: Watcher): void {
  const { guard, loan } = each;
  const why = (repayUsdWad: bigint) => whyUnwatched(guard, watcher, repayUsdWad);
  const coverage = coverageOf(pageGuard(each), loan, played.now, isByChainlink(stage, each), why);
  if (coverage.state === 'unable') return;
  const worth = (coverage.amount * (loan.prices[guard.market] ?? 0n)) / WAD;
  const isSmall = worth < played.policy.minimumRepayUsdWad ? 'not_served_repay' : undefined;
  must(`keeper, whether guard ${guardKey(guard)} is worth it`, whyNotProfitable(worth, played.policy), isSmall);
  const isUnknown = guard.sale !== undefined && !played.policy.servesSales ? 'other_contracts' : undefined;
  const should = isUnknown ?? whyNotServed(stage, each, played) ?? isSmall;
  must(`page, why guard ${guardKey(guard)} is left out`, coverage.unwatched, should);
}

const collateral = { market: pad('0xc0'), symbol: 'BTCB', decimals: 18, debt: 0n };

/** The loan as the page reads it, with a single collateral of that dollar value. */
function coveredOf(stage: Stage, each: PlayedGuard, now: bigint): Covered {
  const { weightedUsdWad, prices, markets, protocol } = each.loan;
  const ofCollateral = { weightedAt: (price: bigint) => (weightedUsdWad * price) / WAD, debtAt: () => 0n };
  const ofDebts = markets.map(({ market, debt }) => ({
    ...{ market, priceWad: prices[market] ?? 0n },
    ...{ weightedAt: () => 0n, debtAt: (price: bigint) => (debt * price) / WAD },
  }));
  const loan = {
    ...{ ...each.loan, protocol: { ...protocol, name: 'Venus' }, markets: [...markets, collateral] },
    parts: [{ market: collateral.market, priceWad: WAD, ...ofCollateral }, ...ofDebts],
  } as unknown as NonNullable<Covered['loan']>;
  return { guard: pageGuard(each), loan, coverage: coverageAt(stage, each, now) };
}

/** The reasons for each contract error. */
const unable: Readonly<Record<string, readonly string[]>> = {
  GuardNotActive: ['cancelled'],
  GuardRevoked: ['revoked'],
  GuardExpired: ['expired'],
  NoDebt: ['no_debt'],
  NoCollateral: ['no_collateral'],
  DayCapUsedUp: ['day_cap_used_up'],
  AllowanceTooLow: ['no_allowance', 'allowance_too_low'],
  BalanceTooLow: ['no_balance', 'balance_too_low'],
  RepayBelowMinimum: ['below_minimum'],
  RemainderRefused: ['remainder_refused'],
  CashTooLow: ['cash_too_low'],
  SaleWouldHarm: ['sale_would_harm'],
};

/** Reasons that the page gives before loan and money, and that the contract checks last. */
const refusals: Readonly<Record<string, string>> = {
  RepayPaused: 'repay_paused',
  TransferPaused: 'transfer_paused',
  WithdrawalPaused: 'withdrawal_paused',
  SaleTooDear: 'withdrawal_fee_too_high',
  BorrowingPowerTooLow: 'borrowing_power_too_low',
  PriceSourceFailed: 'price_source_failed',
};

/** A pool can be so much cheaper than the protocol's price that a sale affords even a fee that is too high. */
const mayAffordFee = ({ guard: { sale, repayToken }, means }: PlayedGuard): boolean =>
  means.sale?.refusal === 'withdrawal_fee_too_high' && !sameAddress(sale?.collateralToken ?? repayToken, repayToken);

/** Errors of a pool that cannot pay the amount, or not at the guard's price. */
const byPool = ['PoolTooDear', 'PoolRanDry', 'SaleTooDear', 'RepayBelowMinimum', 'HealthNotRestored'];

const isHealthy = (name: string): boolean => name === 'HealthNotBelowTrigger' || name === 'HealthAtTarget';

const debtOf = ({ guard, loan }: PlayedGuard): bigint =>
  loan.markets.find(({ market }) => sameAddress(market, guard.market))?.debt ?? 0n;

/**
 * Whether a rescue is due, by LoanGuard's answer. A rescue that only the price source asks for, and that is below the
 * minimum, comes later and counts as not due.
 */
function isDue({ guard, loan }: PlayedGuard, { now }: Answers): boolean {
  const isBySource = (loan.healthWad ?? 0n) >= guard.triggerHealthWad;
  return !isHealthy(nameOf(now)) && !(isBySource && nameOf(now) === 'RepayBelowMinimum');
}

function compareCoverage(must: Must, what: string, each: PlayedGuard, coverage: Coverage<never>, answers: Answers) {
  const { guard } = each;
  const isAble = coverage.state !== 'unable';
  if (!isAble && Object.values(refusals).includes(coverage.why)) {
    if (coverage.why === 'withdrawal_fee_too_high' && mayAffordFee(each)) return;
    return must(`${what}, whether it is refused`, answers.now.ok || answers.atTrigger.ok, false);
  }
  if (nameOf(answers.now) === 'CoolingDown') {
    const until = guard.lastRescueAt + guard.cooldownSeconds;
    if (isAble) must(`${what}, until when it rests`, coverage.nextFrom ?? coverage.sourceFrom, until);
    return;
  }
  // LoanGuard checks last for a market without debt, and calls it too little to repay.
  if (nameOf(answers.now) in unable && debtOf(each) === 0n) {
    const isEnded = ['GuardNotActive', 'GuardRevoked', 'GuardExpired'].includes(nameOf(answers.now));
    if (!isEnded) return must(`${what}, in a market without debt`, isAble ? coverage.state : coverage.why, 'no_debt');
  }
  const due = isDue(each, answers);
  const answer = due ? answers.now : answers.atTrigger;
  // The health is exactly at the trigger, because rounding leaves no value just below it.
  if (isHealthy(nameOf(answer)) || (!due && debtOf(each) === 0n)) return;
  if (each.mayBeCut && (answer.ok || byPool.includes(answer.name))) {
    const isLess = isAble
      ? !answer.ok || (answer.value as bigint) <= coverage.amount
      : nameOf(answer) === 'RepayBelowMinimum' && coverage.why === 'below_minimum';
    return must(`${what}, whether the pool leaves it no more than it says`, isLess, true);
  }
  if (!answer.ok) {
    // No reader knows whether other collateral covers the remaining debts.
    if (answer.name === 'BorrowingPowerTooLow' && guard.targetHealthWad === UNWIND_HEALTH_WAD) return;
    const refusal = refusals[answer.name];
    if (refusal) return must(`${what}, why it is refused`, isAble ? `yes, ${coverage.amount}` : coverage.why, refusal);
    must(
      `${what}, whether it can rescue`,
      isAble ? `yes, ${coverage.amount}` : unable[answer.name]?.includes(coverage.why),
      true,
    );
    if (!isAble && answer.name === 'AllowanceTooLow') {
      must(`${what}, whether nothing is approved`, coverage.why === 'no_allowance', each.means.allowance === 0n);
    }
    return;
  }
  must(`${what}, what it repays`, isAble ? coverage.amount : coverage.why, answer.value);
  if (!isAble) return;
  if (guard.targetHealthWad === UNWIND_HEALTH_WAD)
    must(`${what}, whether it leaves no debt`, coverage.state === 'full', answer.value === debtOf(each));
  must(`${what}, whether it is due`, coverage.due !== undefined, due);
  if (due) {
    const isByProtocol = (each.loan.healthWad ?? 0n) < guard.triggerHealthWad;
    must(`${what}, by whom it is due`, coverage.due?.by, isByProtocol ? 'protocol' : 'chainlink');
    must(`${what}, whether it rests`, coverage.nextFrom, undefined);
  }
  must(`${what}, who may call`, coverage.onlyBy, guard.keeper);
  must(`${what}, whether it falls short`, coverage.state === 'part', coverage.amount < coverage.needed);
}

/** Compares what the agent's loop decides about a guard and its loan, as the guard's keeper and as a stranger. */
function compareKeeper(must: Must, stage: Stage, each: PlayedGuard, played: GuardCase): void {
  const { guard, byAgent } = each;
  const { now, policy: serving } = played;
  const { now: answer } = each.answers;
  const assets = assetsOf(stage).filter(({ symbol }) => serving.tokens.some((each) => each === symbol));
  const open = (by: typeof keeper) => {
    const [left] = servedGuards({ guards: [guard], keeper: by, assets, serving }).skipped;
    // The agent drops guards that it does not serve for good. If one also rests, the contracts report only that.
    const rests = left === undefined || /^not_served_/.test(left.skip) ? whyNotOpen(guard, now) : undefined;
    return rests ?? left?.skip;
  };
  const skip = open(guard.keeper ?? stranger);
  const ends = ['GuardNotActive', 'GuardRevoked', 'GuardExpired'];
  const isResting = nameOf(answer) === 'CoolingDown' && guard.isBySource === undefined;
  const stopped = ends.includes(nameOf(answer)) || isResting ? snake(nameOf(answer)) : undefined;
  must(`keeper, why guard ${guardKey(guard)} is left out`, skip, stopped ?? whyNotServed(stage, each, played));
  const isActive = guard.status === 'active';
  if (guard.keeper !== undefined && isActive)
    must(`a stranger, why guard ${guardKey(guard)} is left out`, open(stranger), 'not_keeper');
  if (skip !== undefined || nameOf(answer) === 'CoolingDown') return;
  const values = { debtValue: byAgent.debtUsdWad, weightedCollateralValue: byAgent.weightedUsdWad };
  const bySource = guard.priceSource && { weightedBySource: each.bySourceUsdWad };
  const { endangered } = endangeredLoans([guard], [watchedHealth({ ...values, ...bySource }, guard)]);
  const isSafe = isHealthy(nameOf(answer)) || nameOf(answer) === 'NoDebt';
  must(`keeper, whether guard ${guardKey(guard)} is tried`, endangered.length === 1, !isSafe);
}

interface Money {
  readonly notice: string | undefined;
  /** What it needs if it falls short by itself; undefined if it does not, or where guards share the money. */
  readonly needed: bigint | undefined;
  /** Undefined where rounding leaves no health just below the trigger, or a cooldown hides it. */
  readonly isShort: boolean | undefined;
  readonly isShared: boolean | undefined;
}

/** Derives the state of a guard's money from LoanGuard's answers. */
function moneyOf(each: PlayedGuard, all: readonly PlayedGuard[], now: bigint): Money {
  const { guard, means } = each;
  const has = smallest([means.balance, means.allowance]);
  const isLive = guard.status === 'active' && now < guard.expiresAt;
  const cannotPay = isLive && (has < guard.minRepay || means.sale?.refusal !== undefined);
  const unbound = amountOf(each, each.unbound);
  const toTarget = unbound !== undefined && isCut(each, unbound) ? undefined : unbound;
  const needed = toTarget && largest([cappedOf(each, toTarget), guard.minRepay]);
  const isShort = needed === undefined ? undefined : isLive && has < needed;
  const isShared = sharesTooLittle(each, all);
  const isEnding = isShort === undefined || isShared === undefined ? undefined : isShort || isShared;
  const notice = cannotPay ? 'guard_cannot_pay' : isEnding ? 'funds_ending' : isEnding === false ? 'none' : undefined;
  return { notice, needed: isShort && isShared === false ? needed : undefined, isShort, isShared };
}

/** Whether the amount reaches the market's cash, or the loan's own collateral: no funding raises these. */
function isCut({ guard, means }: PlayedGuard, amount: bigint): boolean {
  if (means.sale === undefined) return false;
  return amount >= means.sale.byCash || (guard.sale?.funding === 'collateral' && amount >= means.balance);
}

/** Applies the cap alone. It may leave less debt than the market accepts. */
function cappedOf(each: PlayedGuard, toTarget: bigint): bigint {
  const { guard, loan } = each;
  const debt = debtOf(each);
  const minDebt = loan.minDebts?.[guard.market] ?? 0n;
  if (toTarget <= guard.capPerRescue) return toTarget;
  if (debt - guard.capPerRescue >= minDebt) return guard.capPerRescue;
  return largest([debt - minDebt, 0n]);
}

/** Guards with the same key draw on one balance through one approval, in one token. */
const purseOf = ({ guard: { funder, repayToken, sale } }: PlayedGuard): string =>
  [funder, repayToken, sale?.collateralMarket].join().toLowerCase();

function sharesTooLittle(each: PlayedGuard, all: readonly PlayedGuard[]): boolean | undefined {
  const has = smallest([each.means.balance, each.means.allowance]);
  const wants = all.map((other) => {
    if (purseOf(other) !== purseOf(each)) return 0n;
    const able = amountOf(other, other.answers);
    const wanted = amountOf(other, other.rich);
    return able === 0n ? 0n : wanted !== undefined && isCut(other, wanted) ? undefined : wanted;
  });
  if (wants.includes(undefined)) return undefined;
  const sum = wants.reduce<bigint>((total, want) => total + (want ?? 0n), 0n);
  const own = wants[all.indexOf(each)] ?? 0n;
  return own > 0n && sum > own && sum > has;
}

/** The amount of the next rescue: zero if LoanGuard refuses it, undefined if its answers do not show it. */
function amountOf(each: PlayedGuard, { now, atTrigger }: Answers): bigint | undefined {
  const { guard, loan, mayBeCut } = each;
  const isHidden = (name: string) => name in refusals || name === 'PoolTooDear';
  if (mayBeCut || mayAffordFee(each) || [now, atTrigger].some((answer) => isHidden(nameOf(answer)))) return undefined;
  const isByProtocol = (loan.healthWad ?? 0n) < guard.triggerHealthWad;
  const isBySource = now.ok && (now.value as bigint) >= guard.minRepay;
  // A rescue that only a source asks for, and that is too small, comes later.
  const isRefused = !now.ok && !isHealthy(now.name) && now.name !== 'RepayBelowMinimum';
  const answer = isByProtocol || isBySource || isRefused ? now : atTrigger;
  if (answer.ok) return answer.value as bigint;
  return isHealthy(answer.name) || answer.name === 'CoolingDown' ? undefined : 0n;
}

/** The trouble that each guard's funder is notified of, by guard. */
async function toldOf(stage: Stage, { now, guards }: GuardCase): Promise<ReadonlyMap<string, Trouble>> {
  const of = (guard: Guard) => guards.find((each) => guardKey(each.guard) === guardKey(guard)) as PlayedGuard;
  const guardsFor = async (account: string) => {
    const own = guards
      .map(({ guard }) => guard)
      .filter((each) => [each.borrower, each.funder].some((party) => sameAddress(party, account)));
    return { guards: own, total: own.length, unread: 0 };
  };
  const chain = { ...world.chain, guardsFor, guardedLoan: async (guard: Guard) => of(guard).byAgent };
  const funds = { guardFunds: async (asked: readonly Guard[]) => asked.map((guard) => of(guard).means) };
  const troubles = createTroubles({ plans: chain, guards: chain, funds, assets: assetsOf(stage) });
  const found = await Promise.all([funder, owner, otherOwner].map((account) => troubles.ofGuards(account, now)));
  return new Map(
    found.flat().flatMap(({ key, trouble }) => {
      if (trouble === 'unknown') throw new Error(`${key} was not judged`);
      return trouble ? [[key.replace('guard:', ''), trouble] as const] : [];
    }),
  );
}

/** What a guard's money lacks, as named by the page’s action items. */
const lacking = ['allowance', 'balance', 'no_allowance', 'allowance_too_low', 'no_balance', 'balance_too_low'];

/** The guards that the page reports as lacking money. */
function lackingByPage(stage: Stage, covered: readonly Covered[], now: bigint): ReadonlySet<GuardKey> {
  const known = { loans: [], covered, plans: undefined, activity: {}, buyer: undefined, now };
  const keys = new Set(actionItemsOf(known, pageSettings(stage)).map(({ key }) => key));
  const ids = covered.map(({ guard }) => guardKey(guard));
  return new Set(ids.filter((id) => lacking.some((what) => keys.has(`guard-${id}-${what}`))));
}

/** Compares what Home says about a guard whose funder lacks nothing for its next rescue. */
function compareHome(must: Must, stage: Stage, covered: Covered, now: bigint): void {
  const { guard, loan, coverage } = covered;
  if (loan === undefined || coverage.state === 'unable') return;
  const known = { loans: [loan], covered: [covered], plans: undefined, activity: {}, buyer: undefined, now };
  const sure = { loans: true, guards: true, plans: false, activity: false };
  const isUnfunded = figuresOf(known, sure, pageSettings(stage))[0].more.includes(partWords.notFunded);
  must(`Home, whether guard ${guardKey(guard)} lacks money`, isUnfunded, false);
}

/** Compares what the tool and the page name as the trigger of a rescue that is due now. */
async function compareTool(must: Must, stage: Stage, { guard, loan, answers: { now } }: PlayedGuard, covered: Covered) {
  if (!now.ok || covered.coverage.state === 'unable') return;
  const chain = {
    ...world.chain,
    guard: async () => guard,
    preview: async () => ({ guardId: guardKey(guard), due: true as const, repay: now.value as bigint }),
    healthOf: async () => ({
      ...{ borrower: guard.borrower, block: { number: 1n, timestamp: 1n }, protocol: 'Venus', forcedDebts: [] },
      ...(loan.healthWad !== undefined && { healthWad: loan.healthWad }),
    }),
  };
  const answer = await ask(
    'preview_rescue',
    { guard: String(guardKey(guard)) },
    { ...world, assets: assetsOf(stage), chain },
  );
  const by = covered.coverage.due?.by === 'chainlink' ? 'price_source' : 'protocol';
  must(`tool, by whom guard ${guardKey(guard)} is triggered`, answer.triggered_by, by);
}

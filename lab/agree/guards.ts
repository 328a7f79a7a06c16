import type { GuardTerms } from '@bowline/chain/drafts/guard';
import type { GuardHistory } from '@bowline/core/audit/history';
import type { GuardedLoan } from '@bowline/core/domain/guarded-loan';
import { healthWadOf } from '@bowline/core/domain/loan-health';
import type { Funds, Guard } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { type Address, type ContractFunctionReturnType, type Hex, pad } from 'viem';
import type { lendingMarketAbi, loanGuardAbi } from '../../abis/index.ts';
import type { Random } from '../bench/verdict-quality/random.ts';
import * as stages from './stage.ts';
import {
  answerOf,
  createScene,
  nobody,
  type Outcome,
  type Scene,
  type Stage,
  symbols,
  type TokenSymbol,
} from './stage.ts';

// Guards of two borrowers' loans in Venus, and in one isolated market with a smallest debt, registered, rescued, cancelled and revoked in LoanGuard, with what it answers to
// each rescue now and at the edges of times. Amounts are small, so that edges are met.

const DAY = 86_400n;
const plenty = 10n ** 20n;
const debtSymbols = ['USDT', 'USDC'] as const;
type DebtSymbol = (typeof debtSymbols)[number];
const borrowers = [stages.owner, stages.otherOwner] as const;

interface Loan {
  readonly borrower: Address;
  readonly isIsolated: boolean;
  readonly debts: Readonly<Record<DebtSymbol, bigint>>;
  readonly debtUsdWad: bigint;
  /** By the protocol's prices; the other is what it deposited, which a source values. */
  readonly weightedUsdWad: bigint;
  readonly collateral: bigint;
}

/** What LoanGuard answers to a rescue, undone each time. */
export interface Answers {
  /** Of the loan as it is. */
  readonly now: Outcome;
  /** Of one whose health is just below the trigger. */
  readonly atTrigger: Outcome;
}

export interface PlayedGuard {
  readonly guard: Guard;
  readonly history: GuardHistory;
  /** As the page reads it; the agent reads no second source. */
  readonly loan: GuardedLoan;
  /** Its weighted collateral at the second source's prices. */
  readonly bySourceUsdWad: bigint;
  readonly held: Funds;
  readonly answers: Answers;
  /** With all the money that it could need. */
  readonly rich: Answers;
  /** Of the same guard without bounds of its own, keeper or past, with all the money. */
  readonly unbound: Answers;
  readonly later: readonly (Answers & { readonly time: bigint })[];
}

/** What the agent's operator has set. */
export interface GuardsServedBy {
  /** In which it repays. */
  readonly tokens: readonly TokenSymbol[];
  readonly maxTriggerHealthWad: bigint;
  readonly minimumCooldownSeconds: bigint;
  readonly minimumRepayUsdWad: bigint;
  readonly share?: { readonly part: number; readonly of: number };
}

export interface GuardCase {
  readonly now: bigint;
  readonly policy: GuardsServedBy;
  readonly guards: readonly PlayedGuard[];
}

type Whole = (low: number, high: number) => number;

/** Of the isolated market; so much that it is met. */
const minDebts = [0, 30, 200] as const;

/** A market as Venus's adapter names it. */
const marketOf = ({ vTokens }: Stage, symbol: DebtSymbol): Hex => pad(vTokens[symbol].address.toLowerCase() as Hex);

export async function playGuards(stage: Stage, random: Random): Promise<GuardCase> {
  const whole: Whole = (low, high) => Math.floor(random.between(low, high + 1));
  const now = 20n * DAY + BigInt(whole(-700, 1_000));
  const prices = Object.fromEntries(debtSymbols.map((each) => [each, (WAD * BigInt(whole(2, 9))) / 3n])) as Prices;
  const usd8 = BigInt(whole(50_000_000, 200_000_000));
  const minDebt = BigInt(minDebts[whole(0, 2)] ?? 0);
  const loans = borrowers.flatMap((borrower) =>
    [false, true].map((isIsolated) => drawLoan({ borrower, isIsolated }, prices, usd8, random, whole)),
  );
  const terms = Array.from({ length: whole(1, 3) }, () => drawTerms(stage, now, random, whole));

  const scene = createScene(stage);
  const rescuedAt = prepare(scene, stage, { now, terms, loans, prices, usd8, minDebt }, random, whole);
  scene.at(now);
  const held = drawFunds(stage, scene, terms, random, whole);
  for (const loan of loans) setLoan(scene, stage, loan);
  const of = ({ borrower, adapter }: GuardTerms) =>
    loans.find((each) => each.borrower === borrower && each.isIsolated === (adapter !== stage.venus.address)) as Loan;
  const loanReads = new Map(loans.map((loan) => [loan, readLoan(scene, stage, loan, prices, minDebt)]));
  const tryAll = (ids: (id: bigint) => bigint, by = callerOf) =>
    terms.map((each, at) => answersOf(scene, stage, ids(BigInt(at + 1)), by(each), each, of(each)));
  const guardReads = terms.map((each, at) => readGuard(scene, stage, BigInt(at + 1), each));
  const answers = tryAll((id) => id);
  const unbound = tryAll(
    (id) => id + BigInt(terms.length),
    () => stages.stranger,
  );
  enrich(scene, stage, terms);
  const rich = tryAll((id) => id);
  const edges = edgesOf(terms, now, rescuedAt, random).map((time) => {
    scene.at(time);
    setFunds(scene, stage, terms, held);
    return { time, answers: tryAll((id) => id) };
  });
  await scene.play();
  const played = terms.map((each, at): PlayedGuard => {
    const symbol = symbolOf(stage, each.market);
    return {
      ...(guardReads[at] as () => Pick<PlayedGuard, 'guard' | 'history'>)(),
      ...(loanReads.get(of(each)) as ReturnType<typeof readLoan>)(),
      held: held[symbol][each.funder] as Funds,
      ...{ answers: answers[at]?.() as Answers, unbound: unbound[at]?.() as Answers, rich: rich[at]?.() as Answers },
      later: edges.map((edge) => ({ time: edge.time, ...(edge.answers[at]?.() as Answers) })),
    };
  });
  const policy = {
    tokens: random.chance(0.1) ? (['BTCB', 'USDT'] as const) : symbols,
    maxTriggerHealthWad: random.chance(0.2) ? (WAD * 115n) / 100n : 10n * WAD,
    minimumCooldownSeconds: random.chance(0.1) ? 601n : 600n,
    minimumRepayUsdWad: random.chance(0.3) ? BigInt(whole(1, 300)) : 0n,
    ...(random.chance(0.3) && { share: { part: whole(1, 2), of: 2 } }),
  };
  return { now, policy, guards: played };
}

type Prices = Record<DebtSymbol, bigint>;

/** Some without debt, some without collateral, most near the triggers. */
function drawLoan(
  of: Pick<Loan, 'borrower' | 'isIsolated'>,
  prices: Prices,
  usd8: bigint,
  random: Random,
  whole: Whole,
): Loan {
  const some = () => (random.chance(0.25) ? 0n : BigInt(whole(50, 1_500)));
  const debts = { USDT: some(), USDC: of.isIsolated ? 0n : some() };
  const debtUsdWad = debtSymbols.reduce((sum, each) => sum + (debts[each] * prices[each]) / WAD, 0n);
  const weightedUsdWad = random.chance(0.03) ? 0n : (debtUsdWad * BigInt(whole(95, 150))) / 100n;
  // Eight tenths of it count, at the source's price of about as much.
  const valued = (weightedUsdWad * BigInt(whole(random.chance(0.5) ? 60 : 90, 115))) / 100n;
  return { ...of, debts, debtUsdWad, weightedUsdWad, collateral: (valued * 10n ** 9n) / (8n * usd8) };
}

function drawTerms(stage: Stage, now: bigint, random: Random, whole: Whole): GuardTerms {
  const borrower = borrowers[random.chance(0.7) ? 0 : 1];
  const triggerHealthWad = (WAD * BigInt(whole(100, 130))) / 100n;
  const capPerRescue = BigInt(whole(20, 600));
  const isIsolated = random.chance(0.3);
  return {
    ...{ borrower, funder: random.chance(0.8) ? stages.funder : borrower },
    adapter: (isIsolated ? stage.isolated : stage.venus).address,
    market: isIsolated ? stages.isolatedMarket : marketOf(stage, debtSymbols[whole(0, 1)] as DebtSymbol),
    keeper: random.chance(0.8) ? nobody : stages.keeper,
    priceSource: random.chance(0.5) ? nobody : stage.chainlink.address,
    ...{ triggerHealthWad, targetHealthWad: (triggerHealthWad * BigInt(whole(103, 130))) / 100n },
    ...{
      capPerRescue,
      capPerDay: capPerRescue + BigInt(whole(0, 300)),
      minRepay: BigInt(whole(1, Math.min(60, Number(capPerRescue)))),
    },
    ...{ cooldownSeconds: 600, expiresAt: Number(now) + (random.chance(0.1) ? whole(-400, 0) : whole(1, 2_000_000)) },
  };
}

const symbolOf = (stage: Stage, market: Hex): DebtSymbol =>
  debtSymbols.find((each) => marketOf(stage, each) === market) ?? 'USDT';

const callerOf = ({ keeper }: GuardTerms): Address => (keeper === nobody ? stages.stranger : keeper);

function setLoan(scene: Scene, { vTokens, comptroller, isolated }: Stage, loan: Loan): void {
  const { borrower, debts, weightedUsdWad, collateral } = loan;
  if (loan.isIsolated) {
    const account = { debt: debts.USDT, interest: 0n, otherDebtUsd: 0n, weightedCollateralUsd: weightedUsdWad };
    scene.call(borrower, isolated, 'setAccount', borrower, account);
    return;
  }
  for (const each of debtSymbols) scene.call(borrower, vTokens[each], 'setDebt', borrower, debts[each]);
  scene.call(borrower, vTokens.BTCB, 'setBalance', borrower, collateral, WAD);
  scene.call(borrower, comptroller, 'setWeightedCollateral', borrower, weightedUsdWad);
}

interface Setting {
  readonly now: bigint;
  readonly terms: readonly GuardTerms[];
  readonly loans: readonly Loan[];
  readonly prices: Prices;
  readonly usd8: bigint;
  readonly minDebt: bigint;
}

/** Registers guards and their unbound twins, has some rescue, and ends some. @returns when the rescues were tried. */
function prepare(scene: Scene, stage: Stage, setting: Setting, random: Random, whole: Whole): bigint {
  const { now, terms, loans, prices, usd8, minDebt } = setting;
  const { guards, oracle, comptroller, vTokens, revocations, isolated } = stage;
  scene.at(now - 3_000n);
  scene.setAnswer('BTCB', usd8);
  setRich(scene, stage, terms);
  for (const each of debtSymbols) scene.call(stages.owner, oracle, 'set', vTokens[each].address, prices[each]);
  scene.call(stages.owner, isolated, 'setPrice', prices.USDT);
  scene.call(stages.owner, isolated, 'setMinDebt', minDebt);
  // The protocol counts the collateral as it is told; only a source looks at its price.
  scene.call(stages.owner, oracle, 'set', vTokens.BTCB.address, WAD);
  for (const loan of loans) {
    for (const each of Object.values(vTokens))
      scene.call(stages.owner, comptroller, 'enter', loan.borrower, each.address);
    scene.call(stages.owner, comptroller, 'setThreshold', loan.borrower, vTokens.BTCB.address, (WAD * 8n) / 10n);
    // For the rescues before now: so low that every trigger is above it.
    setLoan(scene, stage, { ...loan, weightedUsdWad: (loan.debtUsdWad * 9n) / 10n });
  }
  const most = 2n ** 120n;
  const twins = terms.map((each) => ({
    ...{ ...each, funder: stages.signer, keeper: nobody },
    ...{ capPerRescue: most, capPerDay: most, minRepay: 1n, cooldownSeconds: 0, expiresAt: 2 ** 39 },
  }));
  for (const [nonce, each] of [...terms, ...twins].entries()) {
    const consent = { terms: each, nonce: BigInt(nonce), deadline: 2n ** 60n, borrowerEpoch: 0n, funderEpoch: 0n };
    if (each.funder === each.borrower) scene.call(each.borrower, guards, 'register', each);
    else scene.call(each.borrower, guards, 'registerFunded', consent, '0x01');
  }
  const rescuedAt = now - BigInt(whole(1, 1_200));
  scene.at(rescuedAt);
  for (const loan of loans.filter(() => random.chance(0.5))) {
    // By the source alone: the protocol counts more.
    const { debtUsdWad } = loan;
    setLoan(scene, stage, { ...loan, weightedUsdWad: (debtUsdWad * 131n) / 100n, collateral: 1n });
  }
  for (const [at, each] of terms.entries()) {
    if (random.chance(0.4)) scene.call(callerOf(each), guards, 'rescue', BigInt(at + 1));
    if (random.chance(0.08)) scene.call(each.borrower, guards, 'cancel', BigInt(at + 1));
  }
  if (random.chance(0.04)) scene.call(stages.funder, revocations, 'revokeAll');
  return rescuedAt;
}

const held = (terms: readonly GuardTerms[]): readonly Address[] => [
  ...new Set(terms.map(({ funder }) => funder)),
  stages.signer,
];

type Held = Record<DebtSymbol, Record<Address, Funds>>;

/** Half of them at what guards may take, alone or together, or one beside it. */
function drawFunds(stage: Stage, scene: Scene, terms: readonly GuardTerms[], random: Random, whole: Whole): Held {
  const some = (): Funds => {
    const chosen = terms.filter(() => random.chance(0.6));
    const caps = chosen.reduce((sum, { capPerRescue }) => sum + capPerRescue, 0n);
    const edge = [caps, caps, chosen[0]?.minRepay ?? 0n][whole(0, 2)] ?? 0n;
    const least = random.chance(0.5) ? BigInt(whole(0, 900)) : edge + BigInt(whole(edge === 0n ? 0 : -1, 1));
    const more = least + BigInt(whole(0, 400));
    return random.chance(0.5) ? { balance: least, allowance: more } : { balance: more, allowance: least };
  };
  const drawn = () => {
    const of = held(terms).map((each) => [
      each,
      each === stages.signer ? { balance: plenty, allowance: plenty } : some(),
    ]);
    return Object.fromEntries(of) as Record<Address, Funds>;
  };
  const funds: Held = { USDT: drawn(), USDC: drawn() };
  setFunds(scene, stage, terms, funds);
  return funds;
}

function setFunds(scene: Scene, { guards }: Stage, terms: readonly GuardTerms[], of: Held): void {
  for (const symbol of debtSymbols) {
    for (const each of held(terms)) scene.setFunds(symbol, each, guards.address, of[symbol][each] as Funds);
  }
}

function setRich(scene: Scene, { guards }: Stage, terms: readonly GuardTerms[]): void {
  for (const symbol of debtSymbols) {
    for (const each of held(terms))
      scene.setFunds(symbol, each, guards.address, { balance: plenty, allowance: plenty });
  }
}

/** Within the block, after its first answers. */
function enrich(scene: Scene, { tokens, guards }: Stage, terms: readonly GuardTerms[]): void {
  for (const symbol of debtSymbols) {
    for (const each of new Set(terms.map(({ funder }) => funder))) {
      scene.call(each, tokens[symbol], 'mint', each, plenty);
      scene.call(each, tokens[symbol], 'approve', guards.address, plenty);
    }
  }
}

function answersOf(scene: Scene, stage: Stage, id: bigint, by: Address, { triggerHealthWad }: GuardTerms, loan: Loan) {
  const attempt = () => scene.attempt(by, stage.guards, 'rescue', id);
  const weigh = (value: bigint) =>
    loan.isIsolated
      ? setLoan(scene, stage, { ...loan, weightedUsdWad: value })
      : scene.call(loan.borrower, stage.comptroller, 'setWeightedCollateral', loan.borrower, value);
  const now = attempt();
  weigh((loan.debtUsdWad * triggerHealthWad) / WAD);
  const atTrigger = attempt();
  weigh(loan.weightedUsdWad);
  return (): Answers => ({ now: now(), atTrigger: atTrigger() });
}

type Position = ContractFunctionReturnType<typeof lendingMarketAbi, 'nonpayable', 'accrueAndRead'>;

/** As the page reads it, by the adapter that LoanGuard asks. */
function readLoan(scene: Scene, stage: Stage, { borrower, debts, isIsolated }: Loan, prices: Prices, minDebt: bigint) {
  const { chainlink } = stage;
  const adapter = isIsolated ? stage.isolated : stage.venus;
  const named = (symbol: DebtSymbol) => (isIsolated ? stages.isolatedMarket : marketOf(stage, symbol));
  const symbols = isIsolated ? (['USDT'] as const) : debtSymbols;
  const markets = symbols.map((symbol) => ({ market: named(symbol), debt: debts[symbol] }));
  const market = named('USDT');
  const position = scene.call(borrower, adapter, 'accrueAndRead', borrower, market);
  const bySource = scene.call(borrower, adapter, 'weightedCollateralBy', chainlink.address, borrower, market);
  const forced = scene.call(borrower, adapter, 'forcedMarkets', borrower);
  return (): Pick<PlayedGuard, 'loan' | 'bySourceUsdWad'> => {
    const { debtValue, weightedCollateralValue } = answerOf<Position>(position());
    const bySourceUsdWad = answerOf<bigint>(bySource());
    const owed = symbols.filter((symbol) => debts[symbol] > 0n);
    const loan: GuardedLoan = {
      protocol: { adapter: adapter.address, ...(isIsolated && { market }) },
      ...{ markets, forcedMarkets: answerOf(forced()), ...(isIsolated && { minDebts: { [market]: minDebt } }) },
      ...{ debtUsdWad: debtValue, weightedUsdWad: weightedCollateralValue },
      healthWad: healthWadOf(weightedCollateralValue, debtValue),
      chainlinkHealthWad: healthWadOf(bySourceUsdWad, debtValue),
      prices: Object.fromEntries(owed.map((symbol) => [named(symbol), prices[symbol]])),
    };
    return { loan, bySourceUsdWad };
  };
}

type Answered = ContractFunctionReturnType<typeof loanGuardAbi, 'view', 'guard'>;

function readGuard(scene: Scene, { guards }: Stage, id: bigint, { borrower }: GuardTerms) {
  const read = scene.call(borrower, guards, 'guard', id);
  const rescues = scene.call(borrower, guards, 'rescues', id, 0n, 10n);
  return (): Pick<PlayedGuard, 'guard' | 'history'> => {
    const { terms, repayToken, state, isRevoked } = answerOf<Answered>(read());
    const { keeper, priceSource, ...bare } = terms;
    const guard: Guard = {
      ...{ id, ...bare, repayToken, rescues: state.rescues, takenInDay: state.takenInDay },
      ...(keeper !== nobody && { keeper }),
      ...(priceSource !== nobody && { priceSource }),
      ...(state.isBySource && { isBySource: true as const }),
      ...{ cooldownSeconds: BigInt(terms.cooldownSeconds), expiresAt: BigInt(terms.expiresAt) },
      ...{ lastRescueAt: BigInt(state.lastRescueAt), day: BigInt(state.day) },
      status: isRevoked ? 'revoked' : state.status === 1 ? 'active' : 'cancelled',
    };
    const history = { id, blockNumber: 1n, terms, repayToken, state, isRevoked, forcedMarkets: [] };
    return { guard, history: { ...history, rescues: answerOf(rescues()) } };
  };
}

/** Up to two of: a guard's end, its cooldown's end, midnight; each a second before and at it. */
function edgesOf(terms: readonly GuardTerms[], now: bigint, rescuedAt: bigint, random: Random): readonly bigint[] {
  const ends = terms.map(({ expiresAt }) => BigInt(expiresAt));
  const all = [...ends, rescuedAt + 600n, (now / DAY + 1n) * DAY].flatMap((time) => [time - 1n, time]);
  const chosen = [...new Set(all)].filter((time) => time > now && random.chance(0.5)).slice(0, 2);
  return chosen.toSorted((a, b) => (a < b ? -1 : 1));
}

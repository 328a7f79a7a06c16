import type { GuardTerms, SaleTerms } from '@bowline/chain/drafts/guard';
import { noRoute, readGuards, toGuard } from '@bowline/chain/guard';
import { readMeans } from '@bowline/chain/guard-means';
import { readGuardHistories } from '@bowline/chain/history';
import { readByAdapter, readLoan, readMarkets, readWeightedBy } from '@bowline/chain/lending/loan';
import type { GuardHistory } from '@bowline/core/audit/history';
import type { GuardedLoan, Means } from '@bowline/core/domain/guarded-loan';
import { protocolAt } from '@bowline/core/domain/lending';
import { type Funds, type Guard, UNWIND_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { BPS, mulDivUp, WAD } from '@bowline/core/domain/units';
import { type Address, type Hex, pad } from 'viem';
import type { Random } from '../bench/verdict-quality/random.ts';
import {
  type DebtSymbol,
  debtSymbols,
  drawLoans,
  drawMarket,
  type Loan,
  lendingOf,
  type Market,
  mayBeCut,
  setLoan,
  setMarket,
  venusMarketOf,
  type Whole,
  weigh,
} from './loans.ts';
import { POOL_FEE } from './pool.ts';
import * as stages from './stage.ts';
import { createScene, nobody, type Outcome, type Scene, type Stage, symbols, type TokenSymbol } from './stage.ts';

// Plays guards on two borrowers' loans, paid from wallets, savings and collateral: registers, rescues, cancels and revokes
// them in LoanGuard and CollateralGuard, and records the contracts' answers to each rescue now and at time boundaries.
// Half of the cases have small amounts, to hit edges.

const DAY = 86_400n;
const plenty = 10n ** 30n;
const borrowers = [stages.owner, stages.otherOwner] as const;

/** The guard contract's answers to a rescue. Each attempt is undone. */
export interface Answers {
  /** For the loan as it is. */
  readonly now: Outcome;
  /** For the same loan with its health just below the trigger. */
  readonly atTrigger: Outcome;
}

export interface PlayedGuard {
  readonly guard: Guard;
  readonly history: GuardHistory;
  /** As the page reads it. */
  readonly loan: GuardedLoan;
  /** As the agent reads it, including the guard's own price source. */
  readonly byAgent: GuardedLoan;
  /** Its weighted collateral at the second source's prices. */
  readonly bySourceUsdWad: bigint;
  readonly means: Means;
  /** Whether its pool may pay less than asked, or be too dear. Nobody can know in advance. */
  readonly mayBeCut: boolean;
  readonly answers: Answers;
  /** With all the money that it could need; for a loan's own collateral, with every receipt approved. */
  readonly rich: Answers;
  /** For a twin of the guard without bounds of its own, keeper or past, with all the money. */
  readonly unbound: Answers;
  readonly later: readonly (Answers & { readonly time: bigint })[];
}

/** The policy that the agent's operator has set. */
export interface GuardsServedBy {
  /** Tokens in which it repays. */
  readonly tokens: readonly TokenSymbol[];
  readonly maxTriggerHealthWad: bigint;
  readonly owner?: Address | undefined;
  readonly minimumRepayUsdWad: bigint;
  /** Whether it knows CollateralGuard. */
  readonly servesSales: boolean;
}

export interface GuardCase {
  readonly now: bigint;
  readonly policy: GuardsServedBy;
  readonly guards: readonly PlayedGuard[];
}

/** Terms of either contract, with the ids that it gives them and their unbound twin. */
interface Numbered {
  readonly terms: GuardTerms | SaleTerms;
  readonly id: bigint;
  readonly twin: GuardTerms | SaleTerms;
  readonly twinId: bigint;
}

interface Case {
  readonly now: bigint;
  readonly all: readonly Numbered[];
  readonly market: Market;
  readonly loans: readonly Loan[];
}

export async function playGuards(stage: Stage, random: Random): Promise<GuardCase> {
  const whole: Whole = (low, high) => Math.floor(random.between(low, high + 1));
  const now = 20n * DAY + BigInt(whole(-700, 1_000));
  const market = drawMarket(random, whole);
  const loans = drawLoans(market, random, whole);
  const all = numbered(Array.from({ length: whole(1, 3) }, () => drawTerms(stage, now, market, random, whole)));
  const of: Case = { now, all, market, loans };
  const scene = createScene(stage);
  const rescuedAt = prepare(scene, stage, of, random, whole);
  scene.at(now);
  const money = drawMoney(stage, of, random, whole);
  setMoney(scene, stage, of, money);
  for (const loan of loans) setLoan(scene, stage, market, loan);
  disturb(scene, stage, of, random, whole);
  const read = await readAll(scene, stage, of);
  const tryAll = (isTwin: boolean) =>
    all.map((each) => answersOf(scene, stage, of, isTwin ? each.twinId : each.id, isTwin ? each.twin : each.terms));
  const answers = tryAll(false);
  enrich(scene, stage, of);
  const [rich, unbound] = [tryAll(false), tryAll(true)];
  const edges = edgesOf(of, rescuedAt, random).map((time) => {
    scene.at(time);
    setMoney(scene, stage, of, money);
    return { time, answers: tryAll(false) };
  });
  await scene.play();
  const guards = read.map(
    (each, at): PlayedGuard => ({
      ...each,
      mayBeCut: poolOf((all[at] as Numbered).terms) && mayBeCut(market),
      ...{ answers: answers[at]?.() as Answers, unbound: unbound[at]?.() as Answers, rich: rich[at]?.() as Answers },
      later: edges.map((edge) => ({ time: edge.time, ...(edge.answers[at]?.() as Answers) })),
    }),
  );
  return { now, policy: drawPolicy(market, random, whole), guards };
}

const drawPolicy = ({ unit }: Market, random: Random, whole: Whole): GuardsServedBy => ({
  tokens: random.chance(0.1) ? (['BTCB', 'USDT'] as const) : symbols,
  maxTriggerHealthWad: random.chance(0.2) ? (WAD * 115n) / 100n : 10n * WAD,
  minimumRepayUsdWad: random.chance(0.3) ? BigInt(whole(1, 300)) * unit : 0n,
  servesSales: random.chance(0.9),
});

const isSale = (terms: GuardTerms | SaleTerms): terms is SaleTerms => 'collateralMarket' in terms;
const debtMarketOf = (terms: GuardTerms | SaleTerms): Hex => (isSale(terms) ? terms.debtMarket : terms.market);
/** Whether a rescue sells in the pool. */
const poolOf = (terms: GuardTerms | SaleTerms): boolean =>
  isSale(terms) && !sameAddress(terms.collateralMarket, terms.debtMarket);
const contractOf = (stage: Stage, terms: GuardTerms | SaleTerms) => (isSale(terms) ? stage.sales : stage.guards);

function drawTerms(stage: Stage, now: bigint, market: Market, random: Random, whole: Whole): GuardTerms | SaleTerms {
  const { unit } = market;
  const borrower = borrowers[random.chance(0.7) ? 0 : 1];
  const triggerHealthWad = (WAD * BigInt(whole(100, 130))) / 100n;
  const capPerRescue = BigInt(whole(20, 600)) * unit;
  const shared = {
    ...{ borrower, funder: random.chance(0.8) ? stages.funder : borrower },
    keeper: random.chance(0.8) ? nobody : stages.keeper,
    priceSource: random.chance(0.5) ? nobody : stage.chainlink.address,
    ...{ triggerHealthWad, targetHealthWad: (triggerHealthWad * BigInt(whole(103, 130))) / 100n },
    ...{
      capPerRescue,
      capPerDay: capPerRescue + BigInt(whole(0, 300)) * unit,
      minRepay: BigInt(whole(1, Math.min(60, Number(capPerRescue / unit)))) * unit,
    },
    ...{ cooldownSeconds: 600, expiresAt: Number(now) + (random.chance(0.1) ? whole(-400, 0) : whole(1, 2_000_000)) },
  };
  if (unit > 1n && random.chance(0.5)) return saleOf(stage, shared, random, whole);
  if (unit > 1n && random.chance(0.5)) {
    return { ...shared, adapter: stage.lista.adapter.address, market: stage.lista.market };
  }
  const debt = debtSymbols[whole(0, 1)] as DebtSymbol;
  return { ...shared, adapter: stage.venus.address, market: venusMarketOf(stage, debt) };
}

/** Sells the loan's own collateral, a deposit in the debt's token, or another account's deposit of either kind. */
function saleOf(stage: Stage, shared: Omit<GuardTerms, 'adapter' | 'market'>, random: Random, whole: Whole): SaleTerms {
  const sold: TokenSymbol = random.chance(0.6) ? 'BTCB' : (debtSymbols[whole(0, 1)] as DebtSymbol);
  const debt = sold === 'BTCB' ? 'USDT' : sold;
  const names = sold === 'BTCB' && (shared.keeper === nobody || random.chance(0.5));
  return {
    ...{ ...shared, funder: random.chance(0.4) ? shared.funder : shared.borrower },
    ...(random.chance(0.2) && {
      targetHealthWad: UNWIND_HEALTH_WAD,
      capPerRescue: 4n * shared.capPerRescue,
      capPerDay: 8n * shared.capPerDay,
    }),
    adapter: stage.venusCollateral.address,
    ...{ debtMarket: venusMarketOf(stage, debt), collateralMarket: venusMarketOf(stage, sold) },
    maxCostBps: whole(50, 300),
    route: names ? { ...noRoute, firstFee: POOL_FEE } : noRoute,
  };
}

function numbered(drawn: readonly (GuardTerms | SaleTerms)[]): readonly Numbered[] {
  const most = 2n ** 120n;
  return drawn.map((terms, at) => {
    const alike = drawn.filter((each) => isSale(each) === isSale(terms)).length;
    const id = BigInt(drawn.slice(0, at + 1).filter((each) => isSale(each) === isSale(terms)).length);
    // A guard on the loan's own collateral has no other funder.
    const isOwn = isSale(terms) && terms.funder === terms.borrower;
    const twin = {
      ...{ ...terms, funder: isOwn ? terms.funder : stages.signer, keeper: nobody },
      ...{ capPerRescue: most, capPerDay: most, minRepay: 1n, cooldownSeconds: 0, expiresAt: 2 ** 39 },
      ...(poolOf(terms) && { route: routeOf(terms) }),
    };
    return { terms, id, twin, twinId: id + BigInt(alike) };
  });
}

/** The route that a caller names if the terms do not. */
const routeOf = (terms: GuardTerms | SaleTerms) => (poolOf(terms) ? { ...noRoute, firstFee: POOL_FEE } : noRoute);

const callerOf = ({ keeper }: GuardTerms | SaleTerms): Address => (keeper === nobody ? stages.stranger : keeper);
const rescueOf = (id: bigint, terms: GuardTerms | SaleTerms) =>
  isSale(terms) ? ([id, routeOf(terms)] as const) : ([id] as const);

/** Registers guards and their unbound twins, tries some rescues, and ends some. @returns when rescues were tried. */
function prepare(scene: Scene, stage: Stage, of: Case, random: Random, whole: Whole): bigint {
  const { now, all, loans, market } = of;
  const { comptroller, vTokens, revocations } = stage;
  scene.at(now - 3_000n);
  setMarket(scene, stage, market);
  for (const borrower of borrowers) {
    for (const { address } of Object.values(vTokens)) scene.call(borrower, comptroller, 'enter', borrower, address);
    for (const what of ['setThreshold', 'setFactor'])
      scene.call(borrower, comptroller, what, borrower, vTokens.BTCB.address, (WAD * 8n) / 10n);
  }
  // Another account's deposit counts only for its own loans, not for these.
  scene.call(stages.funder, comptroller, 'enter', stages.funder, vTokens.BTCB.address);
  scene.call(stages.funder, comptroller, 'setThreshold', stages.funder, vTokens.BTCB.address, (WAD * 8n) / 10n);
  // For the earlier rescues: collateral so low that every trigger is above the health.
  for (const loan of loans) setLoan(scene, stage, market, { ...loan, weightedUsdWad: (loan.debtUsdWad * 9n) / 10n });
  setMoney(scene, stage, of, richly(of));
  for (const [nonce, terms] of [...all.map((each) => each.terms), ...all.map(({ twin }) => twin)].entries()) {
    const consent = { terms, nonce: BigInt(nonce), deadline: 2n ** 60n, borrowerEpoch: 0n, funderEpoch: 0n };
    const guards = contractOf(stage, terms);
    if (terms.funder === terms.borrower) scene.call(terms.borrower, guards, 'register', terms);
    else scene.call(terms.borrower, guards, 'registerFunded', consent, '0x01');
  }
  const rescuedAt = now - BigInt(whole(1, 1_200));
  scene.at(rescuedAt);
  for (const loan of loans.filter(() => random.chance(0.5))) {
    // Endangered by the source alone: the protocol counts more.
    setLoan(scene, stage, market, { ...loan, weightedUsdWad: (loan.debtUsdWad * 131n) / 100n, collateral: 1n });
  }
  for (const { terms, id } of all) {
    const guards = contractOf(stage, terms);
    if (random.chance(0.4)) scene.call(callerOf(terms), guards, 'rescue', ...rescueOf(id, terms));
    if (random.chance(0.08)) scene.call(terms.borrower, guards, 'cancel', id);
  }
  // A rescue that a pool has cut short starts no cooldown.
  if (now > rescuedAt + 1n) {
    scene.at(rescuedAt + 1n);
    for (const { terms, id } of all)
      if (random.chance(0.5)) scene.call(callerOf(terms), contractOf(stage, terms), 'rescue', ...rescueOf(id, terms));
  }
  if (random.chance(0.04)) scene.call(stages.funder, revocations, 'revokeAll');
  return rescuedAt;
}

/** Applies what a protocol's governance, its cash and a source can do to rescues, each rarely. */
function disturb(scene: Scene, stage: Stage, { market, all }: Case, random: Random, whole: Whole): void {
  const { comptroller, vTokens, lista } = stage;
  const [REDEEM, REPAY, TRANSFER] = [1, 3, 6];
  const by = stages.owner;
  const [first] = all.map(({ terms }) => terms).filter(isSale);
  const sold = Object.values(vTokens).find(({ address }) => first && sameAddress(pad(address), first.collateralMarket));
  if (random.chance(0.08)) {
    const { address } = sold ?? vTokens.USDT;
    scene.call(by, comptroller, 'pauseAction', address, [REDEEM, REPAY, TRANSFER][whole(0, 2)]);
  }
  if (random.chance(0.06)) scene.call(by, lista.moolah, 'setPaused', true);
  if (random.chance(0.04)) scene.call(by, comptroller, 'setFactor', borrowers[whole(0, 1)], vTokens.BTCB.address, 0n);
  if (sold && random.chance(0.1))
    scene.call(by, sold, 'setCash', BigInt(whole(1, random.chance(0.5) ? 60 : 600)) * market.unit);
  if (first && random.chance(0.1)) {
    const bound = mulDivUp(BigInt(first.maxCostBps), WAD, BPS + BigInt(first.maxCostBps));
    scene.call(by, comptroller, 'setTreasuryPercent', bound + ([-(10n ** 9n), 1n, 10n ** 14n][whole(0, 2)] ?? 0n));
  }
  if (random.chance(0.08)) scene.call(by, stage.feeds.BTCB, 'set', 0n, 1n);
}

/** Each account's balance and allowance, by token. */
type Held = Record<TokenSymbol, Record<Address, Funds>>;
/** Wallets are for LoanGuard, receipts for CollateralGuard. */
interface Money {
  readonly wallets: Held;
  readonly receipts: Held;
}

const fundersOf = ({ all }: Case): readonly Address[] => [
  ...new Set([...all.map(({ terms }) => terms.funder), stages.signer]),
];

const held = (of: Case, draw: (account: Address, symbol: TokenSymbol) => Funds): Held =>
  Object.fromEntries(
    symbols.map((symbol) => [symbol, Object.fromEntries(fundersOf(of).map((each) => [each, draw(each, symbol)]))]),
  ) as Held;

const rich: Funds = { balance: plenty, allowance: plenty };
const richly = (of: Case): Money => ({ wallets: held(of, () => rich), receipts: held(of, () => rich) });

/** Half of the amounts are what guards may take, alone or together, or one unit off. */
function drawMoney(stage: Stage, of: Case, random: Random, whole: Whole): Money {
  const { all, market } = of;
  const { unit, usdWad, rateWad } = market;
  const some = (terms: readonly (GuardTerms | SaleTerms)[]): Funds => {
    const chosen = terms.filter(() => random.chance(0.6));
    const caps = chosen.reduce((sum, { capPerRescue }) => sum + capPerRescue, 0n);
    const edge = [caps, caps, chosen[0]?.minRepay ?? 0n][whole(0, 2)] ?? 0n;
    const least = random.chance(0.5) ? BigInt(whole(0, 900)) * unit : edge + BigInt(whole(edge === 0n ? 0 : -1, 1));
    const more = least + BigInt(whole(0, 400)) * unit;
    return random.chance(0.5) ? { balance: least, allowance: more } : { balance: more, allowance: least };
  };
  const terms = all.map((each) => each.terms);
  const wallets = held(of, (each) => (each === stages.signer ? rich : some(terms.filter((of) => !isSale(of)))));
  const receipts = held(of, (each, symbol) => {
    if (each === stages.signer) return rich;
    const sales = terms
      .filter(isSale)
      .filter(({ collateralMarket }) => collateralMarket === venusMarketOf(stage, symbol));
    const [costBps, paid] = [BigInt(sales[0]?.maxCostBps ?? 0), symbol === 'BTCB' ? 'USDT' : symbol];
    // The receipts that repay this amount at the highest cost.
    const worth = (amount: bigint) =>
      (amount * (BPS + costBps) * usdWad[paid] * WAD) / (BPS * usdWad[symbol] * rateWad);
    const { balance, allowance } = some(sales);
    return { balance: worth(balance), allowance: worth(allowance) };
  });
  return { wallets, receipts };
}

/** The loan itself sets how much BTCB a borrower has in Venus. */
const isLoans = (account: Address, symbol: TokenSymbol): boolean =>
  symbol === 'BTCB' && borrowers.some((each) => each === account);

function setMoney(scene: Scene, stage: Stage, of: Case, { wallets, receipts }: Money): void {
  for (const symbol of symbols) {
    for (const each of fundersOf(of)) {
      scene.setFunds(symbol, each, stage.guards.address, wallets[symbol][each] as Funds);
      const { balance, allowance } = receipts[symbol][each] as Funds;
      const vToken = stage.vTokens[symbol];
      scene.call(each, vToken, 'approve', stage.sales.address, allowance);
      if (!isLoans(each, symbol)) scene.call(each, vToken, 'setBalance', each, balance, of.market.rateWad);
    }
  }
}

/** Gives plenty, within the block and after its first answers. */
function enrich(scene: Scene, stage: Stage, of: Case): void {
  for (const symbol of symbols) {
    for (const each of fundersOf(of)) {
      scene.call(each, stage.tokens[symbol], 'mint', each, plenty);
      scene.call(each, stage.tokens[symbol], 'approve', stage.guards.address, plenty);
      scene.call(each, stage.vTokens[symbol], 'approve', stage.sales.address, plenty);
      if (!isLoans(each, symbol))
        scene.call(each, stage.vTokens[symbol], 'setBalance', each, plenty, of.market.rateWad);
    }
  }
}

const loanOf = (stage: Stage, { loans }: Case, { borrower, adapter }: GuardTerms | SaleTerms): Loan =>
  loans.find(
    (each) => each.borrower === borrower && each.isInLista === (adapter === stage.lista.adapter.address),
  ) as Loan;

function answersOf(scene: Scene, stage: Stage, of: Case, id: bigint, terms: GuardTerms | SaleTerms) {
  const loan = loanOf(stage, of, terms);
  const attempt = () => scene.attempt(callerOf(terms), contractOf(stage, terms), 'rescue', ...rescueOf(id, terms));
  const now = attempt();
  weigh(scene, stage, of.market, loan, (loan.debtUsdWad * terms.triggerHealthWad) / WAD);
  const atTrigger = attempt();
  weigh(scene, stage, of.market, loan, loan.weightedUsdWad);
  return (): Answers => ({ now: now(), atTrigger: atTrigger() });
}

type Read = Omit<PlayedGuard, 'answers' | 'rich' | 'unbound' | 'later' | 'mayBeCut'>;

/** Reads guards, loans and money at this moment through the readers of page, agent and audit. */
async function readAll(scene: Scene, stage: Stage, { all }: Case): Promise<readonly Read[]> {
  const client = scene.reader();
  const lending = lendingOf(stage);
  const places = { loanGuard: stage.guards.address, collateralGuard: stage.sales.address, lending };
  const source = stage.chainlink.address;
  return Promise.all(
    all.map(async ({ terms, id }): Promise<Read> => {
      const { address } = contractOf(stage, terms);
      const account = { borrower: terms.borrower, adapter: terms.adapter, market: debtMarketOf(terms) };
      const protocol = protocolAt(lending, account);
      if (protocol === undefined) throw new Error('The stage lists no such protocol.');
      const readLoanOf = async () =>
        readLoan(client, protocol, terms.borrower, await readMarkets(client, protocol, terms.borrower), source);
      const [guard, histories, loan, byAgent, bySourceUsdWad] = await Promise.all([
        readGuards(client, address, [id], isSale(terms)).then(([read]) => read && toGuard(id, read)),
        readGuardHistories(client, address, [id], { block: { number: 1n, timestamp: 0n }, isSale: isSale(terms) }),
        readLoanOf(),
        readByAdapter(client, account, terms.priceSource === nobody ? undefined : source),
        readWeightedBy(client, account, source),
      ]);
      const [history] = histories.found;
      if (guard === undefined || history === undefined || bySourceUsdWad === undefined)
        throw new Error('The stage did not answer for a guard.');
      return { guard, history, loan, byAgent, bySourceUsdWad, means: await readMeans(client, places, guard) };
    }),
  );
}

/** Up to two of: a guard's end, its cooldown's end, midnight; each at that second or the one before. */
function edgesOf({ all, now }: Case, rescuedAt: bigint, random: Random): readonly bigint[] {
  const ends = all.map(({ terms }) => BigInt(terms.expiresAt));
  const times = [...ends, rescuedAt + 600n, (now / DAY + 1n) * DAY].flatMap((time) => [time - 1n, time]);
  const chosen = [...new Set(times)].filter((time) => time > now && random.chance(0.5)).slice(0, 2);
  return chosen.toSorted((a, b) => (a < b ? -1 : 1));
}

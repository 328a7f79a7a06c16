import { BPS, largest, mulDivDown, mulDivUp, WAD } from '@bowline/core/domain/units';
import { type Address, type Hex, pad } from 'viem';
import type { Random } from '../bench/verdict-quality/random.ts';
import { sqrtPriceX96 } from '../world/pancake.ts';
import { borrowed, collateralFor, debtOf, type Prices as ListaPrices, sharesOf, unitWadOf } from './moolah.ts';
import { liquiditySlot } from './pool.ts';
import { otherOwner, owner, type Scene, type Stage, type TokenSymbol } from './stage.ts';

// Loans of two borrowers in Venus and in Lista's market, and the prices that both protocols, Chainlink's feeds and
// PancakeSwap's pool give.

export type Whole = (low: number, high: number) => number;
export const debtSymbols = ['USDT', 'USDC'] as const;
export type DebtSymbol = (typeof debtSymbols)[number];

export interface Loan {
  readonly borrower: Address;
  readonly isInLista: boolean;
  readonly debts: Readonly<Record<DebtSymbol, bigint>>;
  readonly debtUsdWad: bigint;
  /** At the protocol's prices. `collateral` is the deposit in Venus, which a source values. */
  readonly weightedUsdWad: bigint;
  readonly collateral: bigint;
}

export interface Market {
  /** Multiplier of the smallest amounts: one, or so large that rounding by a pool and Lista hardly matters. */
  readonly unit: bigint;
  /** Venus's price of 1e18 base units. */
  readonly usdWad: Readonly<Record<TokenSymbol, bigint>>;
  /** The second source's price, with 8 decimals. */
  readonly usd8: Readonly<Record<TokenSymbol, bigint>>;
  readonly lista: ListaPrices;
  /** The smallest debt in Lista's market, in dollars with 8 decimals; large enough that loans hit it. */
  readonly minDebtUsd8: bigint;
  /** Base units of Venus's deposits that a receipt is worth. */
  readonly rateWad: bigint;
  readonly pool: { readonly shareBps: bigint; readonly liquidity: bigint };
}

/** Whether a sale may find too little in the pool, or a price beyond the guard's bound. */
export const mayBeCut = ({ pool: { shareBps } }: Market): boolean => shareBps < BPS;

const minDebts = [0n, 30n, 200n] as const;

export function drawMarket(random: Random, whole: Whole): Market {
  const third = () => (WAD * BigInt(whole(2, 9))) / 3n;
  const usdWad = { USDT: third(), USDC: third() };
  const BTCB = BigInt(whole(20_000_000, 60_000_000));
  const usd8 = { USDT: usdWad.USDT / 10n ** 10n, USDC: usdWad.USDC / 10n ** 10n, BTCB };
  const loan = BigInt(whole(30_000_000, 100_000_000));
  const near = BigInt(whole(random.chance(0.5) ? 60 : 90, 110));
  const isDeep = random.chance(0.75);
  return {
    unit: random.chance(0.6) ? 10n ** 10n : 1n,
    ...{ usd8, usdWad: { ...usdWad, BTCB: BTCB * 10n ** 8n * BigInt(whole(95, 105)) } },
    lista: { loan, collateral: (loan * BTCB * near) / (usd8.USDT * 100n) },
    minDebtUsd8: minDebts[whole(0, 2)] ?? 0n,
    rateWad: random.chance(0.5) ? WAD : BigInt(whole(10 ** 8, 10 ** 9)) * 10n ** 9n + 7n,
    pool: isDeep
      ? { shareBps: BPS + BigInt(whole(20, 100)), liquidity: 10n ** 28n }
      : { shareBps: BPS - BigInt(whole(0, 400)), liquidity: BigInt(whole(1, 50)) * 10n ** 14n },
  };
}

/** Runs in the first block, in which the pool has no price yet. */
export function setMarket(scene: Scene, stage: Stage, market: Market): void {
  const { oracle, vTokens, lista, pool, tokens } = stage;
  const { usdWad, usd8, minDebtUsd8 } = market;
  for (const [symbol, vToken] of Object.entries(vTokens) as [TokenSymbol, Stage['pool']][]) {
    scene.setAnswer(symbol, usd8[symbol]);
    scene.call(owner, oracle, 'set', vToken.address, usdWad[symbol]);
  }
  scene.call(owner, lista.feeds.USDT, 'set', market.lista.loan, 1n);
  scene.call(owner, lista.feeds.BTCB, 'set', market.lista.collateral, 1n);
  scene.call(owner, lista.moolah, 'setMinLoanValue', minDebtUsd8);
  scene.call(owner, lista.moolah, 'setBorrowed', lista.market, borrowed.assets, borrowed.shares);
  // By the prices that make BTCB worth more, as CollateralGuard bounds a sale.
  const worth = largest([mulDivDown(usdWad.BTCB, WAD, usdWad.USDT), mulDivDown(usd8.BTCB, WAD, usd8.USDT)]);
  const paid = [worth * market.pool.shareBps, WAD * BPS] as const;
  const isFirst = tokens.BTCB.address.toLowerCase() < tokens.USDT.address.toLowerCase();
  scene.put(pool.address, liquiditySlot, market.pool.liquidity);
  scene.call(owner, pool, 'initialize', isFirst ? sqrtPriceX96(...paid) : sqrtPriceX96(paid[1], paid[0]));
}

/** Some have no debt, some no collateral; most are near the triggers. Lista's occur only in cases with a large unit. */
export function drawLoans(market: Market, random: Random, whole: Whole): readonly Loan[] {
  const places = market.unit === 1n ? [false] : [false, true];
  return [owner, otherOwner].flatMap((borrower) =>
    places.map((isInLista) => drawLoan({ borrower, isInLista }, market, random, whole)),
  );
}

function drawLoan(
  of: Pick<Loan, 'borrower' | 'isInLista'>,
  { unit, usdWad, usd8, lista }: Market,
  random: Random,
  whole: Whole,
): Loan {
  const some = () => (random.chance(0.25) ? 0n : BigInt(whole(50, 1_500)) * unit + (BigInt(whole(0, 9_999)) % unit));
  const debts = { USDT: of.isInLista ? debtOf(sharesOf(some())) : some(), USDC: of.isInLista ? 0n : some() };
  const debtUsdWad = of.isInLista
    ? mulDivUp(debts.USDT, unitWadOf(lista), WAD)
    : debtSymbols.reduce((sum, each) => sum + (debts[each] * usdWad[each]) / WAD, 0n);
  const health = random.chance(0.03) ? 0 : random.chance(0.04) ? whole(70, 85) : whole(95, 150);
  const weightedUsdWad = (debtUsdWad * BigInt(health)) / 100n;
  // The source values it at about as much. Eight tenths of the collateral count.
  const valued = (weightedUsdWad * BigInt(whole(random.chance(0.5) ? 60 : 90, 115))) / 100n;
  return { ...of, debts, debtUsdWad, weightedUsdWad, collateral: (valued * 10n ** 9n) / (8n * usd8.BTCB) };
}

/** A market as Venus's adapters name it. */
export const venusMarketOf = ({ vTokens }: Stage, symbol: TokenSymbol): Hex =>
  pad(vTokens[symbol].address.toLowerCase() as Hex);

export function setLoan(scene: Scene, stage: Stage, market: Market, loan: Loan): void {
  const { borrower, debts, weightedUsdWad, collateral } = loan;
  weigh(scene, stage, market, loan, weightedUsdWad);
  if (loan.isInLista) return;
  const { vTokens } = stage;
  for (const each of debtSymbols) scene.call(borrower, vTokens[each], 'setDebt', borrower, debts[each]);
  const receipts = mulDivDown(collateral, WAD, market.rateWad);
  scene.call(borrower, vTokens.BTCB, 'setBalance', borrower, receipts, market.rateWad);
}

/** Makes the protocol count this much collateral. */
export function weigh(scene: Scene, stage: Stage, market: Market, loan: Loan, weightedUsdWad: bigint): void {
  const { comptroller, lista } = stage;
  const { borrower, isInLista, debts } = loan;
  if (!isInLista) return void scene.call(borrower, comptroller, 'setWeightedCollateral', borrower, weightedUsdWad);
  const position = [sharesOf(debts.USDT), collateralFor(weightedUsdWad, market.lista)] as const;
  scene.call(borrower, lista.moolah, 'setPosition', lista.market, borrower, ...position);
}

/** The protocols of the stage as a registry lists them. */
export const lendingOf = ({ venus, venusCollateral, comptroller, lista }: Stage) => [
  { name: 'Venus', adapter: venus.address, collateralAdapter: venusCollateral.address, core: comptroller.address },
  {
    name: 'Lista BTCB',
    family: 'Lista',
    adapter: lista.adapter.address,
    core: lista.moolah.address,
    market: lista.market,
  },
];

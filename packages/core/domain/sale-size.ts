// What a rescue out of a deposit repays, as CollateralGuard computes it (contracts/libraries/SaleSize.sol).

import { BPS, mulDivDown, mulDivUp, WAD } from './units.ts';

const Q96 = 2n ** 96n;

/** ⌈w · (1 + s)⌉: how much weighted collateral a unit of repayment may cost. */
export const lossWadUp = (weightWad: bigint, maxCostBps: number): bigint =>
  mulDivUp(weightWad, BPS + BigInt(maxCostBps), BPS);

/** Base units to repay to bring health to the target, if all of it is paid by sales at the highest cost. Rounded up. */
export function soldFor(loan: {
  readonly debtUsdWad: bigint;
  readonly weightedUsdWad: bigint;
  readonly priceWad: bigint;
  readonly targetHealthWad: bigint;
  readonly lossWad: bigint;
}): bigint {
  const { debtUsdWad, weightedUsdWad, priceWad, targetHealthWad, lossWad } = loan;
  const [wanted, has] = [targetHealthWad * debtUsdWad, weightedUsdWad * WAD];
  if (wanted <= has || targetHealthWad <= lossWad || priceWad === 0n) return 0n;
  const value = mulDivUp(wanted - has, 1n, targetHealthWad - lossWad) + 1n;
  return mulDivUp(value, WAD, priceWad);
}

/** Base units of the repay token that one base unit of collateral is worth, by the prices that give it most value. */
export function rateX96Up(prices: readonly { readonly soldWad: bigint; readonly repaidWad: bigint }[]): bigint {
  const rates = prices.map(({ soldWad, repaidWad }) => mulDivUp(soldWad, Q96, repaidWad));
  return rates.reduce((most, rate) => (rate > most ? rate : most), 0n);
}

/** Base units that this amount of collateral repays at the highest cost. Rounded down. */
export const affordableDown = (amount: bigint, rateX96: bigint, maxCostBps: number): bigint =>
  mulDivDown(mulDivDown(amount, rateX96, Q96), BPS, BPS + BigInt(maxCostBps));

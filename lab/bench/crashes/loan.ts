import { lossWadUp, soldFor } from '@bowline/core/domain/sale-size';
import { WAD } from '@bowline/core/domain/units';
import type { Market } from './market.ts';

// A loan of dollars against one coin in Venus, and CollateralGuard as far as prices go (CG-7, CG-9 to CG-11). Interest is
// left out.

/** Venus's liquidation threshold of BTCB, ETH and BNB. */
export const THRESHOLD = 0.8;
/** A liquidator's bonus on top of what it repays, and the share of a debt that it may repay at once. */
const INCENTIVE = 0.1;
const CLOSE_FACTOR = 0.5;
/** What a borrower loses in the largest allowed liquidation, as a share of the debt. */
export const LIQUIDATION = INCENTIVE * CLOSE_FACTOR;

export const DEBT_USD = 100_000;
const POOL_FEE = 0.0005;
const MIN_REPAY_USD = 10;

export interface Guard {
  readonly trigger: number;
  readonly target: number;
  /** The highest all-in cost of a rescue: `maxCostBps`. */
  readonly maxCostBps: number;
  readonly cooldownSeconds: number;
}

interface Rescue {
  readonly second: number;
  readonly repaid: number;
  /** Coins, and their value at the protocol's price. */
  readonly sold: number;
  readonly worth: number;
}

export interface Outcome {
  readonly isLiquidated: boolean;
  readonly rescues: readonly Rescue[];
}

/** @param health at the start. Liquidators act first in the second of a price; a rescue acts a second after the trigger. */
export function outcomeOf({ protocol, pool, depthUsd }: Market, health: number, guard?: Guard): Outcome {
  const rescues: Rescue[] = [];
  let debt = DEBT_USD;
  let coins = (health * debt) / (THRESHOLD * (protocol[0] ?? 0));
  let [isSeen, cooledAt] = [false, 0];
  for (let second = 0; second < protocol.length; second += 1) {
    const price = protocol[second] ?? 0;
    const weighted = THRESHOLD * coins * price;
    if (weighted < debt) return { isLiquidated: true, rescues };
    const isBelow = guard !== undefined && weighted < guard.trigger * debt;
    if (guard !== undefined && isBelow && isSeen && second >= cooledAt) {
      const place = { price, spot: pool[second] ?? 0, depthUsd: depthUsd[second] ?? 0 };
      const sale = saleOf({ debt, coins }, guard, place);
      if (sale !== undefined) {
        rescues.push({ second, ...sale });
        debt -= sale.repaid;
        coins -= sale.sold;
        if (!sale.isCutShort) cooledAt = second + guard.cooldownSeconds;
      }
    }
    isSeen = isBelow;
  }
  return { isLiquidated: false, rescues };
}

interface Place {
  readonly price: number;
  readonly spot: number;
  readonly depthUsd: number;
}

/** Undefined if the contract refuses: the pool is too dear, too little is left to repay, or the sale would lower health. */
export function saleOf(
  { debt, coins }: { readonly debt: number; readonly coins: number },
  { target, maxCostBps }: Pick<Guard, 'target' | 'maxCostBps'>,
  { price, spot, depthUsd }: Place,
) {
  const cost = 1 + maxCostBps / 10_000;
  const weighted = THRESHOLD * coins * price;
  const lossWad = lossWadUp(wad(THRESHOLD), maxCostBps);
  if (wad(weighted) * WAD <= lossWad * wad(debt)) return undefined;
  const [debtUsdWad, weightedUsdWad, targetHealthWad] = [debt, weighted, target].map(wad) as [bigint, bigint, bigint];
  const restoring = soldFor({ debtUsdWad, weightedUsdWad, priceWad: WAD, targetHealthWad, lossWad });
  const needed = Math.min(Number(restoring) / 1e18, debt, (coins * price) / cost);
  const received = spot * (1 - POOL_FEE);
  // The pool's price falls with the square of the paying side's remaining share. The sale stops at the owner's price.
  const possible = depthUsd * (1 - Math.sqrt(Math.min(price / cost / received, 1)));
  const repaid = Math.min(needed, possible);
  if (repaid < MIN_REPAY_USD) return undefined;
  const sold = repaid / (received * (1 - repaid / depthUsd));
  return { repaid, sold, worth: sold * price, isCutShort: possible < needed };
}

const wad = (value: number): bigint => BigInt(Math.round(value * 1e9)) * 10n ** 9n;

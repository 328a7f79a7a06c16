// How much health a loan needs to survive a usual gap: a price move during which no rescue can happen.

import { type Address, BPS, mulDivUp, WAD } from './units.ts';

/** Price moves of one asset, in basis points. All but a known share of hours stay below them. */
export interface UsualMove {
  readonly fallBps: number;
  readonly riseBps: number;
}

/** What one asset adds to a loan: values in the protocol's unit, with 18 decimals, at its current price. */
export interface LoanPart {
  /** Absent if the protocol counts it at a fixed price. */
  readonly token?: Address;
  readonly debtWad: bigint;
  /** Collateral by liquidation threshold. */
  readonly weightedWad: bigint;
}

export interface UsualGap {
  /** Fall of all collateral: the fall of each asset, weighted by its share of the weighted value. */
  readonly fallBps: number;
  /** Rise of all debt. */
  readonly riseBps: number;
  /** Health before the gap that leaves 1 after it. A guard with a lower trigger may find the loan liquidated. */
  readonly healthWad: bigint;
}

const CENT = WAD / 100n;

/** The trigger that survives a gap, rounded up to hundredths as people choose them. */
export const triggerFor = ({ healthWad }: UsualGap): bigint => mulDivUp(healthWad, 1n, CENT) * CENT;

const steady: UsualMove = { fallBps: 0, riseBps: 0 };

/**
 * The gap in which all collateral falls and all debt rises by its usual move at once. With weighted collateral W, debt D,
 * fall f and rise r, the health after it is W (1 − f) / (D (1 + r)). It is at least 1 if W / D ≥ (1 + r) / (1 − f). All
 * figures are rounded up.
 *
 * Undefined without collateral or debt, or if an asset's usual move is not known.
 */
export function usualGapOf(
  parts: readonly LoanPart[],
  moveOf: (token: Address) => UsualMove | undefined,
): UsualGap | undefined {
  let [debt, rise, weighted, fall] = [0n, 0n, 0n, 0n];
  for (const { token, debtWad, weightedWad } of parts) {
    if (debtWad === 0n && weightedWad === 0n) continue;
    const move = token === undefined ? steady : moveOf(token);
    if (move === undefined) return undefined;
    debt += debtWad;
    rise += debtWad * BigInt(move.riseBps);
    weighted += weightedWad;
    fall += weightedWad * BigInt(move.fallBps);
  }
  if (debt === 0n || weighted === 0n) return undefined;
  const [fallBps, riseBps] = [divUp(fall, weighted), divUp(rise, debt)];
  if (fallBps >= BPS) return undefined;
  const healthWad = divUp((BPS + riseBps) * WAD, BPS - fallBps);
  return { fallBps: Number(fallBps), riseBps: Number(riseBps), healthWad };
}

const divUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;

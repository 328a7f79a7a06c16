// Finds loans that may be near their triggers without valuing each of them: by how far their assets and debts moved
// since they were valued. Worths are floating-point numbers, whose error is far below the required reach.

import type { Values } from './loan-health.ts';
import type { Guard } from './permissions.ts';
import { WAD } from './units.ts';

/** The parts that a loan's health depends on, by name. All loans with the same parts share one object. */
export interface Shape {
  /** What counts as collateral. */
  readonly counted: readonly string[];
  readonly owed: readonly string[];
}

/** What a unit of a part is worth; undefined if that is not known. */
export type Worths = (part: string) => number | undefined;

export interface TriggerIndex<Loan> {
  /** @param room `roomOf` the loan at the first worths; undefined: the loan is always within reach. */
  place(loan: Loan, shape: Shape, room: number | undefined): void;
  /** Removes a loan whose health can never fall. */
  drop(loan: Loan): void;
  /**
   * Every loan whose health may be below `reach` times its trigger. Exact for one collateral and one debt. With
   * several, assumes that all collateral fell as far as its worst part, and all debt rose as far as its worst part.
   */
  within(worths: Worths, reach: number): Loan[];
}

interface Group<Loan> {
  readonly shape: Shape;
  readonly loans: Loan[];
  readonly rooms: number[];
}

/** @param first the worths at which rooms are measured. */
export function createTriggerIndex<Loan>(first: Worths): TriggerIndex<Loan> {
  const groups = new Map<Shape, Group<Loan>>();
  const places = new Map<Loan, { readonly group: Group<Loan>; at: number }>();

  function drop(loan: Loan): void {
    const place = places.get(loan);
    if (place === undefined) return;
    const { group, at } = place;
    places.delete(loan);
    const [moved, room] = [group.loans.pop() as Loan, group.rooms.pop() as number];
    if (moved === loan) return;
    [group.loans[at], group.rooms[at]] = [moved, room];
    (places.get(moved) as { at: number }).at = at;
  }

  return {
    place(loan, shape, room = Number.POSITIVE_INFINITY) {
      const known = places.get(loan);
      if (known?.group.shape === shape) {
        known.group.rooms[known.at] = room;
        return;
      }
      drop(loan);
      const group = groups.get(shape) ?? { shape, loans: [], rooms: [] };
      groups.set(shape, group);
      places.set(loan, { group, at: group.loans.length });
      group.loans.push(loan);
      group.rooms.push(room);
    },

    drop,

    within(worths, reach) {
      const found: Loan[] = [];
      for (const { shape, loans, rooms } of groups.values()) {
        const fall = fallOf(shape, first, worths);
        // A pass over the numbers takes a nanosecond per loan and needs no sorted order.
        for (let at = 0; at < rooms.length; at++) {
          if (!((rooms[at] as number) * reach < fall)) found.push(loans[at] as Loan);
        }
      }
      return found;
    },
  };
}

/** The least share of its health that a loan of this shape has kept; NaN if that is not known. */
function fallOf({ counted, owed }: Shape, first: Worths, now: Worths): number {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const part of counted) {
    const from = first(part);
    // A part that counted for nothing can only add.
    if (from !== 0) least = Math.min(least, (now(part) ?? Number.NaN) / (from ?? Number.NaN));
  }
  for (const part of owed) most = Math.max(most, (now(part) ?? Number.NaN) / (first(part) ?? Number.NaN));
  return least / most;
}

/** A cent: below it, the rounding of single units matters. */
const MIN_VALUE = WAD / 100n;

/** The share of its health at which the first of these guards is triggered; undefined if the values are too small to tell. */
export function roomOf(
  { debtValue, weightedCollateralValue, weightedBySource = weightedCollateralValue }: Values,
  guards: readonly Pick<Guard, 'triggerHealthWad'>[],
): number | undefined {
  const least = weightedBySource < weightedCollateralValue ? weightedBySource : weightedCollateralValue;
  if (debtValue < MIN_VALUE || least < MIN_VALUE) return undefined;
  let trigger = 0n;
  for (const { triggerHealthWad } of guards) if (triggerHealthWad > trigger) trigger = triggerHealthWad;
  return ((Number(trigger) / 1e18) * Number(debtValue)) / Number(least);
}

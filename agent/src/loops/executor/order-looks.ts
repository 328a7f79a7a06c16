import type { DuePlan } from './plan.ts';

/**
 * Orders judged again in one round. A round is asked for each minute while an order waits, and a judgement costs a request: strangers
 * with orders a little below the market would otherwise have them all judged each minute.
 */
const ORDERS_A_ROUND = 20;

export type OrderLooks = ReturnType<typeof createOrderLooks>;

/**
 * Whose turn it is among orders that were found below their limit price in their slot. Owners take turns, and so do one owner's orders:
 * many orders of one owner delay no other's. A plan is judged at once when its slot opens.
 */
export function createOrderLooks() {
  /** By plan ID: the slot in which it was missed, and when it was last judged. */
  const missed = new Map<bigint, { readonly slotStart: bigint; readonly look: number }>();
  const owners = new Map<string, number>();
  let looks = 0;
  const lookOf = ({ plan, slotStart }: DuePlan): number | undefined => {
    const last = missed.get(plan.id);
    return last?.slotStart === slotStart ? last.look : undefined;
  };
  return {
    /** Plans to judge in this round, in their order, and the number of orders whose turn comes later. */
    turn(due: readonly DuePlan[]): { readonly due: readonly DuePlan[]; readonly later: number } {
      const orders = due.filter((each) => lookOf(each) !== undefined);
      const open = new Set(due.map(({ plan }) => plan.id));
      for (const id of missed.keys()) if (!open.has(id)) missed.delete(id);
      const ofOwner = Map.groupBy(orders, ({ plan }) => plan.owner.toLowerCase());
      for (const owner of owners.keys()) if (!ofOwner.has(owner)) owners.delete(owner);
      const turns = [...ofOwner]
        .toSorted(([a], [b]) => (owners.get(a) ?? 0) - (owners.get(b) ?? 0))
        .map(([, of]) => of.toSorted((a, b) => (lookOf(a) ?? 0) - (lookOf(b) ?? 0)));
      const chosen = new Set<DuePlan>();
      for (let round = 0; chosen.size < Math.min(ORDERS_A_ROUND, orders.length); round++) {
        for (const of of turns) {
          const next = of[round];
          if (next !== undefined && chosen.size < ORDERS_A_ROUND) chosen.add(next);
        }
      }
      return {
        due: due.filter((each) => lookOf(each) === undefined || chosen.has(each)),
        later: orders.length - chosen.size,
      };
    },
    /** The pools did not reach the plan's limit price. */
    missed({ plan, slotStart }: DuePlan) {
      looks += 1;
      missed.set(plan.id, { slotStart, look: looks });
      owners.set(plan.owner.toLowerCase(), looks);
    },
  };
}

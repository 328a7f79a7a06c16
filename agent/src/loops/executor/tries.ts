import { utcDay } from '@bowline/core/domain/units';
import { type DuePlan, gasOfRecord } from './plan.ts';

// Memory of failed runs. The chain keeps none of it.

/**
 * Maximum per slot of paid runs that fail on price, of cancelled calls, and of extra rounds requested after such a
 * failure. An attacker who moves the pool each time cannot make the keeper pay for more.
 */
const maxTries = 3;

export type Tries = ReturnType<typeof createTries>;

export function createTries() {
  /** By plan ID: start of the slot in which no further call is paid for. */
  const revertedSlots = new Map<bigint, bigint>();
  /** By plan ID: start of the slot in which nothing more is sent until something is included. */
  const cancelledSlots = new Map<bigint, bigint>();
  const newCounts = () => new Map<bigint, Count>();
  const counts = { reverted: newCounts(), refused: newCounts(), cancelled: newCounts() };
  const gas = new Map<string, bigint>();
  let day: bigint | undefined;
  let isAgain = false;
  const dropSlot = ({ plan, slotStart }: DuePlan) => void revertedSlots.set(plan.id, slotStart);
  const pay = ({ plan }: DuePlan) => {
    const owner = plan.owner.toLowerCase();
    gas.set(owner, (gas.get(owner) ?? 0n) + gasOfRecord.executed);
  };
  return {
    revertedSlots,
    cancelledSlots,
    /** The run reverted in a block for a reason that a different price does not fix. */
    giveUp(due: DuePlan) {
      pay(due);
      dropSlot(due);
    },
    /**
     * The price moved too far between verdict and block. `reverted`: in a block, gas paid; `refused`: before sending, at
     * no cost. `cancelled`: the call was in no block in time, and its cancellation was paid for.
     */
    missed(due: DuePlan, how: keyof typeof counts) {
      if (how === 'reverted') pay(due);
      const { plan, slotStart } = due;
      const before = counts[how].get(plan.id);
      const times = before?.slotStart === slotStart ? before.times + 1 : 1;
      counts[how].set(plan.id, { slotStart, times });
      if (times < maxTries) isAgain = true;
      else if (how === 'reverted') dropSlot(due);
      else if (how === 'cancelled') cancelledSlots.set(plan.id, slotStart);
    },
    /** Something was included in a block: what was cancelled may be tried again. */
    included() {
      cancelledSlots.clear();
      counts.cancelled.clear();
    },
    /**
     * Someone else's run was open, which says nothing about the plan: nobody is charged, its slot stays open, and one
     * more round is requested. The minimum time between rounds, the window and the day's gas bound how often.
     */
    again() {
      isAgain = true;
    },
    /** Whether a missed run should be retried before the interval ends. Clears the flag. */
    takeAgain() {
      const was = isAgain;
      isAgain = false;
      return was;
    },
    /**
     * Gas spent on reverts since midnight UTC, by lower-case owner. `now` is chain time in unix seconds; a new day starts
     * a new sum. A revert counts towards the day of the last call.
     */
    gasToday(now: bigint): ReadonlyMap<string, bigint> {
      const today = utcDay(now);
      if (day !== today) gas.clear();
      day = today;
      return gas;
    },
  };
}

interface Count {
  readonly slotStart: bigint;
  readonly times: number;
}

/**
 * Maximum orders judged again per round. While an order waits, a round is requested every minute, and each judgement
 * costs a request: otherwise, strangers' orders slightly below the market would all be judged every minute.
 */
const ORDERS_A_ROUND = 20;

export type OrderLooks = ReturnType<typeof createOrderLooks>;

/**
 * Decides whose turn it is among orders that missed their limit price in this slot. Owners take turns, and so do the
 * orders of one owner: many orders of one owner do not delay others. A plan is judged at once when its slot opens.
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

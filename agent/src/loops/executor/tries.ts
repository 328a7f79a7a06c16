// What is remembered of runs that failed. The chain keeps none of it.

import { type DuePlan, gasOfRecord } from './plan.ts';

/**
 * Of one slot: so many runs that the price let fail are paid for, and so many rounds are asked for because of one. Whoever moves
 * the pool each time has the keeper pay for no more.
 */
const maxTries = 3;
const secondsPerDay = 86_400n;

export interface Tries {
  /** By plan, the start of the slot in which nothing is paid for again. */
  readonly revertedSlots: ReadonlyMap<bigint, bigint>;
  /** The run reverted in a block for a reason that another price does not mend. */
  giveUp(due: DuePlan): void;
  /** The price moved too far between verdict and block: `reverted` in one, or `refused` before that, at no cost. */
  missed(due: DuePlan, how: 'reverted' | 'refused'): void;
  /** Whether a run was missed that is to be tried again before the interval ends. Forgets that it was. */
  takeAgain(): boolean;
  /**
   * Gas that reverts have cost since midnight UTC, by lower-case owner. `now` is the chain's time, and starts a new sum when its
   * day is another. Reverts are counted for the day of the last call.
   */
  gasToday(now: bigint): ReadonlyMap<string, bigint>;
}

export function createTries(): Tries {
  const revertedSlots = new Map<bigint, bigint>();
  const counts = { reverted: new Map<bigint, Count>(), refused: new Map<bigint, Count>() };
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
    giveUp(due) {
      pay(due);
      dropSlot(due);
    },
    missed(due, how) {
      if (how === 'reverted') pay(due);
      const { plan, slotStart } = due;
      const before = counts[how].get(plan.id);
      const times = before?.slotStart === slotStart ? before.times + 1 : 1;
      counts[how].set(plan.id, { slotStart, times });
      if (times < maxTries) isAgain = true;
      else if (how === 'reverted') dropSlot(due);
    },
    takeAgain() {
      const was = isAgain;
      isAgain = false;
      return was;
    },
    gasToday(now) {
      const today = now / secondsPerDay;
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

import type { Clock } from '@bowline/core/domain/ports';

/** What the keeper has paid for gas since midnight UTC, by this process alone: one that is started again counts from 0. */
export interface GasDay {
  paidWei(): bigint;
  pay(wei: bigint): void;
}

const secondsPerDay = 86_400n;

export function createGasDay(clock: Clock): GasDay {
  let day = 0n;
  let paid = 0n;
  const ofToday = (): bigint => {
    const today = clock() / secondsPerDay;
    // A clock that is set back makes no new day.
    if (today > day) [day, paid] = [today, 0n];
    return paid;
  };
  return {
    paidWei: ofToday,
    pay: (wei) => {
      paid = ofToday() + wei;
    },
  };
}

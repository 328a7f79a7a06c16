import { HOUR, type Hour } from '../prices/prices.ts';
import type { Random } from './random.ts';

// The price second by second where only hours are known: from real close to real close, touching the hour's real high
// and low, in steps of Student's t(4) whose size wanders, with jumps.

/** Log prices, one a second; `at(t)` is that of unix second `t`. */
export interface Path {
  at(second: number): number;
}

const MINUTES = 60;
/** Chance that a minute's move comes in one second rather than in sixty. */
const JUMPS = 0.05;

/**
 * From `first` to `last`, unix seconds within the hours given.
 * @param hours consecutive ones, each with the close before it.
 */
export function drawPath(
  hours: readonly { readonly hour: Hour; readonly opened: number }[],
  first: number,
  last: number,
  draw: Random,
): Path {
  const start = hours[0]?.hour.at ?? 0;
  const minutes: number[] = [Math.log(hours[0]?.opened ?? 1)];
  for (const { hour, opened } of hours) minutes.push(...minutesOf(hour, opened, draw).slice(1));
  const from = Math.floor((first - start) / 60);
  const to = Math.floor((last - start) / 60);
  const seconds = new Float64Array((to - from + 1) * 60 + 1);
  for (let minute = from; minute <= to; minute += 1) {
    const [begin = 0, end = begin] = [minutes[minute], minutes[minute + 1]];
    fillMinute(seconds, (minute - from) * 60, begin, end, draw);
  }
  const origin = start + from * 60;
  return { at: (second) => seconds[Math.min(Math.max(second - origin, 0), seconds.length - 1)] ?? 0 };
}

/** Log prices at the 61 ends of minutes. */
function minutesOf({ high, low, close }: Hour, opened: number, draw: Random): number[] {
  const [begin, end] = [Math.log(opened), Math.log(close)];
  // Candles open where the previous one closed, up to a tick, so the opening counts toward the range.
  const [top, bottom] = [Math.max(Math.log(high), begin), Math.min(Math.log(low), begin)];
  // The standard deviation of an hour with this range (Parkinson).
  const deviation = (top - bottom) / (2 * Math.sqrt(Math.log(2)));
  const walk = [0];
  let pace = 1;
  for (let minute = 0; minute < MINUTES; minute += 1) {
    pace = Math.exp(0.9 * Math.log(pace) + 0.25 * draw.normal());
    walk.push((walk[minute] ?? 0) + draw.heavy() * pace * (deviation / Math.sqrt(MINUTES)));
  }
  const drift = walk[MINUTES] ?? 0;
  const line = (minute: number) => begin + ((end - begin) * minute) / MINUTES;
  const aside = walk.map((each, minute) => each - (drift * minute) / MINUTES);
  // Stretched on either side of the line from close to close, until the path touches high and low.
  let [up, down] = [3, 3];
  aside.forEach((distance, minute) => {
    if (distance > 0) up = Math.min(up, (top - line(minute)) / distance);
    if (distance < 0) down = Math.min(down, (bottom - line(minute)) / distance);
  });
  return aside.map((distance, minute) => line(minute) + distance * (distance > 0 ? up : down));
}

/** Sixty seconds after `at`, from one minute's end to the next. */
function fillMinute(seconds: Float64Array, at: number, begin: number, end: number, draw: Random): void {
  const jumpAt = draw.chance(JUMPS) ? Math.floor(draw.between(0, 60)) : 60;
  const jump = jumpAt < 60 ? (end - begin) * draw.between(0.5, 1) : 0;
  // A minute without a net move did not stand still in between.
  const step = Math.max(Math.abs(end - begin), 0.0002) / Math.sqrt(60);
  let walked = 0;
  seconds[at] = begin;
  for (let second = 1; second <= 60; second += 1) {
    walked += draw.heavy() * step;
    seconds[at + second] = walked;
  }
  const rest = end - begin - jump - walked;
  for (let second = 1; second <= 60; second += 1) {
    const jumped = second > jumpAt ? jump : 0;
    // A jump in the last second shows at the beginning of the next minute.
    seconds[at + second] = begin + jumped + (seconds[at + second] ?? 0) + (rest * second) / 60;
  }
  seconds[at + 60] = end;
}

/** Start of the hour that contains a second. */
export const hourOf = (second: number): number => Math.floor(second / HOUR) * HOUR;

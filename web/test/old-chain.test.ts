import { HttpRequestError } from 'viem';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { earlier, type Moment, thisMoment } from '../app/api/age.ts';
import { isReadingOld, OLD_AFTER_MS } from '../app/api/freshness.ts';
import {
  ageOfHead,
  asOfHead,
  CLOCKS_DIFFER_MS,
  datedBy,
  isStill,
  type Seen,
  seenAfter,
  serverFastMs,
} from '../app/chain/head.ts';
import { createLine } from '../app/chain/line.ts';
import { asOfTime, exactAsOf, span } from '../app/words/times.ts';

// The age of the chain that a node shows, by three clocks of which one may be wrong.

const MINUTE = 60_000;
/** A block made at noon, seen by a browser that many milliseconds later. */
const noon = Date.UTC(2026, 10, 24, 12);
const seenLater = (ms: number): Seen => ({
  timestamp: BigInt(noon / 1_000),
  at: { wall: noon + ms, steady: 1_000_000 },
});
const later = ({ wall, steady }: Moment, ms: number): Moment => ({ wall: wall + ms, steady: steady + ms });

test('WB-201: a block is as old as two of three clocks say, and one wrong clock is named', () => {
  const age = (browserMs: number, serverMs?: number, isLocal = false) =>
    ageOfHead(seenLater(browserMs), serverMs === undefined ? undefined : serverMs - browserMs, isLocal);
  // Browser and block agree: the chain is fresh, whatever a server says.
  for (const server of [undefined, 0, 10 * MINUTE, -10 * MINUTE]) {
    expect(age(2_000, server), String(server)).toEqual({ state: 'fresh' });
  }
  expect(age(CLOCKS_DIFFER_MS - 1)).toEqual({ state: 'fresh' });
  expect(age(-CLOCKS_DIFFER_MS + 1)).toEqual({ state: 'fresh' });
  // The node is behind: the server has the browser's time, or none.
  expect(age(10 * MINUTE, 10 * MINUTE)).toEqual({ state: 'old', lagMs: 10 * MINUTE, isSure: true });
  expect(age(10 * MINUTE)).toEqual({ state: 'old', lagMs: 10 * MINUTE, isSure: false });
  expect(age(CLOCKS_DIFFER_MS, CLOCKS_DIFFER_MS)).toMatchObject({ state: 'old' });
  // The browser's clock is fast: chain and server agree.
  expect(age(10 * MINUTE, 3_000)).toEqual({ state: 'clock', fastMs: 10 * MINUTE });
  // The browser's clock is slow: no block is made before its time.
  expect(age(-10 * MINUTE, 3_000)).toEqual({ state: 'clock', fastMs: -10 * MINUTE });
  expect(age(-10 * MINUTE)).toEqual({ state: 'clock', fastMs: -10 * MINUTE });
  // The browser's clock is slow and the node is behind: only the server shows it.
  expect(age(-10 * MINUTE, 20 * MINUTE)).toEqual({ state: 'old', lagMs: 20 * MINUTE, isSure: false });
  // On a local chain, time can be moved forward, but not back.
  expect(age(-60 * MINUTE, -60 * MINUTE, true)).toEqual({ state: 'moved', byMs: 60 * MINUTE });
  expect(age(-60 * MINUTE, undefined, true)).toMatchObject({ state: 'moved' });
  // A server that agrees with the chain shows that its time was not moved: the browser's clock is slow here too.
  expect(age(-5 * MINUTE, 3_000, true)).toEqual({ state: 'clock', fastMs: -5 * MINUTE });
  expect(age(10 * MINUTE, 10 * MINUTE, true)).toMatchObject({ state: 'old' });
});

test('WB-201: of the clocks, the server’s is known from its answers until the browser’s is set or has slept', () => {
  const asOf = { wall: noon, steady: 5_000 };
  const answer = { time: new Date(noon + 7 * MINUTE).toISOString(), asOf };
  expect(serverFastMs(undefined, asOf)).toBeUndefined();
  expect(serverFastMs(answer, later(asOf, 60 * MINUTE))).toBe(7 * MINUTE);
  expect(serverFastMs(answer, { wall: noon + 3 * MINUTE, steady: 6_000 })).toBeUndefined();
  expect(serverFastMs(answer, { wall: noon - 3 * MINUTE, steady: 6_000 })).toBeUndefined();
  expect(serverFastMs({ time: 'noon', asOf }, asOf)).toBeUndefined();
});

test('WB-201: a reading of a node that is stuck or behind is as old as its block', () => {
  const first = seenLater(1_000);
  const again = seenAfter(first, first.timestamp, later(first.at, OLD_AFTER_MS));
  expect(isStill(seenAfter(first, first.timestamp, later(first.at, OLD_AFTER_MS - 1)))).toBe(false);
  expect(isStill(again)).toBe(true);
  expect(isStill(seenAfter(again, first.timestamp + 1n, later(first.at, 2 * OLD_AFTER_MS)))).toBe(false);
  // Two stuck nodes behind one address show two blocks in turn.
  const other = seenAfter(again, first.timestamp - 2n, later(first.at, OLD_AFTER_MS + 1));
  expect(isStill(other)).toBe(false);
  expect(isStill(seenAfter(other, first.timestamp, later(first.at, OLD_AFTER_MS + 2)))).toBe(true);
  // Stuck: later readings count as of the moment when the page first saw that block.
  const asked = again.stillAt as Moment;
  const stuck = asOfHead(again, ageOfHead(again, undefined, false));
  expect(stuck).toEqual(first.at);
  // Behind: readings count as of the moment when the block was made.
  const behind = seenLater(10 * MINUTE);
  const made = asOfHead(behind, ageOfHead(behind, undefined, false));
  expect(made).toEqual(earlier(behind.at, 10 * MINUTE));
  expect(isReadingOld({ readAt: made }, behind.at)).toBe(true);
  // A wrong browser clock makes no reading old.
  expect(asOfHead(behind, ageOfHead(behind, -10 * MINUTE, false))).toEqual(behind.at);

  const kept = earlier(first.at, MINUTE);
  const part = { readAt: later(asked, 20), value: 1n };
  const reading = {
    loans: [
      { data: part, error: undefined },
      { data: { readAt: kept, value: 2n }, error: new Error('no') },
    ],
    guards: { data: part, error: undefined },
    others: [part],
    guard: part,
    activity: { 'plan-1': { items: [{ time: 3n }] } },
    time: first.timestamp,
  };
  const dated = datedBy(reading, asked, stuck);
  const old = { readAt: stuck, value: 1n };
  expect(dated).toEqual({
    ...reading,
    loans: [{ data: old, error: undefined }, reading.loans[1]],
    guards: { data: old, error: undefined },
    others: [old],
    guard: old,
  });
  // With a new block, nothing changes.
  expect(datedBy(reading, asked, asked)).toBe(reading);
});

test('a time of another day has its day', () => {
  const wall = new Date(2026, 10, 24, 9, 5, 6).getTime();
  expect(asOfTime(wall, wall + MINUTE)).toMatch(/^0?9:05/);
  expect(asOfTime(wall, wall + 86_400_000)).toMatch(/24 Nov 2026|Nov 24, 2026/);
  expect(exactAsOf(wall, wall + MINUTE)).toMatch(/^0?9:05:06/);
  expect(exactAsOf(wall, wall + 86_400_000)).toMatch(/24 Nov 2026|Nov 24, 2026/);
  expect([span(90_000), span(-3_600_000)]).toEqual(['1 minute', '1 hour']);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a node that lets requests hang is silent after ten seconds, and not only once they have failed', async () => {
  const line = createLine();
  let answer = (_: unknown) => {};
  let fail = (_: unknown) => {};
  const request = () =>
    new Promise((resolve, reject) => {
      answer = resolve;
      fail = reject;
    });
  const made = line.watch((() => ({ request })) as never)({} as never);
  const ask = () => made.request({ method: 'eth_blockNumber' } as never).catch(() => undefined);
  const first = ask();
  answer('0x1');
  await first;
  expect(line.state().silentSince).toBeUndefined();
  const since = thisMoment();
  void ask();
  // Before that, the node counts as slow.
  vi.advanceTimersByTime(4_999);
  expect(line.state().isSlow).toBe(false);
  vi.advanceTimersByTime(1);
  expect(line.state().isSlow).toBe(true);
  vi.advanceTimersByTime(4_999);
  expect(line.state().silentSince).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(line.state().silentSince?.wall).toBe(since.wall + 10_000);
  // A late answer still counts.
  answer('0x2');
  await vi.advanceTimersByTimeAsync(0);
  expect(line.state().isSlow).toBe(true);
  const quick = ask();
  answer('0x3');
  await quick;
  expect(line.state().isSlow).toBe(false);
  expect(line.state().silentSince).toBeUndefined();
  const refused = ask();
  fail(new HttpRequestError({ url: 'http://127.0.0.1:1' }));
  await refused;
  expect(line.state().silentSince).toBeDefined();
});

test('one slow answer is no silence while others arrive', async () => {
  const line = createLine();
  const answers: ((value: unknown) => void)[] = [];
  const request = () => new Promise((resolve) => void answers.push(resolve));
  const made = line.watch((() => ({ request })) as never)({} as never);
  void made.request({ method: 'eth_call' } as never);
  vi.advanceTimersByTime(5_000);
  const other = made.request({ method: 'eth_blockNumber' } as never);
  answers[1]?.('0x1');
  await other;
  vi.advanceTimersByTime(6_000);
  expect(line.state().silentSince).toBeUndefined();
});

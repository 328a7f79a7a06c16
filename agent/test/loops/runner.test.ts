import { expect, test } from 'vitest';
import { type Loop, startLoop, type Tick, type Timers } from '../../src/loops/runner.ts';
import { keepLog } from './world.ts';

/** A clock that moves when it is told to. */
function handTimers() {
  let now = 0;
  let waiting: { at: number; call: () => void } | undefined;
  const timers: Timers = {
    now: () => now,
    after(milliseconds, call) {
      const mine = { at: now + milliseconds, call };
      if (waiting !== undefined) throw new Error('one timer at a time');
      waiting = mine;
      return () => {
        if (waiting === mine) waiting = undefined;
      };
    },
  };
  return {
    timers,
    waiting: () => waiting !== undefined,
    async pass(milliseconds: number) {
      now += milliseconds;
      const due = waiting;
      if (due !== undefined && due.at <= now) {
        waiting = undefined;
        due.call();
      }
      await settled();
    },
  };
}

/** Until everything that can happen without time has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A tick that ends when it is told to. */
function handTick() {
  let end: (counts: Record<string, number>) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const begun: number[] = [];
  const state = { running: 0, most: 0 };
  const tick: Tick = async () => {
    begun.push(begun.length);
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    try {
      return await new Promise((resolve, reject) => {
        end = resolve;
        fail = reject;
      });
    } finally {
      state.running -= 1;
    }
  };
  const ending = (act: () => void) => async () => {
    act();
    await settled();
  };
  return {
    tick,
    begun,
    state,
    end: ending(() => end({})),
    endWith: (counts: Record<string, number>) => ending(() => end(counts))(),
    fail: ending(() => fail(new Error('no'))),
  };
}

test('ticks at once and then every interval, counted from start to start', async () => {
  const clock = handTimers();
  const hand = handTick();
  startLoop('x', hand.tick, 10, clock.timers, keepLog());
  expect(hand.begun).toHaveLength(1);
  await clock.pass(4_000);
  await hand.end();
  await clock.pass(5_999);
  expect(hand.begun).toHaveLength(1);
  await clock.pass(1);
  expect(hand.begun).toHaveLength(2);
});

test('a tick that takes longer than the interval is followed at once and never overlapped', async () => {
  const clock = handTimers();
  const hand = handTick();
  startLoop('x', hand.tick, 10, clock.timers, keepLog());
  await clock.pass(25_000);
  expect(hand.begun).toHaveLength(1);
  await hand.end();
  await clock.pass(0);
  expect(hand.begun).toHaveLength(2);
  expect(hand.state.most).toBe(1);
});

test('a trigger while it waits begins a tick now, and the interval anew', async () => {
  const clock = handTimers();
  const hand = handTick();
  const loop = startLoop('x', hand.tick, 10, clock.timers, keepLog());
  await hand.end();
  await clock.pass(3_000);
  loop.trigger();
  expect(hand.begun).toHaveLength(2);
  await hand.end();
  await clock.pass(9_999);
  expect(hand.begun).toHaveLength(2);
  await clock.pass(1);
  expect(hand.begun).toHaveLength(3);
});

test('any number of triggers during a tick make one tick after it', async () => {
  const clock = handTimers();
  const hand = handTick();
  const loop = startLoop('x', hand.tick, 10, clock.timers, keepLog());
  for (let times = 0; times < 5; times += 1) loop.trigger();
  expect(hand.begun).toHaveLength(1);
  await hand.end();
  await clock.pass(0);
  expect(hand.begun).toHaveLength(2);
  await hand.end();
  await clock.pass(0);
  expect(hand.begun).toHaveLength(2);
  expect(hand.state.most).toBe(1);
});

test('a tick that asks for another while it begins does not overlap itself', async () => {
  const clock = handTimers();
  const hand = handTick();
  let loop: Loop | undefined;
  const tick: Tick = (stopping) => {
    if (hand.begun.length === 1) loop?.trigger();
    return hand.tick(stopping);
  };
  loop = startLoop('x', tick, 10, clock.timers, keepLog());
  await hand.end();
  loop.trigger();
  await settled();
  expect(hand.state.most).toBe(1);
  await hand.end();
  await clock.pass(0);
  expect(hand.begun).toHaveLength(3);
});

test('each tick ends with one line of its counts and how long it took', async () => {
  const clock = handTimers();
  const hand = handTick();
  const log = keepLog();
  startLoop('executor', hand.tick, 10, clock.timers, log);
  await clock.pass(1_234);
  await hand.endWith({ plans: 3, 'skipped.slot_used': 2 });
  expect(log.lines).toEqual([
    { event: 'tick.end', loop: 'executor', durationMs: 1_234, plans: 3, 'skipped.slot_used': 2 },
  ]);
});

test('a tick that throws is told and counted, and the next one comes', async () => {
  const clock = handTimers();
  const hand = handTick();
  const log = keepLog();
  startLoop('executor', hand.tick, 10, clock.timers, log);
  await hand.fail();
  expect(log.lines).toEqual([
    { event: 'tick.failed', loop: 'executor', error: new Error('no') },
    { event: 'tick.end', loop: 'executor', durationMs: 0, failed: 1 },
  ]);
  await clock.pass(10_000);
  expect(hand.begun).toHaveLength(2);
});

test('a stop waits for the running tick, tells it, and lets none follow', async () => {
  const clock = handTimers();
  const hand = handTick();
  let told: AbortSignal | undefined;
  const tick: Tick = (stopping) => {
    told = stopping;
    return hand.tick(stopping);
  };
  const loop = startLoop('x', tick, 10, clock.timers, keepLog());
  loop.trigger();
  let stopped = false;
  const stop = loop.stop().then(() => {
    stopped = true;
  });
  await settled();
  expect(told?.aborted).toBe(true);
  expect(stopped).toBe(false);
  await hand.end();
  await stop;
  loop.trigger();
  await clock.pass(60_000);
  expect(hand.begun).toHaveLength(1);
  expect(clock.waiting()).toBe(false);
});

test('a stop while it waits leaves no timer behind', async () => {
  const clock = handTimers();
  const hand = handTick();
  const loop = startLoop('x', hand.tick, 10, clock.timers, keepLog());
  await hand.end();
  expect(clock.waiting()).toBe(true);
  await loop.stop();
  expect(clock.waiting()).toBe(false);
  expect(hand.begun).toHaveLength(1);
});

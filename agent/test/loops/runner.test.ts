import type { Call, Sent } from '@bowline/core/domain/sending';
import type { Timers } from '@bowline/core/domain/time';
import { expect, test } from 'vitest';
import {
  type Cause,
  createSend,
  isStop,
  type Loop,
  newTally,
  type Round,
  startLoop,
  type Tick,
} from '../../src/loops/runner.ts';
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

/** Resolves once everything that can happen without time has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A tick that ends when it is told to. */
function handTick() {
  let end: (round: Round) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const begun: Cause[] = [];
  const state = { running: 0, most: 0 };
  const tick: Tick = async (_, cause) => {
    begun.push(cause);
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
    end: ending(() => end({ counts: {} })),
    endWith: (counts: Record<string, number>, nextInSeconds?: number) =>
      ending(() => end(nextInSeconds === undefined ? { counts } : { counts, nextInSeconds }))(),
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
  // Missed rounds are not made up for.
  await hand.end();
  await clock.pass(9_999);
  expect(hand.begun).toHaveLength(2);
});

test('a trigger while it waits begins a tick now, and leaves the interval where it is', async () => {
  const clock = handTimers();
  const hand = handTick();
  const loop = startLoop('x', hand.tick, 10, clock.timers, keepLog());
  await hand.end();
  await clock.pass(3_000);
  loop.trigger();
  await hand.end();
  await clock.pass(6_999);
  expect(hand.begun).toEqual(['interval', 'trigger']);
  await clock.pass(1);
  expect(hand.begun).toEqual(['interval', 'trigger', 'interval']);
  await hand.end();
  await clock.pass(9_999);
  expect(hand.begun).toHaveLength(3);
});

test('triggers without end do not keep the interval from its round', async () => {
  const clock = handTimers();
  const hand = handTick();
  const loop = startLoop('x', hand.tick, 10, clock.timers, keepLog());
  for (let second = 0; second < 10; second += 1) {
    loop.trigger();
    await hand.end();
    await clock.pass(1_000);
  }
  expect(hand.begun.filter((cause) => cause === 'interval')).toHaveLength(2);
  expect(hand.begun).toHaveLength(11);
});

test('a round that names when the next one should be has it then, if the interval does not end before', async () => {
  const clock = handTimers();
  const hand = handTick();
  startLoop('x', hand.tick, 10, clock.timers, keepLog());
  await clock.pass(2_000);
  // Counted from its start, however long it took.
  await hand.endWith({}, 5);
  await clock.pass(2_999);
  expect(hand.begun).toHaveLength(1);
  await clock.pass(1);
  expect(hand.begun).toEqual(['interval', 'trigger']);
  await hand.endWith({}, 6);
  await clock.pass(5_000);
  expect(hand.begun).toEqual(['interval', 'trigger', 'interval']);
  await clock.pass(4_000);
  await hand.endWith({}, 3);
  await clock.pass(0);
  expect(hand.begun.at(-1)).toBe('trigger');
});

test('a timer that comes a moment early still ends the interval', async () => {
  const clock = handTimers();
  const hand = handTick();
  const early: Timers = { ...clock.timers, after: (wait, call) => clock.timers.after(wait - 1, call) };
  startLoop('x', hand.tick, 10, early, keepLog());
  await hand.end();
  await clock.pass(9_999);
  expect(hand.begun).toEqual(['interval', 'interval']);
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
  const tick: Tick = (...given) => {
    if (hand.begun.length === 1) loop?.trigger();
    return hand.tick(...given);
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

/** Keeps log lines with their level. */
function levels() {
  const lines: string[] = [];
  const line = (level: string) => (event: string) => void lines.push(`${level} ${event}`);
  return { lines, debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

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

test.each<[string, Record<string, number>]>([
  ['debug', {}],
  ['debug', { plans: 2, due: 1, 'skipped.reason_repeated': 1 }],
  ['debug', { guards: 2, watched: 2, due: 0, 'skipped.cooling_down': 2 }],
  ['info', { plans: 2, due: 1, executed: 1 }],
  ['info', { plans: 2, due: 1, 'would_revert.skipped': 1 }],
  ['info', { guards: 2, unread: 1 }],
  ['info', { chain_unavailable: 1 }],
])('at %s for %o', async (level, counts) => {
  const hand = handTick();
  const log = levels();
  startLoop('x', hand.tick, 10, handTimers().timers, log);
  await hand.endWith(counts);
  expect(log.lines).toEqual([`${level} tick.end`]);
});

test('what goes wrong at every block is told once an interval', async () => {
  const clock = handTimers();
  const hand = handTick();
  const log = levels();
  const loop = startLoop('x', hand.tick, 10, clock.timers, log);
  await hand.endWith({ guards: 9 });
  const next = async (act: () => Promise<void>) => {
    log.lines.length = 0;
    loop.trigger();
    await act();
    return log.lines;
  };
  expect(await next(hand.fail)).toEqual(['error tick.failed', 'info tick.end']);
  expect(await next(hand.fail)).toEqual(['debug tick.failed', 'debug tick.end']);
  expect(await next(hand.end)).toEqual(['debug tick.end']);
  // The node answers now and then.
  expect(await next(hand.fail)).toEqual(['debug tick.failed', 'debug tick.end']);
  expect(await next(() => hand.endWith({ chain_unavailable: 1 }))).toEqual(['info tick.end']);
  expect(await next(() => hand.endWith({ chain_unavailable: 7 }))).toEqual(['debug tick.end']);
  await clock.pass(10_000);
  log.lines.length = 0;
  await hand.endWith({ chain_unavailable: 1 });
  expect(log.lines).toEqual(['info tick.end']);
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
  const tick: Tick = (stopping, cause) => {
    told = stopping;
    return hand.tick(stopping, cause);
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

// AG-67
test('tells how its rounds end: when the last good one was, and what all of them did', async () => {
  const clock = handTimers();
  const hand = handTick();
  const loop = startLoop('x', hand.tick, 10, clock.timers, keepLog());
  expect(loop.state()).toEqual({
    name: 'x',
    intervalSeconds: 10,
    goodMs: 0,
    last: {},
    rounds: { good: 0, bad: 0 },
    outcomes: {},
  });
  expect(loop.isTicking()).toBe(true);
  await clock.pass(1_500);
  await hand.endWith({ plans: 4, due: 2, executed: 1, not_sent: 1 });
  expect(loop.isTicking()).toBe(false);
  await clock.pass(8_500);
  await hand.endWith({ plans: 4, executed: 2 });
  await clock.pass(3_000);
  const good = { goodMs: 3_000, goodDurationMs: 0, rounds: { good: 2, bad: 0 } };
  expect(loop.state()).toMatchObject({
    ...good,
    last: { plans: 4, executed: 2 },
    outcomes: { executed: 3, not_sent: 1 },
  });

  await clock.pass(7_000);
  await hand.fail();
  await clock.pass(10_000);
  await hand.endWith({ chain_unavailable: 1 });
  await clock.pass(1_000);
  expect(loop.state()).toMatchObject({
    goodMs: 21_000,
    rounds: { good: 2, bad: 2 },
    outcomes: { executed: 3, not_sent: 1, failed: 1, chain_unavailable: 1 },
  });
});

test('is idle when the running tick has ended', async () => {
  const clock = handTimers();
  const hand = handTick();
  const loop = startLoop('x', hand.tick, 10, clock.timers, keepLog());
  let isIdle = false;
  const idle = loop.idle().then(() => {
    isIdle = true;
  });
  await clock.pass(3_000);
  expect(isIdle).toBe(false);
  await hand.end();
  await idle;
});

test.each<[Sent, boolean]>([
  [{ outcome: 'cancelled', hash: '0xaa' }, false],
  [{ outcome: 'would_revert', error: 'cooling_down' }, false],
  [{ outcome: 'not_allowed', rule: 'gas_day' }, false],
  [{ outcome: 'reverted', hash: '0xaa', block: 1n, gasUsed: 1n }, false],
  [{ outcome: 'not_sent' }, true],
  [{ outcome: 'consumed', hash: '0xaa' }, true],
  [{ outcome: 'unknown', hash: '0xaa' }, true],
])('after %o nothing more is sent in the round: %s', async (sent, stops) => {
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const send = createSend({ sender: { address: '0x00', send: async () => sent }, log: silent });
  const call: Call = { to: '0x00', data: '0x', value: 0n, gas: 0n, label: 'execute plan 1' };
  expect(await send(call, newTally())).toBe(sent);
  expect(isStop(sent)).toBe(stops);
});

test('a call that costs nothing and comes to the same end again is one line, and is counted each time', async () => {
  const loud: [event: string, why: unknown][] = [];
  const line = (event: string, { error, rule }: Record<string, unknown> = {}) => void loud.push([event, error ?? rule]);
  const log = { debug() {}, info: line, warn: line, error: line };
  let sent: Sent = { outcome: 'not_sent' };
  const send = createSend({ sender: { address: '0x00', send: async () => sent }, log });
  const tally = newTally();
  const call = (label: string): Call => ({ ...{ to: '0x00', data: '0x', value: 0n, gas: 0n }, label });
  const ends: readonly Sent[] = [
    { outcome: 'not_sent', isRefused: true },
    { outcome: 'not_allowed', rule: 'gas_price' },
    { outcome: 'not_allowed', rule: 'gas_day' },
    { outcome: 'would_revert', error: 'cooling_down' },
    { outcome: 'not_sent' },
  ];
  for (const end of ends) {
    sent = end;
    for (let each = 0; each < 3; each++) await send(call('rescue by guard 1'), tally);
  }
  await send(call('rescue by guard 2'), tally);
  // An outcome that is paid for is logged every time, and makes an earlier outcome news again.
  sent = { outcome: 'reverted', hash: '0xaa', block: 1n, gasUsed: 1n };
  for (let each = 0; each < 2; each++) await send(call('rescue by guard 1'), tally);
  sent = { outcome: 'not_sent' };
  await send(call('rescue by guard 1'), tally);
  const [unsent, reverted] = [
    ['call.not_sent', undefined],
    ['call.reverted', undefined],
  ];
  expect(loud).toEqual([
    unsent,
    ['call.not_allowed', 'gas_price'],
    ['call.not_allowed', 'gas_day'],
    ['call.would_revert', 'cooling_down'],
    ...[unsent, unsent, reverted, reverted, unsent],
  ]);
  expect(tally.counts()).toMatchObject({ not_sent: 8, 'not_allowed.gas_price': 3, reverted: 2 });
});

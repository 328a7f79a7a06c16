import type { Health } from '@bowline/core/domain/loan-health';
import { BTCB, USDT } from '@bowline/core/test/verdict/proposals';
import { expect, test } from 'vitest';
import { createLoanGuard, type LoanGuardDeps } from '../../../src/loops/loan-guard/tick.ts';
import { keepLog } from '../world.ts';
import { keeper, now, serving, guard as terms } from './guard.ts';

// While no loan is near its trigger.

const guard = { ...terms, expiresAt: 2n * now };
const { triggerHealthWad: trigger } = guard;
const far = 2n * trigger;
/** The collateral may lose four per cent of its value. */
const fourOff = (trigger * 100n) / 96n + 1n;

function watching(quietMs?: number) {
  const state = { health: far as Health, unread: 0, priced: 0, seconds: 0n, breaks: false };
  const healths = async () => {
    if (state.breaks) throw new Error('broken');
    return [state.health];
  };
  const watch = async (guards: readonly object[]) => ({ guards, healths: await healths() });
  const deps = {
    reader: { guards: async () => ({ block: { number: 1n, timestamp: now }, guards: [guard], unread: state.unread }) },
    loans: { healths, watch, changed() {} },
    assets: [BTCB, USDT],
    prices: {
      price: async () => {
        state.priced += 1;
        return {};
      },
    },
    serving,
    calls: { maxRescues: 7, maxSales: 3 },
    previewer: { rescues: async () => [{ error: 'health_at_target' }] },
    sender: { address: keeper },
    clock: () => now + state.seconds,
    log: keepLog(),
    ...(quietMs !== undefined && { quietMs }),
  } as unknown as LoanGuardDeps;
  const loanGuard = createLoanGuard(deps);
  const round = (cause: 'interval' | 'trigger') => loanGuard.tick(new AbortController().signal, cause);
  return { state, ...loanGuard, round };
}

test.each<readonly [number, Health, string]>([
  [10, far, 'far'],
  [10, 'no_debt', 'not there'],
  [4, fourOff, 'four per cent off'],
  [0, trigger + 1n, 'near'],
  [0, trigger - 1n, 'in danger'],
  [0, 'unread', 'unread'],
])('where blocks come unasked, %i of them begin no round while the loan is %s', async (blocks, health) => {
  const { state, round, wants, isQuiet } = watching();
  state.health = health as Health;
  expect(wants(100n)).toBe(true);
  await round('interval');
  const left = Array.from({ length: blocks }, (_, at) => wants(101n + BigInt(at)));
  expect(left).toEqual(Array(blocks).fill(false));
  expect(wants(101n + BigInt(blocks))).toBe(true);
  // The chain was set back.
  expect(wants(50n)).toBe(true);
  expect(isQuiet()).toBe(false);
});

test('where blocks are looked for, rounds take the place of the looks, and end it when a loan is near', async () => {
  const { state, round, wants, isQuiet } = watching(450);
  expect(await round('interval')).toMatchObject({ nextInSeconds: 0.45 });
  expect([isQuiet(), wants(101n), wants(140n)]).toEqual([true, false, false]);
  const { priced } = state;
  state.seconds += 60n;
  await round('trigger');
  expect(state.priced).toBe(priced);
  state.health = trigger + 1n;
  expect((await round('trigger')).nextInSeconds).toBeUndefined();
  expect([isQuiet(), wants(141n), wants(142n)]).toEqual([false, true, true]);
  await round('trigger');
  expect(state.priced).toBeGreaterThan(priced);
});

test('a guard that could not be read ends the rest', async () => {
  const { state, round, isQuiet } = watching(450);
  state.unread = 1;
  await round('interval');
  // All are read again then.
  state.seconds += 2n;
  expect(isQuiet()).toBe(false);
});

test('a round that fails ends the rest, too', async () => {
  const { state, round, isQuiet } = watching(450);
  await round('interval');
  expect(isQuiet()).toBe(true);
  state.breaks = true;
  await expect(round('trigger')).rejects.toThrow('broken');
  expect(isQuiet()).toBe(false);
});

import { setImmediate } from 'node:timers/promises';
import type { Prefix } from '@bowline/http/caller';
import { callerNow, servingCaller } from '@bowline/http/caller';
import { expect, test } from 'vitest';
import { createTurns } from '../../../src/selling/payments/turns.ts';

/** Eight at once and 64 waiting; their work ends when it is told to. */
function start() {
  const inTurn = createTurns(8, 64, callerNow);
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  const ask = (...caller: Prefix[]) => {
    let taken: Promise<void> | undefined;
    servingCaller(caller, () => {
      taken = inTurn(() => {
        begun += 1;
        return promise;
      });
    });
    return taken;
  };
  const asked = (count: number, ...caller: Prefix[]) =>
    Array.from({ length: count }, () => ask(...caller)).filter((turn) => turn !== undefined);
  return { ask, asked, begun: () => begun, end: resolve };
}
const at = (key: string, weight = 1): Prefix => ({ key, weight });

test('PY-11: one address that floods leaves half of the chain checks to others, and two leave a third', async () => {
  const { asked, begun, end } = start();
  const first = asked(200, at('a'));
  expect(first).toHaveLength(36);
  await setImmediate();
  expect(begun()).toBe(8);
  const second = asked(200, at('b'));
  expect(second).toHaveLength(18);
  expect(asked(1, at('c'))).toHaveLength(1);
  // Places come back.
  end();
  await Promise.all([...first, ...second]);
  expect(begun()).toBe(36 + 18 + 1);
  expect(asked(200, at('a'))).toHaveLength(36);
});

test('PY-11: a customer with 65,536 networks holds four callers’ part', () => {
  const { asked } = start();
  const flood = Array.from({ length: 200 }, (_, at64) => asked(1, at(`net:${at64}`), at('net', 4))).flat();
  expect(flood.length).toBeLessThan(60);
  expect(asked(1, at('other'))).toHaveLength(1);
});

test('PY-11: a thousand addresses fill the queue and no more, and work without a caller is bounded by it alone', () => {
  const { asked } = start();
  const flood = Array.from({ length: 1_000 }, (_, each) => asked(1, at(`${each}`))).flat();
  expect(flood.length).toBe(72);
  expect(asked(1)).toHaveLength(0);
  expect(start().asked(100)).toHaveLength(72);
});

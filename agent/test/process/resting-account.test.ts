import { expect, test } from 'vitest';
import { resting, type TicketAccount, type TicketTypedData } from '../../src/process/ticket-signer.ts';

/** A key in virtual time that fails after this many milliseconds; undefined: it signs. */
function world() {
  let nowMs = 0;
  let failsAfterMs: number | undefined;
  let asked = 0;
  const account: TicketAccount = {
    address: '0x1111111111111111111111111111111111111111',
    async signTypedData() {
      asked += 1;
      if (failsAfterMs === undefined) return '0x12';
      nowMs += failsAfterMs;
      throw new Error('The remote signer has not answered in time.');
    },
  };
  const tired = resting(account, { now: () => nowMs });
  return {
    sign: () => tired.signTypedData({} as TicketTypedData).catch((error: Error) => error.message),
    pass(ms: number) {
      nowMs += ms;
    },
    fails(after: number | undefined) {
      failsAfterMs = after;
    },
    asked: () => asked,
  };
}

// DP-18
test('a ticket key that lets us wait is waited for once in 15 seconds, by all plans together', async () => {
  const { sign, pass, fails, asked } = world();
  expect(await sign()).toBe('0x12');
  fails(3_000);
  for (let plan = 0; plan < 100; plan += 1) expect(await sign()).toContain('has not answered in time');
  expect(asked()).toBe(2);
  pass(14_999);
  await sign();
  expect(asked()).toBe(2);
  fails(undefined);
  pass(1);
  expect(await sign()).toBe('0x12');
});

test('a key that refuses at once is asked each time', async () => {
  const { sign, fails, asked } = world();
  fails(20);
  for (let plan = 0; plan < 3; plan += 1) await sign();
  expect(asked()).toBe(3);
});

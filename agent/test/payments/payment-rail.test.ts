import type { Payment } from '@bowline/core/domain/payment';
import { callerNow } from '@bowline/http/caller';
import { SettleError, type SettleResponse } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { expect, test, vi } from 'vitest';
import { createPaymentRail } from '../../src/payments/payment-rail.ts';
import type { PaymentProof, Standing } from '../../src/payments/standing.ts';
import { keepLog } from '../api/log.ts';

const network = 'eip155:56';
const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const account = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const payment: Payment = {
  key: 'key',
  id: 'id',
  method: 'eip3009',
  asset: account('6'),
  authorization: {
    from: account('1'),
    to: account('2'),
    value: 1n,
    validAfter: 0n,
    validBefore: 1_000n,
    nonce: hash('3'),
  },
  digest: hash('4'),
  signature: '0x05',
};
const unused = { state: 'unused', block: 7n, over: false, waiting: false, isFinal: true } as const;

/** A facilitator that says this, one answer a settlement, and a chain that shows that, one reading after the other. */
async function start(
  told: (Partial<SettleResponse> | Error)[],
  shown: (Standing | Error)[],
  resubmitMs = 0,
  looked = async () => {},
  now = () => 500n,
) {
  const seen: (readonly string[])[] = [];
  const searchedFrom: bigint[] = [];
  let settlements = 0;
  const proof: PaymentProof = {
    askWallet: async () => {
      await looked();
      return 'none';
    },
    preview: async () => {
      await looked();
      return { state: 'unused', block: 7n };
    },
    standing: async (_payment, since, transactions) => {
      searchedFrom.push(since);
      seen.push(transactions);
      const next = shown.length > 1 ? shown.shift() : shown[0];
      if (next instanceof Error || next === undefined) throw next;
      return next;
    },
  };
  const rail = createPaymentRail({
    offers: [
      {
        network,
        method: 'eip3009',
        asset: account('6'),
        amount: 1n,
        payTo: account('2'),
        token: { name: 'Token', version: '1' },
      },
    ],
    resource: { url: 'http://localhost/x402', description: 'An answer' },
    facilitator: {
      verify: async () => ({ isValid: true }),
      settle: async () => {
        settlements += 1;
        const answer = told.shift();
        if (answer instanceof Error) throw answer;
        return { success: false, transaction: '', network, ...answer };
      },
      getSupported: async () => ({
        kinds: [{ x402Version: 2, scheme: 'exact', network }],
        extensions: [],
        signers: {},
      }),
    },
    scheme: new ExactEvmScheme(),
    takesWallet: () => true,
    admitWallet: () => true,
    proof,
    callerNow,
    clock: now,
    lookMs: 600,
    pollMs: 10,
    resubmitMs,
    log: keepLog(),
  });
  const settlement = await rail.open(payment);
  if (typeof settlement === 'string') throw new Error(settlement);
  return {
    open: () => rail.open(payment),
    resume: () => rail.resume(payment, { since: 7n, transactions: [] }),
    check: async (mayBeOver?: boolean) => {
      const { accepts } = await rail.ask({ url: 'http://localhost/x402', description: 'An answer' });
      return rail.check(payment, { x402Version: 2, accepted: (accepts as unknown[])[0], payload: {} }, mayBeOver);
    },
    look: () => settlement.look(),
    settle: () => settlement.settle(),
    progress: () => settlement.progress(),
    seen,
    searchedFrom,
    settlements: () => settlements,
  };
}

test('PY-10: nothing was charged is said when the validity is over and the authorisation unused, and no sooner', async () => {
  const { settle, settlements } = await start([{}], [unused, unused, unused, { ...unused, over: true }]);
  expect(await settle()).toEqual({ state: 'refused', reason: 'facilitator_refuses' });
  expect(await settle()).toEqual({ state: 'refused', reason: 'facilitator_refuses' });
  expect(await settle()).toEqual({ state: 'refused', reason: 'lapsed', mayChange: true });
  expect(settlements()).toBe(2);
});

test('AG-237: a refusal is final when the chain and our own clock have passed five minutes after the validity', async () => {
  for (const shown of [
    { ...unused, over: true },
    { state: 'cancelled', isFinal: true },
    { state: 'used_elsewhere', isFinal: true },
  ] as const) {
    let now = 500n;
    const refused = { state: 'refused', reason: shown.state === 'unused' ? 'lapsed' : shown.state };
    const { look } = await start([], [shown], 0, undefined, () => now);
    // A node names a block of the future.
    now = 1_299n;
    expect(await look()).toEqual({ ...refused, mayChange: true });
    now = 1_300n;
    expect(await look()).toEqual(refused);
    const early = await start([], [{ ...shown, isFinal: false }]);
    expect(await early.look()).toEqual({ ...refused, mayChange: true });
  }
});

test('AG-261: of a refusal that too few nodes say the file stays for ever, and five minutes after the validity it is late', async () => {
  for (const shown of [
    { ...unused, over: true, isFinal: false },
    { state: 'cancelled', isFinal: false },
    { state: 'used_elsewhere', isFinal: false },
  ] as const) {
    let now = 500n;
    const refused = { state: 'refused', reason: shown.state === 'unused' ? 'lapsed' : shown.state, mayChange: true };
    const { look } = await start([], [shown], 0, undefined, () => now);
    now = 1_299n;
    expect(await look()).toEqual(refused);
    for (now of [1_300n, 1_000_000_000n]) expect(await look()).toEqual({ ...refused, isOver: true });
  }
});

test('AG-238: what is still unclear when it is final is over', async () => {
  for (const isFinal of [false, true]) {
    const { look } = await start([], [{ state: 'unclear', waiting: true, isFinal }]);
    expect(await look()).toEqual({ state: 'unknown', ...(isFinal && { isOver: true }) });
  }
});

test('AG-239: of a payment that may be lost the validity may have ended, and nothing else is passed over', async () => {
  let now = 500n;
  const { check } = await start([], [unused], 0, undefined, () => now);
  now = 1_000n;
  expect(await check()).toBe('expired');
  // Its signature is nobody's.
  expect(await check(true)).toBe('bad_signature');
});

test('PY-10: a payment that the facilitator declined and that was used all the same is paid', async () => {
  const paid: Standing = { state: 'paid', transaction: hash('9') };
  const { settle, settlements } = await start([{}], [unused, paid]);
  expect((await settle()).state).toBe('refused');
  expect(await settle()).toMatchObject({ state: 'paid', transaction: hash('9') });
  expect(settlements()).toBe(1);
});

test('PY-10: a transaction that the node does not know yet is waited for; one that never comes leaves it unknown', async () => {
  const waiting: Standing = { ...unused, waiting: true };
  const paid: Standing = { state: 'paid', transaction: hash('8') };
  const success = { success: true, transaction: hash('8') };
  const late = await start([success], [waiting, waiting, waiting, paid]);
  expect((await late.settle()).state).toBe('paid');
  expect(late.seen.at(-1)).toEqual([hash('8')]);
  const never = await start([success], [waiting]);
  expect(await never.settle()).toEqual({ state: 'unknown', transaction: hash('8') });
  expect(never.seen.length).toBeGreaterThan(3);
});

test('PY-10: a transaction that failed and has its receipt is a decline; one that is on its way is not', async () => {
  const failed = { success: false, errorReason: 'reverted', transaction: hash('8') };
  const waiting: Standing = { ...unused, waiting: true };
  const reverted = await start([failed], [waiting, waiting, unused]);
  expect(await reverted.settle()).toEqual({ state: 'refused', reason: 'facilitator_refuses' });
  const coming = await start([failed], [waiting]);
  expect(await coming.settle()).toEqual({ state: 'unknown', transaction: hash('8') });
  // A facilitator that says success, or breaks down, has not declined.
  for (const told of [{ ...failed, success: true }, new SettleError(500, { ...failed, network })]) {
    const { settle } = await start([told], [unused]);
    expect((await settle()).state).toBe('unknown');
  }
});

test('PY-10: used by a transaction that the node does not show, or by none that it can be asked for, is unknown', async () => {
  for (const shown of [{ state: 'unclear', waiting: false, isFinal: false } as const, new Error('no node')]) {
    for (const told of [{}, { success: true, transaction: 'none' }, { transaction: hash('8') }]) {
      const { settle } = await start([told], [shown]);
      expect((await settle()).state).toBe('unknown');
    }
  }
});

test('PY-10: the search for the use begins at the last block at which the authorisation was unused', async () => {
  const unclear: Standing = { state: 'unclear', waiting: false, isFinal: false };
  const shown: Standing[] = [unused, { ...unused, block: 9_000n }, { ...unused, block: 8_000n }, unclear];
  const { settle, searchedFrom } = await start([{}], shown);
  for (let tries = 0; tries < 3; tries++) await settle();
  expect(searchedFrom.slice(0, 5)).toEqual([7n, 7n, 9_000n, 9_000n, 9_000n]);
});

test('AG-261: what a node said that answered from an old state bounds no search once nothing else can come', async () => {
  let now = 500n;
  const paid: Standing = { state: 'paid', transaction: hash('9') };
  const shown: Standing[] = [{ ...unused, block: 9_000n }, { ...unused, block: 9_500n }, paid];
  const { settle, look, searchedFrom, progress } = await start([{}], shown, 0, undefined, () => now);
  await settle();
  await look();
  now = 1_300n;
  expect(await look()).toMatchObject(paid);
  expect(searchedFrom).toEqual([7n, 9_000n, 7n]);
  // Nor after a restart.
  expect(progress().since).toBe(7n);
});

const httpError = (status: number, transaction: string) =>
  new SettleError(status, { success: false, errorReason: 'no', transaction, network });

test('PY-10: the transaction that a facilitator names in an HTTP error is looked at', async () => {
  const paid: Standing = { state: 'paid', transaction: hash('a') };
  for (const status of [400, 402, 500, 503]) {
    const error = httpError(status, hash('A'));
    const { settle, seen } = await start([error], [{ ...unused, waiting: true }, paid]);
    expect((await settle()).state).toBe('paid');
    expect(seen[0]).toEqual([hash('a')]);
    const never = await start([error], [{ ...unused, waiting: true }]);
    expect(await never.settle()).toEqual({ state: 'unknown', transaction: hash('a') });
  }
});

test('PY-10: a decline in an HTTP error 4xx that names no transaction is a decline; any other HTTP error is not', async () => {
  const outcome = async (error: Error, shown: Standing) => (await start([error], [shown])).settle();
  const declined = { state: 'refused', reason: 'facilitator_refuses' };
  for (const status of [400, 402, 422]) expect(await outcome(httpError(status, ''), unused)).toEqual(declined);
  const paid: Standing = { state: 'paid', transaction: hash('a') };
  expect(await outcome(httpError(400, ''), paid)).toMatchObject(paid);
  expect(await outcome(httpError(400, ''), { state: 'unclear', waiting: false, isFinal: false })).toEqual({
    state: 'unknown',
  });
  const others = [500, 503].map((status) => httpError(status, ''));
  others.push(...[undefined, null, 7, 'none'].map((odd) => httpError(400, odd as never)));
  for (const error of [...others, new Error('down')])
    expect(await outcome(error, unused)).toEqual({ state: 'unknown' });
});

test('PY-11: a payment that is sent again at once is looked at, and not given to the facilitator again', async () => {
  const unclear: Standing = { state: 'unclear', waiting: false, isFinal: false };
  for (const shown of [unused, unclear, { ...unused, waiting: true }]) {
    for (const told of [new Error('down'), {}, { success: true, transaction: hash('8') }]) {
      const { settle, seen, settlements } = await start([told, told], [shown], 60_000);
      // One more try at once is let through.
      const first = await settle();
      expect(await settle()).toEqual(first);
      const looks = seen.length;
      for (let times = 0; times < 500; times++) expect(await settle()).toEqual(first);
      expect(settlements()).toBe(2);
      expect(seen.length).toBe(looks + 500);
    }
  }
  const paid: Standing = { state: 'paid', transaction: hash('9') };
  const late = await start([new Error('down'), new Error('down')], [unused, unused, unused, paid], 60_000);
  expect((await late.settle()).state).toBe('unknown');
  expect((await late.settle()).state).toBe('unknown');
  expect((await late.settle()).state).toBe('paid');
});

test('PY-11: after some seconds the facilitator is asked again', async () => {
  const { settle, settlements } = await start([{}, {}, {}], [unused], 150);
  for (let tries = 0; tries < 3; tries++) expect((await settle()).state).toBe('refused');
  expect(settlements()).toBe(2);
  await vi.waitUntil(async () => (await settle()).state === 'refused' && settlements() === 3);
});

test('AG-289: a decline speaks for its own request alone: what an earlier one set going may still be on its way', async () => {
  const declined = { state: 'refused', reason: 'facilitator_refuses' };
  const named = { transaction: hash('8') };
  const waiting: Standing = { ...unused, waiting: true };
  // It hung, broke down or said nothing that can be looked up.
  for (const earlier of [new Error('no answer'), httpError(500, ''), { success: true }]) {
    const { settle, look } = await start([earlier, {}], [unused]);
    expect([(await settle()).state, (await settle()).state, (await look()).state]).toEqual(Array(3).fill('unknown'));
  }
  const coming = await start([named, {}], [waiting]);
  expect([(await coming.settle()).state, (await coming.settle()).state]).toEqual(['unknown', 'unknown']);
  const reverted = await start([named, {}], [unused]);
  expect([await reverted.settle(), await reverted.settle()]).toEqual([declined, declined]);
  // Before a restart it may have had the payment.
  const { resume } = await start([{}], [unused]);
  expect((await resume().settle()).state).toBe('unknown');
});

test('PY-11: eight chain checks run at a time and 64 wait; more are told to come again, and nobody waits for ever', async () => {
  let running = 0;
  let most = 0;
  let free = () => {};
  let gate = Promise.resolve();
  const looked = async () => {
    running += 1;
    most = Math.max(most, running);
    await gate;
    running -= 1;
  };
  const { open } = await start([], [unused], 0, looked);
  for (let round = 0; round < 2; round++) {
    gate = new Promise((resolve) => {
      free = resolve;
    });
    let refused = 0;
    const asked = Array.from({ length: 500 }, () =>
      open().catch((error) => {
        expect(error).toMatchObject({ code: 'payment_unavailable', retryable: true });
        refused += 1;
      }),
    );
    await vi.waitUntil(() => refused === 500 - 8 - 64);
    free();
    await Promise.all(asked);
    expect(refused).toBe(500 - 8 - 64);
  }
  expect(most).toBe(8);
});

test('PY-11: checks of contract wallets do not stand in the queue of the simulations: anybody can name any payer', async () => {
  let free = () => {};
  let gate = Promise.resolve();
  let running = 0;
  const looked = async () => {
    running += 1;
    await gate;
  };
  const { open, check } = await start([], [unused], 0, looked);
  gate = new Promise((resolve) => {
    free = resolve;
  });
  running = 0;
  const full = { code: 'payment_unavailable', retryable: true };
  const refused: unknown[] = [];
  const checks = Array.from({ length: 100 }, () => check().catch((error) => refused.push(error)));
  await vi.waitUntil(() => refused.length === 100 - 4 - 64);
  for (const error of refused) expect(error).toMatchObject(full);
  expect(running).toBe(4);
  const opened = open();
  await vi.waitUntil(() => running === 5);
  free();
  expect(await opened).toHaveProperty('settle');
  await Promise.all(checks);
});

test('PY-9: an authorisation that has run out while it waited for its simulation is refused as expired', async () => {
  let now = 500n;
  const { open } = await start(
    [],
    [unused],
    0,
    async () => {},
    () => now,
  );
  now = 989n;
  expect(await open()).toHaveProperty('settle');
  now = 990n;
  expect(await open()).toBe('expired');
});

test('PY-14: a look at a payment asks the facilitator for nothing', async () => {
  const paid: Standing = { state: 'paid', transaction: hash('a') };
  const { settle, look, settlements } = await start(
    [new Error('down')],
    [unused, unused, { ...unused, over: true }, paid],
  );
  expect(await settle()).toEqual({ state: 'unknown' });
  expect(await look()).toEqual({ state: 'unknown' });
  expect(await look()).toEqual({ state: 'refused', reason: 'lapsed', mayChange: true });
  expect(await look()).toMatchObject(paid);
  expect(settlements()).toBe(1);
});

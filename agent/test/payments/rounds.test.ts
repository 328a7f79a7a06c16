import type { Taken } from '@bowline/core/domain/payment';
import { expect, test, vi } from 'vitest';
import { openEntries } from '../../src/payments/entries.ts';
import { openPaymentStore } from '../../src/payments/payment-store.ts';
import { inWords } from '../../src/payments/question.ts';
import { onUnreadable, paid, read, start, unknown } from './till-stub.ts';

const over: Taken = { state: 'unknown', isOver: true };
const lapsedAtOne: Taken = { state: 'refused', reason: 'lapsed', mayChange: true, isOver: true };
const declined: Taken = { state: 'refused', reason: 'facilitator_refuses' };
const HOUR_MS = 3_600_000;

test('AG-238, AG-260: of unknown payments 100 are looked at each time, in turn; what is over rests in its file until it comes again', async () => {
  let shown: Taken = unknown;
  const { send, till, files, lookAgain, rail, pass, log, entries } = await start({
    take: async () => unknown,
    look: async () => shown,
  });
  await till.recover();
  for (let payer = 0; payer < 120; payer += 1) {
    if (payer % 20 === 0) pass(60_000);
    expect(await send(`${payer}:1`)).toMatchObject({ status: 503 });
  }
  await lookAgain();
  expect(rail.looked).toHaveBeenCalledTimes(100);
  expect(entries.open().every(({ lookedAt = 0 }) => lookedAt <= 100)).toBe(true);
  await lookAgain();
  expect(entries.open().filter(({ lookedAt = 0 }) => lookedAt > 0)).toHaveLength(120);
  shown = over;
  const unclear = () => log.lines.filter((line) => line.includes('"payment.unclear"')).length;
  for (let look = 1; look <= 10; look += 1) {
    expect(unclear()).toBe(0);
    for (let round = 0; round < 2; round += 1) await lookAgain();
    pass(30_000 * 2 ** (look - 1));
  }
  expect(unclear()).toBe(120);
  const before = rail.looked.mock.calls.length;
  expect(before).toBe(200 + 10 * 120);
  pass(24 * HOUR_MS - 1);
  await lookAgain();
  expect(rail.looked).toHaveBeenCalledTimes(before);
  expect(await files('open/')).toHaveLength(120);
  // Its payer asks again, and now the chain shows it.
  rail.settle.mockResolvedValue(paid);
  expect(await send('7:1')).toMatchObject({ status: 200, said: 'answer' });
});

test('AG-260: a node that fails at one look ends nothing: the payment is found by a later one', async () => {
  const shown: Taken[] = [over, unknown, over];
  const till = await start({ take: async () => unknown, look: async () => shown.shift() ?? paid });
  await till.till.recover();
  expect(await till.send('one:1')).toMatchObject({ status: 503 });
  for (let round = 0; round < 4; round += 1) {
    till.pass(60_000);
    await till.lookAgain();
  }
  expect((await till.files('answered/')).length).toBe(1);
  expect(till.worked).toHaveBeenCalledTimes(1);
});

test('AG-260: ten looks over four hours, at which a node answered; copies that anybody sends use up none of them', async () => {
  const { send, till, lookAgain, rail, pass } = await start({ take: async () => unknown, look: async () => over });
  await till.recover();
  expect(await send('one:1')).toMatchObject({ status: 503 });
  rail.settle.mockResolvedValue(over);
  const looked: number[] = [];
  const hours = async (many: number) => {
    for (let round = 0; round < many * 120; round += 1) {
      const before = rail.looked.mock.calls.length;
      pass(30_000);
      await lookAgain();
      if (rail.looked.mock.calls.length > before) looked.push(round / 120);
    }
  };
  await hours(1);
  for (let copy = 0; copy < 200; copy += 1) expect(await send('one:1')).toMatchObject({ status: 503 });
  await hours(5);
  expect(looked).toHaveLength(10);
  // Nor does silence: it is looked at as long as no node answers.
  const other = await start({ take: async () => unknown, look: async () => unknown });
  await other.till.recover();
  expect(await other.send('one:1')).toMatchObject({ status: 503 });
  for (let round = 0; round < 100; round += 1) {
    other.pass(HOUR_MS);
    await other.lookAgain();
  }
  expect(other.rail.looked).toHaveBeenCalledTimes(100);
});

test('AG-238: what a later look finds paid is answered at once, before its payer comes again', async () => {
  let shown: Taken = unknown;
  const { send, till, files, lookAgain, worked } = await start({ take: async () => unknown, look: async () => shown });
  await till.recover();
  expect(await send('one:1')).toMatchObject({ status: 503 });
  shown = paid;
  await lookAgain();
  expect([await files('open/'), (await files('answered/')).length]).toEqual([[], 1]);
  expect(await send('one:1')).toMatchObject({ status: 200, said: 'answer' });
  expect(worked).toHaveBeenCalledTimes(1);
});

test('AG-261: what one node alone shows as unused keeps its file, and is answered if it was paid', async () => {
  let shown: Taken = lapsedAtOne;
  const { send, till, files, lookAgain, pass, worked, log } = await start({ take: async () => shown });
  await till.recover();
  expect(await send('one:1', 'hello', 'key')).toMatchObject({ status: 402, reason: 'lapsed' });
  for (let round = 0; round < 20; round += 1) {
    pass(HOUR_MS);
    await lookAgain();
  }
  expect([(await files('open/')).length, await files('keys/')]).toEqual([1, []]);
  expect(log.lines.join()).not.toContain('payment.unclear');
  shown = paid;
  expect(await send('one:1', 'another')).toMatchObject({ status: 409 });
  expect(await send('one:1')).toMatchObject({ status: 200, said: 'answer' });
  expect(worked).toHaveBeenCalledTimes(1);
});

test('AG-262: a payer has 32 files of payments that nobody has seen used; more are put off, and nobody else is', async () => {
  let shown: Taken = declined;
  const { send, files, lookAgain, till, pass } = await start({ take: async () => shown, look: async () => shown });
  await till.recover();
  for (let at = 0; at < 32; at += 1) expect(await send(`one:${at}`)).toMatchObject({ status: 402 });
  const busy = { status: 503, said: 'payment_unavailable', reason: 'payer_busy' };
  for (let at = 32; at < 100; at += 1) expect(await send(`one:${at}`)).toMatchObject(busy);
  expect(await files('open/')).toHaveLength(32);
  // What was tried before may be sent again.
  expect(await send('one:3')).toMatchObject({ status: 402 });
  expect(await send('two:1')).toMatchObject({ status: 402 });
  // One node alone shows them as unused: the oldest goes for a new one of the same payer, and nothing else does.
  shown = lapsedAtOne;
  await lookAgain();
  shown = declined;
  for (let at = 200; at < 210; at += 1) expect(await send(`one:${at}`)).toMatchObject({ status: 402 });
  expect(await files('open/')).toHaveLength(33);
  // Those that were used cost a transaction each, and count no more.
  shown = over;
  pass(HOUR_MS);
  await lookAgain();
  shown = declined;
  for (let at = 300; at < 332; at += 1) expect(await send(`one:${at}`)).toMatchObject({ status: 402 });
  expect(await send('one:332')).toMatchObject(busy);
  expect(await files('open/')).toHaveLength(33 + 32);
});

test('AG-262: the bound holds after a restart, and a payment that is paid never makes room', async () => {
  let shown: Taken = declined;
  const before = await start({ take: async () => shown, work: () => new Promise(() => {}) });
  for (let at = 0; at < 31; at += 1) expect(await before.send(`one:${at}`)).toMatchObject({ status: 402 });
  shown = paid;
  void before.send('one:paid');
  await vi.waitUntil(() => before.worked.mock.calls.length === 1);
  const { folder } = before;
  shown = declined;
  const after = await start({ take: async () => shown, look: async () => shown, folder });
  expect(await after.send('one:31')).toMatchObject({ status: 402 });
  expect(await after.send('one:32')).toMatchObject({ status: 503, reason: 'payer_busy' });
  shown = lapsedAtOne;
  await after.till.recover();
  shown = declined;
  for (let at = 100; at < 140; at += 1) await after.send(`one:${at}`);
  expect(await after.files('open/')).toHaveLength(32);
  expect(await after.send('one:paid')).toMatchObject({ status: 200, said: 'answer' });
});

test('AG-238, AG-262: payments that are over make room in memory, unless they are being taken, and come back to be looked at', async () => {
  const { folder } = await start({ take: async () => unknown });
  const store = await openPaymentStore(folder, onUnreadable);
  const settlement = {
    settle: async () => unknown,
    look: async () => unknown,
    progress: () => ({ since: 0n, transactions: [] }),
  };
  const entries = await openEntries(store, () => settlement);
  for (let at = 0; at < 5_000; at += 1) {
    const entry = entries.add(read(`${at}:1`), inWords('hello'), undefined);
    if (entry === undefined) throw new Error(`full at ${at}`);
    if (at > 0) continue;
    entry.settlement = settlement;
    await entries.keep(entry);
  }
  const more = () => entries.add(read('more:1'), inWords('hello'), undefined);
  expect(more()).toBeUndefined();
  const first = entries.inMemory('0/1', undefined);
  if (first === undefined) throw new Error('not known');
  first.lateLooks = { count: 1, nextMs: 0 };
  first.isBusy = true;
  expect(more()).toBeUndefined();
  first.isBusy = false;
  expect(more()).toBeDefined();
  expect(entries.inMemory('0/1', undefined)).toBeUndefined();
  // There is no room yet.
  await entries.reload();
  expect(entries.inMemory('0/1', undefined)).toBeUndefined();
  for (const entry of entries.open().slice(0, 4_000)) await entries.drop(entry);
  await entries.reload();
  expect(entries.inMemory('0/1', undefined)?.payment.key).toBe('0/1');
  expect((await entries.find('0/1'))?.payment.key).toBe('0/1');
});

test('AG-262: a payment that had to make room is looked at again within a day, and answered', async () => {
  let shown: Taken = over;
  const { send, till, files, lookAgain, pass, entries } = await start({
    take: async () => unknown,
    look: async () => shown,
  });
  await till.recover();
  expect(await send('one:1')).toMatchObject({ status: 503 });
  pass(60_000);
  await lookAgain();
  for (let at = 0; at < 5_000; at += 1) entries.add(read(`other${at}:1`), inWords('hello'), undefined);
  expect(entries.inMemory('one/1', undefined)).toBeUndefined();
  for (const entry of entries.open()) await entries.drop(entry);
  shown = paid;
  await lookAgain();
  expect(await files('answered/')).toEqual([]);
  pass(24 * HOUR_MS);
  await lookAgain();
  expect(await files('answered/')).toHaveLength(1);
});

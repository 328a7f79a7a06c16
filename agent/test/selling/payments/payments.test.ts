import { readFile, rm, writeFile } from 'node:fs/promises';
import { BowlineError, failure, success } from '@bowline/core/domain/result';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Seen } from '../../../src/selling/payments/machine.ts';
import { openRecords } from '../../../src/selling/payments/records.ts';
import { answer, hash, openShop, paid, payload, START, unused } from './shop.ts';

const mine = payload('1', '1');
const lapsed = (isFinal: boolean): Seen => ({ state: 'lapsed', isFinal });

/** A promise that a test ends. */
const held = <Value>() => Promise.withResolvers<Value>();

describe('PY-3: one payment, one charge, one answer', () => {
  test('copies at once and later, in any encoding, get the same answer for one settlement', async () => {
    const shop = await openShop();
    const copies = [mine, payload('1', '1', { extra: { extensions: { odd: 1 } } }), mine];
    const told = await Promise.all(copies.map((copy) => shop.pay(copy)));
    told.push(await shop.pay(mine));
    const receipt = { success: true, transaction: hash('a'), network: 'eip155:31337', payer: expect.any(String) };
    for (const each of told) expect(each).toEqual({ status: 200, said: 'answer', receipt });
    expect([shop.work.mock.calls.length, shop.rail.settle.mock.calls.length]).toEqual([1, 1]);
    expect(shop.limit.take().left).toBe(18);
  });

  test('with another question it is a conflict, at once and after a restart, whatever became of it', async () => {
    const shop = await openShop();
    const [one, other] = await Promise.all([shop.pay(mine), shop.pay(mine, 'another')]);
    expect([one.status, other]).toEqual([200, { status: 409, said: 'payment_used_for_another_prompt' }]);
    const next = await shop.restart({ verify: async () => 'already_used' });
    expect((await next.pay(mine, 'another')).status).toBe(409);
    expect((await next.pay(mine)).status).toBe(200);
    expect(next.rail.settle).not.toHaveBeenCalled();
  });

  test('another signature under the same nonce is checked for itself', async () => {
    const shop = await openShop();
    expect((await shop.pay(mine)).status).toBe(200);
    shop.rail.check.mockResolvedValue('bad_signature');
    expect(await shop.pay(payload('1', '1', { signature: 'bb' }))).toEqual({ status: 402, said: 'bad_signature' });
    expect((await shop.pay(mine)).status).toBe(200);
  });
});

describe('PY-24: nothing is charged before there is an answer', () => {
  test.each([
    ['chain_unavailable', async () => failure('chain_unavailable', 'Down.', true)],
    ['internal', async () => Promise.reject(new Error('a fault'))],
  ] as const)('work that fails with %s takes nothing, holds no place, and may be tried again', async (code, work) => {
    const shop = await openShop({ work, requests: 1 });
    expect(await shop.pay(mine)).toEqual({ status: 502, said: code });
    expect([await shop.files('open/'), shop.rail.settle.mock.calls]).toEqual([[], []]);
    shop.work.mockResolvedValue(answer);
    expect((await shop.pay(mine)).status).toBe(200);
    expect(await shop.pay(payload('1', '2'))).toMatchObject({ status: 429 });
  });

  test('a full disk: nothing is settled', async () => {
    const shop = await openShop();
    vi.spyOn(shop.records, 'put').mockRejectedValueOnce(new Error('ENOSPC'));
    expect(await shop.pay(mine)).toEqual({ status: 503, said: 'not_kept' });
    expect(shop.rail.settle).not.toHaveBeenCalled();
    expect((await shop.pay(mine)).status).toBe(200);
  });

  test('a record that cannot be read may be of a payment that was taken', async () => {
    const shop = await openShop();
    await shop.pay(mine);
    const [name = ''] = await shop.files('answered/');
    const file = new URL(`answered/${name}`, shop.folder);
    const text = await readFile(file, 'utf8');
    await writeFile(file, '{');
    const next = await shop.restart();
    expect(await next.pay(mine)).toEqual({ status: 503, said: 'payment_unavailable' });
    expect(next.rail.verify).not.toHaveBeenCalled();
    await writeFile(file, text);
    expect((await next.pay(mine)).status).toBe(200);
  });

  test('a client that hangs up before the settlement is not charged; one copy that waits is enough', async () => {
    const working = held<typeof answer>();
    const shop = await openShop({ work: () => working.promise });
    const [gone, waits] = [new AbortController(), new AbortController()];
    const first = shop.pay(mine, 'hello', { signal: gone.signal });
    await vi.waitFor(() => expect(shop.work).toHaveBeenCalled());
    gone.abort();
    working.resolve(answer);
    expect((await first).status).toBe(503);
    expect(shop.rail.settle).not.toHaveBeenCalled();
    const [copy, other] = [
      shop.pay(mine, 'hello', { signal: waits.signal }),
      shop.pay(mine, 'hello', { signal: gone.signal }),
    ];
    expect([(await copy).status, (await other).status]).toEqual([200, 200]);
    expect([shop.work.mock.calls.length, shop.rail.settle.mock.calls.length]).toEqual([1, 1]);
  });

  test('funds that moved after the check: the answer stays here, and pays when the funds are back', async () => {
    let isFunded = true;
    const settle = async () => {
      isFunded = false;
      return { isDeclined: true };
    };
    const shop = await openShop({
      settle,
      look: async () => unused,
      verify: async () => (isFunded ? 7n : 'token_refuses'),
      requests: 1,
    });
    expect(await shop.pay(mine)).toEqual({ status: 402, said: 'token_refuses' });
    expect(await shop.files('open/')).toHaveLength(1);
    expect(shop.limit.take().giveBack()).toBeUndefined();
    isFunded = true;
    shop.rail.settle.mockResolvedValue({ isDeclined: false, hash: hash('a') });
    shop.look.mockImplementation(async () => (shop.rail.settle.mock.calls.length > 1 ? paid : unused));
    expect(await shop.pay(mine)).toMatchObject({ status: 200, said: 'answer' });
    expect(shop.work).toHaveBeenCalledOnce();
  });
});

describe('PY-5, PY-9: a settlement whose outcome is unknown', () => {
  test.each([
    ['it breaks off', async () => Promise.reject(new Error('HTML'))],
    ['it names a foreign transaction', async () => ({ isDeclined: false, hash: hash('f') })],
    ['it says paid and names none', async () => ({ isDeclined: false })],
    ['it declines what the token would take', async () => ({ isDeclined: true })],
    ['it declines and names what is pending', async () => ({ isDeclined: true, hash: hash('a') })],
  ])('%s: 503, then the chain first', async (_, settle) => {
    const shop = await openShop({ settle, look: async () => ({ state: 'unused', isPending: true }) });
    expect(await shop.pay(mine)).toEqual({ status: 503, said: 'settlement_unknown' });
    shop.look.mockResolvedValue(paid);
    expect(await shop.pay(mine)).toMatchObject({ status: 200, said: 'answer' });
    expect([shop.work.mock.calls.length, shop.rail.settle.mock.calls.length]).toEqual([1, 1]);
  });

  test('it declines a good payment once, as when two of its transactions collide: it is asked again within the request', async () => {
    const shop = await openShop({ look: async () => unused });
    shop.rail.settle.mockResolvedValueOnce({ isDeclined: true });
    shop.look.mockImplementation(async () => (shop.rail.settle.mock.calls.length > 1 ? paid : unused));
    expect((await shop.pay(mine)).status).toBe(200);
    expect(shop.rail.settle).toHaveBeenCalledTimes(2);
  });

  test('PY-11: the facilitator is asked again at once, and then every five seconds', async () => {
    const shop = await openShop({ settle: async () => ({ isDeclined: true }), look: async () => unused });
    for (let copy = 0; copy < 5; copy++) expect((await shop.pay(mine)).status).toBe(503);
    expect(shop.rail.settle).toHaveBeenCalledTimes(2);
    shop.pass(5);
    await shop.pay(mine);
    expect(shop.rail.settle).toHaveBeenCalledTimes(3);
  });

  test('it settles late after a 402: the same payment is answered', async () => {
    const shop = await openShop({ settle: async () => ({ isDeclined: true }), look: async () => unused });
    shop.rail.verify.mockResolvedValueOnce(7n).mockResolvedValue('token_refuses');
    expect((await shop.pay(mine)).status).toBe(402);
    const next = await shop.restart({ look: async () => paid });
    expect(await next.pay(mine)).toMatchObject({ status: 200, said: 'answer' });
    expect(next.work).not.toHaveBeenCalled();
  });

  test('a node that does not answer is no outcome', async () => {
    const shop = await openShop({ look: async () => Promise.reject(new Error('down')) });
    expect(await shop.pay(mine)).toEqual({ status: 503, said: 'settlement_unknown' });
  });
});

describe('PY-3: kill -9 between all steps', () => {
  test('while the work is done nothing is kept: it is done again, and paid once', async () => {
    const shop = await openShop({ work: () => new Promise(() => {}) });
    void shop.pay(mine);
    await vi.waitFor(() => expect(shop.work).toHaveBeenCalled());
    expect(await shop.files('open/')).toEqual([]);
    const next = await shop.restart({ work: async () => answer });
    expect((await next.pay(mine)).status).toBe(200);
  });

  test.each([
    ['before the facilitator has settled it', unused],
    ['after it', paid],
  ])('while it is settled, %s: the chain is asked first, and the kept answer is given', async (_, shown) => {
    const shop = await openShop({ settle: () => new Promise(() => {}) });
    void shop.pay(mine);
    await vi.waitFor(() => expect(shop.rail.settle).toHaveBeenCalled());
    const next = await shop.restart({ work: async () => success({ text: 'another' }) });
    next.rail.settle.mockResolvedValue({ isDeclined: false, hash: hash('a') });
    next.look.mockResolvedValueOnce(shown).mockResolvedValue(paid);
    expect(await next.pay(mine)).toMatchObject({ status: 200, said: 'answer' });
    expect(next.rail.settle).toHaveBeenCalledTimes(shown === paid ? 0 : 1);
    expect(next.work).not.toHaveBeenCalled();
  });

  test('after the facilitator has named a transaction: the name is kept', async () => {
    const shop = await openShop({ look: () => new Promise(() => {}) });
    void shop.pay(mine);
    await vi.waitFor(() => expect(shop.look).toHaveBeenCalled());
    const next = await shop.restart({ look: async () => paid });
    expect((await next.pay(mine)).status).toBe(200);
    expect(next.look.mock.calls[0]?.[2]).toEqual([hash('a')]);
  });

  test('after it paid: the same answer, and the chain is not asked', async () => {
    const shop = await openShop();
    await shop.pay(mine);
    const next = await shop.restart({ look: async () => unused });
    expect(await next.pay(mine)).toMatchObject({ status: 200, said: 'answer' });
    expect(next.look).not.toHaveBeenCalled();
  });

  test('between the two steps of keeping that it paid: one record is left, with the same answer', async () => {
    const shop = await openShop();
    await shop.pay(mine);
    const [name = ''] = await shop.files('answered/');
    const text = await readFile(new URL(`answered/${name}`, shop.folder), 'utf8');
    await writeFile(
      new URL(`open/${name}`, shop.folder),
      text.replace('"PAID"', '"KEPT"').replace('"answer"}', '"old"}'),
    );
    const next = await shop.restart({ look: async () => unused });
    expect(await next.files('open/')).toEqual([]);
    expect(await next.pay(mine)).toMatchObject({ status: 200, said: 'answer' });
    expect(next.look).not.toHaveBeenCalled();
  });

  test('a restored backup: what it has as unsettled is looked up on chain, and what it does not know is used', async () => {
    const shop = await openShop({ settle: () => new Promise(() => {}) });
    void shop.pay(mine);
    await vi.waitFor(() => expect(shop.rail.settle).toHaveBeenCalled());
    const old = await shop.restart({ look: async () => paid, verify: async () => 'already_used' });
    expect(await old.pay(mine)).toMatchObject({ status: 200, said: 'answer' });
    expect(await old.pay(payload('1', '9'))).toEqual({ status: 402, said: 'already_used' });
    expect(old.work).not.toHaveBeenCalled();
  });

  test('one process holds the folder', async () => {
    const shop = await openShop();
    await expect(openRecords(shop.folder, () => {})).rejects.toThrow('one agent per folder');
    shop.records.close();
    (await openRecords(shop.folder, () => {})).close();
  });
});

describe('PY-13: unsettled work is capped', () => {
  test('one payer has four, and shuts out nobody', async () => {
    const shop = await openShop({ settle: () => Promise.reject(new Error('down')), look: async () => unused });
    for (const nonce of ['1', '2', '3', '4'])
      expect((await shop.pay(payload('1', nonce))).said).toBe('settlement_unknown');
    expect(await shop.pay(payload('1', '5'))).toEqual({ status: 503, said: 'payer_busy' });
    expect((await shop.pay(payload('2', '1'))).said).toBe('settlement_unknown');
    // Known payments need no further work.
    expect((await shop.pay(payload('1', '1'))).said).toBe('settlement_unknown');
    expect(shop.work).toHaveBeenCalledTimes(5);
  });

  test('all payers together have 256', async () => {
    const shop = await openShop({ work: () => new Promise(() => {}), requests: 1_000 });
    const payers = Array.from({ length: 256 }, (_, at) => at);
    for (const at of payers) {
      const from = `0x${at.toString(16).padStart(40, '0')}`;
      const signed = structuredClone(mine) as { payload: { authorization: { from: string } } };
      signed.payload.authorization.from = from;
      void shop.pay(signed as never);
    }
    await vi.waitFor(() => expect(shop.work).toHaveBeenCalledTimes(256));
    expect(await shop.pay(payload('f', '1'))).toEqual({ status: 503, said: 'agent_busy' });
  });
});

describe('AG-146: an Idempotency-Key is one payment of its payer', () => {
  test('a second payment with the key is not taken, at once, later and after a restart', async () => {
    const shop = await openShop();
    const [one, other] = [payload('1', '1'), payload('1', '2')];
    const told = await Promise.all([one, other].map((each) => shop.pay(each, 'hello', { key: 'order' })));
    const next = await shop.restart();
    told.push(await next.pay(payload('1', '3'), 'hello', { key: 'order' }));
    expect(told.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([shop.rail.settle.mock.calls.length, next.rail.settle.mock.calls.length]).toEqual([1, 0]);
    expect(await next.pay(payload('1', '4'), 'another', { key: 'order' })).toEqual({
      status: 409,
      said: 'idempotency_key_reused',
    });
    expect((await next.pay(payload('2', '1'), 'another', { key: 'order' })).status).toBe(200);
  });

  test('after a payment that took nothing the key may come again', async () => {
    const shop = await openShop({ settle: async () => ({ isDeclined: true }), look: async () => unused });
    shop.rail.verify.mockResolvedValueOnce(7n).mockResolvedValueOnce('token_refuses').mockResolvedValue(7n);
    expect((await shop.pay(mine, 'hello', { key: 'order' })).status).toBe(402);
    shop.rail.settle.mockResolvedValue({ isDeclined: false, hash: hash('a') });
    shop.look.mockResolvedValue(paid);
    expect((await shop.pay(payload('1', '2'), 'another', { key: 'order' })).status).toBe(200);
  });
});

test('PY-9: who names another payer’s nonce or Idempotency-Key has to show that payer’s signature', async () => {
  const shop = await openShop();
  await shop.pay(mine, 'hello', { key: 'order' });
  shop.rail.checkPermit.mockResolvedValue('facilitator_refuses');
  const refused = { status: 402, said: 'facilitator_refuses' };
  expect(await shop.pay(payload('1', '2'), 'hello', { key: 'order' })).toEqual(refused);
  expect(await shop.pay(payload('1', '1', { signature: 'bb' }))).toEqual(refused);
  expect((await shop.pay(mine, 'hello', { key: 'order' })).status).toBe(200);
});

describe('an answer whose ticket ends at its first delivery', () => {
  const withTicket = (text: string, end: bigint) => success({ text, ticket: { expires_at: `${end}` } });
  test('is made anew, once, and then stays the same', async () => {
    const shop = await openShop({
      work: async () => withTicket('old', START + 120n),
      settle: () => Promise.reject(new Error('down')),
    });
    expect((await shop.pay(mine)).status).toBe(503);
    shop.pass(90);
    shop.look.mockResolvedValue(paid);
    shop.work.mockResolvedValue(withTicket('new', START + 210n));
    expect(await shop.pay(mine)).toMatchObject({ status: 200, said: 'new' });
    shop.pass(1_000);
    const next = await shop.restart();
    for (const each of [shop, next]) expect(await each.pay(mine)).toMatchObject({ said: 'new' });
    expect(shop.work).toHaveBeenCalledTimes(2);
  });

  test('is the old one if the work fails, and if it was delivered in time', async () => {
    const shop = await openShop({
      work: async () => withTicket('old', START + 120n),
      settle: () => Promise.reject(new Error('down')),
    });
    await shop.pay(mine);
    shop.pass(90);
    shop.look.mockResolvedValue(paid);
    shop.work.mockResolvedValue(failure('timeout', '', true));
    expect(await shop.pay(mine)).toMatchObject({ status: 200, said: 'old' });
    const delivered = await openShop({ work: async () => withTicket('old', START + 120n) });
    await delivered.pay(mine);
    delivered.pass(1_000);
    expect(await delivered.pay(mine)).toMatchObject({ said: 'old' });
    expect(delivered.work).toHaveBeenCalledOnce();
  });
});

describe('PY-5: what nobody sends again', () => {
  test('is forgotten five minutes after its validity when two nodes agree, and stays when they do not', async () => {
    const shop = await openShop({ settle: () => Promise.reject(new Error('down')), look: async () => unused });
    await shop.pay(mine);
    await shop.payments.recover();
    expect(shop.look).toHaveBeenCalledTimes(1);
    shop.pass(601);
    shop.look.mockResolvedValue(lapsed(false));
    await shop.elapse();
    expect(await shop.files('open/')).toHaveLength(1);
    shop.look.mockResolvedValue(lapsed(true));
    await shop.elapse();
    await vi.waitFor(async () => expect(await shop.files('open/')).toEqual([]));
    expect(shop.rail.settle).toHaveBeenCalledTimes(1);
  });

  test('keeps its answer if it was paid late, and settles nothing', async () => {
    const shop = await openShop({ settle: () => Promise.reject(new Error('down')), look: async () => unused });
    await shop.pay(mine);
    const next = await shop.restart({ look: async () => paid });
    next.pass(601);
    await next.payments.recover();
    expect([await next.files('open/'), await next.files('answered/')]).toEqual([[], [expect.any(String)]]);
    expect(await next.pay(mine)).toMatchObject({ status: 200, said: 'answer' });
    expect([next.work.mock.calls, next.rail.settle.mock.calls]).toEqual([[], []]);
  });

  test('is nobody’s answer after a week, when the transfers of others are claimed no more', async () => {
    const shop = await openShop({ settle: () => Promise.reject(new Error('down')), look: async () => unused });
    await shop.pay(mine);
    shop.pass(8 * 86_400);
    shop.look.mockResolvedValue(paid);
    shop.rail.check.mockResolvedValue('expired');
    expect(await shop.pay(mine)).toEqual({ status: 402, said: 'expired' });
  });
});

test('PY-3: once it stops it takes no new payment, and ends what it has begun', async () => {
  const working = held<typeof answer>();
  const shop = await openShop({ work: () => working.promise });
  const first = shop.pay(mine);
  await vi.waitFor(() => expect(shop.work).toHaveBeenCalled());
  const drained = shop.payments.drain();
  expect(await shop.pay(payload('2', '1'))).toEqual({ status: 503, said: 'stopping' });
  working.resolve(answer);
  await drained;
  expect((await first).status).toBe(200);
});

test('what cannot be checked now is not tried, and is nobody’s refusal', async () => {
  const unavailable = () => Promise.reject(new BowlineError('payment_unavailable', 'Not now.', { retryable: true }));
  const shop = await openShop({ verify: unavailable });
  expect(await shop.pay(mine)).toEqual({ status: 503, said: 'unavailable' });
  shop.rail.check.mockImplementation(unavailable);
  expect(await shop.pay(mine)).toEqual({ status: 503, said: 'payment_unavailable' });
  shop.rail.check.mockRejectedValue(new BowlineError('rate_limited', 'Too many.', { retryable: true }));
  expect(await shop.pay(mine)).toEqual({ status: 503, said: 'rate_limited' });
  expect(await shop.pay({ odd: true })).toEqual({ status: 402, said: 'unreadable' });
  expect(shop.work).not.toHaveBeenCalled();
});

test('PY-9: one transfer proves one payment, after a restart too, and a transfer that cannot be claimed proves none', async () => {
  const shop = await openShop();
  const { records, folder } = shop;
  const both = await Promise.all(['one', 'two'].map((key) => records.claim('tx/0', key)));
  expect(both.toSorted()).toEqual([false, true]);
  const [winner, loser] = both[0] ? ['one', 'two'] : ['two', 'one'];
  expect([await records.claim('tx/0', winner), await records.claim('tx/1', loser)]).toEqual([true, true]);
  records.close();
  const again = await openRecords(folder, () => {});
  onTestFinished(() => again.close());
  expect([await again.claim('tx/0', loser), await again.claim('tx/0', winner)]).toEqual([false, true]);
  await again.prune(Date.now() + 8 * 86_400_000);
  expect(await again.claim('tx/0', loser)).toBe(false);
  await rm(new URL('transfers', folder), { recursive: true });
  await expect(again.claim('tx/2', 'two')).rejects.toThrow();
});

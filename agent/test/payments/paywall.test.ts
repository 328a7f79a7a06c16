import { setTimeout as sleep } from 'node:timers/promises';
import type { Payment, PaymentRail, PaymentRefusal, Taken } from '@bowline/core/domain/payment';
import { BowlineError, failure, type Result, success } from '@bowline/core/domain/result';
import { createLimit } from '@bowline/http/rate-limit';
import express from 'express';
import { expect, test, vi } from 'vitest';
import { createPaywall } from '../../src/payments/paywall.ts';
import { keepLog } from '../api/log.ts';
import { serve } from '../api/serve.ts';

const paid: Taken = { state: 'paid', transaction: '0xabc', receipt: 'receipt' };
const unavailable = () => new BowlineError('payment_unavailable', 'Not now.', { retryable: true });

/** A payment `key` or, encoded in another way, `key/anything`. The key is `payer:nonce`, or a payer's only payment. */
const read = (signed: string) => ({ key: signed.split('/')[0]?.replace(':', '/'), id: signed }) as unknown as Payment;

interface Stubs {
  readonly take: () => Promise<Taken>;
  readonly work?: () => Promise<Result<string>>;
  readonly check?: PaymentRail['check'];
  readonly open?: (payment: Payment) => Promise<PaymentRefusal | undefined>;
  readonly look?: () => Promise<Taken>;
}

async function start({ take, work = async () => success('answer'), check, open, look = take }: Stubs) {
  const terms = { network: 'eip155:31337', asset: '0x1', amount: 1n, payTo: '0x2' } as const;
  const ask = vi.fn<PaymentRail['ask']>(async (refusal) => `asked ${refusal ?? ''}`.trim());
  const settle = vi.fn(take);
  const looked = vi.fn(look);
  const rail = {
    terms,
    ask,
    read: vi.fn<PaymentRail['read']>(async (signed) => (signed.startsWith('!') ? 'unreadable' : read(signed))),
    check: vi.fn<PaymentRail['check']>(check ?? (async () => undefined)),
    open: vi.fn<PaymentRail['open']>(async (payment) => (await open?.(payment)) ?? { settle, look: looked }),
    settle,
    looked,
  };
  const worked = vi.fn(work);
  let now = 0;
  const paywall = createPaywall<string>(
    rail,
    createLimit({ name: 'x402', requests: 20, seconds: 60 }, () => now),
    keepLog(),
  );
  const app = express();
  app.post('/', async (request, response) => {
    const result = await paywall.serve(
      request.get('payment-signature') ?? '',
      request.get('prompt') ?? '',
      worked,
      response,
    );
    if (result?.ok) response.json({ result: result.value });
    else if (result) response.status(502).json({ code: result.code });
  });
  app.get('/', async (_request, response) => paywall.ask(response));
  const url = await serve(app);
  const send = async (signature: string, prompt = 'hello') => {
    const response = await fetch(url, { method: 'POST', headers: { 'payment-signature': signature, prompt } });
    const { code, reason, result } = (await response.json()) as { code?: string; reason?: string; result?: string };
    const { headers, status } = response;
    return {
      status,
      said: code ?? result,
      reason,
      receipt: headers.get('payment-response'),
      asked: headers.get('payment-required'),
    };
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { url, rail, worked, send, pass };
}

test('PY-3: one payment gives one answer, however often, at whatever time and however encoded it is sent', async () => {
  const take = async () => {
    // So long that all copies come while the first is being taken.
    await sleep(200);
    return paid;
  };
  const { send, rail, worked } = await start({ take });
  const copies = await Promise.all([send('a'), send('a/ '), send('a/  ')]);
  copies.push(await send('a'), await send('a/b'));
  const answer = { status: 200, said: 'answer', receipt: 'receipt', asked: null };
  for (const copy of copies) expect(copy).toMatchObject(answer);
  expect(rail.settle).toHaveBeenCalledTimes(1);
  expect(worked).toHaveBeenCalledTimes(1);
  await send('b');
  expect(worked).toHaveBeenCalledTimes(2);
});

test('PY-3: a payment that was sent with another prompt pays for that one alone', async () => {
  const { send, worked } = await start({ take: async () => paid });
  const [one, two] = await Promise.all([send('a', 'one'), send('a/ ', 'two')]);
  expect([one.said, two.said].toSorted()).toEqual(['answer', 'payment_used_for_another_prompt']);
  expect(await send('a', 'three')).toMatchObject({ status: 409, said: 'payment_used_for_another_prompt' });
  expect(worked).toHaveBeenCalledTimes(1);
});

test('what the token would not take is asked for again, with the reason; nothing is settled, and the same words are looked at anew', async () => {
  const { send, rail, worked } = await start({ take: async () => paid, open: async () => 'token_refuses' });
  const said = {
    status: 402,
    said: 'payment_refused',
    reason: 'token_refuses',
    asked: 'asked token_refuses',
    receipt: null,
  };
  expect(await send('a')).toEqual(said);
  expect(await send('a')).toEqual(said);
  expect(rail.open).toHaveBeenCalledTimes(2);
  expect(rail.settle).not.toHaveBeenCalled();
  expect(worked).not.toHaveBeenCalled();
  expect(await send('x'.repeat(8_193))).toMatchObject({ status: 402, said: 'payment_malformed' });
  expect(rail.read).toHaveBeenCalledTimes(2);
});

test('PY-4: work that failed may be had by the same payment, which is not taken again', async () => {
  let fails = true;
  const work = async () => (fails ? failure('model_unavailable', 'No.', true) : success('answer'));
  const { send, rail, worked } = await start({ take: async () => paid, work });
  expect(await send('a')).toMatchObject({ status: 502, said: 'model_unavailable', receipt: 'receipt' });
  fails = false;
  expect(await send('a')).toMatchObject({ status: 200, said: 'answer' });
  expect(rail.settle).toHaveBeenCalledTimes(1);
  expect(worked).toHaveBeenCalledTimes(2);
});

test('PY-5: an unknown outcome is told as such, and looked at again when the payment comes again', async () => {
  const outcomes: Taken[] = [{ state: 'unknown', transaction: '0xdef' }, { state: 'unknown' }, paid];
  const { send, rail, worked } = await start({ take: async () => outcomes.shift() ?? paid });
  expect(await send('a')).toMatchObject({ status: 503, said: 'settlement_unknown', receipt: null });
  expect(await send('a/ ')).toMatchObject({ status: 503, said: 'settlement_unknown' });
  expect(await send('a', 'another')).toMatchObject({ status: 409 });
  expect(worked).not.toHaveBeenCalled();
  expect(await send('a')).toMatchObject({ status: 200, said: 'answer' });
  expect(await send('a')).toMatchObject({ status: 200, said: 'answer' });
  expect(rail.open).toHaveBeenCalledTimes(1);
  expect(rail.settle).toHaveBeenCalledTimes(3);
  expect(worked).toHaveBeenCalledTimes(1);
});

test('an unknown outcome that turns out to be a refusal is one', async () => {
  const outcomes: Taken[] = [{ state: 'unknown' }, { state: 'refused', reason: 'lapsed' }];
  const { send, worked } = await start({ take: async () => outcomes.shift() ?? paid });
  expect((await send('a')).status).toBe(503);
  expect(await send('a')).toMatchObject({ status: 402, reason: 'lapsed' });
  expect(worked).not.toHaveBeenCalled();
});

test('PY-5: what the facilitator did not take is looked at again before it is taken for a new payment', async () => {
  const outcomes: Taken[] = [{ state: 'refused', reason: 'facilitator_refuses' }, paid];
  const { send, rail } = await start({ take: async () => outcomes.shift() ?? paid });
  expect(await send('a', 'one')).toMatchObject({ status: 402, reason: 'facilitator_refuses' });
  // Nothing was worked for it: it may be for another question.
  expect(await send('a', 'two')).toMatchObject({ status: 200, said: 'answer' });
  expect(rail.open).toHaveBeenCalledTimes(1);
  expect(rail.settle).toHaveBeenCalledTimes(2);
});

test('while the rail is not available nothing is remembered, and asking says so too', async () => {
  let down = true;
  const open = async () => (down ? Promise.reject(unavailable()) : undefined);
  const { send, rail, url } = await start({ take: async () => paid, open });
  expect(await send('a')).toMatchObject({ status: 503, said: 'payment_unavailable' });
  rail.ask.mockRejectedValueOnce(unavailable());
  const down503 = await fetch(url);
  expect(down503.status).toBe(503);
  expect(down503.headers.get('retry-after')).toBe('5');
  down = false;
  expect(await send('a', 'another')).toMatchObject({ status: 200, said: 'answer' });
  const asked = await fetch(url);
  expect(asked.status).toBe(402);
  expect(asked.headers.get('payment-required')).toBe('asked');
  expect(await asked.json()).toMatchObject({ code: 'payment_required' });
});

test('PY-11: a payment is counted once, when it is about to be taken; nothing else that is sent as one is counted', async () => {
  const check = async ({ key }: Payment) => (key.startsWith('forged') ? 'bad_signature' : undefined);
  let funds = false;
  const open = async () => (funds ? undefined : 'token_refuses');
  const outcomes: Taken[] = [];
  const { send, worked, pass } = await start({ take: async () => outcomes.shift() ?? paid, check, open });
  const times = <Sent>(many: number, one: (at: number) => Promise<Sent>) =>
    Promise.all(Array.from({ length: many }, (_, at) => one(at)));

  await times(50, (at) => send(`!${at}`));
  await times(50, (at) => send(`forged${at}`));
  await times(50, (at) => send(`poor${at}`));
  funds = true;
  outcomes.push(...Array.from({ length: 50 }, () => ({ state: 'refused', reason: 'cancelled' }) as const));
  // Those that are being taken hold a place each; what comes of them gives it back.
  for (let round = 0; round < 5; round++) await times(10, (at) => send(`cancelled${round}-${at}`));
  expect(outcomes).toHaveLength(0);
  expect(worked).not.toHaveBeenCalled();

  const copies = await times(200, (at) => send(`honest/${at}`));
  expect(new Set(copies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(worked).toHaveBeenCalledTimes(1);
  const others = await times(30, (at) => send(`other${at}`));
  expect(others.filter(({ status }) => status === 200)).toHaveLength(19);
  expect(others.filter(({ said }) => said === 'rate_limited')).toHaveLength(11);
  expect((await send('honest')).status).toBe(200);

  const late = others.findIndex(({ status }) => status === 429);
  pass(60_000);
  expect(await send(`other${late}`, 'another')).toMatchObject({ status: 200, said: 'answer' });
});

test('PY-11: work that failed is counted again each time it is tried again', async () => {
  const work = async () => failure('model_unavailable', 'No.', true);
  const { send, worked } = await start({ take: async () => paid, work });
  for (let tries = 0; tries < 20; tries++) expect(await send('a')).toMatchObject({ said: 'model_unavailable' });
  expect(await send('a')).toMatchObject({ status: 429, said: 'rate_limited', receipt: 'receipt' });
  expect(worked).toHaveBeenCalledTimes(20);
});

const unknown: Taken = { state: 'unknown' };
const busy = { status: 503, said: 'payment_unavailable', reason: 'payer_busy' };
const earlierUnknown = { status: 503, said: 'payment_unavailable', reason: 'earlier_payment_unknown' };

test('PY-13: of one payer one payment is settled at a time and three wait; the others are put off, and other payers are not', async () => {
  // Nothing ends before the others have been put off: on a busy machine a fixed time would pass before they arrive.
  const arrived = Promise.withResolvers<void>();
  let running = 0;
  let max = 0;
  let previews = 0;
  let maxPreviews = 0;
  const open = async () => {
    maxPreviews = Math.max(maxPreviews, ++previews);
    await arrived.promise;
    previews -= 1;
    return undefined;
  };
  const take = async () => {
    max = Math.max(max, ++running);
    await sleep(20);
    running -= 1;
    return paid;
  };
  const { send, rail } = await start({ take, open });
  let putOff = 0;
  const sendOne = async (at: number) => {
    const answer = await send(`one:${at}`);
    if (answer.status !== 200 && ++putOff === 36) arrived.resolve();
    return answer;
  };
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => sendOne(at)));
  expect([max, maxPreviews]).toEqual([1, 4]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
  for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(busy);
  // The three that waited are simulated again when their turn has come.
  expect(rail.open).toHaveBeenCalledTimes(4 + 3);
  // What was put off has taken nothing of the limit: 16 places are left.
  const others = await Promise.all(Array.from({ length: 17 }, (_, at) => send(`other${at}`)));
  expect(others.filter(({ status }) => status === 200)).toHaveLength(16);
});

test('PY-13: a payment that waited is refused when the funds are gone, and goes on when it was used meanwhile', async () => {
  let spent = false;
  const open = async ({ key }: Payment) => {
    if (!spent) return undefined;
    return key === 'one/used' ? 'already_used' : 'token_refuses';
  };
  const take = async () => {
    await sleep(300);
    spent = true;
    return paid;
  };
  const { send, rail } = await start({ take, open });
  const [first, used, poor] = await Promise.all(['one:1', 'one:used', 'one:3'].map((signed) => send(signed)));
  expect([first?.status, used?.status]).toEqual([200, 200]);
  expect(poor).toMatchObject({ status: 402, reason: 'token_refuses' });
  expect(rail.settle).toHaveBeenCalledTimes(2);
});

test('PY-13: payments that were used before they were first seen here do not keep their payer waiting', async () => {
  let free = () => {};
  const gate = new Promise<void>((resolve) => {
    free = resolve;
  });
  const open = async ({ key }: Payment) => {
    if (!key.startsWith('one/used')) return undefined;
    await gate;
    return 'already_used';
  };
  const { send, rail } = await start({ take: async () => paid, open });
  const copied = Array.from({ length: 4 }, (_, at) => `one:used${at}`);
  const first = copied.map((signed) => send(signed));
  await vi.waitUntil(() => rail.open.mock.calls.length === 4);
  expect(await send('one:mine')).toMatchObject(busy);
  free();
  const refused = { status: 402, said: 'payment_already_used', reason: 'already_used' };
  for (const answer of await Promise.all(first)) expect(answer).toMatchObject(refused);
  const again = Array.from({ length: 40 }, (_, at) => send(`${copied[at % 4]}`));
  expect(await send('one:mine')).toMatchObject({ status: 200 });
  for (const answer of await Promise.all(again)) expect(answer).toMatchObject(refused);
  expect(rail.open).toHaveBeenCalledTimes(5);
});

test('PY-14: while an earlier payment of a payer is of unknown outcome, a later one is put off, for 60 s at most', async () => {
  const outcomes: Taken[] = [unknown];
  const { send, rail, pass } = await start({ take: async () => outcomes.shift() ?? paid, look: async () => unknown });
  expect(await send('one:1')).toMatchObject({ said: 'settlement_unknown' });
  for (let tries = 1; tries <= 30; tries++) {
    expect(await send(`one:${tries + 1}`)).toMatchObject(earlierUnknown);
    expect(rail.looked).toHaveBeenCalledTimes(tries);
  }
  expect(rail.settle).toHaveBeenCalledTimes(1);
  expect(await send('two:1')).toMatchObject({ status: 200 });
  pass(60_000);
  expect(await send('one:2')).toMatchObject({ status: 200 });
  expect(await send('one:1')).toMatchObject({ status: 200 });
});

test('PY-14: what became of the earlier payment is looked up first; it is answered when it comes again, or gives its place back', async () => {
  const outcomes: Taken[] = [unknown];
  const found = await start({ take: async () => outcomes.shift() ?? paid, look: async () => paid });
  expect(await found.send('one:1')).toMatchObject({ said: 'settlement_unknown' });
  expect(await found.send('one:2')).toMatchObject({ status: 200 });
  expect(await found.send('one:1')).toMatchObject({ status: 200, receipt: 'receipt' });
  expect(found.rail.settle).toHaveBeenCalledTimes(2);

  outcomes.push(unknown);
  const look = async (): Promise<Taken> => ({ state: 'refused', reason: 'cancelled' });
  const gone = await start({ take: async () => outcomes.shift() ?? paid, look });
  expect(await gone.send('one:1')).toMatchObject({ said: 'settlement_unknown' });
  for (let other = 0; other < 20; other++) expect(await gone.send(`one:${other + 2}`)).toMatchObject({ status: 200 });
  expect(await gone.send('one:22')).toMatchObject({ status: 429 });
});

test('PY-14: a payment of unknown outcome that comes again while the line of its payer is full is not forgotten', async () => {
  let free = () => {};
  const gate = new Promise<void>((resolve) => {
    free = resolve;
  });
  const outcomes = [async () => unknown];
  const take = async () => (outcomes.shift() ?? (() => gate.then(() => paid)))();
  const { send, rail, pass } = await start({ take, look: async () => unknown });
  expect(await send('one:1', 'first')).toMatchObject({ said: 'settlement_unknown' });
  pass(60_000);
  const line = [2, 3, 4, 5].map((at) => send(`one:${at}`));
  await vi.waitUntil(() => rail.open.mock.calls.length === 5);
  // Nor is it said that it was not tried.
  expect(await send('one:1', 'first')).toMatchObject({ status: 503, said: 'settlement_unknown' });
  expect(await send('one:6')).toMatchObject(busy);
  free();
  for (const answer of await Promise.all(line)) expect(answer.status).toBe(200);
  // It is still the payment for that prompt, and is not taken for a new one.
  expect(await send('one:1', 'second')).toMatchObject({ status: 409 });
  expect(await send('one:1', 'first')).toMatchObject({ status: 200 });
});

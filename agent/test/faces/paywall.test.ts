import express from 'express';
import { expect, test, vi } from 'vitest';
import type { PaymentRail, Taken } from '../../src/domain/payment.ts';
import { BowlineError, failure, type Result, success } from '../../src/domain/result.ts';
import { createPaywall } from '../../src/faces/http/paywall.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

const paid: Taken = { state: 'paid', transaction: '0xabc', receipt: 'receipt' };
const unavailable = () => new BowlineError('payment_unavailable', 'Not now.', { retryable: true });

async function start(take: PaymentRail['take'], work: () => Promise<Result<string>> = async () => success('answer')) {
  const terms = { network: 'eip155:31337', asset: '0x1', amount: 1n, payTo: '0x2' } as const;
  const ask = vi.fn<PaymentRail['ask']>(async (refusal) => `asked ${refusal ?? ''}`.trim());
  const rail = { terms, ask, take: vi.fn(take) };
  const worked = vi.fn(work);
  const paywall = createPaywall<string>(rail, keepLog());
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
    const { code, result } = (await response.json()) as { code?: string; result?: string };
    const { headers, status } = response;
    return {
      status,
      said: code ?? result,
      receipt: headers.get('payment-response'),
      asked: headers.get('payment-required'),
    };
  };
  return { url, rail, worked, send };
}

test('PY-3: one payment gives one answer, however often and at whatever time it is sent', async () => {
  const { send, rail, worked } = await start(async () => paid);
  const copies = await Promise.all([send('a'), send('a'), send('a')]);
  copies.push(await send('a'));
  for (const copy of copies) expect(copy).toEqual({ status: 200, said: 'answer', receipt: 'receipt', asked: null });
  expect(rail.take).toHaveBeenCalledTimes(1);
  expect(worked).toHaveBeenCalledTimes(1);
  await send('b');
  expect(worked).toHaveBeenCalledTimes(2);
});

test('a payment that was sent with another prompt pays for that one alone', async () => {
  const { send, worked } = await start(async () => paid);
  await send('a', 'one');
  expect(await send('a', 'two')).toMatchObject({ status: 409, said: 'payment_used' });
  expect(worked).toHaveBeenCalledTimes(1);
});

test('a refused payment is asked for again, with the reason; nothing is worked, and the same words are looked at anew', async () => {
  const { send, rail, worked } = await start(async () => ({ state: 'refused', reason: 'payment_refused' }));
  const said = { status: 402, said: 'payment_refused', asked: 'asked payment_refused', receipt: null };
  expect(await send('a')).toEqual(said);
  expect(await send('a')).toEqual(said);
  expect(rail.take).toHaveBeenCalledTimes(2);
  expect(rail.take).toHaveBeenLastCalledWith('a', false);
  expect(worked).not.toHaveBeenCalled();
  expect(await send('x'.repeat(8_193))).toMatchObject({ status: 402, said: 'payment_malformed' });
  expect(rail.take).toHaveBeenCalledTimes(2);
});

test('PY-4: work that failed may be had by the same payment, which is not taken again', async () => {
  let fails = true;
  const work = async () => (fails ? failure('model_unavailable', 'No.', true) : success('answer'));
  const { send, rail, worked } = await start(async () => paid, work);
  expect(await send('a')).toMatchObject({ status: 502, said: 'model_unavailable', receipt: 'receipt' });
  fails = false;
  expect(await send('a')).toMatchObject({ status: 200, said: 'answer' });
  expect(rail.take).toHaveBeenCalledTimes(1);
  expect(worked).toHaveBeenCalledTimes(2);
});

test('PY-5: an unknown outcome is told as such, and looked at again when the payment comes again', async () => {
  const outcomes: Taken[] = [{ state: 'unknown', transaction: '0xdef' }, { state: 'unknown' }, paid];
  const { send, rail, worked } = await start(async () => outcomes.shift() ?? paid);
  expect(await send('a')).toMatchObject({ status: 503, said: 'settlement_unknown', receipt: null });
  expect(await send('a')).toMatchObject({ status: 503, said: 'settlement_unknown' });
  expect(worked).not.toHaveBeenCalled();
  expect(await send('a')).toMatchObject({ status: 200, said: 'answer' });
  expect(await send('a')).toMatchObject({ status: 200, said: 'answer' });
  expect(rail.take.mock.calls).toEqual([
    ['a', false],
    ['a', true],
    ['a', true],
  ]);
  expect(worked).toHaveBeenCalledTimes(1);
});

test('a rail that is down while an outcome is unknown does not make it forgotten', async () => {
  const outcomes = [
    async (): Promise<Taken> => ({ state: 'unknown' }),
    async (): Promise<Taken> => Promise.reject(unavailable()),
    async () => paid,
  ];
  const { send, rail } = await start(async () => (await outcomes.shift()?.()) ?? paid);
  expect((await send('a')).said).toBe('settlement_unknown');
  expect((await send('a')).said).toBe('settlement_unknown');
  expect(await send('a')).toMatchObject({ status: 200, said: 'answer' });
  expect(rail.take).toHaveBeenLastCalledWith('a', true);
});

test('an unknown outcome that turns out to be a refusal is one', async () => {
  const outcomes: Taken[] = [{ state: 'unknown' }, { state: 'refused', reason: 'payment_refused' }];
  const { send, worked } = await start(async () => outcomes.shift() ?? paid);
  expect((await send('a')).status).toBe(503);
  expect((await send('a')).status).toBe(402);
  expect(worked).not.toHaveBeenCalled();
});

test('while the rail is not available nothing is remembered, and asking says so too', async () => {
  let down = true;
  const { send, rail, url } = await start(async () => (down ? Promise.reject(unavailable()) : paid));
  expect(await send('a')).toMatchObject({ status: 503, said: 'payment_unavailable' });
  rail.ask.mockRejectedValueOnce(unavailable());
  expect((await fetch(url)).status).toBe(503);
  down = false;
  expect(await send('a')).toMatchObject({ status: 200, said: 'answer' });
  expect(rail.take).toHaveBeenLastCalledWith('a', false);
  const asked = await fetch(url);
  expect(asked.status).toBe(402);
  expect(asked.headers.get('payment-required')).toBe('asked');
  expect(await asked.json()).toMatchObject({ code: 'payment_required' });
});

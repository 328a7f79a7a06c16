import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequired } from '@x402/core/types';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it, onTestFinished } from 'vitest';
import { AgentError, connectAgent } from '../index.ts';
import { PaymentUnknown, payingFetch } from '../pay.ts';

// SD-8: against a fake agent that each test defines. test/local/examples.test.ts buys from the real one.

const account = privateKeyToAccount('0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6');
const token = '0x4444444444444444444444444444444444444444';
const seller = '0x5555555555555555555555555555555555555555';
const spoken = { result: 'Yes.', tools: ['check_asset'], tickets: [] };

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

it('an error of the agent keeps its code, and anything else is `unreachable`', async () => {
  const problem = { code: 'rate_limited', detail: 'Ask again in 7 s.' };
  const limited = await serve((_request, response) => send(response, 429, problem, { 'retry-after': '7' }));
  const refused = await connectAgent(limited)
    .terms()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AgentError);
  expect(refused).toMatchObject({
    code: 'rate_limited',
    message: 'Ask again in 7 s.',
    status: 429,
    retryAfterSeconds: 7,
  });
  for (const answer of [
    (response: ServerResponse) => send(response, 502, '<h1>Bad gateway</h1>'),
    (response: ServerResponse) => send(response, 200, '<h1>Welcome</h1>'),
    (response: ServerResponse) => send(response, 200, { verdict: 'BUY' }),
    (response: ServerResponse) => response.destroy(),
  ]) {
    const url = await serve((_request, response) => void answer(response));
    const message = expect.stringContaining(url);
    await expect(connectAgent(url).verdict({ asset: 'BTCB' })).rejects.toMatchObject({ code: 'unreachable', message });
  }
});

it('asks what it is told to, at a base address with a path, too', async () => {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    send(response, 200, spoken);
  });
  const agent = connectAgent(`${url}/bowline`);
  expect(await agent.ask('Is BTCB fairly priced?')).toMatchObject({ result: 'Yes.' });
  await agent.verdict({ asset: 'BTCB', side: 'sell', amountAsset: '0.5' }).catch(() => {});
  expect(asked).toEqual(['POST /bowline/x402', 'GET /bowline/verdict?asset=BTCB&side=sell&amount_asset=0.5']);
});

const required = (changed: Partial<PaymentRequired['accepts'][number]> = {}): PaymentRequired => ({
  x402Version: 2,
  error: 'payment required',
  resource: { url: 'http://127.0.0.1/x402', description: 'An answer', mimeType: 'application/json' },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:31337',
      asset: token,
      amount: '1000',
      payTo: seller,
      maxTimeoutSeconds: 300,
      extra: { name: 'T', version: '1', assetTransferMethod: 'eip3009' },
      ...changed,
    },
  ],
});

/** An agent that asks for payment, and answers each payment with `answer`. @returns the payments that it saw. */
async function shop(terms: PaymentRequired, answer: (payment: string, response: ServerResponse, at: number) => void) {
  const payments: string[] = [];
  const url = await serve((request, response) => {
    const payment = request.headers['payment-signature'];
    if (typeof payment !== 'string') {
      return send(response, 402, {}, { 'payment-required': encodePaymentRequiredHeader(terms) });
    }
    payments.push(payment);
    answer(payment, response, payments.length);
  });
  return { url, payments };
}

const paying = (patienceMs = 20_000) => payingFetch({ account, chainId: 31_337, token, maxAmount: 1_000n, patienceMs });
const decoded = (payment: string) => JSON.parse(Buffer.from(payment, 'base64').toString());

it('SD-8: pays what is asked for, once, and asks a free agent for nothing', async () => {
  const { url, payments } = await shop(required(), (_payment, response) => send(response, 200, spoken));
  expect(await connectAgent(url, paying()).ask('Is BTCB fairly priced?')).toMatchObject({ result: 'Yes.' });
  expect(payments).toHaveLength(1);
  const { authorization } = decoded(payments[0] ?? '').payload;
  expect(authorization).toMatchObject({ from: account.address, to: seller, value: '1000' });

  const free = await serve((request, response) => {
    expect(request.headers['payment-signature']).toBeUndefined();
    send(response, 200, spoken);
  });
  await connectAgent(free, paying()).ask('Is BTCB fairly priced?');
});

it('SD-8: sends the same payment again while its outcome is unknown, and never signs a second one', async () => {
  const { url, payments } = await shop(required(), (_payment, response, at) => {
    if (at === 1) return response.destroy();
    if (at === 2) return send(response, 503, { code: 'settlement_unknown', detail: 'Send it again.' });
    if (at === 3) return send(response, 520, 'a proxy of its own');
    if (at === 4) {
      // The payment went through, but the connection breaks within the answer.
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{');
      return void setTimeout(() => response.destroy(), 20);
    }
    send(response, 200, spoken);
  });
  await connectAgent(url, paying()).ask('Is BTCB fairly priced?');
  expect(payments).toHaveLength(5);
  expect(new Set(payments).size).toBe(1);
});

it('SD-8: gives up with the payment in hand, so that it is not lost', async () => {
  const { url, payments } = await shop(required(), (_payment, response) => send(response, 503, {}));
  const lost = await paying(1)(`${url}/x402`).catch((error: unknown) => error);
  expect(lost).toBeInstanceOf(PaymentUnknown);
  expect(Object.values((lost as PaymentUnknown).headers)).toEqual([payments[0]]);
  await expect(connectAgent(url, paying(1)).terms()).rejects.toMatchObject({ code: 'payment_unknown' });
});

it('SD-8: a request with the headers of a payment is sent with that one, and none is signed for it', async () => {
  const { url, payments } = await shop(required(), (_payment, response, at) => {
    if (at < 3) return send(response, 503, { code: 'settlement_unknown' }, { 'retry-after': '30' });
    if (at === 3) return send(response, 200, spoken);
    send(
      response,
      402,
      { code: 'payment_already_used' },
      { 'payment-required': encodePaymentRequiredHeader(required()) },
    );
  });
  const lost: PaymentUnknown = await paying(1)(`${url}/x402`).catch((error) => error);
  expect(lost).toMatchObject({ code: 'payment_unknown', retryAfterSeconds: 30 });
  const failed = connectAgent(url, paying(1)).ask('Is BTCB fairly priced?');
  await expect(failed).rejects.toMatchObject({ code: 'payment_unknown', retryAfterSeconds: 30 });
  const again = () => paying()(`${url}/x402`, { headers: lost.headers });
  expect(await (await again()).json()).toEqual(spoken);
  expect((await again()).status).toBe(402);
  expect([payments[0], payments[2], payments[3]]).toEqual(Array(3).fill(payments[0]));
});

/** Says only when to retry. */
const putsOff = (response: ServerResponse, seconds: number) =>
  send(response, 503, { code: 'settlement_unknown' }, { 'retry-after': String(seconds) });

it('waits between two tries for as long as Retry-After says, and not beyond its patience', async () => {
  const at: number[] = [];
  const { url } = await shop(required(), (_payment, response) => {
    at.push(performance.now());
    if (at.length === 1) return putsOff(response, 1);
    send(response, 200, spoken);
  });
  await connectAgent(url, paying()).ask('Is BTCB fairly priced?');
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(995);

  const began = performance.now();
  const { url: slow, payments } = await shop(required(), (_payment, response) => putsOff(response, 60));
  await expect(paying(5_000)(slow)).rejects.toMatchObject({ code: 'payment_unknown', retryAfterSeconds: 60 });
  expect(payments).toHaveLength(1);
  expect(performance.now() - began).toBeLessThan(4_000);
});

it('SD-8: signs nothing beyond what it was told, whatever the agent asks for', async () => {
  const asked: Partial<PaymentRequired['accepts'][number]>[] = [
    { amount: '1001' },
    { asset: seller },
    { network: 'eip155:56' },
    { scheme: 'upto' },
    { extra: { name: 'T', version: '1', assetTransferMethod: 'permit2' } },
  ];
  for (const changed of asked) {
    const { url, payments } = await shop(required(changed), (_payment, response) => send(response, 200, spoken));
    const refused = connectAgent(url, paying()).ask('Is BTCB fairly priced?');
    await expect(refused, JSON.stringify(changed)).rejects.toMatchObject({ code: 'payment_refused_here' });
    expect(payments).toEqual([]);
  }
});

it('the terms say in which tokens an answer is paid, and how', async () => {
  const payment = {
    rail: 'x402',
    network: 'eip155:31337',
    asset: token,
    amount: '1000',
    pay_to: seller,
    tokens: [{ asset: token, amount: '1000', method: 'eip3009' }],
  };
  const terms = { price_usd: 0.02, limit: { requests: 20, seconds: 60 } };
  const priced = await serve((_request, response) => send(response, 200, { ...terms, payment }));
  const stated = (await connectAgent(priced).terms()).payment;
  expect(stated?.tokens).toEqual(payment.tokens);
  const free = await serve((_request, response) => send(response, 200, { ...terms, price_usd: 0 }));
  expect((await connectAgent(free).terms()).payment).toBeUndefined();
  const odd = await serve((_request, response) => send(response, 200, { ...terms, payment: { asset: 'BTC' } }));
  await expect(connectAgent(odd).terms()).rejects.toMatchObject({ code: 'unreachable' });
});

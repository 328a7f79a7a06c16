import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PaymentRail, Taken } from '@bowline/core/domain/payment';
import { success } from '@bowline/core/domain/result';
import { createLimit } from '@bowline/http/rate-limit';
import { expect, onTestFinished, test } from 'vitest';
import { openEntries } from '../../src/payments/entries.ts';
import { readPayment } from '../../src/payments/payment-check.ts';
import { openPaymentStore } from '../../src/payments/payment-store.ts';
import { inWords } from '../../src/payments/question.ts';
import { createTill } from '../../src/payments/till.ts';
import { keepLog } from '../api/log.ts';
import files from './files-before-permit2.json' with { type: 'json' };

// The files are the ones that the last version before decision 0043 wrote, when its till took these payments.

const token = '0xCE24439F2D9C6a2289F741120FE202248B666666';
const network = 'eip155:56';
const hash = (digit: string) => `0x${digit.repeat(64)}` as const;
const account = (digit: string) => `0x${digit.repeat(40)}` as const;
const receipt = { success: true, transaction: hash('a'), network };
const paid: Taken = { state: 'paid', transaction: hash('a'), receipt };

async function start(outcome: Taken) {
  const path = mkdtempSync(join(tmpdir(), 'earlier-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  for (const folder of ['open', 'answered', 'keys']) mkdirSync(join(path, folder));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  const unreadable: string[] = [];
  const store = await openPaymentStore(pathToFileURL(`${path}/`), (name) => unreadable.push(name));
  const terms = { network, method: 'eip3009', asset: token, amount: 1n, payTo: account('b') } as const;
  let settled = 0;
  const settlement = {
    settle: async () => {
      settled += 1;
      return outcome;
    },
    look: async () => outcome,
    progress: () => ({ since: 7n, transactions: [] }),
  };
  const rail: PaymentRail = {
    ask: async () => ({}),
    read: (payload) => readPayment(payload, terms, { name: 'United Stables', version: '1' }) ?? 'unreadable',
    check: async () => undefined,
    open: async () => settlement,
    resume: () => settlement,
  };
  const till = createTill({
    rail,
    entries: await openEntries(store, () => settlement),
    work: async () => success({ text: 'a new answer' }),
    signCredit: async () => ({}),
    token,
    timers: { now: () => 0, after: () => () => {} },
    log: keepLog(),
  });
  const limit = createLimit({ name: 'x402', requests: 20, seconds: 60 }, () => 0);
  const send = (nonce: string, prompt: string, idempotencyKey?: string) =>
    till.serve({
      payload: {
        authorization: {
          ...{ from: account('c'), to: account('b'), value: '1', validAfter: '0', validBefore: '1763900000' },
          nonce: hash(nonce),
        },
        signature: '0x05',
      },
      question: inWords(prompt),
      resource: { url: 'http://localhost', description: '' },
      limit,
      idempotencyKey,
    });
  return { till, send, unreadable, settled: () => settled };
}

test('AG-231: files of the version before Permit2 are read: what is owed is answered, what was answered is answered again', async () => {
  const { till, send, unreadable, settled } = await start(paid);
  await till.recover();
  expect(unreadable).toEqual([]);
  expect(await send('1', 'answered')).toMatchObject({
    state: 'answered',
    answer: { text: 'an answer of then' },
    receipt,
  });
  // Unknown then, and paid; and paid, with a credit.
  for (const [nonce, prompt] of [
    ['2', 'unknown'],
    ['3', 'fails'],
  ] as const) {
    expect(await send(nonce, prompt)).toMatchObject({ state: 'answered', answer: { text: 'a new answer' }, receipt });
  }
  expect(await send('1', 'another')).toMatchObject({ code: 'payment_used_for_another_prompt' });
  expect(settled()).toBe(0);
});

test('AG-231: an Idempotency-Key of before Permit2 still names its payment, which is not taken twice', async () => {
  const { send, settled } = await start({ state: 'unknown' });
  expect(await send('4', 'answered', 'order-1')).toMatchObject({ answer: { text: 'an answer of then' } });
  expect(await send('5', 'another', 'order-1')).toMatchObject({ code: 'idempotency_key_reused' });
  // Its outcome is unknown: another payment for it might be the second.
  expect(await send('6', 'unknown', 'order-2')).toMatchObject({ code: 'settlement_unknown' });
  expect(settled()).toBe(1);
  expect(await send('7', 'unknown', 'order-4')).toMatchObject({ reason: 'earlier_payment_unknown' });
});

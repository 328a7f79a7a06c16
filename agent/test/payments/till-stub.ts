import { readdir } from 'node:fs/promises';
import type { Asking } from '@bowline/core/domain/asking';
import type { Json, Payment, PaymentRail, PaymentRefusal, Taken } from '@bowline/core/domain/payment';
import { BowlineError, type Result, success } from '@bowline/core/domain/result';
import { createLimit } from '@bowline/http/rate-limit';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { vi } from 'vitest';
import { createCredits } from '../../src/payments/credit.ts';
import { openEntries } from '../../src/payments/entries.ts';
import type { Lost } from '../../src/payments/lost.ts';
import { openPaymentStore } from '../../src/payments/payment-store.ts';
import { type Ask, inWords } from '../../src/payments/question.ts';
import { createTill } from '../../src/payments/till.ts';
import { keepLog } from '../api/log.ts';
import { newFolder } from '../folder.ts';

// A till over a rail that says what a test has it say.

export const onUnreadable = (name: string): never => {
  throw new Error(`${name} cannot be read`);
};

export const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const account = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
export const receipt = { success: true, transaction: hash('a') };
export const paid: Taken = { state: 'paid', transaction: hash('a'), receipt };
export const unavailable = () => new BowlineError('payment_unavailable', 'Not now.', { retryable: true });
export const authorization = {
  from: account('1'),
  to: account('2'),
  value: 1n,
  validAfter: 0n,
  validBefore: 1n,
  nonce: hash('3'),
};

/** A payment `key` or, encoded in another way, `key/anything`. The key is `payer:nonce`, or a payer's only payment. */
export const read = (signed: string): Payment => {
  const key = signed.split('/')[0]?.replace(':', '/') ?? '';
  const from: Hex = `0x${Buffer.from(key.split('/')[0] ?? '')
    .toString('hex')
    .padEnd(40, '0')
    .slice(0, 40)}`;
  const signs = { ...authorization, from };
  const asset = account('6');
  return { key, id: key, method: 'eip3009', asset, authorization: signs, digest: hash('4'), signature: '0x05' };
};

export interface Stubs {
  readonly take: () => Promise<Taken>;
  readonly work?: (ask: Ask, asking?: Asking) => Promise<Result<Json>>;
  readonly check?: PaymentRail['check'];
  readonly open?: (payment: Payment) => Promise<PaymentRefusal | undefined>;
  readonly look?: () => Promise<Taken>;
  /** Of an earlier process. */
  readonly folder?: URL;
  readonly lost?: Lost;
}

export const answer = success({ text: 'answer' });

export async function start({ take, work = async () => answer, check, open, look = take, folder: given, lost }: Stubs) {
  const folder = given ?? (await newFolder());
  const terms = { network: 'eip155:31337', asset: account('6'), amount: 1n, payTo: account('2') } as const;
  const ask = vi.fn<PaymentRail['ask']>(async (_resource, refusal) => ({ asked: refusal ?? '' }));
  const settle = vi.fn(async (_onNamed?: () => Promise<void>) => take());
  const looked = vi.fn(look);
  const progress = () => ({ since: 7n, transactions: [hash('8')] });
  const rail = {
    terms,
    ask,
    read: vi.fn<PaymentRail['read']>((signed) => (`${signed}`.startsWith('!') ? 'unreadable' : read(`${signed}`))),
    check: vi.fn<PaymentRail['check']>(check ?? (async () => undefined)),
    open: vi.fn<PaymentRail['open']>(async (payment) => (await open?.(payment)) ?? { settle, look: looked, progress }),
    resume: vi.fn<PaymentRail['resume']>(() => ({ settle, look: looked, progress })),
    settle,
    looked,
  };
  const worked = vi.fn(work);
  let now = 0;
  const limit = createLimit({ name: 'x402', requests: 20, seconds: 60 }, () => now);
  const entries = await openEntries(await openPaymentStore(folder, onUnreadable), (kept) =>
    rail.resume(kept.payment, kept.progress),
  );
  const signer = privateKeyToAccount(generatePrivateKey());
  const signCredit = createCredits(signer, 31337, () => 5n);
  let round = () => {};
  let isSet = Promise.withResolvers<void>();
  const after = (_: number, then: () => void) => {
    round = then;
    isSet.resolve();
    return () => {};
  };
  const log = keepLog();
  const till = createTill({ rail, entries, work: worked, signCredit, lost, timers: { now: () => now, after }, log });
  const send = async (signature: string, prompt = 'hello', idempotencyKey?: string) => {
    const outcome = await till.serve({
      payload: signature,
      question: inWords(prompt),
      resource: { url: 'http://localhost', description: '' },
      limit,
      idempotencyKey,
    });
    const statuses = { answered: 200, failed: 502, refused: 402, conflict: 409, later: 503, over_limit: 429 } as const;
    const { state } = outcome;
    const said =
      state === 'answered'
        ? outcome.answer.text
        : state === 'failed'
          ? outcome.failure.code
          : state === 'over_limit'
            ? 'rate_limited'
            : outcome.code;
    return {
      status: statuses[state],
      said,
      reason: 'reason' in outcome ? outcome.reason : undefined,
      receipt: 'receipt' in outcome ? outcome.receipt : null,
      asked: 'required' in outcome ? outcome.required.asked : null,
      ...('credit' in outcome && { credit: outcome.credit }),
      ...('waitSeconds' in outcome && { waitSeconds: outcome.waitSeconds }),
    };
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  const files = (name: string) => readdir(new URL(name, folder));
  /** The next of the looks at intervals. */
  const lookAgain = async () => {
    isSet = Promise.withResolvers();
    round();
    await isSet.promise;
  };
  return { rail, worked, send, pass, till, limit, folder, files, signer, lookAgain, log, entries };
}

export const unknown: Taken = { state: 'unknown' };

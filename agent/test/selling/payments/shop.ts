import { readdir } from 'node:fs/promises';
import type { Json, PaymentRefusal } from '@bowline/core/domain/payment';
import { success } from '@bowline/core/domain/result';
import { createLimit } from '@bowline/http/rate-limit';
import { vi } from 'vitest';
import type { Seen } from '../../../src/selling/payments/machine.ts';
import { openPayments, type PaymentsParts } from '../../../src/selling/payments/payments.ts';
import { answerAt, inWords } from '../../../src/selling/payments/question.ts';
import type { Claimed, Rail } from '../../../src/selling/payments/rail.ts';
import { openRecords } from '../../../src/selling/payments/records.ts';
import { keepLog } from '../../api/log.ts';
import { newFolder } from '../../folder.ts';

// Payments over real files, with a chain and a facilitator that say what the test tells them to.

export const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const account = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
export const START = 1_000_000n;
const validBefore = START + 300n;
const asset = account('6');

/** A payload of x402: the payment of a payer with this nonce, encoded in some way. */
export function payload(payer: string, nonce: string, { end = validBefore, signature = 'aa', extra = {} } = {}): Json {
  const terms = { from: account(payer), to: account('2'), value: '1', validAfter: '0', validBefore: `${end}` };
  return {
    x402Version: 2,
    accepted: { network: 'eip155:31337', asset, amount: '1', payTo: account('2') },
    payload: { authorization: { ...terms, nonce: hash(nonce) }, signature: `0x${signature}` },
    ...extra,
  };
}

export const unused: Seen = { state: 'unused', isPending: false };
export const paid: Seen = { state: 'paid', transaction: hash('a') };
export const answer = success<Json>({ text: 'answer' });

interface Stubs {
  readonly folder?: URL;
  readonly work?: PaymentsParts['work'];
  readonly verify?: () => Promise<bigint | PaymentRefusal>;
  readonly check?: Rail['check'];
  readonly settle?: () => Promise<Claimed>;
  /** What the chain shows before and after the facilitator has settled. */
  readonly look?: () => Promise<Seen>;
  readonly requests?: number;
}

export async function openShop({ folder: given, requests = 20, ...stubs }: Stubs = {}) {
  const folder = given ?? (await newFolder());
  let [now, milliseconds] = [START, 0];
  let hasSettled = false;
  const settle = async (): Promise<Claimed> => {
    hasSettled = true;
    return { isDeclined: false, hash: hash('a') };
  };
  const rail = {
    ask: vi.fn<Rail['ask']>(async (_resource, refusal) => ({ asked: refusal ?? '' })),
    check: vi.fn<Rail['check']>(stubs.check ?? (async () => undefined)),
    checkPermit: vi.fn<Rail['checkPermit']>(async () => undefined),
    verify: vi.fn<Rail['verify']>(stubs.verify ?? (async () => 7n)),
    settle: vi.fn<Rail['settle']>(stubs.settle ?? settle),
  };
  const look = vi.fn<PaymentsParts['proof']['look']>(stubs.look ?? (async () => (hasSettled ? paid : unused)));
  const work = vi.fn<PaymentsParts['work']>(stubs.work ?? (async () => answer));
  const records = await openRecords(folder, (name) => {
    throw new Error(`${name} cannot be read`);
  });
  const timed: (() => void)[] = [];
  const timers = {
    now: () => milliseconds,
    after: (_: number, call: () => void) => {
      timed.push(call);
      return () => {};
    },
  };
  const limit = createLimit({ name: 'x402', requests, seconds: 60 }, () => milliseconds);
  const times = { lookMs: 0, pollMs: 0, resubmitMs: 5_000 };
  const log = keepLog();
  const payments = await openPayments({ rail, proof: { look }, records, work, clock: () => now, timers, times, log });

  /** Sends a payment and returns the reply in short. */
  async function pay(signed: Json, prompt = 'hello', options: { key?: string; signal?: AbortSignal } = {}) {
    const outcome = await payments.pay({
      payload: signed,
      question: inWords(prompt),
      resource: answerAt('http://localhost'),
      limit,
      idempotencyKey: options.key,
      signal: options.signal ?? new AbortController().signal,
    });
    switch (outcome.state) {
      case 'answered':
        return { status: 200, said: outcome.answer.text, receipt: outcome.receipt };
      case 'failed':
        return { status: 502, said: outcome.failure.code };
      case 'refused':
        return { status: 402, said: outcome.reason };
      case 'conflict':
        return { status: 409, said: outcome.code };
      case 'later':
        return { status: outcome.over ? 429 : 503, said: outcome.reason ?? outcome.code };
    }
  }

  return {
    ...{ rail, look, work, records, payments, limit, folder, log, pay },
    files: async (name: string) => (await readdir(new URL(name, folder))).filter((file) => file.endsWith('.json')),
    /** Lets time pass on all clocks. */
    pass(seconds: number) {
      now += BigInt(seconds);
      milliseconds += seconds * 1_000;
    },
    /** Fires all pending timers. */
    async elapse() {
      for (const call of timed.splice(0)) call();
      await vi.waitFor(() => {
        if (timed.length === 0) throw new Error('not yet');
      });
    },
    /** The process ends, in whatever way, and another one starts on the same files. */
    async restart(others: Stubs = {}) {
      records.close();
      return openShop({ folder, requests, ...stubs, ...others });
    },
  };
}

import {
  type Payment,
  type PaymentDelay,
  type PaymentRail,
  type PaymentRefusal,
  paymentDelays,
  paymentRefusals,
  type Settlement,
  type Taken,
} from '@bowline/core/domain/payment';
import type { Log } from '@bowline/core/domain/ports';
import { BowlineError, type Result } from '@bowline/core/domain/result';
import { sendProblem } from '@bowline/http/problem';
import { admits, type Limit, type Place } from '@bowline/http/rate-limit';
import type { Response } from 'express';
import { createPayerLines } from './payer-lines.ts';

/** One payment, identified by its nonce: every encoding of it is the same payment. */
interface Entry<Work> {
  readonly payment: Payment;
  prompt: string;
  /** Absent until the token accepts the payment in a simulation and its turn has come. */
  settlement?: Settlement;
  /** Present while the payment is being settled: copies wait for the same outcome. */
  running?: Promise<Outcome>;
  paid?: Paid;
  /**
   * The place it holds in the rate limit; absent before that, after the place was returned, and once the work has
   * begun.
   */
  place?: Place;
  /** The paid work; absent until it begins, and again after it failed. */
  work?: Promise<Result<Work>>;
}

type Paid = Extract<Taken, { state: 'paid' }>;
type Outcome =
  | Taken
  | { readonly state: 'over_limit'; readonly place: Place }
  | { readonly state: 'put_off'; readonly reason: PaymentDelay };

const MAX_ENTRIES = 1_000;
/**
 * Maximum concurrent payments of one payer: one is settled, the others wait. A small share of the limit and of the
 * chain checks.
 */
const MAX_OF_ONE_PAYER = 4;
/** Longer than settling one payment takes: up to 30 s for B402 and 5 s for the chain. */
const MAX_WAIT_MS = 40_000;
/** A signed payment is about one kilobyte. */
const MAX_HEADER_CHARS = 8_192;

export interface Paywall<Work> {
  /** Responds that payment is required, with its terms. */
  ask(response: Response): Promise<void>;
  /**
   * Takes the payment, then does the work. One payment buys one answer however often it is sent: copies sent during the
   * work wait for the same answer, later copies get it again, and a copy after failed work is a free retry. Undefined
   * if an error response was sent.
   */
  serve(
    signed: string,
    prompt: string,
    work: () => Promise<Result<Work>>,
    response: Response,
  ): Promise<Result<Work> | undefined>;
}

/**
 * Protects paid work. A payment counts once against the rate limit, after the token accepts it in a simulation and
 * before it is settled; a refused payment does not count. Only one payment per payer is settled at a time, so funds for
 * one answer hold one place of the limit, however many payments are signed with them. The memory of payments is lost
 * with the process; charges are not.
 */
export function createPaywall<Work>(rail: PaymentRail, limit: Limit, log: Log): Paywall<Work> {
  type Entries = Map<string, Entry<Work>>;
  const active: Entries = new Map();
  /** Paid, or of unknown outcome. */
  const kept: Entries = new Map();
  /**
   * Declined by the facilitator. Stored separately: anybody with funds can cause many, and they must not evict the
   * others.
   */
  const declined: Entries = new Map();
  /**
   * Keys of payments that were already used when first received. Anybody can send those, since they are public
   * calldata.
   */
  const spent = new Map<string, true>();
  const joinLine = createPayerLines(MAX_OF_ONE_PAYER, MAX_WAIT_MS);

  const known = ({ key }: Payment) => active.get(key) ?? kept.get(key) ?? declined.get(key);

  /** Records the outcome of a payment. Returns where to keep it; undefined: nowhere. */
  function note(entry: Entry<Work>, taken: Taken): Entries | undefined {
    if (taken.state === 'paid') entry.paid = taken;
    if (taken.state !== 'refused') return kept;
    entry.place?.giveBack();
    delete entry.place;
    return taken.reason === 'facilitator_refuses' ? declined : undefined;
  }

  /**
   * Whether an earlier payment of this payer still has an unknown outcome after checking and holds a place. Call in the
   * payer's turn only: then a place without a payment really means an unknown outcome.
   */
  async function isEarlierUnknown({ payment }: Entry<Work>): Promise<boolean> {
    const payer = payerOf(payment);
    const earlier = [...kept.values(), ...active.values()].find(
      (other) => payerOf(other.payment) === payer && other.paid === undefined && other.place?.isCounted(),
    );
    if (earlier?.settlement === undefined) return false;
    const taken = await earlier.settlement.look();
    const home = note(earlier, taken);
    // A copy may have arrived meanwhile and be waiting for its turn: it then does this itself.
    if (kept.delete(earlier.payment.key) && home !== undefined) remember(home, earlier.payment.key, earlier);
    return taken.state === 'unknown';
  }

  async function take(entry: Entry<Work>): Promise<Outcome> {
    const { key } = entry.payment;
    let home = [kept, declined].find((entries) => entries.has(key));
    active.set(key, entry);
    kept.delete(key);
    declined.delete(key);
    // The facilitator has had it before and may have sent it: never report such a payment as not tried.
    const wasTried = entry.settlement !== undefined;
    const putOff = (reason: PaymentDelay): Outcome => (wasTried ? { state: 'unknown' } : { state: 'put_off', reason });
    const turn = joinLine(payerOf(entry.payment));
    try {
      if (turn === undefined) return putOff('payer_busy');
      const opened = entry.settlement ?? (await rail.open(entry.payment));
      if (opened === 'already_used') remember(spent, key, true);
      if (typeof opened === 'string') return { state: 'refused', reason: opened };
      if (!(await turn.comes())) return putOff('payer_busy');
      if (entry.paid !== undefined) return entry.paid;
      // The previous payment may have spent the funds.
      const now = entry.settlement === undefined && !turn.first ? await rail.open(entry.payment) : opened;
      // Used while it waited: that use may be the payment to us.
      const settlement = now === 'already_used' ? opened : now;
      if (typeof settlement === 'string') return { state: 'refused', reason: settlement };
      entry.settlement = settlement;
      if (entry.place === undefined && (await isEarlierUnknown(entry))) return putOff('earlier_payment_unknown');
      const place = entry.place ?? limit.take();
      if (!place.allowed) return { state: 'over_limit', place };
      entry.place = place;
      home = kept;
      const taken = await settlement.settle();
      home = note(entry, taken);
      return taken;
    } finally {
      turn?.leave();
      active.delete(key);
      if (home !== undefined) remember(home, key, entry);
    }
  }

  function takenOnce(entry: Entry<Work>): Promise<Outcome> {
    entry.running ??= take(entry).finally(() => {
      delete entry.running;
    });
    return entry.running;
  }

  async function refuse(response: Response, reason: PaymentRefusal): Promise<undefined> {
    const [code, detail] = paymentRefusals[reason];
    log.debug('payment.refused', { code, reason });
    response.set('PAYMENT-REQUIRED', await rail.ask(reason)).set('Cache-Control', 'no-store');
    sendProblem(response, code, detail, reason);
    return undefined;
  }

  async function begun(entry: Entry<Work>, work: () => Promise<Result<Work>>, response: Response) {
    if (entry.work === undefined) {
      // Each retry of failed work counts again.
      const place = entry.place ?? limit.take();
      if (!admits(limit, place, response)) return undefined;
      delete entry.place;
      entry.work = work();
    }
    const began = entry.work;
    const result = await began;
    if (!result.ok && entry.work === began) {
      delete entry.work;
      log.warn('payment.work_failed', { transaction: entry.paid?.transaction, code: result.code });
    }
    return result;
  }

  async function serve(
    signed: string,
    prompt: string,
    work: () => Promise<Result<Work>>,
    response: Response,
  ): Promise<Result<Work> | undefined> {
    const payment = signed.length > MAX_HEADER_CHARS ? 'unreadable' : await rail.read(signed);
    if (typeof payment === 'string') return await refuse(response, payment);
    // A known payment is not checked again: its validity may have ended after it paid.
    if (known(payment)?.payment.id !== payment.id) {
      const wrong = await rail.check(payment);
      if (wrong !== undefined) return await refuse(response, wrong);
    }
    const before = known(payment);
    if (before === undefined && spent.has(payment.key)) return await refuse(response, 'already_used');
    const entry = before ?? { payment, prompt };
    // A declined payment bought nothing, so it may come with another prompt.
    if (declined.has(payment.key)) entry.prompt = prompt;
    if (entry.prompt !== prompt) {
      const detail = 'This payment was sent with a different prompt and pays only for that one.';
      sendProblem(response, 'payment_used_for_another_prompt', detail);
      return undefined;
    }
    const outcome = entry.paid ?? (await takenOnce(entry));
    switch (outcome.state) {
      case 'paid':
        response.set('PAYMENT-RESPONSE', outcome.receipt);
        return await begun(entry, work, response);
      case 'refused':
        return await refuse(response, outcome.reason);
      case 'over_limit':
        admits(limit, outcome.place, response);
        return undefined;
      case 'put_off':
        log.debug('payment.put_off', { reason: outcome.reason });
        response.set('Retry-After', '5');
        sendProblem(response, 'payment_unavailable', paymentDelays[outcome.reason], outcome.reason);
        return undefined;
      case 'unknown':
        sendUnknown(outcome, response);
        return undefined;
    }
  }

  function sendUnknown({ transaction }: Extract<Taken, { state: 'unknown' }>, response: Response): void {
    log.warn('payment.unknown', { transaction });
    const named = transaction === undefined ? '' : ` (transaction ${transaction})`;
    const detail = `The status of the payment is not known yet${named}. Send the same request again: you are charged at most once.`;
    response.set('Retry-After', '5');
    sendProblem(response, 'settlement_unknown', detail);
  }

  return {
    ask: (response) =>
      unlessUnavailable(response, async () => {
        response.set('PAYMENT-REQUIRED', await rail.ask()).set('Cache-Control', 'no-store');
        const detail = 'Pay as stated in the PAYMENT-REQUIRED header (x402 v2) and send the same request again.';
        sendProblem(response, 'payment_required', detail);
      }),
    serve: (signed, prompt, work, response) => unlessUnavailable(response, () => serve(signed, prompt, work, response)),
  };
}

/** The key without the nonce. */
const payerOf = ({ key }: Payment): string => key.replace(/\/[^/]*$/, '');

/** Drops the oldest entry when full. The chain accepts each payment once, whatever is forgotten here. */
function remember<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= MAX_ENTRIES) break;
    entries.delete(oldest);
  }
}

/** If the rail is unavailable, nothing was tried. */
async function unlessUnavailable<Answer>(response: Response, work: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BowlineError)) throw error;
    if (error.code !== 'payment_unavailable' && error.code !== 'rate_limited') throw error;
    response.set('Retry-After', error.code === 'rate_limited' ? '60' : '5');
    sendProblem(response, error.code, error.message);
    return undefined;
  }
}

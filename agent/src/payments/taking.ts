import type { Log } from '@bowline/core/domain/log';
import type { Payment, PaymentDelay, PaymentRail, PaymentRefusal, Taken } from '@bowline/core/domain/payment';
import type { Timers } from '@bowline/core/domain/time';
import type { Hex } from '@bowline/core/domain/units';
import type { Limit, Place } from '@bowline/http/rate-limit';
import type { Entries, Entry } from './entries.ts';
import { afterLook, areOver } from './late-looks.ts';
import type { Lost } from './lost.ts';
import { createPayerLines } from './payer-lines.ts';

/** What became of an attempt to take a payment. */
export type Attempt =
  | { readonly state: 'paid' }
  | Exclude<Taken, { state: 'paid' }>
  | { readonly state: 'over_limit'; readonly place: Place; readonly limit: Limit }
  | { readonly state: 'put_off'; readonly reason: PaymentDelay };

/**
 * Maximum concurrent payments of one payer: one is settled, the others wait. A small share of the limit and of the
 * chain checks.
 */
const MAX_OF_ONE_PAYER = 4;
/** Longer than settling one payment takes: up to 30 s for B402 and 5 s for the chain. */
const MAX_WAIT_MS = 40_000;

/** One for all tokens: an Idempotency-Key that comes again with another token is the same. */
export const payerOf = ({ authorization }: Payment): string => authorization.from;

export interface Taking {
  /** Takes the payment of an entry. Copies share one attempt. */
  take(entry: Entry, limit: Limit): Promise<Attempt>;
  /** Looks for its proof on chain. Whether it has been found now. */
  look(entry: Entry): Promise<boolean>;
  /** Whether it is being taken now. */
  isTaking(entry: Entry): boolean;
}

export interface TakingParts {
  readonly rail: PaymentRail;
  readonly entries: Entries;
  readonly lost: Lost | undefined;
  readonly timers: Pick<Timers, 'now'>;
  readonly log: Log;
}

/**
 * Takes payments. Each counts once against the rate limit, after the token accepts it in a simulation and before it is
 * settled; a refused payment does not count. Only one payment per payer is settled at a time, so funds for one answer
 * hold one place of the limit, however many payments are signed with them. A payment is in a file before the facilitator
 * has it.
 */
export function createTaking({ rail, entries, lost, timers, log }: TakingParts): Taking {
  const joinLine = createPayerLines(MAX_OF_ONE_PAYER, MAX_WAIT_MS);
  const running = new Map<Entry, Promise<Attempt>>();

  /** A file that cannot be written costs no payer an answer: this process still knows. */
  const keptOrLogged = (entry: Entry, work: Promise<void>) =>
    work.catch((error: unknown) => log.error('payment.not_kept', { payment: entry.payment.key, error }));

  const refused = (reason: PaymentRefusal): Attempt => ({ state: 'refused', reason });

  /** Records a look five minutes after the validity and later, which has not ended it. Those soon after another are not counted. */
  function noteLate(entry: Entry, isUnused: boolean, transaction?: Hex): void {
    const before = entry.lateLooks;
    const looks = afterLook(before, timers.now());
    entry.lateLooks = looks;
    entries.noteLate(entry, isUnused);
    if (isUnused || !areOver(looks) || looks === before) return;
    const remedy = 'Compare with npx bowline ledger. The file stays, and is looked at if the payer comes again.';
    log.error('payment.unclear', { payment: entry.payment.key, transaction, remedy });
  }

  /** Records what became of a payment. */
  async function note(entry: Entry, taken: Taken): Promise<Attempt> {
    // Another look may have found it paid meanwhile.
    if (entry.paid !== undefined) return { state: 'paid' };
    if (taken.state === 'unknown') {
      if (taken.isOver) noteLate(entry, false, taken.transaction);
      return taken;
    }
    if (taken.state === 'refused') {
      entry.place?.giveBack();
      delete entry.place;
      entry.isDeclined = taken.reason === 'facilitator_refuses';
      // The facilitator has had it: while it might still be paid, its file stays.
      if (taken.isOver) noteLate(entry, taken.reason === 'lapsed');
      if (taken.mayChange) await keptOrLogged(entry, entries.release(entry));
      else if (!entry.isDeclined) await keptOrLogged(entry, entries.drop(entry));
      return taken;
    }
    const { transaction, receipt } = taken;
    entry.paid = { transaction, receipt };
    entry.isDeclined = false;
    await keptOrLogged(entry, entries.keep(entry));
    return { state: 'paid' };
  }

  /**
   * Whether an earlier payment of this payer still has an unknown outcome after checking and holds a place. Call in the
   * payer's turn only: then a place without a payment really means an unknown outcome.
   */
  async function isEarlierUnknown(entry: Entry): Promise<boolean> {
    const payer = payerOf(entry.payment);
    const earlier = entries
      .open()
      .find(
        (other) =>
          other !== entry &&
          other.paid === undefined &&
          other.place?.isCounted() === true &&
          payerOf(other.payment) === payer,
      );
    if (earlier?.settlement === undefined) return false;
    return (await note(earlier, await earlier.settlement.look())).state === 'unknown';
  }

  /** A payment that was used before it was first seen here: before a restore, it may have been seen. */
  async function recalled(entry: Entry): Promise<Attempt> {
    const { payment } = entry;
    const recalling = lost?.recall(payment);
    if (lost !== undefined && recalling === undefined) return { state: 'put_off', reason: 'recalls_busy' };
    try {
      const known = await recalling;
      if (known !== undefined) {
        entry.settlement = rail.resume(payment, known);
        const attempt = await note(entry, await entry.settlement.look());
        if (attempt.state === 'paid') log.info('payment.recalled', { payment: payment.key });
        return attempt;
      }
    } catch (error) {
      log.error('payment.chain_unavailable', { error });
      return { state: 'unknown' };
    }
    entries.spent.add(payment.key);
    return refused('already_used');
  }

  async function attempt(entry: Entry, limit: Limit): Promise<Attempt> {
    const { payment } = entry;
    // The facilitator has had it before and may have sent it: never report such a payment as not tried.
    const wasTried = entry.settlement !== undefined;
    const putOff = (reason: PaymentDelay): Attempt => (wasTried ? { state: 'unknown' } : { state: 'put_off', reason });
    const turn = joinLine(payerOf(payment));
    try {
      if (turn === undefined) return putOff('payer_busy');
      const opened = entry.settlement ?? (await rail.open(payment));
      if (opened === 'already_used') return await recalled(entry);
      if (typeof opened === 'string') return refused(opened);
      if (!(await turn.comes())) return putOff('payer_busy');
      if (entry.paid !== undefined) return { state: 'paid' };
      // The previous payment may have spent the funds.
      const now = entry.settlement === undefined && !turn.first ? await rail.open(payment) : opened;
      // Used while it waited: that use may be the payment to us.
      const settlement = now === 'already_used' ? opened : now;
      if (typeof settlement === 'string') return refused(settlement);
      if (entry.place === undefined && (await isEarlierUnknown(entry))) return putOff('earlier_payment_unknown');
      if (!entry.isKept && !(await entries.hasRoom(payerOf(payment)))) return putOff('payer_busy');
      const place = entry.place ?? limit.take();
      if (!place.allowed) return wasTried ? { state: 'unknown' } : { state: 'over_limit', place, limit };
      entry.place = place;
      entry.settlement = settlement;
      if (!entry.isKept && !(await isKeptNow(entry))) {
        place.giveBack();
        delete entry.place;
        delete entry.settlement;
        return { state: 'put_off', reason: 'not_kept' };
      }
      return await note(entry, await settlement.settle(() => keptOrLogged(entry, entries.keep(entry))));
    } finally {
      turn?.leave();
      if (!entry.isKept && entry.paid === undefined) await keptOrLogged(entry, entries.drop(entry));
    }
  }

  async function isKeptNow(entry: Entry): Promise<boolean> {
    try {
      await entries.keep(entry);
      return true;
    } catch (error) {
      log.error('payment.not_kept', { payment: entry.payment.key, error });
      return false;
    }
  }

  return {
    take(entry, limit) {
      const begun = running.get(entry);
      if (begun !== undefined) return begun;
      entry.isBusy = true;
      const taking = attempt(entry, limit).finally(() => {
        running.delete(entry);
        entry.isBusy = false;
      });
      running.set(entry, taking);
      return taking;
    },
    isTaking: (entry) => running.has(entry),
    async look(entry) {
      if (running.has(entry) || entry.paid !== undefined || entry.settlement === undefined) return false;
      entry.isBusy = true;
      try {
        return (await note(entry, await entry.settlement.look())).state === 'paid';
      } finally {
        entry.isBusy = running.has(entry);
      }
    },
  };
}

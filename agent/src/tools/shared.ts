import { BLOCK_MS } from '@bowline/core/domain/heads';
import type { Verdict } from '@bowline/core/domain/verdict';

/** What a read found, and its block number. */
interface Read<Answer> {
  readonly block: bigint;
  readonly answer: Answer;
}

export type SharedAnswers = ReturnType<typeof createSharedAnswers>;

export interface SharingOptions {
  /** Number of the newest known block; undefined before the first one. */
  readonly newestBlock: () => bigint | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** How long an answer may be given again; a block's time if absent. */
  readonly sharedMs?: number;
}

interface Reading {
  /** Readings are numbered as they begin. */
  readonly number: number;
  readonly beganMs: number;
  /** The newest block known when it began. */
  readonly known: bigint | undefined;
  /** Set when it has ended. */
  block?: bigint;
  readonly read: Promise<Read<unknown>>;
}

/** Maximum number of remembered readings. The oldest are dropped first; callers that wait for one still get it. */
const MAX_READINGS = 1_000;

/**
 * Shares chain readings among callers that ask the same at the same block: a crowd costs the node one request and this
 * process one judgement. No caller gets an answer older than the newest block known when it asked, unless the node
 * itself answers a later reading with an older one.
 */
export function createSharedAnswers({ newestBlock, now, sharedMs = BLOCK_MS }: SharingOptions) {
  /** By question, in the order in which they began. */
  const readings = new Map<string, Reading>();
  let begun = 0;

  const isYoung = ({ beganMs }: Reading) => now() - beganMs < sharedMs;

  /** A reading that may be as new as one that begins now. */
  function current(question: string): Reading | undefined {
    const reading = readings.get(question);
    if (reading === undefined || !isYoung(reading)) return undefined;
    const newest = newestBlock();
    const { block, known } = reading;
    // While a reading is in flight, its block is at least the one known when it began, unless the node lags.
    const isCurrent = block === undefined ? known === newest : newest === undefined || block >= newest;
    return isCurrent ? reading : undefined;
  }

  function begin(question: string, read: () => Promise<Read<unknown>>): Reading {
    begun += 1;
    const reading: Reading = { number: begun, beganMs: now(), known: newestBlock(), read: read() };
    readings.delete(question);
    readings.set(question, reading);
    // Attached first, so that it runs before any caller sees the result.
    reading.read.then(
      ({ block }) => {
        reading.block = block;
      },
      () => {
        if (readings.get(question) === reading) readings.delete(question);
      },
    );
    for (const [oldest, each] of readings) {
      if (readings.size <= MAX_READINGS && isYoung(each)) break;
      readings.delete(oldest);
    }
    return reading;
  }

  return {
    /**
     * The answer to a question: another caller's if it is as new as a fresh read, otherwise that of `read`.
     * @param question everything the answer depends on: two callers with the same text get the same object.
     * @throws what `read` throws, but only for callers that waited for that reading.
     */
    async of<Answer>(question: string, read: () => Promise<Read<Answer>>): Promise<Answer> {
      const [begunBefore, newest] = [begun, newestBlock()];
      const earlier = current(question);
      if (earlier !== undefined) {
        const { block, answer } = await earlier.read;
        if (newest === undefined || block >= newest) return answer as Answer;
      }
      // A reading begun after the question is as good as an own one, even if the node lags behind the newest block.
      const later = readings.get(question);
      const reading = later !== undefined && later.number > begunBefore ? later : begin(question, read);
      return (await reading.read).answer as Answer;
    },
  };
}

/** How long the output of a large trade stays usable: the depth of pools changes slowly. */
const DEPTH_MS = 10_000;

/** Shares the output of large trades, regardless of the newest block. */
export const createDepths = (now: () => number): SharedAnswers =>
  createSharedAnswers({ newestBlock: () => undefined, now, sharedMs: DEPTH_MS });

/** The part of an answer with a ticket that decides whether it may be returned again. */
interface Given {
  readonly verdict: Verdict;
  readonly reason: string | null;
  /** The ticket's maximum price: base units of token_in for 1e18 base units of token_out. */
  readonly maxPriceWad: bigint;
  /** Unix seconds. */
  readonly expiresAt: bigint;
}

export type Issued = ReturnType<typeof createIssued>;

interface NowFound {
  readonly verdict: Verdict;
  readonly reason: string | null;
  /** Pool price in the ticket's unit, rounded up. */
  readonly priceWad: bigint;
  /** Time of the newest block, unix seconds. */
  readonly time: bigint;
}

/** Seconds. A ticket that expires before a transaction is mined is useless. */
const TIME_TO_ACT = 15n;

/** Maximum number of remembered answers; the oldest are dropped first. */
const MAX_ANSWERS = 1_000;

/** Answers by question. */
export function createIssued() {
  const answers = new Map<string, Given & { readonly answer: unknown }>();
  return {
    /**
     * The earlier answer to the same question, if its ticket is still valid and the current findings agree: same verdict,
     * same reason, and a price within the ticket's range. Otherwise undefined, so that an outdated answer is never
     * repeated.
     */
    again(question: string, { verdict, reason, priceWad, time }: NowFound): unknown {
      const given = answers.get(question);
      if (given === undefined) return undefined;
      const isGood = time + TIME_TO_ACT < given.expiresAt;
      // The ticket's maximum is 0.2 % above its judged price. Accept prices up to that maximum and down to the same
      // distance below.
      const isPrice = priceWad <= given.maxPriceWad && priceWad * 1_000n >= given.maxPriceWad * 996n;
      return isGood && isPrice && given.verdict === verdict && given.reason === reason ? given.answer : undefined;
    },
    remember(question: string, given: Given, answer: unknown) {
      answers.delete(question);
      answers.set(question, { ...given, answer });
      for (const oldest of answers.keys()) {
        if (answers.size <= MAX_ANSWERS) break;
        answers.delete(oldest);
      }
    },
  };
}

/** Deep-freezes JSON in place, so that everyone who shares it sees the same values. */
export function frozen<Json>(json: Json): Json {
  if (typeof json !== 'object' || json === null || Object.isFrozen(json)) return json;
  for (const each of Object.values(json)) frozen(each);
  return Object.freeze(json);
}

import type { Log } from '@bowline/core/domain/log';
import type { LoopState } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import type { Call, Sender, Sent } from '@bowline/core/domain/sending';
import type { Timers } from '@bowline/core/domain/time';

/** Why a round begins: the interval elapsed, or `trigger` was called. */
export type Cause = 'interval' | 'trigger';

export interface Round {
  readonly counts: Counts;
  /** Requests the next round this many seconds after this one's start, unless the interval ends earlier. */
  readonly nextInSeconds?: number;
}

/** One round of a loop. Starts nothing new after `stopping` is aborted. */
export type Tick = (stopping: AbortSignal, cause: Cause) => Promise<Round>;

export type Loop = ReturnType<typeof startLoop>;

/**
 * Ticks at once, then every `intervalSeconds`, measured from start to start, and in between when triggered. Ticks never
 * overlap and an exception does not end the loop. Each tick ends with one `tick.end` line: at debug if there was
 * nothing to do, or if an earlier tick in the interval logged the same events. Otherwise an unreachable node would fill
 * the log at block pace.
 */
export function startLoop(name: string, tick: Tick, intervalSeconds: number, timers: Timers, log: Log) {
  const stopping = new AbortController();
  const record = createRecord(name, intervalSeconds, timers, log);
  let ticking = false;
  let ended: Promise<void> = Promise.resolve();
  let isTriggered = false;
  let dueAt = timers.now();
  let cancel = () => {};

  const begin = (isDue: boolean) => {
    cancel();
    isTriggered = false;
    // Set before the tick is called, which may itself trigger another.
    ticking = true;
    const startedAt = timers.now();
    // A timer may fire slightly early: its purpose counts, not the clock.
    const cause = isDue || startedAt >= dueAt ? 'interval' : 'trigger';
    if (cause === 'interval') dueAt = startedAt + intervalSeconds * 1000;
    ended = record
      .round(cause, () => tick(stopping.signal, cause))
      .then((nextInSeconds) => {
        ticking = false;
        if (stopping.signal.aborted) return;
        const nextAt = Math.min(dueAt, startedAt + (nextInSeconds ?? Number.POSITIVE_INFINITY) * 1000);
        const wait = isTriggered ? 0 : Math.max(0, nextAt - timers.now());
        cancel = timers.after(wait, () => begin(!isTriggered && nextAt === dueAt));
      });
  };

  /** Starts a tick now, or right after the running one. Does not move the interval. */
  const trigger = () => {
    if (stopping.signal.aborted) return;
    if (ticking) isTriggered = true;
    else begin(false);
  };

  begin(true);
  return {
    trigger,
    /** Starts no further tick. Resolves when the running one has ended. */
    stop: async () => {
      stopping.abort();
      cancel();
      await ended;
    },
    /** Resolves when the running tick has ended. */
    idle: () => ended,
    isTicking: () => ticking,
    state: record.state,
  };
}

/** Records the outcomes of a loop's rounds. */
function createRecord(name: string, intervalSeconds: number, timers: Timers, log: Log) {
  /** Events logged since the interval began. */
  let logged = new Set<string>();
  let goodAt = timers.now();
  let goodDurationMs: number | undefined;
  let last: Counts = {};
  const rounds = { good: 0, bad: 0 };
  const outcomes = newTally();
  return {
    /** Never rejects. Returns the seconds after which the next round is requested. */
    async round(cause: Cause, tick: () => Promise<Round>): Promise<number | undefined> {
      const startedAt = timers.now();
      if (cause === 'interval') logged = new Set();
      let error: unknown;
      let round: Round;
      try {
        round = await tick();
      } catch (thrown) {
        [error, round] = [thrown, { counts: { failed: 1 } }];
      }
      const events = eventsOf(round.counts);
      const isNews = events !== '' && !logged.has(events);
      logged.add(events);
      if (error !== undefined) log[isNews ? 'error' : 'debug']('tick.failed', { loop: name, error });
      const endedAt = timers.now();
      const durationMs = Math.round(endedAt - startedAt);
      last = round.counts;
      for (const [count, value] of Object.entries(last)) if (!observations.test(count)) outcomes.add(count, value);
      const isGood = error === undefined && last.chain_unavailable === undefined;
      rounds[isGood ? 'good' : 'bad'] += 1;
      if (isGood) [goodAt, goodDurationMs] = [endedAt, durationMs];
      log[isNews ? 'info' : 'debug']('tick.end', { loop: name, durationMs, ...round.counts });
      return round.nextInSeconds;
    },
    state: (): LoopState => ({
      name,
      intervalSeconds,
      goodMs: timers.now() - goodAt,
      ...(goodDurationMs !== undefined && { goodDurationMs }),
      last,
      rounds: { ...rounds },
      outcomes: outcomes.counts(),
    }),
  };
}

/** Counters of a tick by name: `executed`, `skipped.slot_used`, `would_revert.floor_not_met`. */
export type Counts = Readonly<Record<string, number>>;

export type Tally = ReturnType<typeof newTally>;

export function newTally() {
  const counts = new Map<string, number>();
  return {
    add: (name: string, count = 1) => void counts.set(name, (counts.get(name) ?? 0) + count),
    counts: (): Counts => Object.fromEntries(counts),
    /** Returns the counts and starts at zero. */
    drain(): Counts {
      const drained = Object.fromEntries(counts);
      counts.clear();
      return drained;
    },
  };
}

// Counters of observations. Every other name means that something was done or failed.
const observations = /^(plans|guards|watched|due|skipped\..*)$/;

/** Names of the counters worth reporting, as one text; empty if the tick had nothing to do. */
const eventsOf = (counts: Counts): string =>
  Object.keys(counts)
    .filter((name) => !observations.test(name))
    .toSorted()
    .join(' ');

export type Confirmed = Extract<Sent, { outcome: 'confirmed' }>;

/** Sends a call, counts its outcome and logs what needs attention. */
export type Send = (call: Call, tally: Tally) => Promise<Sent>;

const stops: readonly Sent['outcome'][] = ['not_sent', 'consumed', 'unknown'];

/**
 * Whether nothing more is sent in this tick: nothing can be sent, the process stops, or the call may have been
 * executed, so the next round must read the chain before it repeats anything.
 */
export const isStop = ({ outcome }: Sent): boolean => stops.includes(outcome);

/** Maximum number of calls whose last failure is remembered. */
const maxTold = 1_000;

/** A call that costs nothing and ends the same way at every block is logged once, then only at debug. */
export function createSend({ sender, log }: { readonly sender: Sender; readonly log: Log }): Send {
  /** By label: why it was last not sent. */
  const told = new Map<string, string>();
  const isNews = (label: string, why: string | undefined): boolean => {
    const before = told.get(label);
    told.delete(label);
    if (told.size >= maxTold) told.clear();
    if (why !== undefined) told.set(label, why);
    return why !== before;
  };
  return async (call, tally) => {
    const sent = await sender.send(call);
    const why = whyFree(sent);
    tell(sent, call.label, { tally, log, why, isNews: isNews(call.label, why) });
    return sent;
  };
}

/** Why nothing was sent or paid; undefined if something was. */
function whyFree(sent: Sent): string | undefined {
  if (sent.outcome === 'would_revert') return sent.error;
  if (sent.outcome === 'not_allowed') return sent.rule;
  return sent.outcome === 'not_sent' ? sent.outcome : undefined;
}

interface Telling {
  readonly tally: Tally;
  readonly log: Log;
  readonly why: string | undefined;
  readonly isNews: boolean;
}

const levels = {
  ...{ would_revert: 'info', not_allowed: 'error', not_sent: 'warn' },
  ...{ reverted: 'warn', cancelled: 'warn', consumed: 'error', unknown: 'error' },
} as const satisfies Record<Exclude<Sent, Confirmed>['outcome'], keyof Log>;

function tell(sent: Sent, label: string, { tally, log, why, isNews }: Telling): void {
  if (sent.outcome === 'confirmed') return;
  const { outcome, price, ...fields } = { price: undefined, ...sent };
  const name = why === undefined || why === outcome ? outcome : `${outcome}.${why}`;
  tally.add(why === 'not_worth_gas' ? `skipped.${why}` : name);
  // Neither stops a run, or a rescue that saves more than it costs.
  const level = why === 'deferral_gas_day' || why === 'not_worth_gas' ? 'warn' : levels[outcome];
  log[why === undefined || isNews ? level : 'debug'](`call.${outcome}`, { label, ...fields, ...price });
}

export const isChainUnavailable = (error: unknown): boolean =>
  error instanceof BowlineError && error.code === 'chain_unavailable';

import type { Call, Sent } from '@bowline/core/domain/sending';
import type { Timers } from '@bowline/core/domain/time';
import { BaseError } from 'viem';
import type { Chain } from './chain.ts';
import { isDue } from './contracts.ts';
import { type Excuse, lateMs } from './excuses.ts';

// What must hold in every story, judged at each block of the chain as it is.

export interface Limits {
  /** Maximum wait of a due loan, excluding times in which nobody could have acted. */
  readonly rescueMs: number;
  /** The same for an open slot. */
  readonly runMs: number;
  /** Maximum time until SIGTERM has ended a process. */
  readonly stopMs: number;
  /** Maximum wei for failed calls, for each fall, each slot, and each fault that undoes or repeats. */
  readonly weiPerFailure: bigint;
}

export type Invariant =
  | 'rescued_once'
  | 'run_once'
  | 'rescued_in_time'
  | 'run_in_time'
  | 'failures_bounded'
  | 'send_ends'
  | 'rescue_told'
  | 'unready_while_waiting'
  | 'no_tick_failed'
  | 'stops_in_time';

export interface Violation {
  readonly invariant: Invariant;
  readonly atMs: number;
  readonly detail: string;
}

interface Judged {
  readonly chain: Chain;
  readonly time: Pick<Timers, 'now'>;
  readonly limits: Limits;
  /** Grows while the story runs. */
  readonly excuses: readonly Excuse[];
  readonly guardIds: readonly bigint[];
}

/** The wait after which the agent promises that /ready says so, and the time that its reading takes. */
const [readyMs, readMs] = [10_000, 3_000];
/** A send without an outcome after this time counts as having none. */
const sendMs = 60_000;
/** Time that a report takes, in which the node may fail to answer. */
const reportMs = 15_000;

export function createJudge({ chain, time, limits, excuses, guardIds }: Judged) {
  const violations = new Map<string, Violation>();
  const rescueMs: number[] = [];
  const waitMs: number[] = [];
  const runMs: number[] = [];
  let slotsMissed = 0;
  const falls = new Map<bigint, number>();
  /** Since when each loan is due on the chain as it is. */
  const dueSince = new Map<bigint, number>();
  /** By plan: starts of slots whose run has been measured. */
  const measured = new Set<string>();
  const open = new Map<Call, number>();
  /** By guard: rescues that were reported, and those whose process was gone before it could report them. */
  const told = new Map<bigint, number>();
  const excusedTelling = new Map<bigint, number>();
  /** By guard: confirmed rescues that are about to be reported. */
  const untold = new Map<bigint, number>();
  /** Time of the last confirmation of a rescue. */
  let confirmedAt = 0;
  /** Causes for which a call may fail although it was simulated. */
  let occasions = 1;
  let down: number | undefined;

  const found = (invariant: Invariant, subject: string, detail: string): void => {
    const key = `${invariant} ${subject}`;
    if (!violations.has(key)) violations.set(key, { invariant, atMs: time.now(), detail: `${subject}: ${detail}` });
  };
  const more = (counts: Map<bigint, number>, id: bigint, count = 1): void =>
    void counts.set(id, (counts.get(id) ?? 0) + count);
  const late = (since: number, allowedMs: number, isRun = false): number => {
    const now = time.now();
    const known = excuses.filter(({ isForRuns = false }) => isRun || !isForRuns);
    return lateMs(down === undefined ? known : [...known, { fromMs: down, toMs: now }], since, now, allowedMs);
  };

  function judgeLoans(): void {
    const head = chain.head();
    const around = chain.around(head);
    for (const id of guardIds) {
      const rescues = head.state.rescues.get(id)?.length ?? 0;
      if (rescues > (falls.get(id) ?? 0))
        found('rescued_once', `guard ${id}`, `${rescues} rescues of ${falls.get(id) ?? 0} falls`);
      const since = dueSince.get(id);
      if (isDue(head.state, around, id)) {
        if (since === undefined) dueSince.set(id, time.now());
        else if (late(since, limits.rescueMs) > limits.rescueMs) {
          found('rescued_in_time', `guard ${id}`, `due since ${inSeconds(since)} and not rescued`);
        }
      } else if (since !== undefined) {
        rescueMs.push(late(since, limits.rescueMs));
        waitMs.push(time.now() - since);
        dueSince.delete(id);
      }
    }
  }

  function judgeSlots(): void {
    const { state, timestamp } = chain.head();
    for (const { id, startAt, periodSeconds, windowSeconds } of chain.plans) {
      if (timestamp < startAt) continue;
      const slotStart = timestamp - ((timestamp - startAt) % periodSeconds);
      const runs = state.runs.get(id) ?? [];
      const ofSlot = runs.filter((run) => run.slotStart === slotStart);
      if (ofSlot.length > 1) found('run_once', `plan ${id}`, `${ofSlot.length} runs of the slot of ${slotStart}`);
      const key = `${id} ${slotStart}`;
      if (measured.has(key)) continue;
      const sinceMs = time.now() - Number(timestamp - slotStart) * 1000;
      if (ofSlot.length > 0) {
        measured.add(key);
        runMs.push(late(sinceMs, limits.runMs, true));
        continue;
      }
      if (late(sinceMs, limits.runMs, true) > limits.runMs)
        found('run_in_time', `plan ${id}`, `slot of ${slotStart} not run`);
      if (timestamp - slotStart >= windowSeconds) {
        measured.add(key);
        slotsMissed += 1;
      }
    }
  }

  function judgeFailures(): void {
    const { count, wei } = chain.paidForFailures();
    const bound = limits.weiPerFailure * BigInt(occasions);
    if (wei > bound) found('failures_bounded', 'all calls', `${count} failed and cost ${wei} wei of ${bound}`);
  }

  function judgeSends(): void {
    for (const [{ label }, since] of open) {
      if (late(since, sendMs) > sendMs) found('send_ends', label, `no outcome since ${inSeconds(since)}`);
    }
  }

  return {
    fall(guardId: bigint): void {
      // A loan that is due cannot fall again.
      if (isDue(chain.head().state, chain.around({ ...chain.head(), number: chain.head().number + 1 }), guardId))
        return;
      more(falls, guardId);
      occasions += 1;
      chain.fall(guardId);
    },
    /** @param downSince when the last process ended, if it has not been replaced yet. */
    block(downSince: number | undefined): void {
      down = downSince;
      judgeLoans();
      judgeSlots();
      judgeFailures();
      judgeSends();
    },
    readiness(isReady: boolean): void {
      if (!isReady) return;
      for (const [id, since] of dueSince) {
        if (late(since, readyMs + readMs) > readyMs + readMs) {
          found('unready_while_waiting', `guard ${id}`, `ready although its loan is due since ${inSeconds(since)}`);
        }
      }
    },
    sending(call: Call): void {
      open.set(call, time.now());
    },
    sent(call: Call, sent: Sent | { readonly outcome: 'rejected'; readonly error: unknown }): void {
      open.delete(call);
      if (sent.outcome === 'rejected') found('send_ends', call.label, `rejected: ${textOf(sent.error)}`);
      // What used its nonce is unknown, and that is reported.
      if (sent.outcome === 'consumed' || sent.outcome === 'unknown') count(call, excusedTelling);
      if (sent.outcome !== 'confirmed') return;
      count(call, untold);
      confirmedAt = time.now();
    },
    logged(event: string, fields: Record<string, unknown>): void {
      if (event === 'tick.failed') found('no_tick_failed', String(fields.loop), textOf(fields.error));
      if (event === 'rescue.done') more(told, fields.guardId as bigint);
      if (event === 'rescue.done' || event === 'rescue.failed') more(untold, fields.guardId as bigint, -1);
    },
    killed(): void {
      for (const call of open.keys()) count(call, excusedTelling);
      const isReporting = time.now() - confirmedAt < reportMs;
      for (const [id, times] of untold) if (isReporting) more(excusedTelling, id, Math.max(0, times));
      open.clear();
      untold.clear();
      occasions += 2;
    },
    /** A node calls loans endangered, or hides a rescue so that a second key sends it: one reverts, at the dearest price of a story. */
    lied(): void {
      occasions += 30;
    },
    stopped(tookMs: number): void {
      if (tookMs > limits.stopMs) found('stops_in_time', 'the process', `${inSeconds(tookMs)} after SIGTERM`);
    },
    end(): void {
      // What is open now has time left.
      this.killed();
      const { state } = chain.head();
      for (const id of guardIds) {
        const rescues = state.rescues.get(id)?.length ?? 0;
        const known = (told.get(id) ?? 0) + (excusedTelling.get(id) ?? 0);
        if (known < rescues) found('rescue_told', `guard ${id}`, `${rescues} rescues, ${known} told or excused`);
      }
    },
    found: () => ({ violations: [...violations.values()], rescueMs, waitMs, runMs, slotsMissed }),
  };

  /** Counts the guards of a call. */
  function count({ label }: Call, counts: Map<bigint, number>): void {
    if (!label.startsWith('rescue')) return;
    for (const [id] of label.matchAll(/\d+/g)) more(counts, BigInt(id));
  }
}

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
const textOf = (error: unknown): string =>
  error instanceof BaseError ? error.shortMessage : error instanceof Error ? error.message : String(error);

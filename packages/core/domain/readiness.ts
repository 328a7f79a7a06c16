import { BowlineError } from './result.ts';

/** Why a dependency is not ready. docs/runbook.md says what to do about each. */
export const unreadyReasons = [
  'chain_unavailable',
  'head_silent',
  'head_old',
  'head_in_future',
  'loop_late',
  'operation_open',
  'rescue_waiting',
  'guards_unread',
  'rescue_left_out',
  'rescue_unpayable',
  'gas_day_used',
  'gas_price_capped',
  'relay_silent',
  'verdict_key_unnamed',
  'evidence_not_kept',
  'stop_file',
  'balance_too_low',
  'market_unavailable',
  'model_unavailable',
  'selling_off',
  'signer_unavailable',
  'redis_silent',
  'key_shared',
  'no_answer',
] as const;
export type UnreadyReason = (typeof unreadyReasons)[number];

/** Thrown by a dependency's `look`. */
export class Unready extends Error {
  readonly reason: UnreadyReason;

  constructor(reason: UnreadyReason, message: string) {
    super(message);
    this.name = 'Unready';
    this.reason = reason;
  }
}

/** Looks at something the service depends on. */
export interface Look {
  readonly name: string;
  /** One short sentence about its state; throws `Unready` or a BowlineError with the cause if it is unavailable. */
  look(): Promise<string>;
}

export interface Dependency extends Look {
  /** True if the agent cannot work without it. */
  readonly needed: boolean;
}

export interface Readiness {
  readonly ready: boolean;
  readonly dependencies: Readonly<
    Record<
      string,
      {
        readonly ok: boolean;
        readonly needed: boolean;
        /** Absent if the dependency is ok. */
        readonly reason?: UnreadyReason;
        readonly detail: string;
      }
    >
  >;
}

/** Checks all dependencies concurrently. Failures are reported in our own words, never in a third party's. */
export async function readinessOf(dependencies: readonly Dependency[]): Promise<Readiness> {
  const states = await Promise.all(
    dependencies.map(async ({ name, needed, look }) => {
      const state = await look().then((detail) => ({ ok: true, detail }), failureOf);
      return [name, { ...state, needed }] as const;
    }),
  );
  return { ready: states.every(([, { ok, needed }]) => ok || !needed), dependencies: Object.fromEntries(states) };
}

const isReason = (word: string): word is UnreadyReason => (unreadyReasons as readonly string[]).includes(word);

function failureOf(error: unknown): { ok: false; reason: UnreadyReason; detail: string } {
  if (error instanceof Unready) return { ok: false, reason: error.reason, detail: error.message };
  if (!(error instanceof BowlineError)) {
    return { ok: false, reason: 'no_answer', detail: 'It does not answer, or its answer is invalid.' };
  }
  return { ok: false, reason: isReason(error.code) ? error.code : 'no_answer', detail: error.message };
}

/** State of a loop, for readiness and metrics. Ages are in milliseconds. */
export interface LoopState {
  readonly name: string;
  readonly intervalSeconds: number;
  /** Time since the last good round ended, or since the start if there was none. */
  readonly goodMs: number;
  /** Duration of the last good round; absent before the first. */
  readonly goodDurationMs?: number;
  /** Counters of the last round that ended; empty before the first. */
  readonly last: Readonly<Record<string, number>>;
  /** Rounds since the start. A round is bad if it threw or the chain did not answer it. */
  readonly rounds: { readonly good: number; readonly bad: number };
  /** Sums of what all rounds did or failed to do, by counter. Observations, such as `plans`, are left out. */
  readonly outcomes: Readonly<Record<string, number>>;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '@bowline/core/domain/readiness';
import { type Excuse, lateMs } from '../../agent/test/sim/excuses.ts';

/** The time from when a loan could be rescued until it was. Unix milliseconds. */
interface Wait {
  readonly guardId: bigint;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Judged {
  /** Guards whose loans a rescue would help now, as the chain says. */
  due(): Promise<readonly bigint[]>;
  /** The agent's readiness; undefined while it does not answer. */
  ready(): Promise<Readiness | undefined>;
}

/** Poll interval: less than a block. */
const lookMs = 300;
/** The agent promises ten seconds for a rescue that waits, and fifteen for loans that it cannot read. */
const unreadyMs = 20_000;

/** Watches the chain and the agent, and records what was due, for how long, and whether /ready said so. */
export function startJudge({ due, ready }: Judged) {
  const since = new Map<bigint, number>();
  const waits: Wait[] = [];
  /** Times at which /ready was 200 although a rescue had been waiting for too long. */
  const readyAlthough: { readonly atMs: number; readonly guardId: bigint; readonly waitedMs: number }[] = [];
  /** Reasons of dependencies that made /ready 503, with the time at which each was first seen. */
  const reasons = new Map<string, number>();
  let isStopped = false;

  async function look(): Promise<void> {
    const [waiting, readiness] = await Promise.all([due(), ready()]);
    const nowMs = Date.now();
    for (const guardId of waiting) if (!since.has(guardId)) since.set(guardId, nowMs);
    for (const [guardId, fromMs] of since) {
      if (!waiting.includes(guardId)) {
        since.delete(guardId);
        waits.push({ guardId, fromMs, toMs: nowMs });
      } else if (readiness?.ready && nowMs - fromMs > unreadyMs) {
        readyAlthough.push({ atMs: nowMs, guardId, waitedMs: nowMs - fromMs });
      }
    }
    for (const { needed, reason } of Object.values(readiness?.dependencies ?? {})) {
      if (needed && reason !== undefined && !reasons.has(reason)) reasons.set(reason, nowMs);
    }
  }

  const watching = (async () => {
    while (!isStopped) {
      await look();
      await sleep(lookMs);
    }
  })();
  // `stop` reports the error.
  watching.catch(() => {});

  return {
    waits,
    readyAlthough,
    reasons,
    isWaiting: (guardId?: bigint) => (guardId === undefined ? since.size > 0 : since.has(guardId)),
    async stop(): Promise<void> {
      isStopped = true;
      await watching;
    },
  };
}

/** Milliseconds by which the wait exceeded the allowed time, not counting the excuses. */
export const lateOf = ({ fromMs, toMs }: Wait, excuses: readonly Excuse[], allowedMs: number): number =>
  lateMs(excuses, fromMs, toMs, allowedMs);

/** Undefined if the agent does not answer. */
export async function readyOf(url: string): Promise<Readiness | undefined> {
  try {
    const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5_000) });
    return { ...((await response.json()) as Readiness), ready: response.ok };
  } catch {
    return undefined;
  }
}

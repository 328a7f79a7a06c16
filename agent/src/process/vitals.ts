import type { HealthReader } from '@bowline/chain/readers';
import type { GuardKey } from '@bowline/core/domain/guard-key';
import { SILENT_SECONDS } from '@bowline/core/domain/heads';
import type { Health } from '@bowline/core/domain/loan-health';
import type { OpenOperation } from '@bowline/core/domain/sending';
import type { Clock, Timers } from '@bowline/core/domain/time';
import { smallest } from '@bowline/core/domain/units';

export type Vitals = ReturnType<typeof createVitals>;

interface Head {
  readonly number: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

export interface Funds {
  readonly wei: bigint;
  readonly gasPriceWei: bigint;
}

/** When the feed last changed, unix seconds, and when it is too old. */
interface FeedSeen {
  readonly updatedAt: bigint;
  readonly maxAgeSeconds: bigint;
}

interface Crowd {
  readonly read: number;
  /** Without an answer from the node. */
  readonly unread: number;
  /** Open ones for which this worker acts first; absent without other workers. */
  readonly first?: number;
}

export interface Known {
  readonly head?: {
    readonly number: bigint;
    /** Wall clock minus block time: negative for a block of the future. */
    readonly ageSeconds: number;
    /** Since a higher block was first seen. */
    readonly lagSeconds: number;
  };
  readonly payers: ReadonlyMap<string, Funds>;
  /** Seconds since the last usable price, by source. */
  readonly sources: ReadonlyMap<string, number>;
  readonly feeds: ReadonlyMap<string, { readonly ageSeconds: number; readonly maxAgeSeconds: number }>;
  readonly plans?: Crowd;
  readonly guards?: Crowd;
  /** Lowest health of the watched loans as last read; absent if none has debt and can be read. */
  readonly lowestHealthWad?: bigint;
  /** Guards that would be due if only the price of one market's token fell this far. */
  readonly falling: readonly { readonly market: string; readonly percent: number; readonly guards: number }[];
  readonly queues: ReadonlyMap<string, { readonly open: number; readonly oldestMs: number }>;
}

/** Falls of one price for which guards are counted. */
const FALLS_PERCENT = [3, 7, 15];

/** What the process last learned about the world, with the age of each fact. A restart may lose all of it. */
export function createVitals(clock: Clock, { now }: Pick<Timers, 'now'>) {
  let head: (Head & { readonly seenAt: number }) | undefined;
  const payers = new Map<string, Funds>();
  const sources = new Map<string, number>();
  const feeds = new Map<string, FeedSeen>();
  const crowds: { plans?: Crowd; guards?: Crowd } = {};
  const healths = new Map<GuardKey, bigint>();
  const queues = new Map<string, { open: number; oldestMs: number }>();
  let falling: HealthReader['falling'] = () => new Map();
  const seconds = (since: number): number => Math.max(0, now() - since) / 1000;
  return {
    /** Records that a block was read. Blocks older than the newest known one are ignored. */
    headSeen({ number, timestamp }: Head) {
      // Nodes behind one address may lag, so a lower number is ignored.
      if (head === undefined || number > head.number) head = { number, timestamp, seenAt: now() };
      // After a long silence a lower block counts: the chain was reset, or a node had lied.
      else if (seconds(head.seenAt) > SILENT_SECONDS) head = { number, timestamp, seenAt: head.seenAt };
    },
    payerSeen: (payer: string, funds: Funds) => void payers.set(payer, funds),
    /** A price source off chain gave a usable price. */
    sourceSeen: (source: string) => void sources.set(source, now()),
    feedSeen: ({ asset, ...feed }: FeedSeen & { readonly asset: string }) => void feeds.set(asset, feed),
    /** All plans or all guards were read. */
    crowdRead(crowd: keyof typeof crowds, read: Crowd) {
      crowds[crowd] = read;
    },
    /** Healths of these guards' loans. Others keep their last reading. */
    healthsRead(guardIds: readonly GuardKey[], read: readonly Health[]) {
      for (const [at, id] of guardIds.entries()) {
        const health = read[at];
        if (typeof health === 'bigint') healths.set(id, health);
        else healths.delete(id);
      }
    },
    /** Sets the function that tells which of all watched loans would be due after a fall. */
    fallBy(by: HealthReader['falling']) {
      falling = by;
    },
    /** Forgets the loans of all other guards. */
    watchOnly(guardIds: readonly GuardKey[]) {
      const kept = new Set(guardIds);
      for (const id of healths.keys()) if (!kept.has(id)) healths.delete(id);
    },
    /** Queues whose operations may be open; a queue stays listed once seen. */
    queuesSeen(open: readonly OpenOperation[]) {
      for (const queue of queues.keys()) queues.set(queue, { open: 0, oldestMs: 0 });
      for (const { queue, openMs } of open) {
        const others = queues.get(queue) ?? { open: 0, oldestMs: 0 };
        queues.set(queue, { open: others.open + 1, oldestMs: Math.max(others.oldestMs, openMs) });
      }
    },
    /** The same payers as in `read`, which takes longer the more loans there are. */
    payers: (): Known['payers'] => payers,
    read: (): Known => ({
      ...(head && {
        head: {
          number: head.number,
          ageSeconds: Number(clock() - head.timestamp),
          lagSeconds: seconds(head.seenAt),
        },
      }),
      payers,
      sources: new Map([...sources].map(([source, at]) => [source, seconds(at)])),
      feeds: new Map(
        [...feeds].map(([asset, { updatedAt, maxAgeSeconds }]) => [
          asset,
          { ageSeconds: Number(clock() - updatedAt), maxAgeSeconds: Number(maxAgeSeconds) },
        ]),
      ),
      ...crowds,
      ...(healths.size > 0 && { lowestHealthWad: smallest([...healths.values()]) }),
      falling: FALLS_PERCENT.flatMap((percent) =>
        [...falling(1 - percent / 100)].map(([market, guards]) => ({ market, percent, guards: guards.length })),
      ),
      queues,
    }),
  };
}

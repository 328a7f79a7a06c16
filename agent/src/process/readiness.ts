import type { Asset } from '@bowline/core/domain/assets';
import { type Dependency, type Look, Unready } from '@bowline/core/domain/readiness';
import { sleep } from '@bowline/core/domain/sleep';
import type { Timers } from '@bowline/core/domain/time';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { type LoopName, listed, ownLooks } from './conditions.ts';
import type { Vitals } from './vitals.ts';
import type { Watched } from './watched.ts';

/** For the first poll. */
const FIRST_MS = 2_000;
/** Before a failed dependency is polled again. */
const BAD_SECONDS = 15;

/**
 * Polls a dependency in the background and caches the last result, so that requests never wait for it. Only the first
 * poll is awaited, and only briefly.
 * @param every seconds between an answer and the next look, or a function called after each answer that returns them.
 * @returns the dependency with its last answer, or `no_answer` half a minute after the next one was due.
 */
export function keep<Of extends Look>(of: Of, every: number | (() => number), timers: Timers, ending: AbortSignal): Of {
  const { look } = of;
  const secondsNow = typeof every === 'number' ? () => every : every;
  let answer: Promise<string> | undefined;
  let answeredAt = timers.now();
  const first = Promise.withResolvers<void>();
  const repeat = async () => {
    while (!ending.aborted) {
      const next = look();
      const isGood = await next.then(
        () => true,
        () => false,
      );
      [answer, answeredAt] = [next, timers.now()];
      first.resolve();
      const seconds = secondsNow();
      await sleep(timers, 1000 * (isGood ? seconds : Math.min(seconds, BAD_SECONDS)), ending);
    }
  };
  void repeat();
  return {
    ...of,
    look: async () => {
      const age = (timers.now() - answeredAt) / 1000;
      if (age > secondsNow() + 30) throw new Unready('no_answer', `No answer for ${Math.floor(age)} s.`);
      if (answer === undefined) await Promise.race([first.promise, sleep(timers, FIRST_MS, ending)]);
      if (answer === undefined) throw new Unready('no_answer', 'No answer yet.');
      return answer;
    },
  };
}

/** The part of a price that tells its feed's age: `updatedAt` in unix seconds. */
interface PriceReader {
  price(asset: Asset): Promise<{ readonly chainlink?: { readonly updatedAt?: bigint | undefined } | undefined }>;
}

/** Reads when the Chainlink feeds of assets were last updated. No dependencies: each verdict judges their age. */
export async function readFeedAges(
  assets: readonly Asset[],
  prices: PriceReader,
  vitals: Pick<Vitals, 'feedSeen'>,
): Promise<string> {
  const read = await Promise.all(assets.map((asset) => prices.price(asset)));
  for (const [at, asset] of assets.entries()) {
    const updatedAt = read[at]?.chainlink?.updatedAt;
    const maxAgeSeconds = limitsOfAsset(asset).referenceAgeSeconds;
    if (updatedAt !== undefined) vitals.feedSeen({ asset: asset.symbol, updatedAt, maxAgeSeconds });
  }
  return '';
}

/** Looks at outside services and at parts of this process. */
export interface Looks {
  /** Reads the newest block. */
  readonly head: () => Promise<string>;
  readonly payers: readonly Look[];
  readonly nodes: readonly Look[];
  /** Absent with one node. */
  readonly agreement?: Look | undefined;
  readonly sources: readonly Look[];
  /** Absent without a remote signer. */
  readonly signer?: (Look & { readonly signsCalls: boolean }) | undefined;
  /** Reads the age of the feeds, which is not a dependency: each verdict judges it. */
  readonly feeds: () => Promise<string>;
  readonly rescues: Look;
  /** Makes the list of plans and guards that are left out. */
  readonly served: Look & { readonly everySeconds: () => number };
  readonly evidence: Look;
  /** Absent: runs are sent publicly. */
  readonly relays?: Look | undefined;
  /** Absent without a language model. */
  readonly model?: Look | undefined;
}

const HEAD_SECONDS = 5;
const OTHERS_SECONDS = 15;
const SELDOM_SECONDS = 60;
/** Interval for capabilities of nodes and pools, which hardly ever change. */
const NODES_SECONDS = 300;

/**
 * The list of /ready. Dependencies are polled in the background, whether or not anybody asks: /ready answers at
 * once, and the ages in /metrics mean something.
 * @param loops those that this process runs.
 * @param isSellingOff whether a seller's key is set and selling did not start.
 */
export function dependenciesOf(
  watched: Watched,
  { head, payers, nodes, agreement, sources, signer, feeds, rescues, served, evidence, relays, model }: Looks,
  { loops, isSellingOff }: { readonly loops: readonly LoopName[]; readonly isSellingOff: boolean },
  timers: Timers,
): { readonly dependencies: readonly Dependency[]; stop(): void } {
  const ending = new AbortController();
  const kept = <Of extends Look>(look: Of, every: Parameters<typeof keep>[1] = OTHERS_SECONDS) =>
    keep(look, every, timers, ending.signal);
  const headKept = kept({ name: 'head', look: head }, HEAD_SECONDS);
  const all = (looks: readonly Look[], seconds?: number) => looks.map((look) => kept(look, seconds));
  const payersKept = all(payers);
  kept({ name: 'feeds', look: feeds }, SELDOM_SECONDS);
  const paid = () => Promise.allSettled(payersKept.map(({ look }) => look()));
  // These conditions get their facts from the looks named here.
  const first: Readonly<Record<string, () => Promise<unknown>>> = {
    chain: headKept.look,
    gas: paid,
    gas_price: paid,
  };
  const own = ownLooks(watched, loops).map(({ name, look }) => ({
    name,
    look: async () => {
      await first[name]?.();
      return look();
    },
  }));
  const looks = [
    ...own,
    ...(isSellingOff ? [{ name: 'jobs', look: sellingOff }] : []),
    ...all(nodes, NODES_SECONDS),
    ...(agreement ? [agreement] : []),
    rescues,
    kept(served, served.everySeconds),
    evidence,
    ...(relays ? [kept(relays)] : []),
    ...payersKept,
    ...(signer ? [kept(signer)] : []),
    ...all(sources),
    ...(model ? [model] : []),
  ];
  return { dependencies: looks.map(listed), stop: () => ending.abort() };
}

async function sellingOff(): Promise<never> {
  const detail = 'SELLER_PRIVATE_KEY is set, and selling did not start or the chain has no escrow.';
  throw new Unready('selling_off', detail);
}

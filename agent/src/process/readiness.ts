import { type Dependency, type Look, type LoopState, readinessOf, Unready } from '@bowline/core/domain/readiness';
import type { OpenOperation } from '@bowline/core/domain/sending';
import { sleep } from '@bowline/core/domain/sleep';
import type { Timers } from '@bowline/core/domain/time';
import { bnb, largest } from '@bowline/core/domain/units';
import { LOOP_MARGIN_SECONDS } from '@bowline/core/serving';
import type { Funds, Reading, Vitals } from './vitals.ts';

/** Maximum distance between the newest block's time and the wall clock, in either direction: the verdicts' own. */
const MAX_HEAD_SECONDS = 60;
/** Blocks come every half second. */
const MAX_LAG_SECONDS = 15;
/** An operation is in one of the next blocks, and is sent again at each of them until it is. */
const MAX_OPEN_MS = 30_000;
/** For the first look at something. */
const FIRST_MS = 2_000;
/** A Redis that restarts is no news. */
const MAX_REDIS_MS = 30_000;

export type LoopName = 'executor' | 'loan-guard' | 'jobs';

const all = ['executor', 'loan-guard', 'jobs'] as const;
const none = [] as const;

/**
 * What /ready may list: whether /ready is red without it, and the loops that do nothing without it, in the order in which
 * their reasons count. What this process does not have is not listed.
 */
const list = {
  stop_file: { needed: true, loops: all },
  dry_run: { needed: true, loops: all },
  chain: { needed: true, loops: all },
  operations: { needed: true, loops: all },
  gas: { needed: true, loops: ['executor', 'loan-guard'] },
  gas_day: { needed: true, loops: ['executor'] },
  relays: { needed: true, loops: ['executor'] },
  rescues: { needed: true, loops: ['loan-guard'] },
  executor: { needed: true, loops: ['executor'] },
  'loan-guard': { needed: true, loops: ['loan-guard'] },
  // Selling alone.
  jobs: { needed: false, loops: ['jobs'] },
  node: { needed: true, loops: none },
  nodes: { needed: true, loops: none },
  // The verdicts of its asset alone.
  pools: { needed: false, loops: none },
  exchange: { needed: false, loops: none },
  pyth: { needed: false, loops: none },
  // Where it signs what is sent; a look says so.
  signer: { needed: false, loops: none },
  // Without Redis every worker still serves everything.
  workers: { needed: false, loops: none },
} as const satisfies Record<string, { readonly needed: boolean; readonly loops: readonly LoopName[] }>;

/** One payer may be empty: `gas` says whether the others suffice. */
const ofPayer = { needed: false, loops: none };

/** The look as /ready lists it. */
export function listed(look: Look & { readonly signsCalls?: boolean }): Dependency {
  const { needed } = look.name in list ? list[look.name as keyof typeof list] : ofPayer;
  return { name: look.name, needed: needed || look.signsCalls === true, look: look.look };
}

/** The dependencies without which a loop does nothing. */
export const neededBy = (loop: LoopName): string[] =>
  Object.entries(list).flatMap(([name, { loops }]) => ((loops as readonly LoopName[]).includes(loop) ? [name] : []));

/** What the agent does and holds, as /ready and /metrics ask for it. */
export interface Watched {
  readonly vitals: Pick<Vitals, 'lanesSeen' | 'read'>;
  readonly loops: () => readonly LoopState[];
  readonly rescues: { count(): number; oldestMs(): number | undefined; unreadMs(): number };
  readonly runs: () => Reading['runs'];
  readonly open: () => readonly OpenOperation[];
  /** Whether a run was refused today because the day's gas is used up. */
  readonly isGasDayUsed: () => boolean;
  readonly isStopped: () => boolean;
  readonly isDry: boolean;
  readonly bounds: Reading['bounds'];
  /** Absent without REDIS_URL. */
  readonly workers?: () => NonNullable<Reading['workers']>;
}

/** Reads everything that /metrics shows. */
export async function readingOf(watched: Watched, dependencies: readonly Dependency[]): Promise<Reading> {
  const { vitals, loops, rescues, runs, open, isStopped, bounds } = watched;
  const workers = watched.workers?.();
  const readiness = await readinessOf(dependencies);
  vitals.lanesSeen(open());
  return {
    ...vitals.read(),
    readiness,
    loops: loops(),
    rescues: { waiting: rescues.count(), oldestMs: rescues.oldestMs() ?? 0, unreadMs: rescues.unreadMs() },
    runs: runs(),
    bounds,
    isStopped: isStopped(),
    ...(workers && { workers }),
  };
}

/**
 * What the process knows of itself, without asking anybody.
 * @param loops names of the loops; what only selling needs is not needed.
 */
function ownLooks(
  { vitals, loops: states, open, isGasDayUsed, isStopped, isDry, bounds, workers }: Watched,
  loops: readonly LoopName[],
): Look[] {
  const own = (name: keyof typeof list, state: () => string): Look => ({ name, look: async () => state() });
  return [
    own('chain', () => stateOfHead(vitals.read().head)),
    own('gas', () => stateOfGas(vitals.read().payers, bounds.rescueGas)),
    own('operations', () => stateOfOperations(open())),
    ...(loops.includes('executor') ? [own('gas_day', () => stateOfGasDay(isGasDayUsed(), bounds.maxDayWei))] : []),
    ...loops.map((name) => own(name, () => stateOfLoop(states().find((state) => state.name === name)))),
    own('stop_file', () => {
      if (isStopped()) throw new Unready('stop_file', 'The stop file exists: no run, rescue or delivery begins.');
      return 'The stop file does not exist.';
    }),
    ...(isDry ? [own('dry_run', dryRun)] : []),
    ...(workers ? [own('workers', () => stateOfWorkers(workers()))] : []),
  ];
}

/** What the process asks others for, and what parts of it know. */
export interface Looks {
  /** Reads the newest block. */
  readonly head: () => Promise<string>;
  readonly payers: readonly Look[];
  readonly nodes: readonly Look[];
  readonly sources: readonly Look[];
  /** Absent without a remote signer. */
  readonly signer?: (Look & { readonly signsCalls: boolean }) | undefined;
  /** Reads the age of the feeds, which is no dependency: each verdict judges it. */
  readonly feeds: () => Promise<string>;
  readonly rescues: Look;
  /** Absent: runs go to everybody. */
  readonly relays?: Look | undefined;
}

const HEAD_SECONDS = 5;
const OTHERS_SECONDS = 15;
const FEEDS_SECONDS = 60;

/**
 * The list of /ready. What others are asked for is asked again and again, whether or not anybody asks: /ready answers at
 * once, and the ages in /metrics mean something.
 * @param loops those that this process runs.
 * @param isSellingOff whether a seller's key is set and selling did not start.
 */
export function dependenciesOf(
  watched: Watched,
  { head, payers, nodes, sources, signer, feeds, rescues, relays }: Looks,
  { loops, isSellingOff }: { readonly loops: readonly LoopName[]; readonly isSellingOff: boolean },
  timers: Timers,
): { readonly dependencies: readonly Dependency[]; stop(): void } {
  const ending = new AbortController();
  const kept = <Of extends Look>(look: Of, seconds = OTHERS_SECONDS) => keep(look, seconds, timers, ending.signal);
  const headKept = kept({ name: 'head', look: head }, HEAD_SECONDS);
  const [payersKept, nodesKept, sourcesKept] = [payers, nodes, sources].map((looks) =>
    looks.map((look) => kept(look)),
  ) as [Look[], Look[], Look[]];
  kept({ name: 'feeds', look: feeds }, FEEDS_SECONDS);
  // Their facts come from those looks.
  const first: Readonly<Record<string, () => Promise<unknown>>> = {
    chain: headKept.look,
    gas: () => Promise.allSettled(payersKept.map(({ look }) => look())),
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
    ...nodesKept,
    rescues,
    ...(relays ? [relays] : []),
    ...payersKept,
    ...(signer ? [kept(signer)] : []),
    ...sourcesKept,
  ];
  return { dependencies: looks.map(listed), stop: () => ending.abort() };
}

async function sellingOff(): Promise<never> {
  const detail = 'SELLER_PRIVATE_KEY is set, and selling did not start or the chain has no escrow.';
  throw new Unready('selling_off', detail);
}

/**
 * Looks at once, and again this many seconds after each answer, so that whoever asks gets the last answer at once. Only the
 * first one is waited for, and not long.
 * @returns the dependency with its last answer; nothing new for half a minute more than that is `no_answer`.
 */
export function keep<Of extends Look>(of: Of, seconds: number, timers: Timers, ending: AbortSignal): Of {
  const { look } = of;
  let answer: Promise<string> | undefined;
  let answeredAt = timers.now();
  const first = Promise.withResolvers<void>();
  const repeat = async () => {
    while (!ending.aborted) {
      const next = look();
      await next.catch(() => {});
      [answer, answeredAt] = [next, timers.now()];
      first.resolve();
      await sleep(timers, seconds * 1000, ending);
    }
  };
  void repeat();
  return {
    ...of,
    look: async () => {
      const age = (timers.now() - answeredAt) / 1000;
      if (age > seconds + 30) throw new Unready('no_answer', `Nothing has answered for ${Math.floor(age)} s.`);
      if (answer === undefined) await Promise.race([first.promise, sleep(timers, FIRST_MS, ending)]);
      if (answer === undefined) throw new Unready('no_answer', 'Nothing has answered yet.');
      return answer;
    },
  };
}

function stateOfHead(head: Reading['head']): string {
  if (head === undefined) throw new Unready('no_answer', 'No block has been read.');
  const { number, ageSeconds, lagSeconds } = head;
  const block = `block ${number}, ${ageSeconds} s old`;
  if (lagSeconds > MAX_LAG_SECONDS) {
    throw new Unready('head_silent', `No new block for ${Math.floor(lagSeconds)} s: ${block}.`);
  }
  if (ageSeconds > MAX_HEAD_SECONDS) throw new Unready('head_old', `The newest block is old: ${block}.`);
  if (ageSeconds < -MAX_HEAD_SECONDS) {
    throw new Unready('head_in_future', `The newest block is of the future, or this clock is slow: ${block}.`);
  }
  return block;
}

function stateOfLoop(state: LoopState | undefined): string {
  if (state === undefined) return 'It has not started yet.';
  const { goodMs, goodDurationMs, intervalSeconds } = state;
  const ago = `${Math.floor(goodMs / 1000)} s`;
  if (goodMs > (intervalSeconds + LOOP_MARGIN_SECONDS) * 1000) {
    throw new Unready('loop_late', `No good round has ended for ${ago}; the interval is ${intervalSeconds} s.`);
  }
  return goodDurationMs === undefined ? 'Its first round is running.' : `A good round ended ${ago} ago.`;
}

function stateOfOperations(open: readonly OpenOperation[]): string {
  const [oldest] = open.toSorted((a, b) => b.openMs - a.openMs);
  if (oldest === undefined) return 'No operation is open.';
  const { label, lane, openMs } = oldest;
  const state = `${open.length} open, the oldest for ${Math.floor(openMs / 1000)} s: ${label} (${lane})`;
  if (openMs > MAX_OPEN_MS) throw new Unready('operation_open', `${state}.`);
  return state;
}

/**
 * A rescuer pays by itself. The keeper's key carries a rescue that the wallet, if there is one, pays for; without that key,
 * as with several workers, the wallet has no way to rescue.
 */
function stateOfGas(payers: Reading['payers'], gas: bigint): string {
  const all = [...payers];
  if (all.length === 0) throw new Unready('no_answer', 'No balance has been read.');
  const canPay = ([, { wei, gasPriceWei }]: [string, Funds]) => wei >= largest([1n, gas * gasPriceWei]);
  const through = all.filter(([payer]) => payer === 'wallet' || payer === 'keeper');
  const rescuers = all.filter((each) => !through.includes(each));
  const hasKeeper = payers.has('keeper');
  if (rescuers.some(canPay) || (hasKeeper && through.every(canPay))) return 'A rescue can be paid for.';
  const held = all.map(([payer, { wei }]) => `${payer} ${bnb(wei)}`).join(', ');
  throw new Unready('rescue_unpayable', `No account can pay for a rescue: ${held}.`);
}

function stateOfGasDay(isUsed: boolean, maxDayWei: bigint): string {
  if (!isUsed) return 'The gas of the day allows runs.';
  throw new Unready(
    'gas_day_used',
    `Runs and deferrals have used their ${bnb(maxDayWei / 2n)} of the day, half of MAX_GAS_BNB_PER_DAY: none is made until midnight UTC.`,
  );
}

function stateOfWorkers({ count, redisMs, isKeyShared }: NonNullable<Reading['workers']>): string {
  if (isKeyShared) {
    throw new Unready('key_shared', 'Another worker has the same first key in RESCUE_PRIVATE_KEYS: both lose time.');
  }
  if (redisMs > MAX_REDIS_MS) {
    throw new Unready('redis_silent', `Redis has not answered for ${Math.floor(redisMs / 1000)} s.`);
  }
  return `${count} workers, this one included.`;
}

function dryRun(): never {
  throw new Unready('dry_run', 'This is a dry run: nothing is signed or sent.');
}

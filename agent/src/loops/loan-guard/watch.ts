import type { GuardReader, PenaltyReader, PriceReader } from '@bowline/chain/readers';
import { type Asset, WRAPPED_BNB } from '@bowline/core/domain/assets';
import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import type { Log } from '@bowline/core/domain/log';
import type { Guard } from '@bowline/core/domain/permissions';
import { listedAt } from '@bowline/core/domain/same-address';
import type { Clock } from '@bowline/core/domain/time';
import { type Address, type Hex, mulDivDown, worthUsdWadDown } from '@bowline/core/domain/units';
import pLimit from 'p-limit';
import { isChainUnavailable, type Tally } from '../runner.ts';
import { retrySeconds } from './plan.ts';

export type Watch = ReturnType<typeof createWatch>;

/** The loan guard's memory between rounds. A restart may lose all of it. */
export function createWatch(reader: Pick<GuardReader, 'guards'>, clock: Clock) {
  let guards: readonly Guard[] = [];
  let listed = { time: 0n, at: clock(), isWhole: false };
  let triedAt: bigint | undefined = clock() - retrySeconds;
  let isAnswered = false;
  const backsOffUntil = new Map<GuardKey, bigint>();
  const forgotten = new Set<GuardKey>();
  return {
    /**
     * Reads all guards again and returns how many could not be read; of those, known guards keep their last state. Throws
     * `chain_unavailable` and then leaves everything unchanged.
     */
    async list() {
      triedAt = clock();
      listed = { ...listed, isWhole: false };
      const { block, guards: read, unread } = await reader.guards();
      // An unreadable guard is unwatched or keeps its last state, so read again soon.
      if (unread === 0) triedAt = undefined;
      const keys = new Set(read.map(guardKey));
      const isKept = (key: GuardKey) => !keys.has(key) && !forgotten.has(key);
      guards = unread === 0 ? read : [...read, ...guards.filter((guard) => isKept(guardKey(guard)))];
      forgotten.clear();
      // A few unreadable guards do not make the list unreadable.
      listed = { time: block.timestamp, at: clock(), isWhole: unread === 0 || read.length > 0 };
      // Otherwise every retry would repeat refused rescues.
      if (unread === 0) backsOffUntil.clear();
      return unread;
    },
    /** Whether the last read returned at least one guard, or there are none. */
    isListed: () => listed.isWhole,
    /** Records whether the last loan reads were answered. */
    answered(is: boolean) {
      isAnswered = is;
    },
    isAnswered: () => isAnswered,
    /** Whether the known guards are outdated: the last read failed some time ago, or `mistrust` was called since. */
    shouldList: () => triedAt !== undefined && clock() >= triedAt + retrySeconds,
    /** Forces a full read after this time, by default in the next round: guards may have changed unknown to us. */
    mistrust(inSeconds = 0n) {
      const at = clock() + inSeconds - retrySeconds;
      if (triedAt === undefined || at < triedAt) triedAt = at;
    },
    /** Guards as last read: the same array until the next. `now`: the time of that block, advanced by the clock. */
    known: () => ({ now: listed.time + clock() - listed.at, guards, forgotten: forgotten as ReadonlySet<GuardKey> }),
    /** Treats the guard as unknown until the guards are read again. */
    forget: (guardId: GuardKey) => void forgotten.add(guardId),
    /** Skips the guard for this many seconds, or until the guards are read again. */
    backOff: (guardId: GuardKey, seconds: bigint) => void backsOffUntil.set(guardId, clock() + seconds),
    isBackingOff: (guardId: GuardKey) => clock() < (backsOffUntil.get(guardId) ?? 0n),
    isAnyBackingOff: () => [...backsOffUntil.values()].some((until) => clock() < until),
  };
}

export type Profitability = ReturnType<typeof createProfitability>;

export interface Wanted {
  readonly repaid: ReadonlySet<Asset>;
  /** By `marketKey`. */
  readonly markets: ReadonlySet<string>;
}

/** Prices are used only to check for dust and orders of magnitude. */
const PRICE_SECONDS = 15n;
/** Governance rarely changes it. */
const PENALTY_SECONDS = 3_600n;
/** Maximum figures read concurrently. A node that receives all of them at once answers none. */
const FIGURES_AT_ONCE = 8;

export const marketKey = ({ adapter, market }: Pick<Guard, 'adapter' | 'market'>): string =>
  `${adapter} ${market}`.toLowerCase();

interface ProfitabilityDeps {
  readonly prices: PriceReader;
  /** Absent: what a rescue saves is unknown. */
  readonly penalties?: PenaltyReader;
  readonly assets: readonly Asset[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Values rescues by cached figures, so that no rescue waits for a read. */
export function createProfitability({ prices, penalties, assets, clock, log }: ProfitabilityDeps) {
  const priceOf = createFigures(
    PRICE_SECONDS,
    clock,
    async (asset: Asset) => (await prices.price(asset)).chainlink?.usdWad,
  );
  const penaltyOf = createFigures(PENALTY_SECONDS, clock, async (key: string) => {
    const [adapter, market] = key.split(' ') as [Address, Hex];
    return penalties?.penaltyWad({ adapter, market });
  });
  const native = assets.find(({ symbol }) => symbol === WRAPPED_BNB);
  /** Undefined if the token's price is not known. */
  const repayUsdWad = (guard: Guard, repay: bigint): bigint | undefined => {
    const asset = listedAt(assets, guard.repayToken);
    return asset && worthUsdWadDown(repay, priceOf.wad(asset), asset.decimals);
  };
  let reading: Promise<unknown> | undefined;
  return {
    /** Reads missing and stale figures for these guards' tokens and markets. Never throws. */
    async refresh({ repaid, markets }: Wanted, tally: Tally): Promise<void> {
      const failed = (fields: object) => (error: unknown) => {
        tally.add(isChainUnavailable(error) ? 'chain_unavailable' : 'failed');
        log.error('price.failed', { ...fields, error });
      };
      const tokens = new Set(penalties && native && repaid.size > 0 ? [...repaid, native] : repaid);
      const work = [
        ...priceOf.old(tokens).map((asset) => () => priceOf.read(asset, failed({ asset: asset.symbol }))),
        ...(penalties ? penaltyOf.old(markets) : []).map((key) => () => penaltyOf.read(key, failed({ market: key }))),
      ];
      if (work.length === 0) return;
      reading ??= pLimit(FIGURES_AT_ONCE)
        .map(work, (read) => read())
        .finally(() => {
          reading = undefined;
        });
      await reading;
    },
    repayUsdWad,
    /** Minimum penalty, in BNB, of a liquidation that repays this much. Undefined if a figure is not known. */
    savedWei(guard: Guard, repay: bigint): bigint | undefined {
      const [usdWad, bnbUsdWad] = [repayUsdWad(guard, repay), native && priceOf.wad(native)];
      const penaltyWad = penaltyOf.wad(marketKey(guard));
      if (usdWad === undefined || penaltyWad === undefined || !bnbUsdWad) return undefined;
      return mulDivDown(usdWad, penaltyWad, bnbUsdWad);
    },
  };
}

/** Caches figures. If a read fails, the last figure stays: it is better than none. */
function createFigures<Key>(seconds: bigint, clock: Clock, figureOf: (key: Key) => Promise<bigint | undefined>) {
  const known = new Map<Key, { readonly wad: bigint | undefined; readonly at: bigint }>();
  const wad = (key: Key): bigint | undefined => known.get(key)?.wad;
  return {
    wad,
    old: (keys: Iterable<Key>) => [...keys].filter((key) => clock() >= (known.get(key)?.at ?? 0n) + seconds),
    async read(key: Key, failed: (error: unknown) => void): Promise<void> {
      const read = await figureOf(key).catch((error: unknown) => {
        failed(error);
        return wad(key);
      });
      known.set(key, { wad: read, at: clock() });
    },
  };
}

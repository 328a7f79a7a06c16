import type { GuardReader, PenaltyReader, PriceReader } from '@bowline/chain/readers';
import type { Asset } from '@bowline/core/domain/assets';
import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import type { Log } from '@bowline/core/domain/log';
import type { Guard } from '@bowline/core/domain/permissions';
import { listedAt } from '@bowline/core/domain/same-address';
import type { Clock } from '@bowline/core/domain/time';
import { mulDivDown, worthUsdWadDown } from '@bowline/core/domain/units';
import pLimit from 'p-limit';
import { isChainUnavailable, type Tally } from '../runner.ts';
import { retrySeconds } from './plan.ts';

/** The loan guard's memory between rounds. A restart may lose all of it. */
export interface Watch {
  /**
   * Reads all guards again and returns how many could not be read; of those, known guards keep their last state. Throws
   * `chain_unavailable` and then leaves everything unchanged.
   */
  list(): Promise<number>;
  /** Whether the known guards are outdated: the last read failed some time ago, or `mistrust` was called since. */
  shouldList(): boolean;
  /** Whether the last read returned at least one guard, or there are none. */
  isListed(): boolean;
  /** Records whether the last loan reads were answered. */
  answered(isAnswered: boolean): void;
  isAnswered(): boolean;
  /** Forces a full read in so many seconds, by default in the next round: guards may have changed without our knowledge. */
  mistrust(inSeconds?: bigint): void;
  /** Guards as last read: the same array until then. `now`: the time of that block, advanced by the clock. */
  known(): { readonly now: bigint; readonly guards: readonly Guard[]; readonly forgotten: ReadonlySet<GuardKey> };
  /** Nothing is known of the guard until the guards are read again. */
  forget(guardId: GuardKey): void;
  /** Skips the guard for this many seconds, or until the guards are read again. */
  rest(guardId: GuardKey, seconds: bigint): void;
  rests(guardId: GuardKey): boolean;
  /** Whether any guard does. */
  isResting(): boolean;
}

export function createWatch(reader: Pick<GuardReader, 'guards'>, clock: Clock): Watch {
  let guards: readonly Guard[] = [];
  let listed = { time: 0n, at: clock(), isWhole: false };
  let triedAt: bigint | undefined = clock() - retrySeconds;
  let isAnswered = false;
  const restsUntil = new Map<GuardKey, bigint>();
  const forgotten = new Set<GuardKey>();
  return {
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
      if (unread === 0) restsUntil.clear();
      return unread;
    },
    isListed: () => listed.isWhole,
    answered(is) {
      isAnswered = is;
    },
    isAnswered: () => isAnswered,
    shouldList: () => triedAt !== undefined && clock() >= triedAt + retrySeconds,
    mistrust(inSeconds = 0n) {
      const at = clock() + inSeconds - retrySeconds;
      if (triedAt === undefined || at < triedAt) triedAt = at;
    },
    known: () => ({ now: listed.time + clock() - listed.at, guards, forgotten }),
    forget: (guardId) => void forgotten.add(guardId),
    rest: (guardId, seconds) => void restsUntil.set(guardId, clock() + seconds),
    rests: (guardId) => clock() < (restsUntil.get(guardId) ?? 0n),
    isResting: () => [...restsUntil.values()].some((until) => clock() < until),
  };
}

/** What rescues are worth, by figures that are kept: no rescue waits for one. */
export interface Worth {
  /** Reads what is not known of these guards' tokens and markets, or is old. Never throws. */
  refresh(wanted: Wanted, tally: Tally): Promise<void>;
  /** Undefined if the token's price is not known. */
  repayUsdWad(guard: Guard, repay: bigint): bigint | undefined;
  /** The least penalty, in BNB, of a liquidation that repays so much. Undefined if a figure is not known. */
  savedWei(guard: Guard, repay: bigint): bigint | undefined;
}

export interface Wanted {
  readonly repaid: ReadonlySet<Asset>;
  /** A guard of each market. */
  readonly markets: ReadonlyMap<string, Guard>;
}

/** The checks are of dust and of orders of magnitude. */
const PRICE_SECONDS = 15n;
/** Governance changes it, seldom. */
const PENALTY_SECONDS = 3_600n;
/** Figures in flight. A node that receives all of them at once answers none. */
const FIGURES_AT_ONCE = 8;
/** What gas is paid in. */
const NATIVE = 'WBNB';

export const marketKey = ({ adapter, market }: Pick<Guard, 'adapter' | 'market'>): string =>
  `${adapter} ${market}`.toLowerCase();

interface WorthDeps {
  readonly prices: PriceReader;
  /** Absent: it is not known what a rescue saves. */
  readonly penalties?: PenaltyReader;
  readonly assets: readonly Asset[];
  readonly clock: Clock;
  readonly log: Log;
}

interface Figure {
  readonly wad: bigint | undefined;
  readonly at: bigint;
}

export function createWorth({ prices, penalties, assets, clock, log }: WorthDeps): Worth {
  const priceOf = new Map<Asset, Figure>();
  const penaltyOf = new Map<string, Figure>();
  const native = assets.find(({ symbol }) => symbol === NATIVE);
  let reading: Promise<void> | undefined;

  async function read<Key>(
    [known, key]: readonly [Map<Key, Figure>, Key],
    figure: () => Promise<bigint | undefined>,
    onError: (error: unknown) => void,
  ): Promise<void> {
    try {
      known.set(key, { wad: await figure(), at: clock() });
    } catch (error) {
      // The last one stays: it is better than none.
      known.set(key, { wad: known.get(key)?.wad, at: clock() });
      onError(error);
    }
  }

  return {
    refresh({ repaid, markets }, tally) {
      const isOld = (of: Figure | undefined, seconds: bigint) => clock() >= (of?.at ?? 0n) + seconds;
      const failed = (event: string, fields: object) => (error: unknown) => {
        tally.add(isChainUnavailable(error) ? 'chain_unavailable' : 'failed');
        log.error(event, { ...fields, error });
      };
      const tokens = new Set([...repaid, ...(penalties && native && repaid.size > 0 ? [native] : [])]);
      const work = [
        ...[...tokens].flatMap((asset) =>
          isOld(priceOf.get(asset), PRICE_SECONDS)
            ? () =>
                read(
                  [priceOf, asset],
                  async () => (await prices.price(asset)).chainlink?.usdWad,
                  failed('price.failed', { asset: asset.symbol }),
                )
            : [],
        ),
        ...[...(penalties ? markets : [])].flatMap(([key, guard]) =>
          isOld(penaltyOf.get(key), PENALTY_SECONDS)
            ? () =>
                read(
                  [penaltyOf, key],
                  async () => penalties?.penaltyWad(guard),
                  failed('penalty.failed', { market: guard.market }),
                )
            : [],
        ),
      ];
      if (work.length === 0) return Promise.resolve();
      reading ??= pLimit(FIGURES_AT_ONCE)
        .map(work, (each) => each())
        .then(() => {
          reading = undefined;
        });
      return reading;
    },
    repayUsdWad,
    savedWei(guard, repay) {
      const [usdWad, bnbUsdWad] = [repayUsdWad(guard, repay), native && priceOf.get(native)?.wad];
      const penaltyWad = penaltyOf.get(marketKey(guard))?.wad;
      return usdWad === undefined || penaltyWad === undefined || !bnbUsdWad
        ? undefined
        : mulDivDown(usdWad, penaltyWad, bnbUsdWad);
    },
  };

  function repayUsdWad(guard: Guard, repay: bigint): bigint | undefined {
    const asset = listedAt(assets, guard.repayToken);
    return asset && worthUsdWadDown(repay, priceOf.get(asset)?.wad, asset.decimals);
  }
}

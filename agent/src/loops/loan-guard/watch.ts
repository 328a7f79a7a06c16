import type { GuardReader, PriceReader } from '@bowline/chain/readers';
import type { Asset } from '@bowline/core/domain/assets';
import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import type { Log } from '@bowline/core/domain/log';
import type { Guard } from '@bowline/core/domain/permissions';
import { listedAt } from '@bowline/core/domain/same-address';
import type { Clock } from '@bowline/core/domain/time';
import { worthUsdWadDown } from '@bowline/core/domain/units';
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
  };
}

/** What repayments are worth, by prices that are kept: no rescue waits for one. */
export interface Worth {
  /** Reads the prices of these assets, those again that are older than `refreshSeconds`. Never throws. */
  refresh(wanted: ReadonlySet<Asset>, tally: Tally): Promise<void>;
  /** Undefined if the token's price is not known. */
  repayUsdWad(guard: Guard, repay: bigint): bigint | undefined;
}

/** The check is of dust: a repayment of a dollar or less. */
const refreshSeconds = 15n;

interface WorthDeps {
  readonly prices: PriceReader;
  readonly assets: readonly Asset[];
  readonly clock: Clock;
  readonly log: Log;
}

export function createWorth({ prices, assets, clock, log }: WorthDeps): Worth {
  const known = new Map<Asset, { readonly usdWad: bigint | undefined; readonly at: bigint }>();
  let reading: Promise<void> | undefined;

  async function read(asset: Asset, tally: Tally): Promise<void> {
    try {
      const { chainlink } = await prices.price(asset);
      known.set(asset, { usdWad: chainlink?.usdWad, at: clock() });
    } catch (error) {
      // The last price stays: it is better than none.
      known.set(asset, { usdWad: known.get(asset)?.usdWad, at: clock() });
      tally.add(isChainUnavailable(error) ? 'chain_unavailable' : 'failed');
      log.error('price.failed', { asset: asset.symbol, error });
    }
  }

  return {
    refresh(wanted, tally) {
      const old = [...wanted].filter((asset) => clock() >= (known.get(asset)?.at ?? 0n) + refreshSeconds);
      if (old.length === 0) return Promise.resolve();
      reading ??= Promise.all(old.map((asset) => read(asset, tally))).then(() => {
        reading = undefined;
      });
      return reading;
    },
    repayUsdWad(guard, repay) {
      const asset = listedAt(assets, guard.repayToken);
      return asset && worthUsdWadDown(repay, known.get(asset)?.usdWad, asset.decimals);
    },
  };
}

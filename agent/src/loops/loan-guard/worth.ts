import type { PriceReader } from '@bowline/chain/readers';
import type { Asset } from '@bowline/core/domain/assets';
import type { Log } from '@bowline/core/domain/log';
import type { Guard } from '@bowline/core/domain/permissions';
import { listedAt } from '@bowline/core/domain/same-address';
import type { Clock } from '@bowline/core/domain/time';
import { worthUsdWadDown } from '@bowline/core/domain/units';
import { isChainUnavailable, type Tally } from '../runner.ts';

/** What repayments are worth, by prices that are kept: no rescue waits for one. */
export interface Worth {
  /** Reads the prices of these guards' repay tokens, those again that are older than `refreshSeconds`. Never throws. */
  refresh(guards: readonly Guard[], tally: Tally): Promise<void>;
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
    refresh(guards, tally) {
      const wanted = new Set(guards.flatMap((guard) => listedAt(assets, guard.repayToken) ?? []));
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

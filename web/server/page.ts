import { isTraded } from '@bowline/core/domain/assets';
import type { AddressBook } from '@bowline/core/registry/address-book';
import type { PageConfig } from '../wire.ts';
import type { Config } from './config.ts';

/** The chain settings that the page receives, and that its build pins. */
export function pageOf({ own, pancake, lending, assets }: AddressBook, { chainId, rpcUrl }: Config): PageConfig {
  return {
    chainId,
    chainName: chainId === 56 ? 'BNB Chain' : 'Local BNB Chain',
    explorerUrl: chainId === 56 ? 'https://bscscan.com' : null,
    rpcUrl,
    contracts: {
      planRegistry: own.planRegistry,
      swapExecutor: own.swapExecutor,
      revocations: own.revocations,
      loanGuard: own.loanGuard,
      priceSource: own.chainlinkPriceSource,
      quoteDesk: own.quoteDesk ?? null,
      router: pancake.router,
      quoter: pancake.quoter,
    },
    hubs: pancake.hubs,
    lending: lending.map(({ name, scope, url, adapter, core }) => ({ name, scope, url, adapter, core })),
    assets: assets.filter(isTraded).map((asset) => ({
      symbol: asset.symbol,
      name: asset.name,
      class: asset.class,
      address: asset.address,
      decimals: asset.decimals,
      quote: asset.pool.quote,
      feed: asset.feed,
      feedDecimals: asset.feedDecimals,
      multiplier: asset.multiplier ?? null,
    })),
  };
}

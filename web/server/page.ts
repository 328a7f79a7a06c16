import { isTraded } from '@bowline/core/domain/assets';
import { bscChainId, bscTestnetChainId } from '@bowline/core/domain/chains';
import type { AddressBook } from '@bowline/core/registry/address-book';
import type { PageConfig } from '../wire.ts';
import type { Config } from './config.ts';

/** A local chain has no explorer. */
function namesOf(chainId: number): Pick<PageConfig, 'chainName' | 'explorerUrl'> {
  if (chainId === bscChainId) return { chainName: 'BNB Chain', explorerUrl: 'https://bscscan.com' };
  if (chainId === bscTestnetChainId) {
    return { chainName: 'BNB Chain Testnet', explorerUrl: 'https://testnet.bscscan.com' };
  }
  return { chainName: 'Local BNB Chain', explorerUrl: null };
}

/** The chain settings that the page receives and its build pins. */
export function pageOf(
  { own, pancake, lending, assets, verdictSigners, rules }: AddressBook,
  { chainId, rpcUrl, auditNodes, safeApps, walletConnect }: Config,
): PageConfig {
  return {
    chainId,
    ...namesOf(chainId),
    rpcUrl,
    ...(auditNodes && { auditNodes: [...auditNodes] }),
    ...(safeApps && { safeApps: [...safeApps] }),
    ...(walletConnect && { walletConnect }),
    contracts: {
      planRegistry: own.planRegistry,
      swapExecutor: own.swapExecutor,
      revocations: own.revocations,
      loanGuard: own.loanGuard,
      ...(own.collateralGuard && { collateralGuard: own.collateralGuard }),
      priceSource: own.chainlinkPriceSource,
      venusPriceSource: own.venusPriceSource,
      quoteDesk: own.quoteDesk ?? null,
      router: pancake.router,
      quoter: pancake.quoter,
      poolDeployer: pancake.poolDeployer,
    },
    verdictSigners: [...verdictSigners],
    ...(rules && { rules: [...rules] }),
    hubs: pancake.hubs,
    lending: lending.map(({ anyMarket: _, ...shown }) => shown),
    assets: assets.filter(isTraded).map((asset) => ({
      symbol: asset.symbol,
      name: asset.name,
      class: asset.class,
      address: asset.address,
      decimals: asset.decimals,
      quote: asset.pool.quote,
      poolFeeMillionths: asset.pool.feeMillionths ?? null,
      feed: asset.feed,
      feedDecimals: asset.feedDecimals,
    })),
  };
}

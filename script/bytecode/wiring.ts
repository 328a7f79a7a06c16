import { bscTestnetChainId } from '@bowline/core/domain/chains';
import { othersAddresses } from '@bowline/core/registry/address-book';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { type Address, isAddress } from 'viem';
import feedLimits from '../../packages/core/registry/feeds.json' with { type: 'json' };

/** A deployment record. */
export interface Deployment {
  readonly chainId: number;
  readonly revocations: Address;
  readonly venusMarket: Address;
  readonly loanGuard: Address;
  readonly venusPriceSource: Address;
  readonly chainlinkPriceSource: Address;
  readonly planRegistry: Address;
  readonly swapExecutor: Address;
  readonly quoteDesk?: Address;
}

export const names = [
  'revocations',
  'venusMarket',
  'loanGuard',
  'venusPriceSource',
  'chainlinkPriceSource',
  'planRegistry',
  'swapExecutor',
  'quoteDesk',
] as const satisfies readonly (keyof Deployment)[];

export type Name = (typeof names)[number];

/** Values that the deployer chose and no record has. They are read from the contracts, for a person to judge. */
export interface Chosen {
  readonly operator: Address;
  readonly rotator: Address;
  readonly maker: Address;
}

/** As in script/Deploy.s.sol: nobody promises a heartbeat on the test network. */
const testnetMaxAgeSeconds = 86_400;

/** The constructor arguments that make the recorded contracts consistent with each other. */
export function argumentsOf(name: Name, own: Deployment, chosen: Chosen): readonly unknown[] {
  const sources = [own.venusPriceSource, own.chainlinkPriceSource];
  // The registry's, which tests compare with those that script/Deploy.s.sol passes to the constructors.
  const { venus, pancake } = othersAddresses(isAddress, own.chainId);
  const assets = new Map(readAssetRegistry(own.chainId, isAddress).map((asset) => [asset.symbol, asset]));
  const of: Record<Name, readonly unknown[]> = {
    revocations: [],
    venusMarket: [venus.comptroller, venus.vBnb, assets.get('WBNB')?.address],
    loanGuard: [own.revocations, [own.venusMarket], [own.chainlinkPriceSource]],
    venusPriceSource: [venus.resilientOracle],
    chainlinkPriceSource: [
      (['USDT', 'USDC', 'BTCB', 'ETH', 'WBNB'] as const).map((symbol) => ({
        token: assets.get(symbol)?.address,
        feed: assets.get(symbol)?.feed,
        ...feedLimits[symbol],
        ...(own.chainId === bscTestnetChainId && { maxAgeSeconds: testnetMaxAgeSeconds }),
      })),
    ],
    planRegistry: [own.revocations, own.loanGuard, sources],
    swapExecutor: [own.planRegistry, pancake.poolDeployer, chosen.operator, chosen.rotator],
    quoteDesk: [chosen.maker],
  };
  return of[name];
}

import type { AssetClass } from '../domain/assets.ts';
import type { Address } from '../domain/units.ts';

/** PancakeSwap v3, and the tokens over which a route may lead. */
interface Pancake {
  readonly poolDeployer: Address;
  readonly quoter: Address;
  readonly hubs: readonly Address[];
}

/**
 * When contracts/lens/RouteSearch.sol prefers another route to the one that pays most: pools pushed by so many ticks of their
 * mean, an impact of so much, or so much liquidity gone. A tick is a little less than 1/10,000.
 */
const soundness: Readonly<Record<AssetClass, { steadyTicks: bigint; impactBps: bigint; withdrawnBps: bigint }>> = {
  crypto: { steadyTicks: 198n, impactBps: 50n, withdrawnBps: 5_000n },
  stable: { steadyTicks: 19n, impactBps: 20n, withdrawnBps: 5_000n },
};

/** Where contracts/lens/RouteSearch.sol searches. */
export const routeMarket = ({ poolDeployer: deployer, quoter, hubs }: Pancake, assetClass: AssetClass) => ({
  ...{ deployer, quoter, hubs },
  ...soundness[assetClass],
});

import type { Limits } from '../domain/facts.ts';
import type { Address } from '../domain/units.ts';

/** PancakeSwap v3, and the tokens over which a route may lead. */
interface Pancake {
  readonly poolDeployer: Address;
  readonly quoter: Address;
  readonly hubs: readonly Address[];
}

/** Where contracts/lens/RouteSearch.sol searches, and what makes it choose another route than the one that pays most. */
export const routeMarket = (
  { poolDeployer: deployer, quoter, hubs }: Pancake,
  { twapBps, impactBps, withdrawnBps }: Limits,
) => ({
  ...{ deployer, quoter, hubs },
  // A tick is a little less than 1/10,000.
  steadyTicks: (twapBps.caution * 99n) / 100n,
  impactBps: impactBps.caution,
  withdrawnBps: withdrawnBps.caution,
});

import type { Address } from 'viem';
import feedLimits from '../../packages/core/registry/feeds.json' with { type: 'json' };
import { feeds, pancake, tokens, venus } from '../local/addresses.ts';

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

/** The same addresses as in script/Deploy.s.sol, which passes them to the constructors. */
const resilientOracle: Address = '0x6592b5DE802159F3E74B2486b091D11a8256ab8A';

/** The constructor arguments that make the recorded contracts consistent with each other. */
export function argumentsOf(name: Name, own: Deployment, chosen: Chosen): readonly unknown[] {
  const sources = [own.venusPriceSource, own.chainlinkPriceSource];
  const of: Record<Name, readonly unknown[]> = {
    revocations: [],
    venusMarket: [venus.comptroller, venus.markets.vBNB, tokens.WBNB],
    loanGuard: [own.revocations, [own.venusMarket], [own.chainlinkPriceSource]],
    venusPriceSource: [resilientOracle],
    chainlinkPriceSource: [
      (['USDT', 'USDC', 'BTCB', 'ETH', 'WBNB'] as const).map((symbol) => ({
        token: tokens[symbol],
        feed: feeds[symbol],
        ...feedLimits[symbol],
      })),
    ],
    planRegistry: [own.revocations, own.loanGuard, sources],
    swapExecutor: [own.planRegistry, pancake.poolDeployer, chosen.operator, chosen.rotator],
    quoteDesk: [chosen.maker],
  };
  return of[name];
}

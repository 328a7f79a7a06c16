import type { Deployment } from '@bowline/chain/drafts/deployment';
import { createPermissionDrafter } from '@bowline/chain/drafts/permissions';
import type { Asset } from '@bowline/core/domain/assets';
import type { PermissionDrafter } from '@bowline/core/domain/permission-drafts';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { BTCB, USDT } from '@bowline/core/test/verdict/proposals';
import type { Settings } from '../../web/app/api/settings.ts';
import type { Outcome, Stage } from './stage.ts';

export type Must = (what: string, is: unknown, should: unknown) => void;

/** Collects a sentence for each answer that is not what it should be. */
export function comparing(): { readonly must: Must; readonly wrong: string[] } {
  const wrong: string[] = [];
  const must: Must = (what, is, should) => {
    if (shown(is) !== shown(should)) wrong.push(`${what}: ${shown(is)}, not ${shown(should)}`);
  };
  return { must, wrong };
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each)) ?? 'nothing';

export const nameOf = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.name);
/** An error's name as agent and tools write it. */
export const snake = (name: string): string => name.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();

/** The tokens of the stage as agent and page list them: BTCB for USDT, USDT for USDC. */
export const assetsOf = (stage: Stage): readonly Asset[] => {
  const { pool: _, ...unpooled } = USDT;
  return [
    { ...BTCB, address: stage.tokens.BTCB.address },
    { ...USDT, address: stage.tokens.USDT.address },
    { ...unpooled, symbol: 'USDC', aliases: [], address: stage.tokens.USDC.address, decimals: 6 },
  ];
};

/** Of the page, as far as plans need them. */
export const pageSettings = (stage: Stage): Settings =>
  ({
    assets: assetsOf(stage).map(({ pool, ...each }) => ({
      ...each,
      quote: pool?.quote,
      poolFeeMillionths: pool?.feeMillionths ?? null,
    })),
    contracts: {
      ...{ planRegistry: stage.registry.address, loanGuard: stage.guards.address },
      ...{ priceSource: stage.chainlink.address, swapExecutor: stage.executor.address },
    },
    ...{ verdictSigners: [], lending: [] },
  }) as unknown as Settings;

/** Of the SDK. */
export const deploymentOf = (stage: Stage): Deployment =>
  ({
    ...{ chainId: 31_337, assets: assetsOf(stage), verdictSigners: [] },
    contracts: {
      ...{ planRegistry: stage.registry.address, swapExecutor: stage.executor.address },
      ...{ loanGuard: stage.guards.address, revocations: stage.revocations.address },
      chainlinkPriceSource: stage.chainlink.address,
    },
    lending: [{ name: 'Venus', adapter: stage.venus.address }],
  }) as unknown as Deployment;

/** Of the tools. */
export function drafterOf(stage: Stage): PermissionDrafter {
  const { contracts, ...deployment } = deploymentOf(stage);
  const book = { ...deployment, own: contracts } as unknown as AddressBook;
  return createPermissionDrafter(deployment.chainId, book, async () => stage.tokens.USDT.address);
}

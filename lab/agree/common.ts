import type { Deployment } from '@bowline/chain/drafts/deployment';
import { createPermissionDrafter } from '@bowline/chain/drafts/permissions';
import type { Asset } from '@bowline/core/domain/assets';
import type { PermissionDrafter } from '@bowline/core/domain/permission-drafts';
import { WAD } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { BTCB, USDT } from '@bowline/core/test/verdict/proposals';
import type { Address } from 'viem';
import { servingOf } from '../../agent/src/process/serving.ts';
import type { Settings } from '../../web/app/api/settings.ts';
import { buyerOf, watcherOf } from '../../web/app/chain/serving.ts';
import type { GuardsServedBy } from './guards.ts';
import { lendingOf } from './loans.ts';
import type { PlanPolicy } from './plans.ts';
import { nobody, type Outcome, type Stage, signer, symbols } from './stage.ts';

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

/** The page's settings, as far as plans need them. @param venusPriceSource of the deployment. */
export const pageSettings = (stage: Stage, venusPriceSource: Address = nobody): Settings =>
  ({
    chainId: 31_337,
    assets: assetsOf(stage).map(({ pool, ...each }) => ({
      ...each,
      quote: pool?.quote,
      poolFeeMillionths: pool?.feeMillionths ?? null,
    })),
    contracts: {
      ...{
        planRegistry: stage.registry.address,
        loanGuard: stage.guards.address,
        collateralGuard: stage.sales.address,
      },
      ...{ priceSource: stage.chainlink.address, swapExecutor: stage.executor.address, venusPriceSource },
    },
    ...{ verdictSigners: [signer], lending: [] },
  }) as unknown as Settings;

interface Policies {
  readonly plans?: PlanPolicy;
  readonly guards?: GuardsServedBy;
}

const anyPlans = { tokens: symbols, minimumRunUsdWad: 0n, minimumPeriodSeconds: 0n, isSigning: true };
const anyGuards = {
  tokens: symbols,
  maxTriggerHealthWad: 0n,
  minimumRepayUsdWad: 0n,
  servesSales: true,
};

/** Who buys and who watches, as the page derives it from a working agent that states its operator's policy. */
export async function heardByPage(stage: Stage, now: bigint, { plans, guards }: Policies) {
  const settings = pageSettings(stage);
  const guardServingPolicy = guards ?? anyGuards;
  const { planRegistry, swapExecutor, loanGuard, collateralGuard } = settings.contracts;
  const loop = (name: string) => ({ name, intervalSeconds: 60, goodMs: 0, rounds: { good: 1, bad: 0 } });
  const watched = {
    vitals: { read: () => ({ head: { number: 1n, ageSeconds: 0 } }) },
    loops: () => [loop('executor'), loop('loan-guard')],
  };
  const { isSigning, ...servingPolicy } = plans ?? anyPlans;
  const serves = await servingOf(
    { chainId: settings.chainId, servingPolicy, guardServingPolicy },
    {
      own: {
        ...{ planRegistry, swapExecutor, loanGuard },
        ...(guardServingPolicy.servesSales && { collateralGuard }),
      } as AddressBook['own'],
      assets: assetsOf(stage).filter(({ symbol }) => guardServingPolicy.tokens.some((each) => each === symbol)),
    },
    {
      ...{ watched: watched as never, dependencies: [], desk: undefined, clock: () => now },
      tickets: isSigning ? [{ address: signer }] : [],
    },
  );
  const [works, moment] = [
    { ok: true, reason: null },
    { wall: 0, steady: 0 },
  ];
  const dollar = {
    symbol: 'USDT',
    price_usd: '1',
    change_24h_percent: null,
    history: [],
    judged: null,
    unavailable: [],
  };
  const answer = { time: '', sent_at: '', rescues: works, buys: works, serves, assets: [dollar], asOf: moment };
  const time = { newest: now, now };
  return {
    buyer: buyerOf(answer, false, settings, time, moment),
    watcher: watcherOf(answer, settings, time, moment),
  };
}

/** The SDK's deployment. */
export const deploymentOf = (stage: Stage): Deployment =>
  ({
    ...{ chainId: 31_337, assets: assetsOf(stage), verdictSigners: [] },
    contracts: {
      ...{ planRegistry: stage.registry.address, swapExecutor: stage.executor.address },
      ...{ loanGuard: stage.guards.address, collateralGuard: stage.sales.address },
      revocations: stage.revocations.address,
      chainlinkPriceSource: stage.chainlink.address,
    },
    lending: lendingOf(stage),
  }) as unknown as Deployment;

/** The tools' drafter. */
export function drafterOf(stage: Stage): PermissionDrafter {
  const { contracts, ...deployment } = deploymentOf(stage);
  const book = { ...deployment, own: contracts } as unknown as AddressBook;
  return createPermissionDrafter(
    deployment.chainId,
    book,
    async () => stage.tokens.USDT.address,
    async () => ({
      ...{ token: stage.tokens.BTCB.address, receipt: stage.vTokens.BTCB.address, rateWad: WAD },
    }),
  );
}

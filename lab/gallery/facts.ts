import type { previewAt } from '@bowline/chain/lending/rescue-preview';
import type { NetworkCost } from '@bowline/chain/network-cost';
import type { QueryKey } from '@tanstack/react-query';
import type { Address, Hex } from 'viem';
import type { Timed } from '../../web/app/api/freshness.ts';
import type { useQuote, useYear } from '../../web/app/api/quote.ts';
import type { useAgreed } from '../../web/app/api/settings.ts';
import type { forgetReset } from '../../web/app/chain/forget-reset.tsx';
import type { readGuardHistory, readPlanHistory } from '../../web/app/chain/read-history.ts';
import type { readProofs } from '../../web/app/chain/read-proofs.ts';
import type { useNewestBlock } from '../../web/app/chain/use-clock.ts';
import type { useHeld } from '../../web/app/chain/use-held.ts';
import type { useOverview } from '../../web/app/chain/use-overview.ts';
import type { useToken } from '../../web/app/chain/use-token.ts';
import type { useOperator, useServed } from '../../web/app/check/use-executor.ts';
import type { Told } from '../../web/app/guard/rescue-totals.ts';
import type { useGuarded, useGuardedById, usePenalty, useRescues } from '../../web/app/guard/use-loan.ts';
import type { usePlace } from '../../web/app/guard/use-place.ts';
import type { OwnCost } from '../../web/app/plans/own-cost.ts';
import type { useFloorPrices, usePlans, useRunSimulation, useRuns } from '../../web/app/plans/readings.ts';
import type { useWorth, Worth } from '../../web/app/portfolio/read-worth.ts';
import type { TicketVerified } from '../../web/app/replay/tasks.ts';
import type { Approvals } from '../../web/app/stop/read-approvals.ts';
import type { Market } from '../../web/validate-offer.ts';

type DataOf<Hook extends (...args: never[]) => { readonly data: unknown }> = NonNullable<ReturnType<Hook>['data']>;

/** Everything that the page reads, by the name of the reading. The types are the readings' own. */
export interface Facts {
  readonly agreed: DataOf<typeof useAgreed>;
  readonly quote: DataOf<typeof useQuote>;
  readonly year: DataOf<typeof useYear>;
  readonly time: NonNullable<ReturnType<typeof useNewestBlock>>;
  readonly firstBlock: Awaited<ReturnType<typeof forgetReset>>;
  readonly native: NonNullable<ReturnType<typeof useWorth>['native']>;
  readonly worth: Worth;
  readonly held: DataOf<typeof useHeld>;
  readonly token: NonNullable<ReturnType<typeof useToken>>;
  readonly overview: DataOf<typeof useOverview>;
  readonly proofs: Awaited<ReturnType<typeof readProofs>>;
  readonly plans: DataOf<typeof usePlans>;
  readonly runs: DataOf<typeof useRuns>;
  /** Runs of plan 7. */
  readonly weeklyRuns: DataOf<typeof useRuns>;
  readonly simulation: DataOf<typeof useRunSimulation>;
  readonly ownCost: OwnCost;
  readonly guarded: DataOf<typeof useGuarded>;
  readonly guard: DataOf<typeof useGuardedById>;
  readonly rescues: DataOf<typeof useRescues>;
  readonly allRescues: readonly Told[];
  readonly penalty: DataOf<typeof usePenalty>;
  readonly paymentPlace: DataOf<typeof usePlace>;
  readonly whatIf: Awaited<ReturnType<typeof previewAt>>;
  readonly market: Market;
  readonly cost: { readonly cost: NetworkCost | undefined };
  /** Chainlink's price of the paid token, USD with 18 decimals. */
  readonly feed: bigint;
  readonly floorPrices: DataOf<typeof useFloorPrices>;
  readonly allowance: bigint;
  readonly approvals: Timed<Approvals>;
  readonly auditPlan: Awaited<ReturnType<typeof readPlanHistory>>;
  readonly auditGuard: Awaited<ReturnType<typeof readGuardHistory>>;
  readonly auditExecutor: DataOf<typeof useServed>['pages'][number];
  readonly operator: DataOf<typeof useOperator>;
  readonly ticket: TicketVerified;
}

/** A reading that has not answered yet. */
export const waiting = Symbol('waiting');

/** Each reading's answer. An Error makes the reading fail with it. */
export type Answers = { readonly [Name in keyof Facts]: Facts[Name] | Error | typeof waiting };

/** "whatIf" of ['chain', 'what-if', 'Venus'], "auditPlan" of ['chain', 'audit', 'plan', '3']. */
export function factOf(key: QueryKey): keyof Facts {
  const [first, ...rest] = key.filter((part): part is string => typeof part === 'string');
  const [name = '', kind] = first === 'chain' ? rest : [first];
  if (name === 'runs' && kind === '7') return 'weeklyRuns';
  return camel(name === 'audit' ? `audit-${kind}` : name) as keyof Facts;
}

const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** An address that does not exist: the same digit, forty times. */
export const at = (digit: string): Address => `0x${digit.repeat(40)}` as Address;
export const hashOf = (digit: string): Hex => `0x${digit.repeat(64)}` as Hex;

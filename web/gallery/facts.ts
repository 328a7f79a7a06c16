import type { QueryKey } from '@tanstack/react-query';
import type { Address, Hex } from 'viem';
import type { Timed } from '../app/api/freshness.ts';
import type { useQuote } from '../app/api/quote.ts';
import type { useAgreed } from '../app/api/use-agreed.ts';
import type { useYear } from '../app/api/year.ts';
import type { NetworkCost } from '../app/chain/as-account.ts';
import type { forgetReset } from '../app/chain/forget-reset.tsx';
import type { previewAt } from '../app/chain/lending/preview.ts';
import type { readGuardHistory, readPlanHistory } from '../app/chain/read-history.ts';
import type { readProofs } from '../app/chain/read-proofs.ts';
import type { useBalances } from '../app/chain/use-balances.ts';
import type { useNewestBlock } from '../app/chain/use-clock.ts';
import type { useHeld } from '../app/chain/use-held.ts';
import type { useOverview } from '../app/chain/use-overview.ts';
import type { useToken } from '../app/chain/use-token.ts';
import type { useOperator, useServed } from '../app/executor/use-executor.ts';
import type { useGuarded, useGuardedById, useRescues } from '../app/guard/use-loan.ts';
import type { useFloorPrices } from '../app/plans/use-floor-prices.ts';
import type { usePlans } from '../app/plans/use-plans.ts';
import type { useRehearsal } from '../app/plans/use-rehearsal.ts';
import type { useRuns } from '../app/plans/use-runs.ts';
import type { TicketVerified } from '../app/replay/tasks.ts';
import type { Approvals } from '../app/stop/read-approvals.ts';
import type { Market } from '../sound-offer.ts';

type DataOf<Hook extends (...args: never[]) => { readonly data: unknown }> = NonNullable<ReturnType<Hook>['data']>;

/** Everything that the page reads, by the reading that it asks for. The types are the readings' own. */
export interface Facts {
  readonly agreed: DataOf<typeof useAgreed>;
  readonly quote: DataOf<typeof useQuote>;
  readonly year: DataOf<typeof useYear>;
  readonly time: NonNullable<ReturnType<typeof useNewestBlock>>;
  readonly firstBlock: Awaited<ReturnType<typeof forgetReset>>;
  readonly native: NonNullable<DataOf<typeof useBalances>['native']>;
  readonly balances: Omit<DataOf<typeof useBalances>, 'native'>;
  readonly held: DataOf<typeof useHeld>;
  readonly token: NonNullable<ReturnType<typeof useToken>>;
  readonly overview: DataOf<typeof useOverview>;
  readonly proofs: Awaited<ReturnType<typeof readProofs>>;
  readonly plans: DataOf<typeof usePlans>;
  readonly runs: DataOf<typeof useRuns>;
  /** Of plan 7. */
  readonly weeklyRuns: DataOf<typeof useRuns>;
  readonly rehearsal: DataOf<typeof useRehearsal>;
  readonly guarded: DataOf<typeof useGuarded>;
  readonly guard: DataOf<typeof useGuardedById>;
  readonly rescues: DataOf<typeof useRescues>;
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

/** A reading's answer; an Error: it fails with that. */
export type Answers = { readonly [Name in keyof Facts]: Facts[Name] | Error | typeof waiting };

/** "whatIf" of ['chain', 'what-if', 'Venus'], "auditPlan" of ['chain', 'audit', 'plan', '3']. */
export function factOf(key: QueryKey): keyof Facts {
  const [first, ...rest] = key.filter((part): part is string => typeof part === 'string');
  const [name = '', kind] = first === 'chain' ? rest : [first];
  if (name === 'runs' && kind === '7') return 'weeklyRuns';
  return camel(name === 'audit' ? `audit-${kind}` : name) as keyof Facts;
}

const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Nothing that exists: the same digit, forty times. */
export const at = (digit: string): Address => `0x${digit.repeat(40)}` as Address;
export const hashOf = (digit: string): Hex => `0x${digit.repeat(64)}` as Hex;

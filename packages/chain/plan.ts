import type { BarePlan, PlanStatus } from '@bowline/core/domain/permissions';
import type { Address } from '@bowline/core/domain/units';
import type { ContractFunctionReturnType } from 'viem';
import { planRegistryAbi } from '../../abis/index.ts';
import { inOneCall, type Reads } from './reads.ts';
import { UnknownAnswer } from './unknown-answer.ts';

// Converts PlanRegistry's answers to core's types.

/** Plans per eth_call. The answer is returned as contract code of at most 24 kB: enough for 25. */
export const PLANS_PAGE = 24;

export type PlanOnChain = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'plan'>;

export const planCall = (address: Address, id: bigint) =>
  ({ address, abi: planRegistryAbi, functionName: 'plan', args: [id] }) as const;

/** Plans in the order of `ids`, at most PLANS_PAGE per call. Throws viem's errors: one unknown ID fails all. */
export const readPlans = (
  client: Pick<Reads, 'multicall'>,
  registry: Address,
  ids: readonly bigint[],
  blockNumber?: bigint,
): Promise<readonly PlanOnChain[]> =>
  client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: ids.map((id) => planCall(registry, id)),
    ...(blockNumber !== undefined && { blockNumber }),
  });

const statuses: Readonly<Record<number, PlanStatus>> = { 1: 'active', 2: 'paused', 3: 'cancelled' };

/** Throws BowlineError `internal` for a code that the registry does not have. */
export const planStatus = (code: number, isRevoked: boolean): PlanStatus =>
  isRevoked ? 'revoked' : named(statuses, code);

export function toBarePlan(id: bigint, { terms, state, isRevoked }: PlanOnChain): BarePlan {
  return {
    id,
    ...terms,
    startAt: BigInt(terms.startAt),
    periodSeconds: BigInt(terms.periodSeconds),
    windowSeconds: BigInt(terms.windowSeconds),
    expiresAt: BigInt(terms.expiresAt),
    status: planStatus(state.status, isRevoked),
    cursor: BigInt(state.cursor),
    runs: state.runs,
    records: state.records,
    deferrals: state.deferrals,
    lastReason: state.lastReason,
    version: state.version,
  };
}

/** IPlanRegistry.Terms. */
export type PlanTerms = PlanOnChain['terms'];

/** A plan's terms as a transaction takes them. */
export function toTerms(plan: BarePlan): PlanTerms {
  const { id, status, cursor, runs, records, deferrals, lastReason, version, ...terms } = plan;
  return {
    ...terms,
    startAt: Number(terms.startAt),
    periodSeconds: Number(terms.periodSeconds),
    windowSeconds: Number(terms.windowSeconds),
    expiresAt: Number(terms.expiresAt),
  };
}

/** Throws UnknownAnswer for a code that has no name. */
export function named<Name>(names: Readonly<Record<number, Name>>, code: number): Name {
  const name = names[code];
  if (name === undefined) throw new UnknownAnswer(`The contract returned an unknown code: ${code}.`);
  return name;
}

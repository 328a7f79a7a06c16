import type { BarePlan, PlanStatus, Run } from '@bowline/core/domain/permissions';
import { reasonOf } from '@bowline/core/domain/reasons';
import { BowlineError } from '@bowline/core/domain/result';
import type { Address } from '@bowline/core/domain/units';
import { type Verdict, verdictCodes } from '@bowline/core/domain/verdict';
import type { ContractFunctionReturnType } from 'viem';
import { planRegistryAbi } from '../../abis/index.ts';
import { inOneCall, type Reads } from './reads.ts';

// PlanRegistry's answers in core's terms.

/** Plans per eth_call. The answer is returned as contract code of at most 24 kB: enough for 25. */
export const PLANS_PAGE = 24;

export type PlanOnChain = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'plan'>;
export type RunOnChain = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'runs'>[number];

export const planCall = (address: Address, id: bigint) =>
  ({ address, abi: planRegistryAbi, functionName: 'plan', args: [id] }) as const;

/** Plans in the order of `ids`, of which one call takes PLANS_PAGE. Throws viem's errors: one unknown ID fails all. */
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
export const toTerms = (plan: BarePlan): PlanTerms => ({
  ...{ owner: plan.owner, recipient: plan.recipient, executor: plan.executor, verdictSigner: plan.verdictSigner },
  ...{ tokenIn: plan.tokenIn, tokenOut: plan.tokenOut, amountPerRun: plan.amountPerRun },
  ...{ startAt: Number(plan.startAt), periodSeconds: Number(plan.periodSeconds) },
  ...{ windowSeconds: Number(plan.windowSeconds), maxRuns: plan.maxRuns, expiresAt: Number(plan.expiresAt) },
  ...{ priceSource: plan.priceSource, limitPriceWad: plan.limitPriceWad, maxSlippageBps: plan.maxSlippageBps },
  ...{ farLimit: plan.farLimit, triggerPriceWad: plan.triggerPriceWad },
});

const outcomes: Readonly<Record<number, Run['outcome']>> = { 1: 'executed', 2: 'deferred' };

export function toRun(planId: bigint, record: number, run: RunOnChain): Run {
  // Unknown reason codes are kept as numbers: a plan's executor may write any.
  const reason = reasonOf(run.reason);
  return {
    planId,
    record,
    outcome: named(outcomes, run.outcome),
    amountIn: run.amountIn,
    amountOut: run.amountOut,
    floor: run.floor,
    time: BigInt(run.time),
    slotStart: BigInt(run.slotStart),
    reasonCode: run.reason,
    ...(reason !== undefined && { reason }),
    verdict: verdictOf(run.verdict),
    version: run.version,
    isAttested: run.isAttested,
    evidencePrefix: run.evidencePrefix,
  };
}

function verdictOf(code: number): Verdict {
  const verdict = (Object.keys(verdictCodes) as Verdict[]).find((each) => verdictCodes[each] === code);
  return verdict ?? unknownCode(code);
}

const named = <Name>(names: Readonly<Record<number, Name>>, code: number): Name => names[code] ?? unknownCode(code);

function unknownCode(code: number): never {
  throw new BowlineError('internal', `The contract returned an unknown code: ${code}.`);
}

import type { Guard } from '@bowline/core/domain/permissions';
import type { Address } from '@bowline/core/domain/units';
import type { ContractFunctionReturnType } from 'viem';
import { guardAbi } from './guard-abi.ts';
import { inOneCall, type Reads } from './reads.ts';

// LoanGuard's answers in core's terms.

/** Guards per eth_call. The answer is returned as contract code of at most 24 kB: enough for 32. */
export const GUARDS_PAGE = 24;

export type GuardOnChain = ContractFunctionReturnType<typeof guardAbi, 'view', 'guard'>;

export const guardCall = (address: Address, id: bigint) =>
  ({ address, abi: guardAbi, functionName: 'guard', args: [id] }) as const;

/** Guards in the order of `ids`, at most GUARDS_PAGE per call. Throws viem's errors: one unknown ID fails all. */
export const readGuards = (
  client: Pick<Reads, 'multicall'>,
  loanGuard: Address,
  ids: readonly bigint[],
  blockNumber?: bigint,
): Promise<readonly GuardOnChain[]> =>
  client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: ids.map((id) => guardCall(loanGuard, id)),
    ...(blockNumber !== undefined && { blockNumber }),
  });

export const guardStatus = (code: number, isRevoked: boolean): Guard['status'] =>
  isRevoked ? 'revoked' : code === 1 ? 'active' : 'cancelled';

const nobody = 0n;

type Shared = Pick<GuardOnChain, 'repayToken' | 'isRevoked'> & {
  readonly terms: Omit<GuardOnChain['terms'], 'market'>;
  readonly state: Omit<GuardOnChain['state'], 'lastRescueAt'>;
};

/** What the guards of both contracts have. */
export function sharedTerms({ terms, repayToken, state, isRevoked }: Shared) {
  const { keeper, priceSource, borrower, funder, adapter, triggerHealthWad, targetHealthWad } = terms;
  const { capPerRescue, capPerDay, minRepay } = terms;
  return {
    ...{ borrower, funder, adapter, triggerHealthWad, targetHealthWad, capPerRescue, capPerDay, minRepay },
    repayToken,
    ...(BigInt(keeper) !== nobody && { keeper }),
    ...(BigInt(priceSource) !== nobody && { priceSource }),
    cooldownSeconds: BigInt(terms.cooldownSeconds),
    expiresAt: BigInt(terms.expiresAt),
    status: guardStatus(state.status, isRevoked),
    ...(state.isBySource && { isBySource: true as const }),
    day: BigInt(state.day),
    takenInDay: state.takenInDay,
    rescues: state.rescues,
  };
}

export const toGuard = (id: bigint, answer: GuardOnChain): Guard => ({
  ...{ id, ...sharedTerms(answer), market: answer.terms.market },
  lastRescueAt: BigInt(answer.state.lastRescueAt),
});

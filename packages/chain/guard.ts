import type { GuardHistory } from '@bowline/core/audit/history';
import type { Guard, SaleRoute } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from '@bowline/core/domain/units';
import { type ContractFunctionReturnType, zeroAddress } from 'viem';
import { guardAbi, saleAbi } from './guard-abi.ts';
import { inOneCall, type Reads } from './reads.ts';

// Converts the answers of LoanGuard and CollateralGuard about their guards to core's types.

/** Guards per eth_call. The answer is returned as contract code of at most 24 kB: enough for 32. */
export const GUARDS_PAGE = 24;

export type WalletGuard = ContractFunctionReturnType<typeof guardAbi, 'view', 'guard'>;
type SaleGuard = ContractFunctionReturnType<typeof saleAbi, 'view', 'guard'>;

/** A guard of either contract. */
export type GuardOnChain = Pick<GuardHistory, 'terms' | 'repayToken' | 'isRevoked' | 'sale'> & {
  /** A rescue that the pools cut short starts no cooldown. */
  readonly state: GuardHistory['state'] & { readonly coolingSince: number };
};

/** @param isSale whether the contract is CollateralGuard. */
export const guardCall = (address: Address, id: bigint, isSale: boolean) =>
  ({ address, abi: isSale ? saleAbi : guardAbi, functionName: 'guard', args: [id] }) as const;

/** Guards in the order of `ids`, at most GUARDS_PAGE per call. Throws viem's errors: one unknown ID fails all. */
export async function readGuards(
  client: Pick<Reads, 'multicall'>,
  address: Address,
  ids: readonly bigint[],
  isSale: boolean,
  blockNumber?: bigint,
): Promise<readonly GuardOnChain[]> {
  const answers = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: ids.map((id) => guardCall(address, id, isSale)),
    ...(blockNumber !== undefined && { blockNumber }),
  });
  return answers.map(guardIn);
}

export const noRoute: SaleRoute = {
  ...{ firstFee: 0, firstToken: zeroAddress, secondFee: 0, secondToken: zeroAddress, thirdFee: 0 },
};

/** Converts a contract's answer to a guard. */
export function guardIn(answer: WalletGuard | SaleGuard): GuardOnChain {
  const { repayToken, isRevoked } = answer;
  if (!('collateralToken' in answer)) {
    const { terms, state } = answer;
    return { terms, repayToken, isRevoked, state: { ...state, coolingSince: state.lastRescueAt } };
  }
  const { debtMarket, collateralMarket, maxCostBps, route, ...terms } = answer.terms;
  const sale = {
    ...{ funding: sameAddress(terms.borrower, terms.funder) ? ('collateral' as const) : ('savings' as const) },
    ...{ collateralMarket, collateralToken: answer.collateralToken, maxCostBps },
    ...(route.firstFee !== 0 && { route }),
  };
  return { terms: { ...terms, market: debtMarket }, repayToken, isRevoked, state: answer.state, sale };
}

export const guardStatus = (code: number, isRevoked: boolean): Guard['status'] =>
  isRevoked ? 'revoked' : code === 1 ? 'active' : 'cancelled';

const nobody = 0n;

export function toGuard(id: bigint, { terms, repayToken, state, isRevoked, sale }: GuardOnChain): Guard {
  const { keeper, priceSource, cooldownSeconds, expiresAt, ...others } = terms;
  return {
    ...{ id, ...others, repayToken },
    ...(BigInt(keeper) !== nobody && { keeper }),
    ...(BigInt(priceSource) !== nobody && { priceSource }),
    cooldownSeconds: BigInt(cooldownSeconds),
    expiresAt: BigInt(expiresAt),
    status: guardStatus(state.status, isRevoked),
    lastRescueAt: BigInt(state.coolingSince),
    ...(state.isBySource && { isBySource: true as const }),
    day: BigInt(state.day),
    takenInDay: state.takenInDay,
    rescues: state.rescues,
    ...(sale && { sale }),
  };
}

import { contractOf, type GuardContracts } from '@bowline/core/domain/guard-key';
import type { Guard, Rescue, SaleRoute } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from '@bowline/core/domain/units';
import { type ContractFunctionReturnType, zeroAddress } from 'viem';
import { sharedTerms } from './guard.ts';
import { saleAbi } from './guard-abi.ts';
import { inOneCall, type Reads } from './reads.ts';
import { inRecords, readRescues, toRescue } from './records.ts';

// CollateralGuard's answers in core's terms, as guard.ts and records.ts have LoanGuard's.

export type SaleGuardOnChain = ContractFunctionReturnType<typeof saleAbi, 'view', 'guard'>;
export type SaleOnChain = ContractFunctionReturnType<typeof saleAbi, 'view', 'rescues'>[number];

export const saleGuardCall = (address: Address, id: bigint) =>
  ({ address, abi: saleAbi, functionName: 'guard', args: [id] }) as const;

/** Guards in the order of `ids`, at most GUARDS_PAGE per call. Throws viem's errors: one unknown ID fails all. */
export const readSaleGuards = (
  client: Pick<Reads, 'multicall'>,
  collateralGuard: Address,
  ids: readonly bigint[],
  blockNumber?: bigint,
): Promise<readonly SaleGuardOnChain[]> =>
  client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: ids.map((id) => saleGuardCall(collateralGuard, id)),
    ...(blockNumber !== undefined && { blockNumber }),
  });

export const noRoute: SaleRoute = {
  ...{ firstFee: 0, firstToken: zeroAddress, secondFee: 0, secondToken: zeroAddress, thirdFee: 0 },
};

export function toSaleGuard(id: bigint, answer: SaleGuardOnChain): Guard {
  const { terms, collateralToken, state } = answer;
  const { borrower, funder, debtMarket, collateralMarket, maxCostBps, route } = terms;
  const sale = {
    ...{ funding: sameAddress(borrower, funder) ? ('collateral' as const) : ('savings' as const) },
    ...{ collateralMarket, collateralToken, maxCostBps },
    ...(route.firstFee !== 0 && { route }),
  };
  // A rescue that the pools cut short starts no cooldown.
  return { ...{ id, ...sharedTerms(answer), market: debtMarket }, lastRescueAt: BigInt(state.coolingSince), sale };
}

/** A guard's rescues. */
export const readSales = inRecords((client, address, args) =>
  client.readContract({ address, abi: saleAbi, functionName: 'rescues', args }),
);

/** @param sale a record of CollateralGuard, or of its event. */
export const toSale = (
  {
    repayment,
    sold,
    receipts,
  }: Pick<SaleOnChain, 'sold' | 'receipts'> & {
    readonly repayment: Omit<SaleOnChain['repayment'], 'time'>;
  },
  isCutShort = false,
): Rescue => ({ ...toRescue(repayment), sold, receipts, ...(isCutShort && { isCutShort }) });

/** A guard's rescues from number `from` on, by whichever contract holds it. */
export async function readGuardRescues(
  client: Pick<Reads, 'readContract'>,
  own: GuardContracts,
  guard: Pick<Guard, 'id' | 'sale' | 'rescues'>,
  from: number,
): Promise<(Rescue & { readonly time: bigint })[]> {
  const address = contractOf(own, guard);
  const { id, rescues } = guard;
  if (guard.sale === undefined) {
    const found = await readRescues(client, address, id, from, rescues);
    return found.map((each) => ({ ...toRescue(each), time: BigInt(each.time) }));
  }
  const found = await readSales(client, address, id, from, rescues);
  return found.map((each) => ({ ...toSale(each), time: BigInt(each.repayment.time) }));
}

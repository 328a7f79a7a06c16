import type { FundedGuard, Means, SaleMeans } from '@bowline/core/domain/guarded-loan';
import { type Sale, UNWIND_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { affordableDown, lossWadUp, rateX96Up } from '@bowline/core/domain/sale-size';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, BPS, mulDivDown, WAD } from '@bowline/core/domain/units';
import { erc20Abi } from './erc20-abi.ts';
import { depositAbi } from './guard-abi.ts';
import { readPosition } from './lending/loan.ts';
import type { Protocol } from './lending/reader.ts';
import { readerOf } from './lending/readers.ts';
import { priceSourceAbi } from './price-source-abi.ts';
import { type Reads, readOrUndefined } from './reads.ts';

/** Where a guard's money is spent. */
export interface Places {
  readonly loanGuard: Address;
  /** Absent where it is not deployed. */
  readonly collateralGuard?: Address;
  readonly lending: readonly Protocol[];
}

export type Paying = Pick<FundedGuard, 'funder' | 'adapter' | 'market' | 'repayToken' | 'sale' | 'targetHealthWad'> & {
  readonly borrower: Address;
  readonly priceSource?: Address;
};

export type Money = Omit<Means, 'isRepayPaused'>;

/** Computed as CollateralGuard does: what receipts, allowance and cash repay at the highest cost. */
export async function readDeposit(
  client: Reads,
  { collateralGuard }: Places,
  protocol: Protocol | undefined,
  guard: Paying,
  { collateralMarket, collateralToken, maxCostBps, funding }: Sale,
): Promise<Money> {
  if (collateralGuard === undefined) throw new Error('CollateralGuard is not deployed here.');
  const { funder, borrower, adapter, repayToken, priceSource } = guard;
  const contract = { address: adapter, abi: depositAbi } as const;
  const read = { ...contract, functionName: 'accrueAndReadCollateral', args: [funder, collateralMarket] } as const;
  const [{ result: held }, position, limits, pauses, bySource] = await Promise.all([
    client.simulateContract(read),
    readPosition(client, guard),
    client.readContract({ ...contract, functionName: 'limitsOf', args: [borrower, collateralMarket] }),
    protocol && readerOf(protocol)?.salePauses?.(client, protocol, collateralMarket),
    priceSource && readOrUndefined(readPrices(client, priceSource, collateralToken, repayToken)),
  ]);
  const receipt = { address: held.receipt, abi: erc20Abi } as const;
  const args = [funder, collateralGuard] as const;
  const allowed = await client.readContract({ ...receipt, functionName: 'allowance', args });
  const isOwn = funding === 'collateral';
  const rateX96 = rateX96Up([
    { soldWad: held.priceWad, repaidWad: position.repayTokenPriceWad },
    ...(bySource ? [bySource] : []),
  ]);
  const repays = (amount: bigint) => affordableDown(amount, rateX96, maxCostBps);
  const byReceipts = (receipts: bigint) => repays(mulDivDown(receipts, held.rateWad, WAD));
  // The protocol requires borrowing power in addition to health. Collateral with a zero factor gives none.
  const hasPower = !isOwn || held.weightWad === 0n || limits.factorWad > 0n;
  const isPaused = { transfer_paused: pauses?.transfer, withdrawal_paused: pauses?.withdrawal };
  const refusals: Record<NonNullable<SaleMeans['refusal']>, boolean | undefined> = {
    ...isPaused,
    // The payout is 1 − fee of the receipts' worth: at fee ≥ s / (1 + s), the fee alone uses up what a sale may cost.
    withdrawal_fee_too_high: held.feeWad * (BPS + BigInt(maxCostBps)) >= BigInt(maxCostBps) * WAD,
    borrowing_power_too_low: !hasPower && guard.targetHealthWad !== UNWIND_HEALTH_WAD,
    price_source_failed: priceSource !== undefined && bySource === undefined,
  };
  const refusal = (Object.keys(refusals) as (keyof typeof refusals)[]).find((reason) => refusals[reason]);
  return {
    allowance: byReceipts(allowed < MAX_UINT128 ? allowed : MAX_UINT128),
    balance: byReceipts(held.receipts),
    // Either token may differ from the agreed one: the contract refuses both cases.
    marketToken: sameAddress(held.token, collateralToken) ? position.repayToken : held.token,
    sale: {
      byCash: repays(held.cash),
      lossWad: lossWadUp(isOwn ? held.weightWad : 0n, maxCostBps),
      ...(refusal && { refusal }),
    },
  };
}

const MAX_UINT128 = 2n ** 128n - 1n;

async function readPrices(client: Reads, source: Address, sold: Address, repaid: Address) {
  const [soldWad, repaidWad] = await client.readContract({
    ...{ address: source, abi: priceSourceAbi, functionName: 'prices', args: [sold, repaid] },
  });
  if (soldWad === 0n || repaidWad === 0n) throw new Error('The source has no price.');
  return { soldWad, repaidWad };
}

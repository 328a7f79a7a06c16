import {
  type Abi,
  type Address,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  hexToBytes,
} from 'viem';
import type { Chain } from '../../world/chain.ts';

/** A transaction's gas from its receipt, after refunds. */
export interface Gas {
  readonly total: bigint;
  /** Gas before the first instruction: 21,000, and 16 per byte of calldata, or 4 per zero byte. */
  readonly intrinsic: bigint;
}

export const execution = ({ total, intrinsic }: Gas): bigint => total - intrinsic;

/** Sends a transaction and returns its gas. Each starts cold: earlier accesses do not count. */
export async function measure<const abi extends Abi, name extends ContractFunctionName<abi>>(
  chain: Chain,
  from: Address,
  to: Address,
  call: EncodeFunctionDataParameters<abi, name>,
): Promise<Gas> {
  // Typed for the caller. The two calls below infer equal types separately, which the compiler cannot relate.
  const { gasUsed } = await chain.send(from, to, call as never);
  return { total: gasUsed, intrinsic: intrinsic(encodeFunctionData(call as never)) };
}

/** Measures calls of one account that share a block, in order. */
export async function measureTogether(
  chain: Chain,
  from: Address,
  calls: readonly { to: Address; data: Hex }[],
): Promise<Gas[]> {
  const receipts = await chain.sendInOneBlock(from, calls);
  if (new Set(receipts.map(({ blockNumber }) => blockNumber)).size !== 1) throw new Error('not in one block');
  return receipts.map(({ gasUsed }, at) => ({
    total: gasUsed,
    intrinsic: intrinsic((calls[at] as { data: Hex }).data),
  }));
}

function intrinsic(data: Hex): bigint {
  return hexToBytes(data).reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 21_000n);
}

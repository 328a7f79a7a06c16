import type { Answer, Call } from '@bowline/chain/try-as';
import { type Address, RawContractError } from 'viem';
import { type Failure, failureOf } from '../words/contract-errors.ts';
import type { ChainClient } from './client.ts';

/** The contract's reason in words. */
export const refusalIn = ({ data }: Answer): Failure => failureOf(new RawContractError({ data }));

/** The network's fee for an account's transactions, sent one after another now. */
export interface NetworkCost {
  readonly gas: bigint;
  /** What of BNB that is at the price of now. */
  readonly wei: bigint;
}

/** Undefined where the node cannot simulate transactions (eth_simulateV1), or the contracts refuse one. */
export async function networkCost(
  client: ChainClient,
  account: Address,
  calls: readonly Call[],
): Promise<NetworkCost | undefined> {
  try {
    const [[block], price] = await Promise.all([
      client.simulateBlocks({ blocks: [{ calls: calls.map(({ to, data }) => ({ account, to, data })) }] }),
      client.getGasPrice(),
    ]);
    if (block === undefined || block.calls.some(({ status }) => status !== 'success')) return undefined;
    const gas = block.calls.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
    return { gas, wei: gas * price };
  } catch {
    return undefined;
  }
}

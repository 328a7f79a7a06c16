import type { Address } from 'viem';
import type { ChainActions } from './reads.ts';
import type { Call } from './try-as.ts';

/** The network's fee for an account's transactions, sent one after another now. */
export interface NetworkCost {
  readonly gas: bigint;
  /** The gas in wei of BNB, at the current gas price. */
  readonly wei: bigint;
}

/** Undefined where the node cannot simulate transactions (eth_simulateV1), or the contracts refuse one. */
export async function networkCost(
  client: Pick<ChainActions, 'simulateBlocks' | 'getGasPrice'>,
  account: Address,
  calls: readonly (Call & { readonly value?: bigint })[],
): Promise<NetworkCost | undefined> {
  try {
    const [[block], price] = await Promise.all([
      client.simulateBlocks({
        blocks: [{ calls: calls.map(({ to, data, value = 0n }) => ({ account, to, data, value })) }],
      }),
      client.getGasPrice(),
    ]);
    if (block === undefined || block.calls.some(({ status }) => status !== 'success')) return undefined;
    const gas = block.calls.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
    return { gas, wei: gas * price };
  } catch {
    return undefined;
  }
}

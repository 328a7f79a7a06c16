import { type Answer, tryAs } from '@bowline/chain/try-as';
import type { Address } from 'viem';
import { isUnwrapping } from './bnb.ts';
import type { ChainClient } from './client.ts';
import type { Step } from './step.ts';

type Tried = Pick<Step, 'to' | 'data' | 'value'>;

/**
 * What the contracts would return now for an account's steps, one after another. Nothing is sent. Steps that send or
 * return BNB are simulated as transactions, because the code that otherwise replaces the account's can do neither.
 * @throws if the node does not answer, takes no state overrides, or simulates no transactions.
 */
export async function trySteps(
  client: ChainClient,
  account: Address,
  steps: readonly Tried[],
): Promise<readonly Answer[]> {
  if (!steps.some((step) => step.value !== undefined || isUnwrapping(step))) return tryAs(client, account, steps);
  const calls = steps.map(({ to, data, value }) => ({ account, to, data, ...(value !== undefined && { value }) }));
  const [block] = await client.simulateBlocks({ blocks: [{ calls }] });
  if (block?.calls.length !== steps.length) throw new Error("The node's answer does not match the request.");
  return block.calls.map(({ status, data }) => ({ isOk: status === 'success', data }));
}

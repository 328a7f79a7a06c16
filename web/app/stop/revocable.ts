import { tryAs } from '@bowline/chain/try-as';
import type { Address } from 'viem';
import type { ChainClient } from '../chain/client.ts';
import type { Step } from '../chain/step.ts';

/** Time that the node has to try them. Nobody waits longer for the wallet when they want their approvals back. */
const TRYING_MS = 3_000;

/**
 * Those of an account's revocations that their tokens take now. One token that refuses, as one that is paused, must not keep
 * the others approved: steps stop at the first that fails, and a list is all or none.
 * @returns all of them if none is taken, so that the reason is told, or if the node cannot tell.
 */
export async function revocable(client: ChainClient, owner: Address, steps: readonly Step[]): Promise<readonly Step[]> {
  const trying = tryAs(client, owner, steps).catch(() => undefined);
  const tried = await Promise.race([
    trying,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), TRYING_MS)),
  ]);
  const taken = steps.filter((_, at) => tried?.[at]?.isOk !== false);
  return taken.length === 0 ? steps : taken;
}

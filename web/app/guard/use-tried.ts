import { type NetworkCost, networkCost } from '@bowline/chain/network-cost';
import { repaidIn } from '@bowline/chain/rescue-calls';
import { useQuery } from '@tanstack/react-query';
import type { Address } from 'viem';
import { type ChainClient, useChain } from '../chain/client.ts';
import type { Step } from '../chain/step.ts';
import { trySteps } from '../chain/try-steps.ts';
import { type Failure, refusalIn } from '../words/contract-errors.ts';

/** Debounce while the user types. */
const REST_MS = 600;

type Called = Pick<Step, 'to' | 'data' | 'value'>;

export interface Tried {
  /** Why a contract would refuse one of the calls; undefined if all go through. */
  readonly refused: Failure | undefined;
  /** Undefined if it is not known. */
  readonly cost: NetworkCost | undefined;
  /** Base units that the rescue tried after the calls repays; undefined if none is tried, or it is refused. */
  readonly repaid?: bigint;
  /** Base units that were owed when it was tried. */
  readonly owed?: bigint | undefined;
}

/** The rescue by the guard that the last call registers, with the number it is expected to get. */
type Rescue = Called & { readonly id: bigint };

/** A rescue that must succeed after the calls. */
interface TriedRescue {
  readonly call: (client: ChainClient) => Promise<Rescue>;
  /** Base units, as last read. */
  readonly owed: bigint;
}

/**
 * What the contracts would answer now to an account's calls, one after another, and their network cost. Sends nothing.
 * @param rescue a call that anyone may make after them: simulated, but not part of the cost.
 * @throws if the node does not answer or support state overrides, or if somebody else's guard has taken the number.
 */
export async function tryCalls(
  client: ChainClient,
  account: Address,
  calls: readonly Called[],
  rescue?: Rescue,
): Promise<Tried> {
  const [answers, cost] = await Promise.all([
    trySteps(client, account, rescue ? [...calls, rescue] : calls),
    networkCost(client, account, calls),
  ]);
  const refused = answers.find(({ isOk }) => !isOk);
  const last = answers.at(-1);
  const registered = rescue && answers.at(-2);
  if (registered?.isOk && BigInt(registered.data) !== rescue?.id)
    throw new Error('Another guard was registered meanwhile.');
  return {
    ...{ refused: refused && refusalIn(refused), cost },
    ...(rescue && last?.isOk && { repaid: repaidIn(last.data) }),
  };
}

/**
 * The same, once typing has stopped.
 * @param key what triggers a new trial: the calls contain the time, which changes every second. Undefined: no calls.
 */
export function useTried(
  key: string | undefined,
  account: Address,
  calls: (() => readonly Called[]) | undefined,
  rescue?: TriedRescue,
) {
  const client = useChain();
  return useQuery({
    queryKey: ['chain', 'tried', account, key],
    queryFn: async ({ signal }): Promise<Tried> => {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      signal.throwIfAborted();
      const tried = await tryCalls(client, account, (calls as () => readonly Called[])(), await rescue?.call(client));
      return { ...tried, owed: rescue?.owed };
    },
    enabled: key !== undefined && calls !== undefined,
    refetchInterval: 90_000,
    retry: 1,
    gcTime: 0,
  });
}

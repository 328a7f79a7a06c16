import type { Address } from 'viem';
import { permissionsLensAbi } from '../../../abis/index.ts';
import { permissionsLensCode } from '../../../abis/permissions-lens.ts';
import type { ChainClient } from './client.ts';

/** Numbers per call: 37 million gas at most, and nodes allow 50 million by default. */
const MOST = 2_500n;
/** A node that fails for so few will not answer for fewer. */
const FEWEST = 100n;
/** Calls per search. The next search goes on from there. */
const CALLS = 20;

/** What the lens looks for, and the contract that numbers it. */
interface Sought {
  readonly functionName: 'plansOf' | 'guardsOf';
  readonly contract: Address;
  readonly account: Address;
}

/** What an earlier search found. */
interface Before {
  readonly own: readonly { readonly id: bigint }[];
  readonly upTo: bigint;
  readonly unread: readonly bigint[];
}

interface Own {
  readonly ids: readonly bigint[];
  /** The last number that was searched. */
  readonly upTo: bigint;
  /** The error that ended the search before the last number; undefined if there was none. */
  readonly cause: unknown;
}

/**
 * Finds the account's plans or guards among everybody's: those found before, and those up to number `count` that have
 * joined since. One call searches thousands (contracts/lens/PermissionsLens.sol). No gas limit is sent: the lens stops
 * where the node's own ends. A call that fails is repeated with half as many numbers, because a node may also limit
 * time.
 * @throws if there was no search before and this one could not search a single number.
 */
export async function findOwn(
  client: ChainClient,
  { functionName, contract, account }: Sought,
  before: Before | undefined,
  count: bigint,
): Promise<Own> {
  const ids = new Set([...(before?.own.map(({ id }) => id) ?? []), ...(before?.unread ?? [])]);
  let upTo = before?.upTo ?? 0n;
  let most = MOST;
  for (let call = 0; call < CALLS && upTo < count; call++) {
    const from = upTo + 1n;
    const to = from + most > count ? count + 1n : from + most;
    try {
      const [found, reached] = await client.readContract({
        code: permissionsLensCode,
        abi: permissionsLensAbi,
        functionName,
        args: [contract, account, from, to],
      });
      // With too little gas for a single number the lens stays where it is; no honest answer goes beyond the last.
      if (reached <= from || reached > to) throw new Error('The node did not search the numbers asked for.');
      for (const id of found) ids.add(id);
      upTo = reached - 1n;
    } catch (cause) {
      most /= 2n;
      if (most >= FEWEST) continue;
      if (before === undefined && upTo === 0n) throw cause;
      return { ids: [...ids], upTo, cause };
    }
  }
  return { ids: [...ids], upTo, cause: undefined };
}

/** Whether everything that an account owns is known as it is now. */
export const isWhole = ({ unread, upTo, count }: Omit<Before, 'own'> & { readonly count: bigint }): boolean =>
  unread.length === 0 && upTo >= count;

import type { Address, PublicClient } from 'viem';
import { permissionsLensAbi } from '../../../abis/index.ts';
import { permissionsLensCode } from '../../../abis/permissions-lens.ts';

/** More than a page could read. A larger count can only come from a dishonest node. */
const MAX_NUMBERS = 1_000_000n;

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
  /** The last number that was looked at. */
  readonly upTo: bigint;
  /** Why the search ended before the last number; undefined if it did not. */
  readonly cause: unknown;
}

/**
 * Finds the account's plans or guards among everybody's: those found before, and those up to number `count` that have
 * joined since. Thousands take one call (contracts/lens/PermissionsLens.sol); the node's gas limit decides how far it
 * comes.
 * @throws if nothing could be looked at, or if there are more than the page can read.
 */
export async function findOwn(
  client: PublicClient,
  { functionName, contract, account }: Sought,
  before: Before | undefined,
  count: bigint,
): Promise<Own> {
  const known = before?.upTo ?? 0n;
  if (count - known > MAX_NUMBERS) throw new Error(`The node counts ${count}, more than can be listed.`);
  const unread = before?.unread.filter((id) => id <= known) ?? [];
  const ids = new Set([...(before?.own.map(({ id }) => id) ?? []), ...unread]);
  let next = known + 1n;
  try {
    while (next <= count) {
      const [found, reached] = await client.readContract({
        code: permissionsLensCode,
        abi: permissionsLensAbi,
        functionName,
        args: [contract, account, next, count + 1n],
      });
      // With too little gas for a single number the lens stays where it is; no honest answer goes beyond the last.
      if (reached <= next || reached > count + 1n) throw new Error('The node did not look at the numbers asked for.');
      for (const id of found) ids.add(id);
      next = reached;
    }
  } catch (cause) {
    if (ids.size === 0 && next === known + 1n) throw cause;
    return { ids: [...ids], upTo: next - 1n, cause };
  }
  return { ids: [...ids], upTo: next - 1n, cause: undefined };
}

/** The numbers after `upTo`, up to and including `count`. */
export const notLookedAt = (upTo: bigint, count: bigint): bigint[] =>
  Array.from({ length: Math.max(0, Number(count - upTo)) }, (_, at) => upTo + BigInt(at) + 1n);

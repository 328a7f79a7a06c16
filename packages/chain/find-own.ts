import { elapsed, type Moment } from '@bowline/core/domain/time';
import type { Address } from '@bowline/core/domain/units';
import { permissionsLensAbi } from '../../abis/index.ts';
import { permissionsLensCode } from '../../abis/permissions-lens.ts';
import { faultOf, isSilence } from './errors.ts';
import type { Reads } from './reads.ts';
import { UnknownAnswer } from './unknown-answer.ts';

// The contracts keep no list by account: a lens looks at all plans or guards (contracts/lens/PermissionsLens.sol).

/** Numbers per call: 40 million gas at most, and nodes allow 50 million by default. */
const MOST = 2_500n;
/** A node that fails for so few will not answer for fewer. */
const FEWEST = 100n;
/** Calls per resumable search. The next search continues from there. */
const CALLS = 20;
/** Newest numbers, which every resumed search repeats: a reorg of young blocks may give them to another account. */
const YOUNG = 20n;
/** BNB Chain's blocks are final after this time. The newest numbers are searched once more, then known for good. */
const FINAL_AFTER_MS = 30_000;

/** Gaps that a whole search may skip. A node that refuses more refuses everything. */
const GAPS = 8;

type Searching = Pick<Reads, 'readContract'>;

/** What the lens looks for, and the contract that numbers it. */
export interface Sought {
  readonly functionName: 'plansOf' | 'guardsOf';
  readonly contract: Address;
  readonly account: Address;
}

/** When the numbers in young blocks were last searched. */
export interface Looked {
  /** When a number beyond those searched before was first seen. */
  readonly grewAt: Moment;
  readonly searchedAt: Moment;
}

/** What an earlier search found. */
interface Before {
  readonly own: readonly { readonly id: bigint }[];
  readonly upTo: bigint;
  readonly unread: readonly bigint[];
  /** Undefined if not known. */
  readonly looked?: Looked | undefined;
}

interface Searched {
  readonly ids: readonly bigint[];
  /** The last number that was searched. */
  readonly upTo: bigint;
  /** The error that ended the search before the last number; undefined if there was none. */
  readonly cause: unknown;
}

/**
 * Searches the numbers after `from`, up to `count`, thousands in a call. No gas limit is sent: the lens stops at the
 * node's own limit. A failed call is retried with half as many numbers, because a node may also limit time. A fault of
 * this code is thrown.
 */
async function search(
  client: Searching,
  { functionName, contract, account }: Sought,
  from: bigint,
  count: bigint,
  calls: number,
): Promise<Searched> {
  const ids: bigint[] = [];
  let upTo = from;
  let most = MOST;
  for (let call = 0; call < calls && upTo < count; call++) {
    const first = upTo + 1n;
    const to = first + most > count ? count + 1n : first + most;
    try {
      const [own, next] = await client.readContract({
        code: permissionsLensCode,
        abi: permissionsLensAbi,
        functionName,
        args: [contract, account, first, to],
      });
      // Without the gas for a single number, the lens does not advance. No honest answer goes past the last number.
      if (next <= first || next > to) throw new UnknownAnswer('The node did not search the requested numbers.');
      ids.push(...own);
      upTo = next - 1n;
    } catch (cause) {
      if (faultOf(cause) === 'ours') throw cause;
      most /= 2n;
      if (most < FEWEST) return { ids, upTo, cause };
    }
  }
  return { ids, upTo, cause: undefined };
}

/**
 * Finds the account's plans or guards among everybody's: those found before, and newer ones up to number `count`. A
 * reorg of young blocks can change a number's owner, so the newest numbers are searched again with every search, and
 * once when they are final. A `count` below the last number searched means another chain or replaced blocks: earlier
 * results are then discarded.
 * @throws if there was no earlier search and this one could not search a single number.
 */
export async function findOwn(
  client: Searching,
  sought: Sought,
  found: Before | undefined,
  count: bigint,
  now: Moment,
): Promise<Searched & { readonly looked: Looked }> {
  const before = found !== undefined && count < found.upTo ? undefined : found;
  const known = [...(before?.own.map(({ id }) => id) ?? []), ...(before?.unread ?? [])];
  const last = before !== undefined && count <= before.upTo ? before.looked : undefined;
  const upTo = before?.upTo ?? 0n;
  if (last && !isDue(last, now)) return { ids: [...new Set(known)], upTo, looked: last, cause: undefined };
  const searched = await search(client, sought, upTo < YOUNG ? 0n : upTo - YOUNG, count, CALLS);
  if (before === undefined && searched.upTo === 0n && searched.cause !== undefined) throw searched.cause;
  const looked = { grewAt: last?.grewAt ?? now, searchedAt: now };
  return { ...searched, ids: [...new Set([...known, ...searched.ids])], looked };
}

/** Whether the newest numbers have become final since they were searched. */
const isDue = ({ grewAt, searchedAt }: Looked, now: Moment): boolean =>
  elapsed(grewAt, searchedAt) < FINAL_AFTER_MS && elapsed(grewAt, now) >= FINAL_AFTER_MS;

/** Whether everything that an account owns is known as it is now. */
export const isWhole = ({ unread, upTo, count }: Pick<Before, 'unread' | 'upTo'> & { readonly count: bigint }) =>
  unread.length === 0 && upTo >= count;

/**
 * Finds the account's plans or guards up to number `count` in one search. Skips numbers that the node does not
 * search and continues after them, as long as the node answers at all.
 * @returns also the numbers skipped. Throws viem's error if the node does not answer.
 */
export async function findAllOwn(
  client: Searching,
  sought: Sought,
  count: bigint,
): Promise<{ readonly ids: readonly bigint[]; readonly unsearched: readonly bigint[] }> {
  const ids: bigint[] = [];
  const unsearched: bigint[] = [];
  let gaps = 0;
  for (let upTo = 0n; upTo < count; ) {
    const searched = await search(client, sought, upTo, count, Number.POSITIVE_INFINITY);
    ids.push(...searched.ids);
    if (searched.cause === undefined) break;
    gaps += 1;
    const end = isSilence(searched.cause) || gaps > GAPS ? count : searched.upTo + FEWEST;
    upTo = end < count ? end : count;
    for (let id = searched.upTo + 1n; id <= upTo; id += 1n) unsearched.push(id);
    if (isSilence(searched.cause) && BigInt(unsearched.length) === count) throw searched.cause;
  }
  return { ids, unsearched };
}

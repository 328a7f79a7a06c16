import type { Address } from 'viem';
import { permissionsLensAbi } from '../../../abis/index.ts';
import { permissionsLensCode } from '../../../abis/permissions-lens.ts';
import { elapsed, type Moment, thisMoment } from '../api/age.ts';
import type { ChainClient } from './client.ts';

/** Numbers per call: 40 million gas at most, and nodes allow 50 million by default. */
const MOST = 2_500n;
/** A node that fails for so few will not answer for fewer. */
const FEWEST = 100n;
/** Calls per search. The next search goes on from there. */
const CALLS = 20;
/** The newest numbers that every search includes: while their blocks are young they may become another account's. */
const YOUNG = 20n;
/** After that long, BNB Chain's blocks are final: the newest numbers are searched once more, and then known for good. */
const FINAL_AFTER_MS = 30_000;

/** What the lens looks for, and the contract that numbers it. */
interface Sought {
  readonly functionName: 'plansOf' | 'guardsOf';
  readonly contract: Address;
  readonly account: Address;
}

/** When was looked at the numbers whose blocks are young. */
export interface Looked {
  /** When it was seen first that there is a number beyond those searched before. */
  readonly grewAt: Moment;
  readonly searchedAt: Moment;
}

/** What an earlier search found. */
interface Before {
  readonly own: readonly { readonly id: bigint }[];
  readonly upTo: bigint;
  readonly unread: readonly bigint[];
  /** Undefined: not that it is known. */
  readonly looked?: Looked | undefined;
}

interface Own {
  readonly ids: readonly bigint[];
  /** The last number that was searched. */
  readonly upTo: bigint;
  readonly looked: Looked;
  /** The error that ended the search before the last number; undefined if there was none. */
  readonly cause: unknown;
}

/**
 * Finds the account's plans or guards among everybody's: those found before, and those up to number `count` that have
 * joined since. One call searches thousands (contracts/lens/PermissionsLens.sol). No gas limit is sent: the lens stops
 * where the node's own ends. A call that fails is repeated with half as many numbers, because a node may also limit
 * time. A number's owner changes where a young block is replaced by another, so the newest numbers are searched again:
 * with every search, and once when they are final. Fewer numbers than were searched are of another chain, or of blocks
 * that were replaced: then nothing found before counts.
 * @throws if there was no search before and this one could not search a single number.
 */
export async function findOwn(
  client: ChainClient,
  { functionName, contract, account }: Sought,
  found: Before | undefined,
  count: bigint,
  now: Moment = thisMoment(),
): Promise<Own> {
  const before = found !== undefined && count < found.upTo ? undefined : found;
  const ids = new Set([...(before?.own.map(({ id }) => id) ?? []), ...(before?.unread ?? [])]);
  const last = before !== undefined && count <= before.upTo ? before.looked : undefined;
  const looked = { grewAt: last?.grewAt ?? now, searchedAt: now };
  let upTo = before?.upTo ?? 0n;
  if (last && !isDue(last, now)) return { ids: [...ids], upTo, looked: last, cause: undefined };
  upTo = upTo < YOUNG ? 0n : upTo - YOUNG;
  let most = MOST;
  for (let call = 0; call < CALLS && upTo < count; call++) {
    const from = upTo + 1n;
    const to = from + most > count ? count + 1n : from + most;
    try {
      const [own, next] = await client.readContract({
        code: permissionsLensCode,
        abi: permissionsLensAbi,
        functionName,
        args: [contract, account, from, to],
      });
      // With too little gas for a single number the lens stays where it is; no honest answer goes beyond the last.
      if (next <= from || next > to) throw new Error('The node did not search the numbers asked for.');
      for (const id of own) ids.add(id);
      upTo = next - 1n;
    } catch (cause) {
      most /= 2n;
      if (most >= FEWEST) continue;
      if (before === undefined && upTo === 0n) throw cause;
      return { ids: [...ids], upTo, looked, cause };
    }
  }
  return { ids: [...ids], upTo, looked, cause: undefined };
}

/** Whether the newest numbers have become final since they were searched. */
const isDue = ({ grewAt, searchedAt }: Looked, now: Moment): boolean =>
  elapsed(grewAt, searchedAt) < FINAL_AFTER_MS && elapsed(grewAt, now) >= FINAL_AFTER_MS;

/** Whether everything that an account owns is known as it is now. */
export const isWhole = ({ unread, upTo, count }: Pick<Before, 'unread' | 'upTo'> & { readonly count: bigint }) =>
  unread.length === 0 && upTo >= count;

import { findOwn, type Looked } from '@bowline/chain/find-own';
import { GUARDS_PAGE, readGuards as readPage, toGuard } from '@bowline/chain/guard';
import { type Places, readMeans } from '@bowline/chain/guard-means';
import { readInPages } from '@bowline/chain/in-pages';
import { readOrUndefined } from '@bowline/chain/reads';
import type { Means } from '@bowline/core/domain/guarded-loan';
import type { Guard as BareGuard } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from 'viem';
import { loanGuardAbi } from '../../../abis/index.ts';
import { thisMoment } from '../api/age.ts';
import { AT_ONCE, type ChainClient } from './client.ts';

export interface Guard extends BareGuard {
  /** What a rescue would find now; undefined if not read. */
  readonly means: Means | undefined;
}

export interface OwnedGuards {
  /** Those whose borrower is the account. */
  readonly guards: readonly Guard[];
  /** Those of other borrowers that the account pays for: they share its allowance. */
  readonly funded: readonly Guard[];
  /** Number of all accounts' guards at that time. */
  readonly count: bigint;
  /** The last guard that was searched for. The numbers after it, and the newest while they are young, are searched next. */
  readonly upTo: bigint;
  /** When the newest numbers were searched; undefined: not that it is known. */
  readonly looked?: Looked;
  /** The account's guards that could not be read. They and the numbers after `upTo` are tried again next time. */
  readonly unread: readonly bigint[];
  /** Why the `unread` ones could not be read; undefined if there are none. */
  readonly cause: unknown;
  /** What ended the search at `upTo`; undefined if it searched everything, or stopped to go on next time. */
  readonly searchCause: unknown;
}

/**
 * The guards whose borrower or funder is the account, newest first. One that cannot be read keeps its last known values,
 * without its means: whether it is still active is unknown.
 * @throws if nothing can be read.
 */
export async function readGuards(
  client: ChainClient,
  places: Places,
  account: Address,
  known?: OwnedGuards,
): Promise<OwnedGuards> {
  const { loanGuard: address } = places;
  const count = await client.readContract({ address, abi: loanGuardAbi, functionName: 'guardCount' });
  const sought = { functionName: 'guardsOf', contract: address, account } as const;
  const before = known && { ...known, own: [...known.guards, ...known.funded] };
  const { ids, upTo, looked, ...search } = await findOwn(client, sought, before, count, thisMoment());
  const { items, unread, cause } = await readInPages(
    ids,
    GUARDS_PAGE,
    async (page) => (await readPage(client, address, page)).map((guard, at) => toGuard(page[at] as bigint, guard)),
    AT_ONCE,
  );
  if (items.size === 0 && cause) throw cause;
  const kept = before?.own.filter(({ id }) => unread.includes(id)) ?? [];
  const found = await Promise.all(
    [...items.values()].map(async (guard) => ({ ...guard, means: await readMeans(client, places, guard) })),
  );
  const all = [...found, ...kept.map((guard) => ({ ...guard, means: undefined }))];
  const newestFirst = all.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const has = (role: 'borrower' | 'funder') => (guard: Guard) => sameAddress(guard[role], account);
  return {
    guards: newestFirst.filter(has('borrower')),
    funded: newestFirst.filter((guard) => !has('borrower')(guard) && has('funder')(guard)),
    count,
    upTo,
    looked,
    unread,
    cause,
    searchCause: search.cause,
  };
}

/**
 * One guard of anybody's, with its means.
 * @throws if it cannot be read, or there is none.
 */
export async function readGuard(client: ChainClient, places: Places, id: bigint): Promise<Guard> {
  const [answer] = await readPage(client, places.loanGuard, [id]);
  if (answer === undefined) throw new Error('The node answered another question.');
  const guard = toGuard(id, answer);
  return { ...guard, means: await meansOf(client, places, guard) };
}

/** The means of an active guard; undefined if they cannot be read, because an unknown value never counts as enough. */
async function meansOf(client: ChainClient, places: Places, guard: BareGuard): Promise<Means | undefined> {
  return guard.status === 'active' ? readOrUndefined(readMeans(client, places, guard)) : undefined;
}

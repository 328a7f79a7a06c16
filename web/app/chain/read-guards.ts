import type { Places } from '@bowline/chain/deposit-means';
import { findOwn, isWhole } from '@bowline/chain/find-own';
import { GUARDS_PAGE, readGuards as readPage, toGuard } from '@bowline/chain/guard';
import { guardAbi } from '@bowline/chain/guard-abi';
import { readMeans } from '@bowline/chain/guard-means';
import { readInPages } from '@bowline/chain/paginated-reads';
import { readOrUndefined } from '@bowline/chain/reads';
import { type GuardKey, guardContractAt, numberOf } from '@bowline/core/domain/guard-key';
import type { Means } from '@bowline/core/domain/guarded-loan';
import type { Guard as BareGuard } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from 'viem';
import { thisMoment } from '../api/age.ts';
import { AT_ONCE, type ChainClient } from './client.ts';
import type { Searched } from './searched.ts';

export interface Guard extends BareGuard {
  /** What a rescue would find now; undefined if not read. */
  readonly means: Means | undefined;
}

export interface OwnedGuards extends Searched {
  /** Guards whose borrower is the account. */
  readonly guards: readonly Guard[];
  /** Guards of other borrowers that the account pays for; they share the account's allowance. */
  readonly funded: readonly Guard[];
  /** CollateralGuard's own answer; its guards are included above. Absent if it is not deployed. */
  readonly sales?: Told;
}

/** Whether every guard of the account is known and up to date. */
export const areWhole = (owned: OwnedGuards): boolean =>
  isWhole(owned) && (owned.sales === undefined || isWhole(owned.sales));

/** One contract's answer about an account's guards. */
interface Told extends Omit<OwnedGuards, 'sales'> {}

/**
 * The guards of both contracts whose borrower or funder is the account, newest first. A guard that cannot be read keeps
 * its last known values without its means, because it may no longer be active.
 * @throws if nothing can be read.
 */
export async function readGuards(
  client: ChainClient,
  places: Places,
  account: Address,
  known?: OwnedGuards,
): Promise<OwnedGuards> {
  const isWallet = (guard: Guard) => guard.sale === undefined;
  const before = known && { ...known, guards: known.guards.filter(isWallet), funded: known.funded.filter(isWallet) };
  const [wallet, sales] = await Promise.all([
    readGuardsOf(client, places, account, false, before),
    places.collateralGuard &&
      readGuardsOf(client, places, account, true, known?.sales).catch((cause) => unsearched(known?.sales, cause)),
  ]);
  if (!sales) return wallet;
  const { guards, funded } = wallet;
  return { ...wallet, guards: [...guards, ...sales.guards], funded: [...funded, ...sales.funded], sales };
}

/** CollateralGuard did not answer: its last known guards stay, and LoanGuard's are not affected. */
const unsearched = (known: Told | undefined, cause: unknown): Told => ({
  ...(known ?? { guards: [], funded: [], count: 0n, upTo: 0n, unread: [], cause: undefined }),
  // There may be one more: not known.
  count: (known?.upTo ?? 0n) + 1n,
  searchCause: cause,
});

async function readGuardsOf(
  client: ChainClient,
  places: Places,
  account: Address,
  isSale: boolean,
  known: Told | undefined,
): Promise<Told> {
  const address = guardContractAt(places, isSale ? 'collateral-0' : 0n);
  // Both contracts have the same function.
  const count = await client.readContract({ address, abi: guardAbi, functionName: 'guardCount' });
  const sought = { functionName: 'guardsOf', contract: address, account } as const;
  const before = known && { ...known, own: [...known.guards, ...known.funded] };
  const { ids, upTo, looked, ...search } = await findOwn(client, sought, before, count, thisMoment());
  const { items, unread, cause } = await readInPages(
    ids,
    GUARDS_PAGE,
    (page) => readBare(client, address, page, isSale),
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

async function readBare(
  client: ChainClient,
  address: Address,
  page: readonly bigint[],
  isSale: boolean,
): Promise<readonly BareGuard[]> {
  return (await readPage(client, address, page, isSale)).map((guard, at) => toGuard(page[at] as bigint, guard));
}

/**
 * Anyone's guard, with its means.
 * @throws if it cannot be read, or there is none.
 */
export async function readGuard(client: ChainClient, places: Places, key: GuardKey): Promise<Guard> {
  const isSale = typeof key !== 'bigint';
  const [guard] = await readBare(client, guardContractAt(places, key), [numberOf(key)], isSale);
  if (guard === undefined) throw new Error("The node's answer does not match the request.");
  return { ...guard, means: await meansOf(client, places, guard) };
}

/** The means of an active guard; undefined if they cannot be read, because an unknown value never counts as enough. */
async function meansOf(client: ChainClient, places: Places, guard: BareGuard): Promise<Means | undefined> {
  return guard.status === 'active' ? readOrUndefined(readMeans(client, places, guard)) : undefined;
}

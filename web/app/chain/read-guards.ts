import { type Places, readMeans } from '@bowline/chain/guard-means';
import { readOrUndefined } from '@bowline/chain/reads';
import type { FundedGuard, Means } from '@bowline/core/domain/guarded-loan';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, zeroAddress } from 'viem';
import { loanGuardAbi } from '../../../abis/index.ts';
import { type ChainClient, inOneCall } from './client.ts';
import { findOwn, type Looked } from './find-own.ts';
import { inPages } from './in-pages.ts';

const statuses = ['none', 'active', 'cancelled'] as const;

export interface Guard extends FundedGuard {
  readonly borrower: Address;
  readonly keeper: Address | undefined;
  /** Also watched for the trigger, beside the protocol's prices; undefined for none. */
  readonly priceSource: Address | undefined;
  /** `revoked`: its borrower or funder has revoked everything, for good. */
  readonly status: (typeof statuses)[number] | 'revoked';
  readonly isBySource: boolean;
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
  const { ids, upTo, looked, ...search } = await findOwn(client, sought, before, count);
  const { found, unread, cause } = await inPages(ids, (page) => readPage(client, address, page));
  const kept = before?.own.filter(({ id }) => unread.includes(id)) ?? [];
  const all = [...found, ...kept].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const has = (role: 'borrower' | 'funder') => (guard: Guard) => sameAddress(guard[role], account);
  const withMeans = await Promise.all(
    all.map(async (guard) => {
      return { ...guard, means: kept.includes(guard) ? undefined : await meansOf(client, places, guard) };
    }),
  );
  return {
    guards: withMeans.filter(has('borrower')),
    funded: withMeans.filter((guard) => !has('borrower')(guard) && has('funder')(guard)),
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
  const [guard] = await readPage(client, places.loanGuard, [id]);
  if (guard === undefined) throw new Error('The node answered another question.');
  return { ...guard, means: await meansOf(client, places, guard) };
}

async function readPage(client: ChainClient, address: Address, ids: readonly bigint[]): Promise<readonly Guard[]> {
  const guards = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: ids.map((id) => ({ address, abi: loanGuardAbi, functionName: 'guard', args: [id] }) as const),
  });
  return guards.map(({ terms, repayToken, state, isRevoked }, at) => ({
    id: ids[at] as bigint,
    borrower: terms.borrower,
    funder: terms.funder,
    adapter: terms.adapter,
    market: terms.market,
    keeper: terms.keeper === zeroAddress ? undefined : terms.keeper,
    priceSource: terms.priceSource === zeroAddress ? undefined : terms.priceSource,
    repayToken,
    triggerWad: terms.triggerHealthWad,
    targetWad: terms.targetHealthWad,
    capPerRescue: terms.capPerRescue,
    capPerDay: terms.capPerDay,
    minRepay: terms.minRepay,
    cooldownSeconds: BigInt(terms.cooldownSeconds),
    expiresAt: BigInt(terms.expiresAt),
    status: isRevoked ? 'revoked' : (statuses[state.status] ?? 'none'),
    rescues: state.rescues,
    lastRescueAt: BigInt(state.lastRescueAt),
    isBySource: state.isBySource,
    day: BigInt(state.day),
    takenInDay: state.takenInDay,
    means: undefined,
  }));
}

/** The means of an active guard; undefined if they cannot be read, because an unknown value never counts as enough. */
async function meansOf(client: ChainClient, places: Places, guard: Guard): Promise<Means | undefined> {
  return guard.status === 'active' ? readOrUndefined(readMeans(client, places, guard)) : undefined;
}

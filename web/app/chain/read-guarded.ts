import { readByAdapter } from '@bowline/chain/lending/loan';
import { type Asked, beginReading } from '@bowline/chain/one-call';
import type { GuardKey } from '@bowline/core/domain/guard-key';
import { isAccountOf, protocolAt } from '@bowline/core/domain/lending';
import { shortAddress } from '@bowline/core/domain/readable';
import type { Address } from 'viem';
import { type Timed, timed } from '../api/freshness.ts';
import type { Settings } from '../api/settings.ts';
import type { ChainClient } from './client.ts';
import { type Guard, type OwnedGuards, readGuard, readGuards } from './read-guards.ts';
import { type Loan, readLoan, withToken } from './read-loan.ts';

/** A part of the reading, with the data that was last read. */
export interface Latest<Part> {
  /** Undefined if it was never read. */
  readonly data: Timed<Part> | undefined;
  /** Why the newest reading failed; undefined if it succeeded. */
  readonly error: Error | undefined;
}

/** An account's loans and guards. */
export interface LoansAndGuards {
  /** The account's loan in each protocol, in the order of the registry. */
  readonly loans: readonly Latest<Loan>[];
  readonly guards: Latest<OwnedGuards>;
  /**
   * Loans of other accounts whose guards this one funds, and its own in protocols without a reader in the page. Those
   * that could not be read are left out.
   */
  readonly others: readonly Timed<Loan>[];
}

/** Everything that the page shows of an account's loans and guards. */
export interface Guarded extends LoansAndGuards {
  /** The newest block's time, unix seconds; undefined if the node gave none. */
  readonly time: bigint | undefined;
  /** The requests to make in the next reading. */
  readonly asked: readonly Asked[];
}

/** How many other loans are read: each takes half a kilobyte of an answer or more. */
const MAX_OTHERS = 10;

/**
 * Reads an account's loans and guards, in one eth_call once the previous reading has shown what to request. Never
 * throws. A part that cannot be read keeps its last known values and does not affect the others.
 */
export async function readGuarded(
  client: ChainClient,
  settings: Settings,
  account: Address,
  before: Guarded | undefined,
): Promise<Guarded> {
  const reading = beginReading(client, before?.asked ?? []);
  const read = await readLoansAndGuards(reading.client, settings, account, before);
  return { ...read, time: reading.time(), asked: reading.asked() };
}

/** The same, as part of a reading that has already begun. Never throws. */
export async function readLoansAndGuards(
  client: ChainClient,
  settings: Settings,
  account: Address,
  before: LoansAndGuards | undefined,
): Promise<LoansAndGuards> {
  const { contracts, lending } = settings;
  const places = { ...contracts, lending };
  const [guards, ...loans] = await Promise.all([
    latest(() => readGuards(client, places, account, before?.guards.data), before?.guards),
    ...lending.map((protocol, at) => latest(() => readLoan(client, settings, protocol, account), before?.loans[at])),
  ]);
  const isUnlisted = (guard: Guard) => !lending.some((protocol) => isAccountOf(protocol, guard));
  const further = [...(guards.data?.guards.filter(isUnlisted) ?? []), ...(guards.data?.funded ?? [])];
  return { loans, guards, others: await readOthers(client, settings, further) };
}

/** Reads a part, or keeps what was read before. Never throws. */
export async function latest<Part extends object>(
  read: () => Promise<Part>,
  before: Latest<Part> | undefined,
): Promise<Latest<Part>> {
  try {
    return { data: await timed(read), error: undefined };
  } catch (error) {
    return { data: before?.data, error: error as Error };
  }
}

async function readOthers(
  client: ChainClient,
  settings: Settings,
  guards: readonly Guard[],
): Promise<readonly Timed<Loan>[]> {
  const active = guards.filter(({ status }) => status === 'active').slice(0, MAX_OTHERS);
  const accounts = new Map(
    active.map((guard) => {
      const { name = guard.adapter } = protocolAt(settings.lending, guard) ?? {};
      return [`${name}${guard.borrower}`, guard] as const;
    }),
  );
  const read = await Promise.allSettled(
    [...accounts.values()].map((guard) => timed(() => readLoanOf(client, settings, guard))),
  );
  return read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/**
 * The loan of a guard's borrower. If the page has no reader for its protocol, the loan is read only through the guard's
 * adapter: what only the protocol knows, such as a pause, stays unknown, so no such guard is called guarded.
 * @throws if it cannot be read.
 */
async function readLoanOf(client: ChainClient, settings: Settings, guard: Guard): Promise<Loan> {
  const { adapter, borrower, funder, repayToken: token } = guard;
  const protocol = protocolAt(settings.lending, guard);
  if (protocol !== undefined) return readLoan(client, settings, protocol, borrower);
  const [loan, of] = await Promise.all([
    readByAdapter(client, guard),
    withToken(client, settings, { market: guard.market, token, debt: 0n, supplied: 0n }, funder),
  ]);
  const name = shortAddress(adapter);
  return {
    ...loan,
    ...{ protocol: { name, scope: name, url: '', adapter, core: adapter }, borrower },
    markets: loan.markets.map((market) => ({ ...of, ...market })),
  };
}

/** Anyone's guard, and its borrower's loan in the guard's protocol. */
export interface GuardedById {
  readonly guard: Timed<Guard>;
  /** Undefined if it could not be read. */
  readonly loan: Timed<Loan> | undefined;
  readonly time: bigint | undefined;
  readonly asked: readonly Asked[];
}

/**
 * Uses one eth_call, except the first time.
 * @throws if the guard cannot be read.
 */
export async function readGuardedById(
  client: ChainClient,
  settings: Settings,
  id: GuardKey,
  before: GuardedById | undefined,
): Promise<GuardedById> {
  const reading = beginReading(client, before?.asked ?? []);
  const places = { ...settings.contracts, lending: settings.lending };
  const guard = await timed(() => readGuard(reading.client, places, id));
  const { data: loan } = await latest(() => readLoanOf(reading.client, settings, guard), undefined);
  return { guard, loan, time: reading.time(), asked: reading.asked() };
}

import type { Block } from '@bowline/core/domain/facts';
import { type GuardKey, numberOf } from '@bowline/core/domain/guard-key';
import { type GuardedLoan, mayTake } from '@bowline/core/domain/guarded-loan';
import { isAccountOf, type LendingProtocol, protocolName } from '@bowline/core/domain/lending';
import { type Guard, type Loan, type LoanHealth, NO_DEBT_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { lendingMarketAbi } from '../../abis/index.ts';
import { askingAll, type ChainClient, newestBlock } from './chain-client.ts';
import { refusalName } from './contract-error.ts';
import { GUARDS_PAGE } from './guard.ts';
import { guardsIn, unknownGuard } from './guard-list.ts';
import { type Account, countsInDollars, readAssets, readByAdapter, usedEntries } from './lending/loan.ts';
import { readInPages } from './paginated-reads.ts';
import type { GuardReader } from './readers.ts';
import { atBlock, inOneCall, type Reads, readOrUndefined } from './reads.ts';
import { repaidIn, rescueCall } from './rescue-calls.ts';
import { createSaleRouter } from './sale-routes.ts';

type Book = Pick<AddressBook, 'own' | 'lending' | 'pancake'>;

/**
 * Reads guards and the loans they watch.
 * @param keeper the sender of simulated rescues.
 */
export function createGuardReader(client: ChainClient, book: Book, keeper: Address): GuardReader {
  const { own } = book;
  const isOver = (guard: Guard, now: bigint) =>
    // The contract rejects every call of this keeper for such a guard: its terms never change.
    !mayTake(guard, now) || (guard.keeper !== undefined && !sameAddress(guard.keeper, keeper));
  const wallet = guardsIn(client, own.loanGuard, false, isOver);
  const sale = own.collateralGuard && guardsIn(client, own.collateralGuard, true, isOver);
  const router = createSaleRouter(client, book, keeper);

  const readGuard = (key: GuardKey): Promise<Guard> => {
    const list = typeof key === 'bigint' ? wallet : sale;
    if (list === undefined) throw unknownGuard(key);
    return list.one(numberOf(key));
  };

  async function ofAccount(isAccounts: (guard: Guard) => boolean, limit: number) {
    const lists = [wallet, ...(sale ? [sale] : [])];
    const found = await Promise.all(lists.map((list) => list.find(isAccounts)));
    const { timestamp } = await newestBlock(client);
    const all = found.flatMap(({ items }) => items);
    const { held = [], ended = [] } = Object.groupBy(all, (each) => (mayTake(each, timestamp) ? 'held' : 'ended'));
    const chosen = [...held, ...ended].slice(0, limit);
    const read = await Promise.all(
      lists.map((list) => {
        const ids = chosen.filter((guard) => (guard.sale === undefined) === (list === wallet)).map(({ id }) => id);
        return readInPages(ids, GUARDS_PAGE, list.readPage);
      }),
    );
    const silence = read.find((each) => each.silence)?.silence;
    if (silence) throw silence;
    const guards = chosen.flatMap(({ id, sale: of }) => read[of === undefined ? 0 : 1]?.items.get(id) ?? []);
    const unread = [...found.map((each) => each.unread), ...read.map((each) => each.unread.length)];
    return { guards, total: all.length, unread: unread.reduce((sum, count) => sum + count, 0) };
  }

  return askingAll<GuardReader>({
    /** If CollateralGuard's guards cannot be read, LoanGuard's are still returned. */
    async guards() {
      const [first, second] = await Promise.allSettled([wallet.all(), sale?.all()]);
      if (first.status === 'rejected') throw first.reason;
      const { block, items, unread } = first.value;
      if (second.status === 'rejected') return { block, guards: items, unread: unread + 1 };
      const { items: others = [], unread: more = 0 } = second.value ?? {};
      return { block, guards: [...items, ...others], unread: unread + more };
    },

    guard: readGuard,

    guardsOf: (borrower, limit, account) =>
      ofAccount(
        (guard) => sameAddress(guard.borrower, borrower) && (account === undefined || isAccountOf(account, guard)),
        limit,
      ),

    guardsFor: (account, limit) =>
      ofAccount(({ borrower, funder }) => sameAddress(borrower, account) || sameAddress(funder, account), limit),

    async preview(key) {
      try {
        const guard = typeof key === 'bigint' ? { id: key } : await router.routed(await readGuard(key));
        const { data } = await client.call({ account: keeper, ...rescueCall(own, guard) });
        return { repay: repaidIn(data ?? '0x') };
      } catch (error) {
        const name = refusalName(error);
        if (name === undefined) throw error;
        if (name === 'guard_unknown') throw unknownGuard(key);
        return { error: name };
      }
    },

    ...loanReader(client, book),
  });
}

/** A block, and reads at that block. */
interface At {
  readonly block: Block;
  readonly reads: Reads;
}

/** Reads loans at the newest block. */
function loanReader(
  client: ChainClient,
  { own, lending }: Book,
): Pick<GuardReader, 'loan' | 'healthOf' | 'guardedLoan'> {
  const now = async (): Promise<At> => {
    const block = await newestBlock(client);
    return { block, reads: atBlock(client, block.number) };
  };

  /** Throws `market_unavailable` if the adapter refuses. */
  const loanBy = (reads: Reads, account: Account, chainlink?: Address): Promise<GuardedLoan> =>
    readByAdapter(reads, account, chainlink).catch((error) => {
      const why = refusalName(error);
      if (why === undefined) throw error;
      const named = protocolName(lending, account);
      throw new BowlineError('market_unavailable', `${named} cannot report this account's health now (${why}).`, {
        retryable: true,
        cause: error,
      });
    });

  async function healthOf({ block, reads }: At, account: Account): Promise<LoanHealth & { loan: GuardedLoan }> {
    const loan = await loanBy(reads, account);
    const forced = await forcedDebts(reads, loan);
    const { borrower } = account;
    const { healthWad } = loan;
    return {
      ...{ loan, borrower, block, protocol: protocolName(lending, account) },
      ...(healthWad !== undefined && { healthWad }),
      ...(forced && { forcedDebts: forced }),
    };
  }

  async function loanIn(at: At, borrower: Address, protocol: LendingProtocol): Promise<Loan> {
    const { adapter, anyMarket: market } = protocol;
    const unit = { address: adapter, abi: lendingMarketAbi, functionName: 'numeraire', args: [market] } as const;
    const asked = at.reads.readContract(unit);
    const [{ loan, ...health }, parts] = await Promise.all([
      healthOf(at, { adapter, borrower, market }),
      readAssets(at.reads, protocol, borrower),
      // If the adapter refuses the market, the first read reports why.
      asked.catch(() => {}),
    ]);
    if (!countsInDollars(await asked)) {
      throw new BowlineError('market_unavailable', `${health.protocol} does not value loans in US dollars.`);
    }
    const { debtUsdWad, weightedUsdWad: weightedCollateralUsdWad } = loan;
    return { ...health, account: protocol, debtUsdWad, weightedCollateralUsdWad, ...(parts && { parts }) };
  }

  return {
    async loan(borrower) {
      const at = await now();
      const entries = await usedEntries(at.reads, lending, borrower);
      const loans = await Promise.all(entries.map((protocol) => loanIn(at, borrower, protocol)));
      return loans.reduce(weaker);
    },

    async healthOf(guard) {
      const { loan: _, ...health } = await healthOf(await now(), guard);
      return health;
    },

    async guardedLoan(guard) {
      const isByChainlink = sameAddress(own.chainlinkPriceSource, guard.priceSource);
      return loanBy((await now()).reads, guard, isByChainlink ? own.chainlinkPriceSource : undefined);
    },
  };
}

/** Tokens of the markets whose debt can be liquidated at any health; undefined if they cannot be read. */
async function forcedDebts(reads: Reads, { protocol, forcedMarkets }: GuardedLoan) {
  if (forcedMarkets === undefined || forcedMarkets.length === 0) return forcedMarkets && [];
  const adapter = { address: protocol.adapter, abi: lendingMarketAbi, functionName: 'repayToken' } as const;
  const contracts = forcedMarkets.map((market) => ({ ...adapter, args: [market] }) as const);
  return readOrUndefined(reads.multicall({ ...inOneCall, allowFailure: false, contracts }));
}

const weaker = (a: Loan, b: Loan): Loan => (strength(b) < strength(a) ? b : a);

/** The loan's health, or zero if anyone may liquidate at any health. A loan without debt is the strongest. */
const strength = ({ healthWad, forcedDebts }: Loan): bigint =>
  forcedDebts && forcedDebts.length > 0 ? 0n : (healthWad ?? NO_DEBT_HEALTH_WAD);

import type { Block } from '@bowline/core/domain/facts';
import type { GuardedLoan } from '@bowline/core/domain/guarded-loan';
import { isAccountOf, type LendingProtocol, protocolName } from '@bowline/core/domain/lending';

import { type Guard, type Loan, type LoanHealth, NO_DEBT_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { encodeAbiParameters, getAbiItem } from 'viem';
import { lendingMarketAbi, loanGuardAbi } from '../../abis/index.ts';
import { asking, type ChainClient, newestBlock } from './chain-client.ts';
import { contractErrorName } from './contract-error.ts';
import { refusalOf } from './errors.ts';
import { GUARDS_PAGE, type GuardOnChain, guardCall, guardStatus, readGuards, toGuard } from './guard.ts';
import { inTurn, readInPages } from './in-pages.ts';
import { readByAdapter } from './lending/by-adapter.ts';
import { type Account, countsInDollars, readAssets, usedEntries } from './lending/loan.ts';
import { repaidIn, rescueData } from './lending/rescue-preview.ts';
import { createNumberedReader } from './numbered-reader.ts';
import type { GuardReader } from './readers.ts';
import { atBlock, inOneCall, type Reads, readOrUndefined } from './reads.ts';
import { bits, createStructReader, readStates, type StateWords } from './states-lens.ts';

/** Guards per eth_call that the lens reads whole: 20,000 gas each, and 1,300 characters of the answer (measured). */
const WHOLE_PAGE = 400;
/** Guards per eth_call of which only the states are read: 20,000 gas each (measured). */
const STATES_PAGE = 1_800;

/** A block, and the client's reads of it. */
interface At {
  readonly block: Block;
  readonly reads: Reads;
}

/**
 * Reads guards and the loans they watch.
 * @param keeper the sender of simulated rescues.
 */
export function createGuardReader(
  client: ChainClient,
  { own: { loanGuard, chainlinkPriceSource }, lending }: Pick<AddressBook, 'own' | 'lending'>,
  keeper: Address,
): GuardReader {
  const contract = { address: loanGuard, abi: loanGuardAbi } as const;
  const structs = createStructReader<GuardOnChain, Guard>(client, {
    address: loanGuard,
    view: guardItem,
    pageSize: GUARDS_PAGE,
    readPage: (ids) => readGuards(client, loanGuard, ids),
    toItem: toGuard,
    encodedTerms: ({ terms, repayToken }) => encodeAbiParameters(termsType, [terms, repayToken]),
    withState,
  });

  /** Known guards as they are now. Only what can change is read; a guard of which more changed is read whole. */
  async function readAgain(known: readonly Guard[]): Promise<(Guard | undefined)[]> {
    const ids = known.map(({ id }) => id);
    const states = await readStates(client, { loanGuard }, ids);
    if (states === undefined) return inTurn(ids, GUARDS_PAGE, structs.readPage);
    return structs.readChanged(known, states);
  }

  const everyGuard = createNumberedReader<Guard>(client, {
    count: () => client.readContract({ ...contract, functionName: 'guardCount' }),
    first: { pageSize: WHOLE_PAGE, read: structs.readWhole },
    again: { pageSize: STATES_PAGE, read: readAgain },
    // The contract rejects every call of this keeper for such a guard: its terms never change.
    isOver: (guard, now) => hasEnded(guard, now) || (guard.keeper !== undefined && !sameAddress(guard.keeper, keeper)),
  });

  async function readGuard(guardId: bigint): Promise<Guard> {
    const answer = await client.readContract(guardCall(loanGuard, guardId)).catch((error) => {
      const name = contractErrorName(refusalOf(error)?.data);
      throw name === 'guard_unknown' ? unknownGuard(guardId) : error;
    });
    return toGuard(guardId, answer);
  }

  /** Tokens of the markets whose debt can be liquidated at any health; undefined if they cannot be read. */
  async function forcedDebts(reads: Reads, { protocol, forcedMarkets }: GuardedLoan) {
    if (forcedMarkets === undefined || forcedMarkets.length === 0) return forcedMarkets && [];
    const adapter = { address: protocol.adapter, abi: lendingMarketAbi, functionName: 'repayToken' } as const;
    const contracts = forcedMarkets.map((market) => ({ ...adapter, args: [market] }) as const);
    return readOrUndefined(reads.multicall({ ...inOneCall, allowFailure: false, contracts }));
  }

  /** Throws `market_unavailable` if the adapter refuses. */
  const loanBy = (reads: Reads, account: Account, chainlink?: Address): Promise<GuardedLoan> =>
    readByAdapter(reads, account, chainlink).catch((error) => {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      const why = contractErrorName(refusal.data);
      const named = protocolName(lending, account);
      throw new BowlineError('market_unavailable', `${named} cannot report this account's health now (${why}).`, {
        retryable: true,
        cause: error,
      });
    });

  const now = async () => {
    const block = await newestBlock(client);
    return { block, reads: atBlock(client, block.number) };
  };

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
      // An adapter that refuses the market says why to the first.
      asked.catch(() => {}),
    ]);
    if (!countsInDollars(await asked)) {
      throw new BowlineError('market_unavailable', `${health.protocol} does not count in US dollars.`);
    }
    const { debtUsdWad, weightedUsdWad: weightedCollateralUsdWad } = loan;
    return { ...health, account: protocol, debtUsdWad, weightedCollateralUsdWad, ...(parts && { parts }) };
  }

  const ofAccount = (isAccounts: (guard: Guard) => boolean, limit: number) =>
    asking(async () => {
      const { items, unread } = await everyGuard.find(isAccounts);
      const { timestamp } = await newestBlock(client);
      const held = items.filter((guard) => !hasEnded(guard, timestamp));
      const ended = items.filter((guard) => hasEnded(guard, timestamp));
      const ids = [...held, ...ended].slice(0, limit).map(({ id }) => id);
      const read = await readInPages(ids, GUARDS_PAGE, structs.readPage);
      if (read.silence) throw read.silence;
      const guards = ids.flatMap((id) => read.items.get(id) ?? []);
      return { guards, total: items.length, unread: unread + read.unread.length };
    });

  return {
    guards: () =>
      asking(async () => {
        const { block, items, unread } = await everyGuard.all();
        return { block, guards: items, unread };
      }),

    guard: (guardId) => asking(() => readGuard(guardId)),

    guardsOf: (borrower, limit, account) =>
      ofAccount(
        (guard) => sameAddress(guard.borrower, borrower) && (account === undefined || isAccountOf(account, guard)),
        limit,
      ),

    guardsFor: (account, limit) =>
      ofAccount(({ borrower, funder }) => sameAddress(borrower, account) || sameAddress(funder, account), limit),

    loan: (borrower) =>
      asking(async () => {
        const at = await now();
        const entries = await usedEntries(at.reads, lending, borrower);
        const loans = await Promise.all(entries.map((protocol) => loanIn(at, borrower, protocol)));
        return loans.reduce(weaker);
      }),

    healthOf: (guard) =>
      asking(async () => {
        const { loan: _, ...health } = await healthOf(await now(), guard);
        return health;
      }),

    guardedLoan: (guard) =>
      asking(async () => {
        const isByChainlink = sameAddress(chainlinkPriceSource, guard.priceSource);
        return loanBy((await now()).reads, guard, isByChainlink ? chainlinkPriceSource : undefined);
      }),

    preview: (guardId) =>
      asking(async () => {
        try {
          const call = { account: keeper, to: loanGuard, data: rescueData(guardId) };
          return { repay: repaidIn((await client.call(call)).data ?? '0x') };
        } catch (error) {
          const refusal = refusalOf(error);
          if (refusal === undefined) throw error;
          const name = contractErrorName(refusal.data);
          if (name === 'guard_unknown') throw unknownGuard(guardId);
          return { error: name };
        }
      }),
  };
}

/** Ended for good under its own terms. */
const hasEnded = ({ status, expiresAt }: Guard, now: bigint): boolean => status !== 'active' || now >= expiresAt;

const weaker = (a: Loan, b: Loan): Loan => (strength(b) < strength(a) ? b : a);

/** Its health, which is worth nothing where anyone may liquidate at any. A loan without debt is the strongest. */
const strength = ({ healthWad, forcedDebts }: Loan): bigint =>
  forcedDebts && forcedDebts.length > 0 ? 0n : (healthWad ?? NO_DEBT_HEALTH_WAD);

const unknownGuard = (guardId: bigint) => new BowlineError('unknown_guard', `There is no guard ${guardId}.`);

/** The state as contracts/lens/StatesLens.sol packs it. */
function withState({ isBySource: _, ...guard }: Guard, { state, more }: StateWords): Guard {
  return {
    ...guard,
    status: guardStatus(Number(bits(state, 0n, 8n)), bits(state, 120n, 8n) === 1n),
    lastRescueAt: bits(state, 8n, 40n),
    day: bits(state, 48n, 32n),
    rescues: Number(bits(state, 80n, 32n)),
    ...(bits(state, 112n, 8n) === 1n && { isBySource: true as const }),
    takenInDay: more,
  };
}

const guardItem = getAbiItem({ abi: loanGuardAbi, name: 'guard' });
const [termsItem, tokenItem] = guardItem.outputs[0].components;
const termsType = [termsItem, tokenItem] as const;

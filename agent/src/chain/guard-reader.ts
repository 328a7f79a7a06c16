import type { Guard, Rescue } from '@bowline/core/domain/permissions';
import type { GuardReader, RescueReader } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import { type Address, mulDivDown, WAD } from '@bowline/core/domain/units';
import { type ContractFunctionReturnType, pad } from 'viem';
import { loanGuardAbi, venusMarketAbi } from '../../../abis/index.ts';
import { asking, type ChainClient, contractErrorName, inOneCall, newestBlock, refusalOf } from './chain-client.ts';
import { createNumberedReader, readInPages } from './in-pages.ts';

/** Guards per eth_call. The answer is returned as contract code of at most 24 kB: enough for 32. */
const PAGE = 24;
/** Rescues per call. */
const RECORDS = 50;

/** The contract's health value for an account without debt. */
const NO_DEBT_HEALTH = 2n ** 128n - 1n;

type GuardOnChain = ContractFunctionReturnType<typeof loanGuardAbi, 'view', 'guard'>;
type RescueOnChain = ContractFunctionReturnType<typeof loanGuardAbi, 'view', 'rescues'>[number];

export interface GuardContracts {
  readonly loanGuard: Address;
  /** The adapter through which the contract reads accounts. */
  readonly venusMarket: Address;
  /** The Venus market whose interest is accrued before an account is read. */
  readonly vUsdt: Address;
}

/**
 * Reads guards, their rescues and the loans they watch.
 * @param keeper the sender of simulated rescues.
 */
export function createGuardReader(
  client: ChainClient,
  { loanGuard, venusMarket, vUsdt }: GuardContracts,
  keeper: Address,
): GuardReader & RescueReader {
  const contract = { address: loanGuard, abi: loanGuardAbi } as const;
  const guardOf = (id: bigint) => ({ ...contract, functionName: 'guard', args: [id] }) as const;

  async function readGuards(ids: readonly bigint[]): Promise<Guard[]> {
    const contracts = ids.map(guardOf);
    const guards = await client.multicall({ ...inOneCall, allowFailure: false, contracts });
    return guards.map((guard, at) => toGuard(ids[at] as bigint, guard));
  }

  const everyGuard = createNumberedReader<Guard>(client, {
    count: () => client.readContract({ ...contract, functionName: 'guardCount' }),
    first: { pageSize: PAGE, read: readGuards },
    // The contract rejects every call of this keeper for such a guard: its terms never change.
    isOver: (guard, now) =>
      hasEnded(guard, now) || (guard.keeper !== undefined && guard.keeper.toLowerCase() !== keeper.toLowerCase()),
  });

  // The contract returns an empty list of rescues for an unknown guard, without an error.
  async function readGuard(guardId: bigint): Promise<Guard> {
    const answer = await client.readContract(guardOf(guardId)).catch((error) => {
      const name = contractErrorName(refusalOf(error)?.data);
      throw name === 'guard_unknown' ? unknownGuard(guardId) : error;
    });
    return toGuard(guardId, answer);
  }

  /** Undefined if it cannot be read: the loan's health does not depend on it. */
  async function readForcedDebts(borrower: Address, blockNumber: bigint): Promise<readonly Address[] | undefined> {
    const venus = { address: venusMarket, abi: venusMarketAbi } as const;
    try {
      const asked = { ...venus, functionName: 'forcedMarkets', args: [borrower], blockNumber } as const;
      const markets = await client.readContract(asked);
      if (markets.length === 0) return [];
      const contracts = markets.map((market) => ({ ...venus, functionName: 'repayToken', args: [market] }) as const);
      return await client.multicall({ ...inOneCall, allowFailure: false, contracts, blockNumber });
    } catch {
      return undefined;
    }
  }

  return {
    guards: () =>
      asking(async () => {
        const { block, items, unread } = await everyGuard.all();
        return { block, guards: items, unread };
      }),

    guard: (guardId) => asking(() => readGuard(guardId)),

    guardsOf: (borrower, limit) =>
      asking(async () => {
        const { items, unread } = await everyGuard.find(
          (guard) => guard.borrower.toLowerCase() === borrower.toLowerCase(),
        );
        const { timestamp } = await newestBlock(client);
        const held = items.filter((guard) => !hasEnded(guard, timestamp));
        const ended = items.filter((guard) => hasEnded(guard, timestamp));
        const ids = [...held, ...ended].slice(0, limit).map(({ id }) => id);
        const read = await readInPages(ids, PAGE, readGuards);
        if (read.silence) throw read.silence;
        const guards = ids.flatMap((id) => read.items.get(id) ?? []);
        return { guards, total: items.length, unread: unread + read.unread.length };
      }),

    health: (borrower) =>
      asking(async () => {
        const block = await newestBlock(client);
        // The contract's own read before a rescue, simulated instead of mined.
        const call = { address: venusMarket, abi: venusMarketAbi, functionName: 'accrueAndRead' } as const;
        const at = { blockNumber: block.number } as const;
        const [{ result: position }, forcedDebts] = await Promise.all([
          client.simulateContract({ ...call, args: [borrower, pad(vUsdt)], ...at }),
          readForcedDebts(borrower, block.number),
        ]).catch((error) => {
          const refusal = refusalOf(error);
          if (refusal === undefined) throw error;
          const why = contractErrorName(refusal.data);
          throw new BowlineError('market_unavailable', `Venus cannot report this account's health now (${why}).`, {
            retryable: true,
            cause: error,
          });
        });
        // The values of Venus are US dollars.
        const { debtValue: debtUsdWad, weightedCollateralValue: weightedCollateralUsdWad } = position;
        const healthWad = debtUsdWad === 0n ? undefined : mulDivDown(weightedCollateralUsdWad, WAD, debtUsdWad);
        const loan = { borrower, block, debtUsdWad, weightedCollateralUsdWad, ...(forcedDebts && { forcedDebts }) };
        return healthWad === undefined ? loan : { ...loan, healthWad };
      }),

    preview: (guardId) =>
      asking(async () => {
        try {
          const call = { ...contract, functionName: 'rescue', args: [guardId], account: keeper } as const;
          const { result: repay } = await client.simulateContract(call);
          return { guardId, due: true, repay };
        } catch (error) {
          const refusal = refusalOf(error);
          if (refusal === undefined) throw error;
          const name = contractErrorName(refusal.data);
          if (name === 'guard_unknown') throw unknownGuard(guardId);
          return { guardId, due: false, error: name };
        }
      }),

    // Rescues are append-only, so pages of different blocks fit together.
    rescues: (guardId, from, to) =>
      asking(async () => {
        const guard = await readGuard(guardId);
        const until = Math.min(to, guard.rescues);
        const rescues: Rescue[] = [];
        for (let start = from; start < until; start += RECORDS) {
          const args = [guardId, BigInt(start), BigInt(Math.min(start + RECORDS, until))] as const;
          const page = await client.readContract({ ...contract, functionName: 'rescues', args });
          rescues.push(...page.map(toRescue));
        }
        return rescues;
      }),
  };
}

/** Ended for good under its own terms. */
const hasEnded = ({ status, expiresAt }: Guard, now: bigint): boolean => status !== 'active' || now >= expiresAt;

const unknownGuard = (guardId: bigint) => new BowlineError('unknown_guard', `There is no guard ${guardId}.`);

const nobody = 0n;

function toGuard(id: bigint, { terms, repayToken, state, isRevoked }: GuardOnChain): Guard {
  const { keeper, priceSource, ...rest } = terms;
  return {
    id,
    ...rest,
    repayToken,
    ...(BigInt(keeper) !== nobody && { keeper }),
    ...(BigInt(priceSource) !== nobody && { priceSource }),
    cooldownSeconds: BigInt(terms.cooldownSeconds),
    expiresAt: BigInt(terms.expiresAt),
    status: isRevoked ? 'revoked' : state.status === 1 ? 'active' : 'cancelled',
    lastRescueAt: BigInt(state.lastRescueAt),
    ...(state.isBySource && { isBySource: true as const }),
    day: BigInt(state.day),
    takenInDay: state.takenInDay,
    rescues: state.rescues,
  };
}

function toRescue({ repaid, time, outcome, healthBeforeWad, healthAfterWad }: RescueOnChain): Rescue {
  const rescue = { repaid, time: BigInt(time), outcome: outcome === 1 ? 'full' : 'partial', healthBeforeWad } as const;
  return healthAfterWad === NO_DEBT_HEALTH ? rescue : { ...rescue, healthAfterWad };
}

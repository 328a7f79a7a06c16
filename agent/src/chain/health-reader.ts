import type { Guard } from '@bowline/core/domain/permissions';
import type { Health, HealthReader } from '@bowline/core/domain/ports';
import { mulDivDown, WAD } from '@bowline/core/domain/units';
import { BaseError, ContractFunctionZeroDataError, RawContractError } from 'viem';
import { venusMarketAbi } from '../../../abis/index.ts';
import { asking, type ChainClient, inOneCall, nodeAnswer } from './chain-client.ts';

/** Loans per eth_call. A loan in six markets uses 584,000 gas (measured); nodes allow 50 million a call by default. */
const PAGE = 50;
/** Maximum extra calls for loans that a page could not read. Halving finds one bad loan in fifty within twelve. */
const MORE_CALLS = 24;
/** Limit exceeded (EIP-1474): do not split and retry; that only adds requests. */
const LIMIT_EXCEEDED = -32005;

interface Reading {
  readonly healths: Map<Guard, Health>;
  readonly debts: Map<Guard, bigint>;
  moreCalls: number;
  /** The error of a call that the node rejected. */
  refusal?: unknown;
}

/**
 * Reads loan health from the lending protocols, through LoanGuard's own adapters. If a guard names a price source, it is
 * the worse of the protocol's health and the source's.
 */
export function createHealthReader(client: ChainClient): HealthReader {
  /**
   * An account can be made so large that reading it uses up the gas of all accounts after it. A failure without revert
   * data is therefore retried in halves, until such an account fails alone.
   */
  async function read(guards: readonly Guard[], reading: Reading): Promise<void> {
    const answers = await client.multicall({
      ...inOneCall,
      contracts: guards.map(
        ({ adapter, borrower, market }) =>
          // LoanGuard's own read before a rescue, simulated instead of mined.
          ({ address: adapter, abi: venusMarketAbi, functionName: 'accrueAndRead', args: [borrower, market] }) as const,
      ),
    });
    const again: Guard[] = [];
    for (const [at, guard] of guards.entries()) {
      const answer = answers[at];
      if (answer?.status === 'success') {
        const { debtValue, weightedCollateralValue } = answer.result;
        const health = debtValue === 0n ? 'no_debt' : mulDivDown(weightedCollateralValue, WAD, debtValue);
        reading.healths.set(guard, health);
        reading.debts.set(guard, debtValue);
      } else if (hasReason(answer?.error, reading)) reading.healths.set(guard, 'unreadable');
      else again.push(guard);
    }
    if (guards.length === 1) return;
    const half = Math.ceil(again.length / 2);
    for (const some of [again.slice(0, half), again.slice(half)]) {
      if (some.length === 0 || reading.moreCalls === 0) continue;
      reading.moreCalls -= 1;
      await read(some, reading);
    }
  }

  /** Like LoanGuard, asks a source only where its answer decides: between trigger and target. */
  async function readBySource(guards: readonly Guard[], { healths, debts }: Reading): Promise<void> {
    const asked = guards.flatMap((guard) => {
      const { priceSource, triggerHealthWad, targetHealthWad } = guard;
      const health = healths.get(guard);
      if (priceSource === undefined || typeof health !== 'bigint') return [];
      return health >= triggerHealthWad && health < targetHealthWad ? [{ guard, priceSource, health }] : [];
    });
    for (let from = 0; from < asked.length; from += PAGE) {
      const page = asked.slice(from, from + PAGE);
      const answers = await client.multicall({
        ...inOneCall,
        contracts: page.map(({ guard: { adapter, borrower, market }, priceSource }) => {
          const args = [priceSource, borrower, market] as const;
          return { address: adapter, abi: venusMarketAbi, functionName: 'weightedCollateralBy', args } as const;
        }),
      });
      for (const [at, { guard, health }] of page.entries()) {
        const answer = answers[at];
        // Only the contract can judge a loan of which one health is not known.
        if (answer?.status !== 'success') healths.set(guard, 'unreadable');
        else {
          const bySource = mulDivDown(answer.result, WAD, debts.get(guard) as bigint);
          if (bySource < health) healths.set(guard, bySource);
        }
      }
    }
  }

  return {
    healths: (guards) =>
      asking(async () => {
        const reading: Reading = { healths: new Map(), debts: new Map(), moreCalls: MORE_CALLS };
        const pages = Array.from({ length: Math.ceil(guards.length / PAGE) }, (_, at) => at * PAGE);
        await Promise.all(pages.map((from) => read(guards.slice(from, from + PAGE), reading)));
        // No loan could be read: the node is at fault, not the loans.
        if (reading.refusal !== undefined && reading.healths.size === 0) throw reading.refusal;
        await readBySource(guards, reading);
        return guards.map((guard) => reading.healths.get(guard) ?? 'unreadable');
      }),
  };
}

/** Whether the failure belongs to the account and carries a reason. Throws if the node certainly failed. */
function hasReason(error: unknown, reading: Reading): boolean {
  const accountError = error instanceof BaseError ? error.walk(isOfAccount) : null;
  if (accountError instanceof RawContractError) return accountError.data !== undefined && accountError.data !== '0x';
  if (accountError !== null) return true;
  const answer = nodeAnswer(error);
  if (answer === undefined || answer.code === LIMIT_EXCEEDED) throw error;
  reading.refusal = error;
  return false;
}

const isOfAccount = (error: unknown) =>
  error instanceof RawContractError || error instanceof ContractFunctionZeroDataError;

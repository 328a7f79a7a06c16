import { type Health, isSourceAsked, watchedHealth } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import type { Address } from '@bowline/core/domain/units';
import pLimit from 'p-limit';
import { type ContractFunctionReturnType, ContractFunctionZeroDataError, RawContractError } from 'viem';
import type { lendingMarketAbi } from '../../abis/index.ts';
import { asking, type ChainClient, inOneCall } from './chain-client.ts';
import { causesOf, isAnswer } from './errors.ts';
import { positionCall, weightedCall } from './lending/loan.ts';

/** Readings per eth_call. Reading a loan in six markets uses 584,000 gas (measured). A price source adds at
 * most 200,000 per collateral. Nodes allow 50 million per call, and a page that needs more is halved. */
export const guardsPerCall = 50;
/** Maximum extra calls for loans that a page could not read. Halving finds one bad loan in fifty within twelve. */
const MORE_CALLS = 24;

interface Reading {
  readonly healths: Map<Guard, Health>;
  moreCalls: number;
  /** The error of a call that the node rejected. */
  refusal?: unknown;
}

type Watching = Guard & { readonly priceSource: Address };
const hasSource = (guard: Guard): guard is Watching => guard.priceSource !== undefined;

type Position = ContractFunctionReturnType<typeof lendingMarketAbi, 'nonpayable', 'accrueAndRead'>;
type Answer =
  | { readonly status: 'success'; readonly result: Position | bigint }
  | { readonly status: 'failure'; readonly error: Error };

/** Pages in flight. A node that receives all of them at once answers none. */
const AT_ONCE = 4;

export interface AdapterReader {
  /** In the order of `guards`. */
  healths(guards: readonly Guard[]): Promise<readonly Health[]>;
}

/**
 * Reads loan health from the lending protocols, through LoanGuard's own adapters. If a guard names a price source, its
 * health is the worse of the protocol's and the source's, for the same debt.
 */
export function createAdapterReader(client: ChainClient): AdapterReader {
  /**
   * An account can be made so large that reading it uses up the gas of all accounts after it. A failure without revert
   * data is therefore retried in halves, until such an account fails alone.
   */
  async function read(guards: readonly Guard[], reading: Reading): Promise<void> {
    const watching = guards.filter(hasSource);
    // The sources come last, so that the protocols' healths are read whatever gas the sources use.
    const answers: readonly Answer[] = await client.multicall({
      ...inOneCall,
      contracts: [...guards.map(positionCall), ...watching.map((guard) => weightedCall(guard, guard.priceSource))],
    });
    const bySource = new Map<Guard, Answer>(
      watching.map((guard, at) => [guard, answers[guards.length + at] as Answer]),
    );
    const again: Guard[] = [];
    for (const [at, guard] of guards.entries()) {
      const health = healthOf(guard, answers[at] as Answer, bySource.get(guard), guards.length === 1, reading);
      if (health === undefined) again.push(guard);
      else reading.healths.set(guard, health);
    }
    if (guards.length === 1) return;
    const half = Math.ceil(again.length / 2);
    for (const some of [again.slice(0, half), again.slice(half)]) {
      if (some.length === 0 || reading.moreCalls === 0) continue;
      reading.moreCalls -= 1;
      await read(some, reading);
    }
  }

  return {
    healths: (guards) =>
      asking(async () => {
        const reading: Reading = { healths: new Map(), moreCalls: MORE_CALLS };
        await pLimit(AT_ONCE).map(pagesOf(guards), (page) => read(page, reading));
        // No loan could be read: the node is at fault, not the loans.
        if (reading.refusal !== undefined && reading.healths.size === 0) throw reading.refusal;
        return guards.map((guard) => reading.healths.get(guard) ?? 'unreadable');
      }),
  };
}

/** A guard with a price source takes two readings. */
function pagesOf(guards: readonly Guard[]): Guard[][] {
  const pages: Guard[][] = [];
  let left = 0;
  for (const guard of guards) {
    left -= hasSource(guard) ? 2 : 1;
    if (left < 0) {
      pages.push([]);
      left = guardsPerCall - (hasSource(guard) ? 2 : 1);
    }
    pages.at(-1)?.push(guard);
  }
  return pages;
}

/** Undefined if it has to be read again. */
function healthOf(
  guard: Guard,
  own: Answer,
  bySource: Answer | undefined,
  isAlone: boolean,
  reading: Reading,
): Health | undefined {
  if (own.status === 'failure') return hasReason(own.error, reading) ? 'unreadable' : undefined;
  const values = own.result as Position;
  const health = watchedHealth(values, guard);
  if (bySource === undefined || !isSourceAsked(health, guard)) return health;
  if (bySource.status === 'failure') {
    // A source that the adapter cannot read triggers nothing. In a page with others, the cause may be too little gas.
    return hasReason(bySource.error, reading) && isAlone ? health : undefined;
  }
  return watchedHealth({ ...values, weightedBySource: bySource.result as bigint }, guard);
}

/** Whether the failure belongs to the account and carries a reason. Throws if the node certainly failed. */
function hasReason(error: unknown, reading: Reading): boolean {
  const accountError = causesOf(error).find(isOfAccount);
  if (accountError instanceof RawContractError) return accountError.data !== undefined && accountError.data !== '0x';
  if (accountError !== undefined) return true;
  // Splitting the page would only send more requests to a node that does not answer.
  if (!isAnswer(error)) throw error;
  reading.refusal = error;
  return false;
}

const isOfAccount = (error: unknown) =>
  error instanceof RawContractError || error instanceof ContractFunctionZeroDataError;

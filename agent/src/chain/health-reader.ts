import type { Guard } from '@bowline/core/domain/permissions';
import type { Health, HealthReader } from '@bowline/core/domain/ports';
import { mulDivDown, WAD } from '@bowline/core/domain/units';
import { BaseError, ContractFunctionZeroDataError, RawContractError } from 'viem';
import { venusMarketAbi } from '../../../abis/index.ts';
import { asking, type ChainClient, inOneCall } from './chain-client.ts';
import { nodeAnswer } from './contract-error.ts';

/**
 * Loans of one eth_call. 584,000 gas were measured for one that has entered six markets, of the 50 million that nodes allow
 * a call by default.
 */
const PAGE = 50;
/** Further calls for what a page could not tell. Halving finds a bad one of fifty in twelve. */
const MORE_CALLS = 24;
/** What nodes answer to one who asks too much (EIP-1474). To ask in smaller pieces is to ask more. */
const LIMIT_EXCEEDED = -32005;

interface Reading {
  readonly healths: Map<Guard, Health>;
  moreCalls: number;
  /** Of a call that the node would not do. */
  refusal?: unknown;
}

/** What the lending protocols say of the loans, through LoanGuard's adapters, which are this project's own. */
export function createHealthReader(client: ChainClient): HealthReader {
  /**
   * An account can be made so large that reading it takes the gas of all those after it. What fails without a reason is
   * therefore read again in halves, until such an account is alone with its failure.
   */
  async function read(guards: readonly Guard[], reading: Reading): Promise<void> {
    const answers = await client.multicall({
      ...inOneCall,
      contracts: guards.map(
        ({ adapter, borrower, market }) =>
          // The reading that LoanGuard makes before a rescue, simulated instead of mined.
          ({ address: adapter, abi: venusMarketAbi, functionName: 'accrueAndRead', args: [borrower, market] }) as const,
      ),
    });
    const again: Guard[] = [];
    for (const [at, guard] of guards.entries()) {
      const answer = answers[at];
      if (answer?.status === 'success') {
        const { debtUsd, weightedCollateralUsd } = answer.result;
        const health = debtUsd === 0n ? 'no_debt' : mulDivDown(weightedCollateralUsd, WAD, debtUsd);
        reading.healths.set(guard, health);
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

  return {
    healths: (guards) =>
      asking(async () => {
        const reading: Reading = { healths: new Map(), moreCalls: MORE_CALLS };
        const pages = Array.from({ length: Math.ceil(guards.length / PAGE) }, (_, at) => at * PAGE);
        await Promise.all(pages.map((from) => read(guards.slice(from, from + PAGE), reading)));
        // Not one of them: that is the node's trouble and not theirs.
        if (reading.refusal !== undefined && reading.healths.size === 0) throw reading.refusal;
        return guards.map((guard) => reading.healths.get(guard) ?? 'unreadable');
      }),
  };
}

/** Whether the failure is the account's own and says why. Throws when it is certainly the node that has failed. */
function hasReason(error: unknown, reading: Reading): boolean {
  const own = error instanceof BaseError ? error.walk(isOfAccount) : null;
  if (own instanceof RawContractError) return own.data !== undefined && own.data !== '0x';
  if (own !== null) return true;
  const answer = nodeAnswer(error);
  if (answer === undefined || answer.code === LIMIT_EXCEEDED) throw error;
  reading.refusal = error;
  return false;
}

const isOfAccount = (error: unknown) =>
  error instanceof RawContractError || error instanceof ContractFunctionZeroDataError;

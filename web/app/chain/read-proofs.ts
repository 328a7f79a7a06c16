import { readGuards } from '@bowline/chain/guard';
import { readPlans } from '@bowline/chain/plan';
import { toRescue } from '@bowline/chain/rescue-calls';
import { protocolAt } from '@bowline/core/domain/lending';
import type { Rescue } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, type Log, parseEventLogs } from 'viem';
import { loanGuardAbi, planRegistryAbi } from '../../../abis/index.ts';
import { assetAt, type Settings } from '../api/settings.ts';
import type { ChainClient } from './client.ts';

/** The latest records that the contracts made for anybody. Each is undefined if none was found. */
export interface Proofs {
  readonly run: ProvenRun | undefined;
  readonly skip: ProvenSkip | undefined;
  readonly rescue: ProvenRescue | undefined;
  /** Number of blocks that were searched, up to the newest. */
  readonly blocks: bigint;
}

interface ProvenRun {
  readonly planId: bigint;
  readonly block: bigint;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly floor: bigint;
}

interface ProvenSkip {
  readonly planId: bigint;
  readonly block: bigint;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly reason: number;
}

interface ProvenRescue extends Rescue {
  readonly guardId: bigint;
  readonly block: bigint;
  readonly repayToken: Address;
}

const events = [...planRegistryAbi, ...loanGuardAbi].filter(
  (item) =>
    item.type === 'event' &&
    ['RunRecorded', 'DeferralRecorded', 'LoanRescued'].includes((item as { name: string }).name),
);
/** Blocks in the first request; public nodes allow about that many. */
const BLOCKS = 4_096n;
/** A node that refuses even fewer blocks than this does not search events at all. */
const FEWEST = 256n;
/** How many plans, and guards, of the newest events are read. Strangers' plans may name their own executors. */
const LOOKED_AT = 24;

/**
 * The newest run, skip and rescue that the agent's executor and the listed lending protocols have left on chain. Plans
 * of another executor and guards of another adapter prove nothing, and neither do tokens that the page does not list.
 * @throws if the node does not search events.
 */
export async function readProofs(client: ChainClient, settings: Settings): Promise<Proofs> {
  const { contracts, lending } = settings;
  const { logs, blocks } = await newestLogs(client, settings);
  const found = parseEventLogs({ abi: [...planRegistryAbi, ...loanGuardAbi], logs: [...logs] }).toReversed();
  const planIds = found.flatMap((log) => ('planId' in log.args ? [log.args.planId] : []));
  const guardIds = found.flatMap((log) => ('guardId' in log.args ? [log.args.guardId] : []));
  const [plans, guards] = await Promise.all([
    byNumber(planIds, (ids) => readPlans(client, contracts.planRegistry, ids)),
    byNumber(guardIds, (ids) => readGuards(client, contracts.loanGuard, ids, false)),
  ]);
  const ourPlan = (id: bigint) => {
    const terms = plans.get(id)?.terms;
    const isOurs =
      terms !== undefined &&
      sameAddress(terms.executor, contracts.swapExecutor) &&
      assetAt(settings, terms.tokenIn) !== undefined &&
      assetAt(settings, terms.tokenOut) !== undefined;
    return isOurs ? terms : undefined;
  };
  const tokensOf = ({ tokenIn, tokenOut }: Pick<ProvenRun, 'tokenIn' | 'tokenOut'>) => ({ tokenIn, tokenOut });
  let [run, skip, rescue]: [ProvenRun?, ProvenSkip?, ProvenRescue?] = [];
  for (const log of found) {
    const block = log.blockNumber;
    if (log.eventName === 'RunRecorded' && run === undefined) {
      const { planId, amountIn, amountOut, floor } = log.args;
      const terms = ourPlan(planId);
      if (terms) run = { ...tokensOf(terms), planId, block, amountIn, amountOut, floor };
    }
    if (log.eventName === 'DeferralRecorded' && skip === undefined) {
      const terms = ourPlan(log.args.planId);
      if (terms) skip = { ...tokensOf(terms), planId: log.args.planId, block, reason: log.args.reason };
    }
    if (log.eventName === 'LoanRescued' && rescue === undefined) {
      const { guardId } = log.args;
      const guard = guards.get(guardId);
      const isListed = guard !== undefined && protocolAt(lending, guard.terms) !== undefined;
      if (isListed && assetAt(settings, guard.repayToken) !== undefined) {
        rescue = { guardId, block, repayToken: guard.repayToken, ...toRescue(log.args) };
      }
    }
  }
  return { run, skip, rescue, blocks };
}

/** The events of as many of the newest blocks as the node allows. */
async function newestLogs(
  client: ChainClient,
  { contracts }: Settings,
): Promise<{ readonly logs: readonly Log<bigint, number, false>[]; readonly blocks: bigint }> {
  const newest = await client.getBlockNumber();
  for (let blocks = BLOCKS; ; blocks /= 4n) {
    const fromBlock = newest >= blocks ? newest - blocks + 1n : 0n;
    try {
      const logs = await client.getLogs({
        address: [contracts.planRegistry, contracts.loanGuard],
        events: events as never,
        fromBlock,
        toBlock: newest,
      });
      return { logs: logs as never, blocks: newest - fromBlock + 1n };
    } catch (error) {
      if (blocks / 4n < FEWEST) throw error;
    }
  }
}

/** Reads the newest distinct ones, keyed by number. */
async function byNumber<Found>(
  numbers: readonly bigint[],
  read: (ids: readonly bigint[]) => Promise<readonly Found[]>,
): Promise<ReadonlyMap<bigint, Found>> {
  const ids = [...new Set(numbers)].slice(0, LOOKED_AT);
  const found = ids.length === 0 ? [] : await read(ids);
  return new Map(found.map((each, at) => [ids[at] as bigint, each]));
}

import type { GuardHistory, PlanHistory, Run } from '@bowline/core/audit/history';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from 'viem';
import { lendingMarketAbi, loanGuardAbi, planRegistryAbi } from '../../../abis/index.ts';
import { auditWords } from '../words/en/audit.ts';
import { type ChainClient, inOneCall } from './client.ts';
import { inPages } from './in-pages.ts';

// Everything that the chain stores about a permission, by state reads alone: BNB Chain's public nodes serve no logs.

/** Records per call: 3 million gas. */
const RECORDS = 400;

/** There is no such permission. */
export class Unknown extends Error {}

/** A permission's history, with the time of the block that its state is of. */
export interface Whole<History> {
  readonly history: History;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/**
 * The state is of one block; terms and records never change, and are read at the newest.
 * @throws Unknown, viem's errors, or an Error if the node is behind its own state.
 */
export async function readPlanHistory(client: ChainClient, registry: Address, id: bigint): Promise<Whole<PlanHistory>> {
  const contract = { address: registry, abi: planRegistryAbi } as const;
  const { number: blockNumber, timestamp } = await client.getBlock({ blockTag: 'latest' });
  const count = await client.readContract({ ...contract, functionName: 'planCount', blockNumber });
  if (id > count) throw new Unknown(auditWords.noPlan(id));
  const plan = await client.readContract({ ...contract, functionName: 'plan', args: [id], blockNumber });
  return { history: await withRecords(client, registry, { id, blockNumber, ...plan }), timestamp };
}

type PlanState = Omit<PlanHistory, 'versions' | 'runs'> & { readonly terms: PlanHistory['versions'][number] };

async function withRecords(client: ChainClient, registry: Address, plan: PlanState): Promise<PlanHistory> {
  const contract = { address: registry, abi: planRegistryAbi } as const;
  const { id, state } = plan;
  const past = await inPages(numbersTo(state.version - 1), (page) =>
    client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: page.map(
        (version) => ({ ...contract, functionName: 'termsOf', args: [id, BigInt(version)] }) as const,
      ),
    }),
  );
  if (past.cause !== undefined) throw past.cause;
  const runs = await inParts<Run>(state.records, (from, to) =>
    client.readContract({ ...contract, functionName: 'runs', args: [id, from, to] }),
  );
  // Only the newest terms can be of a newer version than the state's block: they are taken from that block.
  return { ...plan, versions: [...past.found, plan.terms], runs };
}

export async function readGuardHistory(
  client: ChainClient,
  loanGuard: Address,
  id: bigint,
): Promise<Whole<GuardHistory>> {
  const contract = { address: loanGuard, abi: loanGuardAbi } as const;
  const { number: blockNumber, timestamp } = await client.getBlock({ blockTag: 'latest' });
  const count = await client.readContract({ ...contract, functionName: 'guardCount', blockNumber });
  if (id > count) throw new Unknown(auditWords.noGuard(id));
  const guard = await client.readContract({ ...contract, functionName: 'guard', args: [id], blockNumber });
  const rescues = await inParts(guard.state.rescues, (from, to) =>
    client.readContract({ ...contract, functionName: 'rescues', args: [id, from, to] }),
  );
  const { adapter: address, borrower } = guard.terms;
  // The adapter may be a stranger's.
  const forcedMarkets = await client
    .readContract({ address, abi: lendingMarketAbi, functionName: 'forcedMarkets', args: [borrower] })
    .catch(() => undefined);
  return { history: { id, blockNumber, ...guard, rescues, forcedMarkets }, timestamp };
}

/** Plans of one executor. */
export interface Served {
  readonly plans: readonly PlanHistory[];
  /** Numbers that could not be read, whosever they are. */
  readonly unread: readonly bigint[];
  readonly cause: unknown;
}

/**
 * The plans numbered `from` to `to`, both included, that an executor runs. An edit cannot change a plan's executor.
 * @throws if none can be read.
 */
export async function readServed(
  client: ChainClient,
  { registry, executor }: { readonly registry: Address; readonly executor: Address },
  from: bigint,
  to: bigint,
): Promise<Served> {
  const contract = { address: registry, abi: planRegistryAbi } as const;
  const { number: blockNumber } = await client.getBlock({ blockTag: 'latest' });
  const ids = Array.from({ length: Number(to - from) + 1 }, (_, at) => from + BigInt(at));
  const states = await inPages(ids, async (page) => {
    const answers = await client.multicall({
      ...{ ...inOneCall, allowFailure: false, blockNumber },
      contracts: page.map((id) => ({ ...contract, functionName: 'plan', args: [id] }) as const),
    });
    return answers.map((plan, at) => ({ ...plan, id: page[at] as bigint, blockNumber }));
  });
  const own = states.found.filter(({ terms }) => sameAddress(terms.executor, executor));
  const plans: PlanHistory[] = [];
  const unread = [...states.unread];
  let { cause } = states;
  for (let at = 0; at < own.length; at += TOGETHER) {
    const asked = own.slice(at, at + TOGETHER);
    const answers = await Promise.allSettled(asked.map((plan) => withRecords(client, registry, plan)));
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 'fulfilled') plans.push(answer.value);
      else {
        unread.push(asked[index]?.id ?? 0n);
        cause ??= answer.reason;
      }
    }
  }
  return { plans, unread, cause };
}

/** Concurrent calls: public nodes refuse more. */
const TOGETHER = 4;

const numbersTo = (last: number): number[] => Array.from({ length: Math.max(0, last) }, (_, at) => at + 1);

async function inParts<Item>(
  count: number,
  read: (from: bigint, to: bigint) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let from = 0; from < count; from += RECORDS) {
    const to = Math.min(count, from + RECORDS);
    const part = await read(BigInt(from), BigInt(to));
    if (part.length !== to - from) throw new Error('The node is behind.');
    items.push(...part);
  }
  return items;
}

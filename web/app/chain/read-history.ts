import { guardAbi } from '@bowline/chain/guard-abi';
import { type HistoriesRead, readGuardHistories, readPlanHistories } from '@bowline/chain/history';
import type { GuardHistory, PlanHistory } from '@bowline/core/audit/history';
import { type GuardContracts, type GuardKey, guardContractAt, numberOf } from '@bowline/core/domain/guard-key';
import type { Address } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import { auditWords } from '../words/en/audit.ts';
import { AT_ONCE, type ChainClient } from './client.ts';

/** No such permission exists. */
export class Unknown extends Error {}

/** A permission's history, with the time of the block at which it was read. */
export interface Whole<History> {
  readonly history: History;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/** @throws Unknown, or the error of any part that could not be read. */
export async function readPlanHistory(client: ChainClient, registry: Address, id: bigint): Promise<Whole<PlanHistory>> {
  const count = await client.readContract({ address: registry, abi: planRegistryAbi, functionName: 'planCount' });
  if (id > count) throw new Unknown(auditWords.noPlan(id));
  return whole(await readPlanHistories(client, registry, [id], await now(client)));
}

/** @throws as `readPlanHistory`. */
export async function readGuardHistory(
  client: ChainClient,
  contracts: GuardContracts,
  key: GuardKey,
): Promise<Whole<GuardHistory>> {
  const isSale = typeof key !== 'bigint';
  if (isSale && contracts.collateralGuard === undefined) throw new Unknown(auditWords.noGuard(key));
  const address = guardContractAt(contracts, key);
  // Both contracts have the same function.
  const count = await client.readContract({ address, abi: guardAbi, functionName: 'guardCount' });
  const id = numberOf(key);
  if (id > count) throw new Unknown(auditWords.noGuard(key));
  return whole(await readGuardHistories(client, address, [id], { ...(await now(client)), isSale }));
}

/**
 * The plans numbered `from` to `to`, both included, that an executor runs.
 * @throws if the node does not answer.
 */
export async function readServed(
  client: ChainClient,
  { registry, executor }: { readonly registry: Address; readonly executor: Address },
  from: bigint,
  to: bigint,
): Promise<HistoriesRead<PlanHistory>> {
  const ids = Array.from({ length: Number(to - from) + 1 }, (_, at) => from + BigInt(at));
  return readPlanHistories(client, registry, ids, { executor, ...(await now(client)) });
}

const now = async (client: ChainClient) => ({ block: await client.getBlock({ blockTag: 'latest' }), atOnce: AT_ONCE });

function whole<History>({ found, cause, block }: HistoriesRead<History>): Whole<History> {
  const [history] = found;
  if (history === undefined) throw cause ?? new Error("The node's answer does not match the request.");
  return { history, timestamp: block.timestamp };
}

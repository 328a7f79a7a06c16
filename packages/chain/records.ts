import type { Rescue as RescueOnChain } from '@bowline/core/audit/history';
import { contractOf, type GuardContracts } from '@bowline/core/domain/guard-key';
import type { Guard, Rescue, Run } from '@bowline/core/domain/permissions';
import { reasonOf } from '@bowline/core/domain/reasons';
import { BowlineError } from '@bowline/core/domain/result';
import type { Address } from '@bowline/core/domain/units';
import { type Verdict, verdictCodes } from '@bowline/core/domain/verdict';
import type { ContractFunctionReturnType } from 'viem';
import { planRegistryAbi } from '../../abis/index.ts';
import { guardAbi, saleAbi } from './guard-abi.ts';
import { named } from './plan.ts';
import type { Reads } from './reads.ts';
import { toRescue } from './rescue-calls.ts';

// Records of plans and guards, oldest first. The contracts only append to them, so pages of different blocks fit together.

export type RunOnChain = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'runs'>[number];
type WalletRescue = ContractFunctionReturnType<typeof guardAbi, 'view', 'rescues'>[number];
type SaleRescue = ContractFunctionReturnType<typeof saleAbi, 'view', 'rescues'>[number];

/** Records per call: 4 million gas. */
const PAGE = 400;

type Client = Pick<Reads, 'readContract'>;
type Page = readonly [id: bigint, from: bigint, to: bigint];

/** Records `from` inclusive, `to` exclusive, by their number from 0 on. Throws viem's errors. */
async function inRecords<Found>(
  read: (from: bigint, to: bigint) => Promise<readonly Found[]>,
  from: number,
  to: number,
): Promise<Found[]> {
  const records: Found[] = [];
  for (let start = from; start < to; start += PAGE) {
    const end = Math.min(start + PAGE, to);
    records.push(...wholePage(await read(BigInt(start), BigInt(end)), end - start));
  }
  return records;
}

/** A plan's runs and deferrals. */
export const readRuns = (client: Client, address: Address, id: bigint, from: number, to: number) =>
  inRecords(
    (...page) => client.readContract({ address, abi: planRegistryAbi, functionName: 'runs', args: [id, ...page] }),
    from,
    to,
  );

/** @param isSale whether the contract is CollateralGuard. */
export const rescuesCall = (address: Address, isSale: boolean, args: Page) =>
  ({ address, abi: isSale ? saleAbi : guardAbi, functionName: 'rescues', args }) as const;

/** A guard's rescues, in the form that both contracts' records share. */
export const readRescues = (
  client: Client,
  address: Address,
  isSale: boolean,
  id: bigint,
  from: number,
  to: number,
): Promise<RescueOnChain[]> =>
  inRecords(
    async (...page) => (await client.readContract(rescuesCall(address, isSale, [id, ...page]))).map(rescueIn),
    from,
    to,
  );

/** Converts a contract's answer to a rescue. */
export function rescueIn(answer: WalletRescue | SaleRescue): RescueOnChain {
  if (!('repayment' in answer)) return answer;
  const { repayment, ...taken } = answer;
  return { ...repayment, ...taken };
}

/** A guard's rescues from number `from` on, from whichever contract holds it. */
export async function readGuardRescues(
  client: Client,
  own: GuardContracts,
  guard: Pick<Guard, 'id' | 'sale' | 'rescues'>,
  from: number,
): Promise<(Rescue & { readonly time: bigint })[]> {
  const found = await readRescues(
    client,
    contractOf(own, guard),
    guard.sale !== undefined,
    guard.id,
    from,
    guard.rescues,
  );
  return found.map((each) => ({ ...toRescue(each), time: BigInt(each.time) }));
}

/** A node that is behind omits records without an error. The whole page then counts as unread. */
export function wholePage<Found>(page: readonly Found[], length: number): readonly Found[] {
  if (page.length === length) return page;
  const cause = new Error(`It returned ${page.length} of ${length} records.`);
  throw new BowlineError('chain_unavailable', 'The node is behind.', { retryable: true, cause });
}

const outcomes: Readonly<Record<number, Run['outcome']>> = { 1: 'executed', 2: 'deferred' };

const verdicts: Readonly<Record<number, Verdict>> = Object.fromEntries(
  Object.entries(verdictCodes).map(([name, code]) => [code, name as Verdict]),
);

export function toRun(planId: bigint, record: number, run: RunOnChain): Run {
  // Unknown reason codes are kept as numbers: a plan's executor may write any.
  const reason = reasonOf(run.reason);
  return {
    planId,
    record,
    outcome: named(outcomes, run.outcome),
    amountIn: run.amountIn,
    amountOut: run.amountOut,
    floor: run.floor,
    time: BigInt(run.time),
    slotStart: BigInt(run.slotStart),
    reasonCode: run.reason,
    ...(reason !== undefined && { reason }),
    verdict: named(verdicts, run.verdict),
    version: run.version,
    isAttested: run.isAttested,
    evidencePrefix: run.evidencePrefix,
  };
}

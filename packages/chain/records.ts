import { NO_DEBT_HEALTH_WAD, type Rescue, type Run } from '@bowline/core/domain/permissions';
import { reasonOf } from '@bowline/core/domain/reasons';
import { BowlineError } from '@bowline/core/domain/result';
import type { Address } from '@bowline/core/domain/units';
import { type Verdict, verdictCodes } from '@bowline/core/domain/verdict';
import type { ContractFunctionReturnType } from 'viem';
import { planRegistryAbi } from '../../abis/index.ts';
import { guardAbi } from './guard-abi.ts';
import { named } from './plan.ts';
import type { Reads } from './reads.ts';

// Records of plans and guards, oldest first. The contracts only append to them, so pages of different blocks fit together.

export type RunOnChain = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'runs'>[number];
export type RescueOnChain = ContractFunctionReturnType<typeof guardAbi, 'view', 'rescues'>[number];

/** Records per call: 4 million gas. */
const PAGE = 400;

type Client = Pick<Reads, 'readContract'>;
type Page = readonly [id: bigint, from: bigint, to: bigint];

/** Records of one plan or guard: `from` inclusive, `to` exclusive, by their number from 0 on. Throws viem's errors. */
export const inRecords =
  <Found>(read: (client: Client, address: Address, args: Page) => Promise<readonly Found[]>) =>
  async (client: Client, address: Address, id: bigint, from: number, to: number): Promise<Found[]> => {
    const records: Found[] = [];
    for (let start = from; start < to; start += PAGE) {
      const end = Math.min(start + PAGE, to);
      records.push(...wholePage(await read(client, address, [id, BigInt(start), BigInt(end)]), end - start));
    }
    return records;
  };

/** A plan's runs and deferrals. */
export const readRuns = inRecords((client, address, args) =>
  client.readContract({ address, abi: planRegistryAbi, functionName: 'runs', args }),
);

/** A guard's rescues. */
export const readRescues = inRecords((client, address, args) =>
  client.readContract({ address, abi: guardAbi, functionName: 'rescues', args }),
);

/** A node that is behind leaves records out without an error: then none of the page were read. */
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

/** @param rescue a record of LoanGuard, or the arguments of its event. */
export const toRescue = ({
  repaid,
  outcome,
  healthBeforeWad,
  healthAfterWad,
}: Omit<RescueOnChain, 'time'>): Rescue => ({
  repaid,
  outcome: outcome === 1 ? 'full' : 'partial',
  healthBeforeWad,
  ...(healthAfterWad !== NO_DEBT_HEALTH_WAD && { healthAfterWad }),
});

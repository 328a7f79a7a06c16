import { BowlineError } from '@bowline/core/domain/result';
import type { Address } from '@bowline/core/domain/units';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';
import type { Reads } from './reads.ts';

// Records of plans and guards, oldest first. The contracts only append to them, so pages of different blocks fit together.

/** Records per call: 4 million gas. */
const PAGE = 400;

/** A plan's runs and deferrals: `from` inclusive, `to` exclusive, by their number from 0 on. Throws viem's errors. */
export const readRuns = (
  client: Pick<Reads, 'readContract'>,
  address: Address,
  planId: bigint,
  from: number,
  to: number,
) =>
  readRecords(from, to, (start, end) =>
    client.readContract({ address, abi: planRegistryAbi, functionName: 'runs', args: [planId, start, end] }),
  );

/** A guard's rescues in the same way. */
export const readRescues = (
  client: Pick<Reads, 'readContract'>,
  address: Address,
  guardId: bigint,
  from: number,
  to: number,
) =>
  readRecords(from, to, (start, end) =>
    client.readContract({ address, abi: loanGuardAbi, functionName: 'rescues', args: [guardId, start, end] }),
  );

async function readRecords<Found>(
  from: number,
  to: number,
  read: (start: bigint, end: bigint) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const records: Found[] = [];
  for (let start = from; start < to; start += PAGE) {
    const end = Math.min(start + PAGE, to);
    records.push(...wholePage(await read(BigInt(start), BigInt(end)), end - start));
  }
  return records;
}

/** A node that is behind leaves records out without an error: then none of the page were read. */
export function wholePage<Found>(page: readonly Found[], length: number): readonly Found[] {
  if (page.length === length) return page;
  const cause = new Error(`It returned ${page.length} of ${length} records.`);
  throw new BowlineError('chain_unavailable', 'The node is behind.', { retryable: true, cause });
}

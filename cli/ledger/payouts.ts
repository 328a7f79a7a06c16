import { type ChainClient, receiptOf } from '@bowline/chain/chain-client';
import { findLogs } from '@bowline/chain/find-logs';
import { commerceAbi } from '@bowline/chain/job-reader';
import { lastBlockBefore } from '@bowline/chain/last-block';
import type { Escrow, Job } from '@bowline/core/domain/jobs';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, type Hex, type Log, numberToHex, pad, parseAbi, parseEventLogs, toEventSelector } from 'viem';

// What jobs paid, by the token's transfers.

export const payoutAbi = parseAbi([
  'event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const released = toEventSelector(payoutAbi[0]);
/** The kernel's number of the state "completed". */
const COMPLETED = 3;

type Logs = readonly Log<bigint, number, false>[];

/** What the escrow has paid to a job's provider: a transfer of the job's token. */
export interface Payout {
  /** Base units of the job's token. */
  readonly amount: bigint;
  readonly transaction: Hex;
}

interface Moved {
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
}

/**
 * By job, the transfer that paid it: of its token, from the kernel to its provider, of the amount that the kernel says that it has
 * released, in the same transaction and before that event. No transfer counts twice. The kernel's word alone pays nothing.
 */
export function payoutsOf(jobs: readonly Job[], logs: Logs, commerce: Address): ReadonlyMap<bigint, Payout> {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const events = parseEventLogs({ abi: payoutAbi, logs: [...logs] }).toSorted(
    (one, other) => Number(one.blockNumber - other.blockNumber) || one.logIndex - other.logIndex,
  );
  /** By transaction, transfers that no job has counted. */
  const uncounted = new Map<Hex, Moved[]>();
  const payouts = new Map<bigint, Payout>();
  for (const event of events) {
    const { address, transactionHash: transaction } = event;
    const before = uncounted.get(transaction) ?? [];
    if (event.eventName === 'Transfer') uncounted.set(transaction, [...before, { token: address, ...event.args }]);
    const job = event.eventName === 'PaymentReleased' ? byId.get(event.args.jobId) : undefined;
    if (event.eventName !== 'PaymentReleased' || job === undefined || !sameAddress(address, commerce)) continue;
    const { amount } = event.args;
    const at = before.findLastIndex(
      ({ token, from, to, value }) =>
        sameAddress(token, job.token) &&
        sameAddress(from, commerce) &&
        sameAddress(to, job.provider) &&
        value === amount,
    );
    if (at === -1) continue;
    uncounted.set(transaction, before.toSpliced(at, 1));
    payouts.set(job.id, { amount, transaction });
  }
  return payouts;
}

/**
 * What a completed job paid, where the node refuses the logs of all blocks: by the receipt of the transaction that completed it. That is
 * found between submission and `head` by the kernel's state, where the node still has it; else in the receipts of the blocks after
 * the end of the dispute window, when anybody may settle the job. Undefined if the node shows neither.
 */
export async function findPayout(
  client: ChainClient,
  job: Job,
  { contracts: { commerce }, disputeWindowSeconds }: Pick<Escrow, 'contracts' | 'disputeWindowSeconds'>,
  head: bigint,
): Promise<Payout | undefined> {
  const getJob = { address: commerce, abi: commerceAbi, functionName: 'getJob', args: [job.id] } as const;
  const isCompleted = async (blockNumber: bigint) =>
    (await client.readContract({ ...getJob, blockNumber })).status === COMPLETED;
  const wanted = {
    address: commerce,
    topics: [[released], numberToHex(job.id, { size: 32 }), pad(job.provider.toLowerCase() as Address)],
  } as const;
  const submitted = await lastBlockBefore(client, job.submittedAt);
  const isKept = await isCompleted(submitted).then(
    () => true,
    () => false,
  );
  const since = isKept ? submitted : await lastBlockBefore(client, job.submittedAt + disputeWindowSeconds);
  const { logs } = await findLogs(client, [wanted], { since, head }, isCompleted);
  for (const { transactionHash } of logs) {
    const receipt = await receiptOf(client, [transactionHash]);
    const payout = receipt && payoutsOf([job], receipt.logs, commerce).get(job.id);
    if (payout !== undefined) return payout;
  }
  return undefined;
}

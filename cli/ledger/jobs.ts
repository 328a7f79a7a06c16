import type { ChainClient } from '@bowline/chain/chain-client';
import type { Escrow, Job, SignedOffer } from '@bowline/core/domain/jobs';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, type Log, type PublicClient, parseAbi, parseEventLogs } from 'viem';
import { createOfferReader } from '../../agent/src/seller/read-offer.ts';
import { type Blocks, inRanges } from './chain.ts';
import { findPayout, type Payout, payoutAbi, payoutsOf } from './payouts.ts';
import { firstLine } from './section.ts';

// Jobs as the chain alone shows them: what they are by the kernel's state, what they paid by the token's transfers.

const abi = parseAbi([
  'event JobFunded(uint256 indexed jobId, address indexed client, address indexed provider, uint256 amount)',
]);
const [jobFunded] = abi;
const [paymentReleased, transfer] = payoutAbi;
const policyAbi = parseAbi([
  'function check(uint256 jobId, bytes evidence) view returns (uint8 verdict, bytes32 reason)',
]);
/** The policy's word for "approve". */
const APPROVED = 1;

export interface ChainJob {
  readonly job: Job;
  /** Ours, in the job's description. */
  readonly offer?: SignedOffer;
  /** Unix seconds; absent where no log shows it. */
  readonly fundedAt?: bigint;
  readonly payout?: Payout;
  /** Whether the policy says of a submitted job that it is to be paid. */
  readonly isApproved: boolean;
}

export interface ChainJobs {
  readonly block: { readonly number: bigint; readonly timestamp: bigint };
  readonly jobs: readonly ChainJob[];
  /** Jobs that name a seller and that nobody has funded. */
  readonly open: number;
  /** What the node did not answer, in words. */
  readonly unread: readonly string[];
  /** Whether the logs could be read that show what was paid. */
  readonly showsPayouts: boolean;
}

export interface JobsQuestion {
  /** The same node as the escrow's. */
  readonly node: ChainClient;
  readonly chainId: number;
  readonly escrow: Escrow;
  readonly sellers: readonly Address[];
  /** The first block whose logs are read. */
  readonly from: bigint;
}

/**
 * Every job of the kernel that names one of the sellers, as of one block: found by the numbers of all jobs, so that a node
 * without logs hides none. Throws BowlineError `chain_unavailable` if the node does not answer.
 */
export async function readJobs(client: PublicClient, question: JobsQuestion): Promise<ChainJobs> {
  const { node, chainId, escrow, sellers, from } = question;
  const { commerce } = escrow.contracts;
  const ids = Array.from({ length: Number(await escrow.jobCount()) }, (_, at) => BigInt(at + 1));
  const heads = await Promise.all(sellers.map((seller) => escrow.heads(ids, seller)));
  const own = heads.flatMap(({ jobs }) => [...jobs.values()].filter(({ provider }) => provider !== undefined));
  const {
    jobs: whole,
    unread: unreadWhole,
    block,
  } = await escrow.jobs(own.filter(({ status }) => status !== 'open').map(({ id }) => id));
  const unread = [...new Set([...heads.flatMap((each) => each.unread), ...unreadWhole])].map((id) => `job ${id}`);
  const jobs = [...whole.values()].toSorted((one, other) => Number(one.id - other.id));

  const blocks = { from, to: block.number };
  let refused: Error | undefined;
  const logs = await readLogs(client, commerce, sellers, [...new Set(jobs.map(({ token }) => token))], blocks).catch(
    (error: Error) => {
      refused = error;
      return [];
    },
  );
  const payouts = new Map(payoutsOf(jobs, logs, commerce));
  const paying = jobs.filter(({ status, budget }) => refused && status === 'completed' && budget > 0n);
  for (const job of paying) {
    const payout = await findPayout(node, job, escrow, block.number).catch(() => undefined);
    if (payout !== undefined) payouts.set(job.id, payout);
  }
  // They also show when a job was funded, which decides of what was not delivered.
  const isMissed = ({ id, status }: Job) => status === 'funded' || (status === 'completed' && !payouts.has(id));
  if (refused !== undefined && jobs.some(isMissed)) {
    unread.push(`the logs of blocks ${from} to ${block.number}, which show what jobs paid (${firstLine(refused)})`);
  }
  const funded = new Map(
    parseEventLogs({ abi, eventName: 'JobFunded', logs: [...logs] })
      .filter(({ address }) => sameAddress(address, commerce))
      .map(({ args, blockNumber }) => [args.jobId, blockNumber]),
  );

  const read = jobs.map(async (job): Promise<ChainJob> => {
    const offer = await createOfferReader({ provider: job.provider, chainId, commerce })(job.description);
    const fundedIn = funded.get(job.id);
    // Only of what was not delivered does the time of its funding decide anything.
    const isJudged = offer !== undefined && job.submittedAt === 0n && fundedIn !== undefined;
    const fundedAt = isJudged ? (await client.getBlock({ blockNumber: fundedIn })).timestamp : undefined;
    const payout = payouts.get(job.id);
    return {
      job,
      isApproved: job.status === 'submitted' && (await isApproved(job)),
      ...(offer && { offer }),
      ...(fundedAt !== undefined && { fundedAt }),
      ...(payout && { payout }),
    };
  });

  async function isApproved({ id, policy }: Job): Promise<boolean> {
    if (policy === undefined) return false;
    const call = { address: policy, abi: policyAbi, functionName: 'check', args: [id, '0x'] } as const;
    try {
      const [verdict] = await client.readContract({ ...call, blockNumber: block.number });
      return verdict === APPROVED;
    } catch (error) {
      unread.push(`whether job ${id} is approved (${firstLine(error as Error)})`);
      return false;
    }
  }

  const open = own.filter(({ status }) => status === 'open').length;
  return { block, jobs: await Promise.all(read), open, unread, showsPayouts: refused === undefined };
}

const readLogs = (
  client: PublicClient,
  commerce: Address,
  sellers: readonly Address[],
  tokens: readonly Address[],
  blocks: Blocks,
): Promise<Log<bigint, number, false>[]> =>
  inRanges(tokens.length === 0 ? { from: 1n, to: 0n } : blocks, async (range) => {
    const [provider, to] = [[...sellers], [...sellers]];
    const [released, funded, moved] = await Promise.all([
      client.getLogs({ ...range, address: commerce, event: paymentReleased, args: { provider } }),
      client.getLogs({ ...range, address: commerce, event: jobFunded, args: { provider } }),
      client.getLogs({ ...range, address: [...tokens], event: transfer, args: { from: commerce, to } }),
    ]);
    return [...released, ...funded, ...moved];
  });

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { DeliverableManifest } from '@bnbagent/sdk/erc8183';
import { connectChain } from '@bowline/chain/chain-client';
import { connectEscrow } from '@bowline/chain/escrow';
import type { Escrow, Job } from '@bowline/core/domain/jobs';
import { sameAddress } from '@bowline/core/domain/same-address';
import { withSymbol } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { type Address, type Log, type PublicClient, parseAbi, parseEventLogs } from 'viem';
import { z } from 'zod';
import { WORK_SECONDS } from '../../agent/src/selling/jobs/check-job.ts';
import { createJobs, type Jobs } from '../../agent/src/selling/jobs/jobs.ts';
import { createOfferReader } from '../../agent/src/selling/jobs/offers.ts';
import { type Blocks, firstLine, inRanges, type Section, type Transfer, take, transfer, transfersIn } from './logs.ts';

export interface JobsQuestion {
  readonly rpc: string;
  readonly client: PublicClient;
  readonly chainId: number;
  readonly escrow: NonNullable<AddressBook['escrow']>;
  /** Accounts that sell or have sold. */
  readonly sellers: readonly Address[];
  /** Folder of the deliveries; ends with a slash. */
  readonly deliverables: URL;
  /** The first block whose logs are read. */
  readonly from: bigint;
}

type Token = JobsQuestion['escrow']['token'];

/** A delivery as its file states it. It does not prove any earnings. */
interface Delivery {
  readonly name: string;
  /** From the file's name. */
  readonly hash?: string | undefined;
  /** The job that it names; absent unless content, hash and offer match the file's name. */
  readonly jobId?: bigint;
}

/**
 * Compares jobs of other agents (ERC-8183) that name a seller, in the kernel's state, with what the escrow has paid and
 * with the kept deliveries. Throws if a node does not respond.
 */
export async function jobsLedger(question: JobsQuestion): Promise<Section> {
  const { rpc, client, escrow: book, sellers, deliverables, from } = question;
  const { token, ...contracts } = book;
  const escrow = await connectEscrow(connectChain(rpc), contracts);
  // Read first: each of these may be submitted while the chain is read.
  const before = readDeliveries(deliverables);
  const ids = Array.from({ length: Number(await escrow.jobCount()) }, (_, at) => BigInt(at + 1));
  const heads = await Promise.all(sellers.map((seller) => escrow.heads(ids, seller)));
  const own = heads.flatMap(({ jobs }) => [...jobs.values()].filter(({ provider }) => provider !== undefined));
  const read = await escrow.jobs(own.filter(({ status }) => status !== 'open').map(({ id }) => id));
  const unread = [...new Set([...heads, read].flatMap((each) => each.unread))].map((id) => `job ${id}`);
  const jobs = [...read.jobs.values()].toSorted((one, other) => Number(one.id - other.id));
  const payouts = await readPayouts(client, jobs, contracts.commerce, { from, to: read.block.number }).catch(
    (error: Error) => void unread.push(`the logs that show what jobs paid (${firstLine(error)})`),
  );
  const after = readDeliveries(deliverables);
  const judges = judgesOf(escrow, question);
  const judge = async (job: Job) => (await judges.get(job.provider.toLowerCase())?.judge(job, read.block))?.judgement;
  // Submitted jobs claim their offers first, so that a copy of an offer is refused.
  for (const job of jobs) if (job.submittedAt > 0n) await judge(job);
  const entries = [];
  for (const job of jobs) {
    const judgement = job.status === 'funded' ? await judge(job) : undefined;
    const refusal = judgement?.state === 'refused' ? judgement.reason : undefined;
    const payout = payouts?.get(job.id);
    const isOwed = judgement?.state === 'deliver' || (payout !== undefined && job.submittedAt === 0n);
    // A job that expired after its delivery was not settled in time.
    const isDue = job.budget > 0n && job.submittedAt > 0n && (job.status === 'completed' || job.status === 'expired');
    const differences = [
      ...(isOwed ? ['paid_not_delivered'] : []),
      ...(payouts && isDue && !payout ? ['delivered_not_paid'] : []),
      ...(job.submittedAt > 0n && !after.some((file) => isOf(file, job)) ? ['deliverable_missing'] : []),
    ];
    entries.push({ job, payout, differences, line: lineOf(job, payout, refusal, token) });
  }
  const strays = before.filter((file) => !jobs.some((job) => isOf(file, job)));
  const paid = entries.flatMap(({ payout }) => payout ?? []).filter((each) => sameAddress(each.token, token.address));
  const sum = paid.reduce((all, { value }) => all + value, 0n);
  const total = `${paid.length} transfers have paid ${amountOf(sum, token.address, token)}.`;
  return {
    lines: [
      `Jobs as of block ${read.block.number} that name ${sellers.join(', ')}: ${jobs.length} funded or ended, ${own.length - jobs.length} open.`,
      ...entries.map(({ line, differences }) => [...differences, line].join(': ')),
      ...strays.map(({ name }) => `delivery_of_no_job: ${name}`),
      ...(payouts ? [total] : []),
    ],
    differences: strays.length + entries.flatMap(({ differences }) => differences).length,
    unread,
  };
}

/** Judges jobs as their seller does, so that strangers' jobs do not count as differences. */
function judgesOf(escrow: Escrow, { chainId, sellers, escrow: { token } }: JobsQuestion): ReadonlyMap<string, Jobs> {
  const { contracts, disputeWindowSeconds } = escrow;
  const terms = { contracts, disputeWindowSeconds, workSeconds: WORK_SECONDS, price: 0n, currency: token.address };
  const judgeOf = (provider: Address) => {
    const offers = { read: createOfferReader(provider, { chainId, commerce: contracts.commerce }) };
    return createJobs(escrow, offers, { ...terms, provider }, { byOffer: async () => [] });
  };
  return new Map(sellers.map((seller) => [seller.toLowerCase(), judgeOf(seller)]));
}

export const [released] = parseAbi([
  'event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount)',
]);

async function readPayouts(client: PublicClient, jobs: readonly Job[], commerce: Address, blocks: Blocks) {
  if (jobs.length === 0) return new Map<bigint, Transfer>();
  const provider = [...new Set(jobs.map((job) => job.provider))];
  const address = [...new Set(jobs.map((job) => job.token))];
  const logs = await inRanges(blocks, async (range) =>
    (
      await Promise.all([
        client.getLogs({ ...range, address: commerce, event: released, args: { provider } }),
        client.getLogs({ ...range, address, event: transfer, args: { from: commerce, to: provider } }),
      ])
    ).flat(),
  );
  return payoutsOf(jobs, logs, commerce);
}

/**
 * For each job, the transfer that paid it: of its token, from the kernel to its provider, with the amount that the
 * kernel says it released in the same transaction. The kernel's event alone is not a payment.
 */
export function payoutsOf(
  jobs: readonly Job[],
  logs: readonly Log<bigint, number, false>[],
  commerce: Address,
): ReadonlyMap<bigint, Transfer> {
  const moved = transfersIn(logs);
  const payouts = new Map<bigint, Transfer>();
  for (const { address, args, transactionHash: transaction } of parseEventLogs({ abi: [released], logs: [...logs] })) {
    const job = jobs.find(({ id }) => id === args.jobId);
    if (job === undefined || !sameAddress(address, commerce)) continue;
    const { token, provider: to } = job;
    const payout = take(moved, { token, from: commerce, to, value: args.amount, transaction });
    if (payout !== undefined) payouts.set(job.id, payout);
  }
  return payouts;
}

/** Whether the file is the delivery that the chain records for its job, or one still to be submitted. */
const isOf = ({ hash, jobId }: Delivery, { id, deliverable, status }: Job): boolean =>
  jobId === id && (hash === deliverable || status === 'funded');

function lineOf(job: Job, payout: Transfer | undefined, refusal: string | undefined, token: Token): string {
  const { id, status, submittedAt, budget, deliverable } = job;
  return [
    `job ${id}: ${status}`,
    `budget ${amountOf(budget, job.token, token)}`,
    ...(payout ? [`paid ${amountOf(payout.value, job.token, token)} by transaction ${payout.transaction}`] : []),
    ...(submittedAt > 0n ? [`delivered as ${deliverable}`] : []),
    ...(refusal ? [`refused, ${refusal}`] : []),
  ].join('; ');
}

const amountOf = (amount: bigint, of: Address, token: Token): string =>
  sameAddress(of, token.address)
    ? withSymbol(amount, { ...token, symbol: token.name })
    : `${amount} base units of ${of}`;

const manifestSchema = z.object({ job_id: z.int(), metadata: z.object({ negotiation_hash: z.string() }) });

/** All deliveries in the folder. The folder also holds the seller's notes and its registry entry. */
export const readDeliveries = (folder: URL): readonly Delivery[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.json') && !['jobs.json', 'registration.json'].includes(name))
    .map((name) => readDelivery(folder, name));

function readDelivery(folder: URL, name: string): Delivery {
  const [, offer, hash] = /^(0x[0-9a-f]{64})-(0x[0-9a-f]{64})\.json$/.exec(name) ?? [];
  try {
    const manifest = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    const { job_id, metadata } = manifestSchema.parse(manifest);
    const isWhole =
      DeliverableManifest.fromDict(manifest).manifestHash() === hash &&
      metadata.negotiation_hash.toLowerCase() === offer;
    return { name, hash, ...(isWhole && { jobId: BigInt(job_id) }) };
  } catch {
    return { name, hash };
  }
}

import { connectChain } from '@bowline/chain/chain-client';
import { connectEscrow } from '@bowline/chain/escrow';
import type { JobStatus } from '@bowline/core/domain/jobs';
import { withSymbol } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import type { Address, PublicClient } from 'viem';
import { WORK_SECONDS } from '../../agent/src/seller/check-job.ts';
import { compareJobs, type JobEntry } from './compare-jobs.ts';
import { readDeliveries } from './deliveries.ts';
import { readJobs } from './jobs.ts';
import type { Section } from './section.ts';

export interface SalesQuestion {
  readonly rpc: string;
  readonly client: PublicClient;
  readonly chainId: number;
  readonly escrow: NonNullable<AddressBook['escrow']>;
  /** Accounts that sell, or have sold. */
  readonly sellers: readonly Address[];
  /** Where the deliveries are kept; ends with a slash. */
  readonly deliverables: URL;
  /** The first block whose logs are read. */
  readonly from: bigint;
}

type Token = SalesQuestion['escrow']['token'];

/** Jobs of other agents (ERC-8183): what the chain shows of them, beside the deliveries that are kept. Throws if a node is silent. */
export async function salesLedger(question: SalesQuestion): Promise<Section> {
  const { rpc, client, chainId, escrow: book, sellers, deliverables, from } = question;
  const { token, ...contracts } = book;
  const node = connectChain(rpc);
  const escrow = await connectEscrow(node, contracts);
  const before = readDeliveries(deliverables);
  const read = await readJobs(client, { node, chainId, escrow, sellers, from });
  const after = readDeliveries(deliverables);
  const { disputeWindowSeconds } = escrow;
  const terms = { contracts, disputeWindowSeconds, workSeconds: WORK_SECONDS };
  const { entries, strays } = compareJobs(read, { before, after }, terms);
  const unproved = entries.filter(({ isUnproved }) => isUnproved);
  return {
    lines: [
      `Jobs as of block ${read.block.number} that name ${sellers.join(', ')}: ${entries.length} funded or ended, ${read.open} open.`,
      ...entries.map((entry) => lineOf(entry, token)),
      ...strays.map(({ name }) => `delivery_of_no_job: ${name}`),
      ...totalsOf(entries, token),
    ],
    differences: strays.length + entries.reduce((sum, { differences }) => sum + differences.length, 0),
    unread: [
      ...read.unread,
      ...unproved.map(({ job }) => `what job ${job.id} paid, which is completed (payment_unread)`),
    ],
  };
}

function lineOf(entry: JobEntry, token: Token): string {
  const { job, payout, refusal, differences } = entry;
  const amount = (value: bigint) => textOf([[job.token, value]], token);
  const told = [
    `job ${job.id}: ${stateOf(entry)}`,
    `budget ${amount(job.budget)}`,
    ...(payout ? [`paid ${amount(payout.amount)} by transaction ${payout.transaction}`] : []),
    ...(job.submittedAt > 0n ? [`delivered as ${job.deliverable}`] : []),
    ...(refusal ? [`refused, ${refusal}`] : []),
  ];
  return [...differences.map((reason) => `${reason}: `), told.join('; ')].join('');
}

/** The kernel refunds what it held when a job expires or is rejected. */
function stateOf({ job: { status, submittedAt } }: JobEntry): string {
  if (status === 'expired') return 'expired, refunded';
  return status === 'rejected' && submittedAt > 0n ? 'rejected, refunded' : status;
}

function totalsOf(entries: readonly JobEntry[], token: Token): string[] {
  const inState = (...states: readonly JobStatus[]) => entries.filter(({ job }) => states.includes(job.status));
  const budgets = (some: readonly JobEntry[]) =>
    textOf(
      some.map(({ job }) => [job.token, job.budget]),
      token,
    );
  const [held, completed] = [inState('funded', 'submitted'), inState('completed')];
  const over = inState('rejected', 'expired');
  const paid = entries.flatMap(({ job, payout }): [Address, bigint][] => (payout ? [[job.token, payout.amount]] : []));
  return [
    `${inState('funded').length} funded and ${inState('submitted').length} submitted, for which the escrow holds ${budgets(held)}.`,
    `${completed.length} completed, of ${budgets(completed)}: ${paid.length} transfers have paid ${textOf(paid, token)}.`,
    `${inState('rejected').length} rejected and ${inState('expired').length} expired, of ${budgets(over)}.`,
  ];
}

/** Amounts added up by token: that of the escrow by its name, others in base units. */
function textOf(amounts: readonly (readonly [Address, bigint])[], token: Token): string {
  const sums = new Map<string, bigint>();
  for (const [address, amount] of amounts) {
    const key = address.toLowerCase();
    sums.set(key, (sums.get(key) ?? 0n) + amount);
  }
  const own = token.address.toLowerCase();
  if (sums.size === 0) return `0 ${token.name}`;
  return [...sums]
    .map(([key, sum]) =>
      key === own ? withSymbol(sum, { ...token, symbol: token.name }) : `${sum} base units of ${key}`,
    )
    .join(' and ');
}

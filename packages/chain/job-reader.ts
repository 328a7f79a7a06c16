import type { Escrow, EscrowContracts, Job, JobHead, JobStatus, JobsRead } from '@bowline/core/domain/jobs';
import { sameAddress } from '@bowline/core/domain/same-address';
import {
  type Address,
  type ContractFunctionReturnType,
  decodeAbiParameters,
  getAbiItem,
  type Hex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
} from 'viem';
import { askingAll, type ChainClient, inOneCall, newestBlock } from './chain-client.ts';
import { inTurn, readInPages } from './paginated-reads.ts';
import { readHeads } from './states-lens.ts';
import { UnknownAnswer } from './unknown-answer.ts';

export const commerceAbi = parseAbi([
  'struct Job { uint256 id; address client; address provider; address evaluator; string description; uint256 budget; uint256 expiredAt; uint8 status; address hook; uint256 submittedAt; bytes32 deliverable; }',
  'function jobCounter() view returns (uint256)',
  'function getJob(uint256 jobId) view returns (Job)',
  'function jobPaymentToken(uint256 jobId) view returns (address)',
  'function submit(uint256 jobId, bytes32 deliverable, bytes optParams)',
  'event JobFunded(uint256 indexed jobId, address indexed client, address indexed provider, uint256 amount)',
]);
const routerAbi = parseAbi(['function jobPolicy(uint256 jobId) view returns (address)']);

const getJob = getAbiItem({ abi: commerceAbi, name: 'getJob' });
/** A job as the kernel encodes it, up to its description, which follows. */
const head = parseAbiParameters(
  'uint256 offset, uint256 id, address client, address provider, address evaluator, uint256 description, uint256 budget, uint256 expiredAt, uint8 status, address hook, uint256 submittedAt, bytes32 deliverable',
);

type HeadOnChain = Omit<JobOnChain, 'client' | 'description' | 'deliverable'>;
type JobOnChain = ContractFunctionReturnType<typeof commerceAbi, 'view', 'getJob'>;

/** In the kernel's order. */
const statuses: readonly JobStatus[] = ['open', 'funded', 'submitted', 'completed', 'rejected', 'expired'];

/**
 * More than a job needs with the longest description that the ecosystem allows (4,096 bytes). A job that needs more
 * cannot carry an offer, and counts as foreign.
 */
const HEAD_GAS = 1_000_000n;
/**
 * Heads per eth_call by the lens: 100,000 gas each with an offer as description (measured). It answers for as many as
 * its gas allows.
 */
const HEADS_PAGE = 400;
/** Whole jobs per eth_call. The answer is returned as contract code of at most 24 kB: enough for 4 of the longest. */
const WHOLE_PAGE = 6;

const FOREIGN = 'foreign';

/** Reads jobs from the escrow's kernel, and their policies from its router. */
export function createJobReader(
  client: ChainClient,
  { commerce, router }: EscrowContracts,
): Pick<Escrow, 'job' | 'heads' | 'jobs'> {
  const kernel = { address: commerce, abi: commerceAbi } as const;
  const tokenOf = (id: bigint) => ({ ...kernel, functionName: 'jobPaymentToken', args: [id] }) as const;
  const policyOf = (id: bigint) =>
    ({ address: router, abi: routerAbi, functionName: 'jobPolicy', args: [id] }) as const;
  const jobOf = (id: bigint) => ({ ...kernel, functionName: 'getJob', args: [id] }) as const;

  /** In order; undefined for one that was not read. */
  async function headsOf(
    ids: readonly bigint[],
    provider: Address,
  ): Promise<readonly (JobHead | typeof FOREIGN | undefined)[]> {
    const found = await readHeads(client, commerce, getJob, { words: head.length, gasEach: HEAD_GAS }, ids);
    // The node does not support state overrides.
    if (found === undefined) {
      return await inTurn(ids, WHOLE_PAGE, async (page) =>
        (await client.multicall({ ...inOneCall, allowFailure: false, contracts: page.map(jobOf) })).map((job) =>
          headOf(job, provider, router),
        ),
      );
    }
    return ids.map((_, at) => {
      const struct = found[at];
      return struct ? headOf(decodedHead(struct), provider, router) : struct === null ? FOREIGN : undefined;
    });
  }

  /** The struct, token and policy of each. */
  async function readWhole(ids: readonly bigint[], blockNumber: bigint): Promise<Job[]> {
    const contracts = ids.flatMap((id) => [jobOf(id), tokenOf(id), policyOf(id)]);
    const answers = await client.multicall({ ...inOneCall, allowFailure: false, blockNumber, contracts });
    return ids.map((_, at) => {
      const [found, token, policy] = answers.slice(3 * at, 3 * at + 3) as [JobOnChain, Address, Address];
      return toJob(found, token, policy);
    });
  }

  return askingAll<Pick<Escrow, 'job' | 'heads' | 'jobs'>>({
    async job(id) {
      const block = await newestBlock(client);
      const blockNumber = block.number;
      const found = await client.readContract({ ...jobOf(id), blockNumber });
      // The kernel returns zeroes for an unknown job, and zero is also a status. It refuses to name such a job's token.
      if (found.id !== id || id === 0n) return undefined;
      // Separate calls: the answer about a job with the longest description does not fit into contract code.
      const [token, policy] = await Promise.all([
        client.readContract({ ...tokenOf(id), blockNumber }),
        client.readContract({ ...policyOf(id), blockNumber }),
      ]);
      return { block, job: toJob(found, token, policy) };
    },

    async heads(ids, provider) {
      const jobs = new Map<bigint, JobHead>();
      let unread = ids;
      while (unread.length > 0) {
        const read = await readInPages(unread, HEADS_PAGE, (page) => headsOf(page, provider));
        if (read.silence) throw read.silence;
        for (const [id, head] of read.items) if (head !== FOREIGN) jobs.set(id, head);
        unread = read.unread;
        if (read.items.size === 0) break;
      }
      return { jobs, unread } satisfies JobsRead<JobHead>;
    },

    async jobs(ids) {
      const block = await newestBlock(client);
      const read = await readInPages(ids, WHOLE_PAGE, (page) => readWhole(page, block.number));
      if (read.silence) throw read.silence;
      return { block, jobs: read.items, unread: read.unread };
    },
  });
}

function toJob(found: JobOnChain, token: Address, policy: Address): Job {
  const { id, client, provider, evaluator, hook, description, budget, submittedAt, deliverable } = found;
  return {
    id,
    client,
    provider,
    evaluator,
    hook,
    ...(policy !== zeroAddress && { policy }),
    token,
    budget,
    description,
    status: statusOf(found.status),
    expiresAt: found.expiredAt,
    submittedAt,
    deliverable,
  };
}

function statusOf(status: number): JobStatus {
  const known = statuses[status];
  if (known === undefined) throw new UnknownAnswer(`The escrow returned an unknown job status: ${status}.`);
  return known;
}

function decodedHead(struct: Hex): HeadOnChain {
  const [, id, , provider, evaluator, , budget, expiredAt, status, hook, submittedAt] = decodeAbiParameters(
    head,
    struct,
  );
  return { id, provider, evaluator, budget, expiredAt, status, hook, submittedAt };
}

function headOf(found: HeadOnChain, provider: Address, router: Address): JobHead | typeof FOREIGN | undefined {
  const isOurs = sameAddress(found.provider, provider);
  if (found.id === 0n) return undefined;
  if (!isOurs && found.provider !== zeroAddress) return FOREIGN;
  const { id, budget, expiredAt: expiresAt, submittedAt } = found;
  const isRouted = sameAddress(found.evaluator, router) && sameAddress(found.hook, router);
  const known = { id, status: statusOf(found.status), isRouted, budget, expiresAt, submittedAt };
  return isOurs ? { ...known, provider } : known;
}

import type { Escrow, EscrowContracts, Job, JobStatus } from '@bowline/core/domain/jobs';
import { BowlineError } from '@bowline/core/domain/result';
import { encodeFunctionData, getAbiItem, parseAbi, stringToHex, zeroAddress } from 'viem';
import { asking, type ChainClient, newestBlock } from './chain-client.ts';

// ERC-8183 as deployed on BNB Chain: a kernel with a payment token per job, a router that is evaluator and hook of
// every job, and a policy that approves when nobody disputes.

const commerceAbi = parseAbi([
  'struct Job { uint256 id; address client; address provider; address evaluator; string description; uint256 budget; uint256 expiredAt; uint8 status; address hook; uint256 submittedAt; bytes32 deliverable; }',
  'function jobCounter() view returns (uint256)',
  'function getJob(uint256 jobId) view returns (Job)',
  'function jobPaymentToken(uint256 jobId) view returns (address)',
  'function submit(uint256 jobId, bytes32 deliverable, bytes optParams)',
  'event JobFunded(uint256 indexed jobId, address indexed client, address indexed provider, uint256 amount)',
]);
const routerAbi = parseAbi([
  'function jobPolicy(uint256 jobId) view returns (address)',
  'function settle(uint256 jobId, bytes evidence)',
]);
const policyAbi = parseAbi(['function disputeWindow() view returns (uint64)']);

const statuses: readonly JobStatus[] = ['open', 'funded', 'submitted', 'completed', 'rejected', 'expired'];

/** A hook, a policy and an event beside three slots: 250,000 measured on the local stand-in. */
export const SUBMIT_GAS = 600_000n;
export const SETTLE_GAS = 600_000n;

/** Search window for the funding event: an offer's maximum life of 900 s, in blocks of 0.45 s. */
const LOG_BLOCKS = 2_000n;

/** Reads jobs from the kernel. Reads the policy's dispute window once. */
export async function connectEscrow(client: ChainClient, contracts: EscrowContracts): Promise<Escrow> {
  const commerce = { address: contracts.commerce, abi: commerceAbi } as const;
  const router = { address: contracts.router, abi: routerAbi } as const;
  const disputeWindowSeconds = await asking(() =>
    client.readContract({ address: contracts.policy, abi: policyAbi, functionName: 'disputeWindow' }),
  );

  return {
    contracts,
    disputeWindowSeconds,
    jobCount: () => asking(() => client.readContract({ ...commerce, functionName: 'jobCounter' })),

    job: (id) =>
      asking(async () => {
        const block = await newestBlock(client);
        const blockNumber = block.number;
        const found = await client.readContract({ ...commerce, functionName: 'getJob', args: [id], blockNumber });
        // The kernel returns zeroes for an unknown job, and zero is also a status.
        if (found.id !== id || id === 0n) return undefined;
        const [token, policy] = await Promise.all([
          client.readContract({ ...commerce, functionName: 'jobPaymentToken', args: [id], blockNumber }),
          client.readContract({ ...router, functionName: 'jobPolicy', args: [id], blockNumber }),
        ]);
        const status = statuses[found.status];
        if (status === undefined) {
          throw new BowlineError('internal', `The escrow returned an unknown job status: ${found.status}.`);
        }
        const { client: buyer, provider, evaluator, hook, description, budget, submittedAt, deliverable } = found;
        const job: Job = {
          id,
          client: buyer,
          provider,
          evaluator,
          hook,
          ...(policy !== zeroAddress && { policy }),
          token,
          budget,
          description,
          status,
          expiresAt: found.expiredAt,
          submittedAt,
          deliverable,
        };
        return { block, job };
      }),

    async fundedAt(id) {
      try {
        const newest = await client.getBlockNumber();
        const fromBlock = newest > LOG_BLOCKS ? newest - LOG_BLOCKS : 0n;
        const event = getAbiItem({ abi: commerceAbi, name: 'JobFunded' });
        const filter = { address: contracts.commerce, event, args: { jobId: id }, fromBlock, toBlock: newest } as const;
        const [funded] = await client.getLogs(filter);
        if (funded === undefined) return undefined;
        return (await client.getBlock({ blockNumber: funded.blockNumber })).timestamp;
      } catch {
        // Public nodes may refuse eth_getLogs. That is neither an answer nor a chain failure.
        return undefined;
      }
    },

    submit: (id, deliverable, url) => ({
      to: contracts.commerce,
      data: encodeFunctionData({
        abi: commerceAbi,
        functionName: 'submit',
        args: [id, deliverable, stringToHex(JSON.stringify({ deliverable_url: url }))],
      }),
      value: 0n,
      gas: SUBMIT_GAS,
      label: `submit job ${id}`,
    }),
    settle: (id) => ({
      to: contracts.router,
      data: encodeFunctionData({ abi: routerAbi, functionName: 'settle', args: [id, '0x'] }),
      value: 0n,
      gas: SETTLE_GAS,
      label: `settle job ${id}`,
    }),
  };
}

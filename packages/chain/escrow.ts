import { LOG_BLOCKS } from '@bowline/core/domain/heads';
import { type Escrow, type EscrowContracts, SETTLE_GAS, SUBMIT_GAS } from '@bowline/core/domain/jobs';
import { BlockNotFoundError, encodeFunctionData, getAbiItem, parseAbi, stringToHex } from 'viem';
import { asking, type ChainClient } from './chain-client.ts';
import { commerceAbi, createJobReader } from './job-reader.ts';

// ERC-8183 as deployed on BNB Chain: a kernel with a payment token per job, a router that is evaluator and hook of
// every job, and a policy that approves when nobody disputes.

const routerAbi = parseAbi(['function settle(uint256 jobId, bytes evidence)']);
const policyAbi = parseAbi(['function disputeWindow() view returns (uint64)']);
const fundedEvent = getAbiItem({ abi: commerceAbi, name: 'JobFunded' });

/** Reads jobs from the kernel. Reads the policy's dispute window once. */
export async function connectEscrow(client: ChainClient, contracts: EscrowContracts): Promise<Escrow> {
  const disputeWindowSeconds = await asking(() =>
    client.readContract({ address: contracts.policy, abi: policyAbi, functionName: 'disputeWindow' }),
  );

  return {
    contracts,
    disputeWindowSeconds,
    ...createJobReader(client, contracts),
    newestBlock: () =>
      asking(async () => {
        const { number, timestamp, hash } = await client.getBlock({ blockTag: 'latest' });
        return { number, timestamp, hash };
      }),

    jobCount: () =>
      asking(() => client.readContract({ address: contracts.commerce, abi: commerceAbi, functionName: 'jobCounter' })),

    async fundedIn(provider, fromBlock, toBlock) {
      const filter = { address: contracts.commerce, event: fundedEvent, args: { provider }, fromBlock, toBlock };
      try {
        return (await client.getLogs(filter)).flatMap(({ args }) => args.jobId ?? []);
      } catch {
        return undefined;
      }
    },

    blockHash: (blockNumber) =>
      asking(async () => {
        try {
          return (await client.getBlock({ blockNumber })).hash;
        } catch (error) {
          if (error instanceof BlockNotFoundError) return undefined;
          throw error;
        }
      }),

    async fundedAt(id) {
      try {
        const newest = await client.getBlockNumber();
        // Covers the longest life of an offer.
        const fromBlock = newest > LOG_BLOCKS ? newest - LOG_BLOCKS : 0n;
        const filter = { address: contracts.commerce, event: fundedEvent, args: { jobId: id } };
        const [funded] = await client.getLogs({ ...filter, fromBlock, toBlock: newest });
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

import { othersAddresses } from '@bowline/core/registry/address-book';
import { type Address, isAddress, parseAbi, parseEther } from 'viem';
import { registries } from '../../cli/register.ts';
import { blockSeconds } from '../world/block.ts';
import { account as bundlerAccount, startBundler } from '../world/bundler.ts';
import { connect } from '../world/chain.ts';
import { deployEscrow } from '../world/escrow.ts';
import { serveFacilitator } from '../world/facilitator.ts';
import { localChainId, startLocalChain } from '../world/fork.ts';
import { deployIdentity } from '../world/identity.ts';
import { startMarket } from '../world/market/market.ts';
import { createPath } from '../world/market/path.ts';
import { serveMarket } from '../world/market/server.ts';
import { mineEvery } from '../world/miner.ts';
import { freePort } from '../world/ports.ts';
import { treasurer } from '../world/replica.ts';

// An operator's surroundings: a chain with BNB Chain's ID, rules and addresses, others' contracts, a market, a bundler, a facilitator.

/** Fixed, so that every day has the same prices. */
const seed = 1;
/** On BNB Chain, this is seven days. */
const disputeWindowSeconds = 10;

const identityAbi = parseAbi(['function ownerOf(uint256 agentId) view returns (address)']);

export type World = Awaited<ReturnType<typeof startWorld>>;

/**
 * @param stops receives a function that ends each part, in order, even if a later part does not start.
 * @param report is called with a sentence for each problem of the market.
 */
export async function startWorld(stops: (() => unknown)[], report: (trouble: string) => void) {
  const local = await startLocalChain();
  stops.push(local.stop);
  const chain = connect(local.url);
  const { escrow } = othersAddresses(isAddress, localChainId);
  const registry = registries[localChainId];
  if (registry === undefined || escrow === undefined) throw new Error(`Chain ${localChainId} has no escrow.`);
  await deployEscrow(chain, disputeWindowSeconds, escrow);
  await deployIdentity(chain, registry);
  await chain.setAutomine(false);
  let stopMining = mineEvery(local.url, blockSeconds);
  stops.push(() => stopMining());
  const clock = () => Date.now() / 1000;
  const path = createPath(seed, clock());
  const market = await startMarket({ rpcUrl: local.url, path, clock, report });
  stops.push(() => market.stop());
  const exchange = await serveMarket(market, path, clock, 0);
  const bundler = await startBundler(local.url, await freePort(), { onLine: report });
  const facilitator = await serveFacilitator(local.url, 0);
  stops.push(exchange.stop, bundler.stop, facilitator.stop);
  return {
    ...{ rpcUrl: local.url, marketUrl: exchange.url, bundlerUrl: bundler.url, facilitatorUrl: facilitator.url },
    ...{ chain, market, escrow, registry, bundler: bundlerAccount.address },
    /** Owner of an entry in ERC-8004's registry of agents. */
    ownerOf: (entry: bigint) =>
      chain.readContract({ address: registry, abi: identityAbi, functionName: 'ownerOf', args: [entry] }),
    /** Sends 1 BNB, as somebody would from elsewhere. */
    async fund(to: Address): Promise<void> {
      await chain.sendTogether(treasurer, [{ to, data: '0x', value: parseEther('1') }]);
    },
    /** Mines no block until the returned function is called. */
    async pauseBlocks(): Promise<() => void> {
      await stopMining();
      return () => {
        stopMining = mineEvery(local.url, blockSeconds);
      };
    },
  };
}

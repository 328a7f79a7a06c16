import { othersAddresses } from '@bowline/core/registry/address-book';
import { type Address, isAddress, parseAbi, parseEther } from 'viem';
import { registries } from '../../cli/register/registries.ts';
import { account as bundlerAccount, startBundler } from '../world/bundler.ts';
import { type Chain, connect } from '../world/chain.ts';
import { placeEscrow } from '../world/escrow.ts';
import { localChainId, startLocalChain } from '../world/fork.ts';
import { placeIdentity } from '../world/identity.ts';
import { type Market, startMarket } from '../world/market/market.ts';
import { createPath } from '../world/market/path.ts';
import { serveMarket } from '../world/market/server.ts';
import { minedAtOnce } from '../world/miner.ts';
import { freePort } from '../world/ports.ts';
import { treasurer } from '../world/replica.ts';

// What surrounds an operator, in rehearsal: a chain with BNB Chain's ID, rules and addresses, others' contracts, a market and a bundler.

/** BNB Chain's block time. */
const blockSeconds = 0.45;
/** Fixed, so that every rehearsal has the same prices. */
const seed = 1;
/** Seven days on BNB Chain. */
const disputeWindowSeconds = 10;

const identityAbi = parseAbi(['function ownerOf(uint256 agentId) view returns (address)']);

/** Assets whose plans the registry serves, each with a pool. */
export const pooled = ['BTCB', 'ETH', 'WBNB'] as const;

export interface World {
  readonly rpcUrl: string;
  readonly marketUrl: string;
  readonly chain: Chain;
  readonly market: Market;
  readonly escrow: ReturnType<typeof othersAddresses>['escrow'];
  /** Of somebody who carries operations of ERC-4337 accounts. */
  readonly bundlerUrl: string;
  /** How many transactions that account has sent. */
  bundled(): Promise<number>;
  /** ERC-8004's registry of agents. */
  readonly registry: Address;
  /** Of an entry in ERC-8004's registry of agents. */
  ownerOf(entry: bigint): Promise<Address>;
  /** As somebody does who sends BNB from elsewhere. */
  send(to: Address, bnb: string): Promise<void>;
  stop(): Promise<void>;
}

/** @param report is called with a sentence for each trouble of the market. */
export async function startWorld(report: (trouble: string) => void): Promise<World> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const each of stops.toReversed()) await each().catch(() => {});
  };
  try {
    const local = await startLocalChain({ blockSeconds });
    stops.push(local.stop);
    const chain = connect(local.url);
    const { escrow } = othersAddresses(isAddress, localChainId);
    const registry = registries[localChainId];
    if (registry === undefined) throw new Error(`No registry of agents is known on chain ${localChainId}.`);
    await minedAtOnce(chain, async () => {
      await placeEscrow(chain, escrow, disputeWindowSeconds);
      await placeIdentity(chain, registry);
    });
    const clock = () => Date.now() / 1000;
    const path = createPath(seed, clock());
    const market = await startMarket({ rpcUrl: local.url, path, clock, report });
    stops.push(() => market.stop());
    const server = await serveMarket(market, path, clock, 0);
    stops.push(server.stop);
    // A pool of PancakeSwap is created with room for one observation.
    for (const asset of pooled) await market.play({ name: 'new-pool', asset });
    const bundler = await startBundler(local.url, await freePort(), { onLine: report });
    stops.push(bundler.stop);
    return {
      ...{ rpcUrl: local.url, marketUrl: server.url, bundlerUrl: bundler.url, chain, market, escrow, registry, stop },
      bundled: () => chain.getTransactionCount({ address: bundlerAccount.address }),
      ownerOf: (entry) =>
        chain.readContract({ address: registry, abi: identityAbi, functionName: 'ownerOf', args: [entry] }),
      async send(to, bnb) {
        const [receipt] = await chain.sendTogether(treasurer, [{ to, data: '0x', value: parseEther(bnb) }]);
        if (receipt?.status !== 'success') throw new Error(`${bnb} BNB did not reach ${to}.`);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

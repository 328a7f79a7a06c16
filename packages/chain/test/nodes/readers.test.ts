import { isTraded, quoteAssetOf } from '@bowline/core/domain/assets';
import { WAD } from '@bowline/core/domain/units';
import { clock, timers } from '@bowline/http/clock';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPlan, keepLog } from '../../../../agent/test/loops/world.ts';
import { localChainId } from '../../../../lab/world/fork.ts';
import { type ChainClient, connectChain } from '../../chain-client.ts';
import { createMarketReader } from '../../market-reader.ts';
import { httpNodes, openNodes } from '../../nodes/nodes.ts';
import { createPlanReader } from '../../plan-reader.ts';
import { createPriceReader } from '../../price-reader.ts';
import { type DeployedChain, startDeployedChain } from '../deployed-chain.ts';
import { type RpcProxy, startRpcProxy } from '../rpc-proxy.ts';

// AG-60: the facts behind a signature, read from three nodes.

let deployed: DeployedChain;
let lines: RpcProxy[];
const log = keepLog();

beforeAll(async () => {
  deployed = await startDeployedChain();
  await createPlan(deployed);
});
afterAll(() => deployed?.stop());
beforeEach(async () => {
  lines = await Promise.all([1, 2, 3].map(() => startRpcProxy(deployed.url)));
});
afterEach(() => Promise.all(lines.map((line) => line.stop())));

/** All facts that the signing of a run relies on. */
async function read(client: ChainClient) {
  const { book } = deployed;
  const asset = book.assets.filter(isTraded).find(({ symbol }) => symbol === 'BTCB');
  if (asset === undefined) throw new Error('no BTCB');
  const quote = quoteAssetOf(book.assets, asset);
  return {
    facts: await createMarketReader(client, book, timers).facts(asset, quote, 'buy', { usdWad: 100n * WAD }),
    price: await createPriceReader(client, book).price(asset, quote),
    plans: await createPlanReader(client, book.own, book.assets).plans(),
  };
}

test.each([0, 1, 2])(
  'prices, quotes, plans and block times are the chain’s, though node %i changes every word',
  async (liar) => {
    const line = lines[liar];
    if (line === undefined) throw new Error('no line');
    // A little more in every word of the answer, as a price would be.
    line.tell = ({ method }, answer) => {
      if (method === 'eth_call' && typeof answer.result === 'string')
        answer.result = answer.result.replace(/[1-8]/g, '9');
      const block = answer.result as Record<string, unknown> | null;
      if (method.startsWith('eth_getBlockBy') && block) block.timestamp = `0x${(clock() + 5n).toString(16)}`;
    };
    const urls = lines.map(({ url }) => url);
    const nodes = openNodes(httpNodes(urls), { chainId: localChainId, clock, timers, log });
    const truth = await read(connectChain(deployed.url));
    expect(await read(connectChain(nodes.transport(true)))).toEqual(truth);
    expect(truth.plans.plans).toHaveLength(1);
    expect(truth.facts.play).toBeDefined();
  },
);

import { type ChainClient, connectChain, overHttp } from '@bowline/chain/chain-client';
import { createMarketReader } from '@bowline/chain/market-reader';
import { type Asset, isTraded } from '@bowline/core/domain/assets';
import { canonicalJson } from '@bowline/core/domain/evidence';
import type { ChainFacts, Proposal } from '@bowline/core/domain/facts';
import { othersAddresses } from '@bowline/core/registry/address-book';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import type { Line } from '@bowline/core/replay/line';
import { isAddress, numberToHex, type Transport } from 'viem';

/** Facts that held only at that moment and that the chain does not keep. */
const passing: readonly string[] = ['finalBlock'] satisfies (keyof ChainFacts)[];

/** Chain id of a node. Rejects if it does not answer. */
export const chainIdAt = (rpcUrl: string): Promise<number> => connectChain(rpcUrl).getChainId();

/**
 * Reads the chain's facts again at the evidence's block, with the registry's addresses, and compares each.
 * @throws a sentence if the node does not have the block, or no longer has its state.
 */
export async function chainFactLines(rpcUrl: string, proposal: Proposal): Promise<Line[]> {
  const { chain: stated, side, size } = proposal;
  const { number } = stated.block;
  const client = connectChain(rpcUrl);
  const chainId = await client.getChainId();
  const assets = readAssetRegistry(chainId, isAddress);
  const [asset, quoteAsset] = [proposal.asset, proposal.quoteAsset].map(({ symbol }) => {
    const listed = assets.find((each) => each.symbol === symbol);
    if (listed === undefined)
      throw new Error(`The registry has no ${symbol} on this chain: its facts cannot be read again.`);
    return listed;
  });
  if (asset === undefined || quoteAsset === undefined || !isTraded(asset))
    throw new Error('The registry has no pool of this asset: its facts cannot be read again.');
  const block = await blockAt(client, number);
  const reader = createMarketReader(connectChain(atBlock(rpcUrl, number)), othersAddresses(isAddress, chainId), {
    now: Date.now,
  });
  const found = await reader.facts(asset, quoteAsset, side, size).catch((cause: Error) => {
    const reason = `The node has block ${number} but not its facts: it has probably pruned the state of that block.`;
    throw new Error(`${reason} Use a node that keeps old state (an archive node).`, { cause });
  });
  const compared: ChainFacts = { ...found, block: { ...found.block, ...block } };
  const asListed = ({ name: _n, aliases: _a, ...same }: Asset) => inJson(same);
  const listed = [
    { what: 'asset in the registry', said: asListed(proposal.asset), found: asListed(asset) },
    { what: 'quote token in the registry', said: asListed(proposal.quoteAsset), found: asListed(quoteAsset) },
  ];
  const facts = factNames(stated, compared).map((name) => {
    const line = { what: `${name} on chain`, said: inJson(stated[name]), found: inJson(compared[name]) };
    if (!passing.includes(name)) return line;
    return { ...line, found: line.said, unchecked: 'It was true at that moment, and the chain does not store it.' };
  });
  return [...listed, ...facts];
}

/** Time and parent come from the block itself: they tell it apart from a block with the same number on another fork. */
async function blockAt(client: ChainClient, blockNumber: bigint) {
  const block = await client.getBlock({ blockNumber }).catch((cause: Error) => {
    throw new Error(`The node does not have block ${blockNumber}.`, { cause });
  });
  return { number: block.number, timestamp: block.timestamp, parentHash: block.parentHash };
}

/** Pins the node's calls to this block instead of the newest. */
function atBlock(rpcUrl: string, number: bigint): Transport {
  const http = overHttp(rpcUrl);
  return (options) => {
    const { request, ...same } = http(options);
    const asOf: typeof request = ({ method, params }) => {
      const [call, tag, ...more] = Array.isArray(params) ? params : [];
      const isOfNewest = method === 'eth_call' && tag === 'latest';
      return request({ method, params: isOfNewest ? [call, numberToHex(number), ...more] : params } as never);
    };
    return { ...same, request: asOf };
  };
}

const factNames = (...facts: readonly ChainFacts[]) =>
  [...new Set(facts.flatMap((each) => Object.keys(each)))] as (keyof ChainFacts)[];

const inJson = (fact: unknown): string => (fact === undefined ? 'nothing' : canonicalJson(fact));

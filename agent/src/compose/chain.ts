import { type ChainClient, connectChain } from '@bowline/chain/chain-client';
import { checkAddressBook, checkChain, missingForSelling, otherMaker } from '@bowline/chain/check-address-book';
import { type WatchedHeads, watchHeads } from '@bowline/chain/head';
import { isSilent, untilAnswered } from '@bowline/chain/node-wait';
import { httpNodes, type Nodes, openNodes } from '@bowline/chain/nodes/nodes';
import { subscribeTo } from '@bowline/chain/nodes/subscription';
import type { Log } from '@bowline/core/domain/log';
import { Refusal } from '@bowline/core/domain/refusal';
import { withAccountFactory } from '@bowline/core/registry/address-book';
import { readAddressBook } from '@bowline/http/address-book';
import { clock, steadyClock, timers } from '@bowline/http/clock';
import type { Config } from '../config.ts';
import { withWhatSells } from '../selling/what-sells.ts';
import { keeperAccount } from './keys.ts';

export type Chain = Awaited<ReturnType<typeof openChain>>;

/**
 * Connects to the node and checks that it serves the configured chain with the recorded contracts. Waits while the node
 * does not answer.
 * @throws Refusal
 */
export async function openChain(config: Config, log: Log) {
  const { chainId } = config;
  const urls = config.rpcUrls.map((url) => url.reveal());
  const nodes = openNodes(httpNodes(urls), { chainId, clock, timers, log });
  const [only, ...others] = urls;
  /** @param inBatches see connectChain. */
  const connect = (inBatches: boolean): ChainClient =>
    connectChain(only !== undefined && others.length === 0 ? only : nodes.transport(inBatches), inBatches);
  const client = connect(false);
  /** For reads that rescues depend on: one node is enough while no other answers. */
  const rescuing = others.length > 0 ? connectChain(nodes.lenient()) : client;
  if (others.length > 0) await checkNodes(nodes, urls.length, chainId);
  await untilAnswered({ log, timers }, () => checkChain(rescuing, config.chainId), isSilent);
  const recorded = readAddressBook(config.chainId, config.deployments);
  const keeper = keeperAccount(config)?.address;
  const [missing, maker] = await untilAnswered({ log, timers }, () =>
    Promise.all([missingForSelling(rescuing, recorded), keeper && otherMaker(rescuing, recorded, keeper)]),
  );
  /** Verified below: every address in it has code on this chain. */
  const book = withAccountFactory(withWhatSells(recorded, { missing, maker, keeper }, log), config.accountFactory);
  const { hash, isRecorded } = await untilAnswered({ log, timers }, () =>
    checkAddressBook(rescuing, book, config.chainId),
  );
  const { entryPoint } = book.accountAbstraction;
  // A reader of the log can compare what the agent could not.
  if (isRecorded === undefined) log.info('entry_point.not_compared', { entryPoint, codeHash: hash });
  return { client, rescuing, nodes, connect, book };
}

/** A node on another chain is skipped, unless all of them are. */
async function checkNodes(nodes: Nodes, count: number, chainId: number): Promise<void> {
  await Promise.allSettled(Array.from({ length: count }, (_, at) => nodes.look(at)));
  const isOther = nodes.states().every(({ passedOver }) => passedOver === 'other_chain');
  const remedy = `Set RPC_URL to nodes of chain ${chainId}, or CHAIN to the chain of these nodes.`;
  if (isOther) throw new Refusal('chain_id', `No node of RPC_URL serves chain ${chainId}.`, remedy);
}

/** New blocks, for the sender and the loan guard. */
export function openHeads({ rpcWsUrls, guardBlockPollMs }: Config, { nodes }: Chain, log: Log): WatchedHeads {
  const subscriptions = rpcWsUrls.map((url) => subscribeTo(url.reveal()));
  return watchHeads({ nodes, subscriptions, pollMs: guardBlockPollMs, clock: steadyClock, timers, log });
}

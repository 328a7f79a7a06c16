import { ailmentOf } from '@bowline/chain/ailments';
import { connectChain, overHttp } from '@bowline/chain/chain-client';
import { nodeAnswer } from '@bowline/chain/errors';
import { DELIVERS_NONE, subscribeTo } from '@bowline/chain/nodes/subscription';
import { isNodeAtFault, preflight } from '@bowline/chain/preflight';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { clock, timers } from '@bowline/http/clock';
import { type Address, createPublicClient, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { asked, type Finding, ok, refused } from './finding.ts';

export type NodeLook = Awaited<ReturnType<typeof lookAtNode>>;

/** Asks one node everything that the agent asks it. */
export async function lookAtNode(name: string, url: string, chainId: number, book: AddressBook) {
  const connect = (inBatches: boolean) => connectChain(url, inBatches);
  const { host } = new URL(url);
  const looked = await preflight({ connect, chainId, clock, timers }, book);
  const lacking = looked.filter(({ ok: isOk }) => !isOk);
  const block = looked.find(({ check }) => check === 'block_age')?.found ?? '';
  const sum = `${host} passes ${looked.length - lacking.length} of ${looked.length} checks. ${block}`;
  return {
    url,
    // Whether it answers for the right chain, judged by its chain id and newest block. Other refusals are reported, but
    // the node is still used for the rest.
    isUsable: !looked.slice(0, 2).some(isNodeAtFault),
    findings: [
      ...(lacking.length < looked.length ? [ok(name, sum)] : []),
      ...lacking.map(({ check, reason = check, found, without = '', remedy = '' }): Finding => {
        const said = `${found.replace(/^The node /, `${host} `)} ${without}`;
        // A finding about a single asset is only a note.
        return {
          check: `${name}.${check}`,
          state: check.includes('.') ? 'note' : 'refused',
          reason,
          found: said,
          remedy,
        };
      }),
    ],
  };
}

/** Blocks that jobs and payments request at once. */
const logBlocks = 2_000n;

/** @param address whose logs are requested. @param needing what needs them; undefined if nothing does. */
export async function logFinding(check: string, url: string, address: Address, needing?: string): Promise<Finding> {
  const finding = await asked(check, { url, setting: 'RPC_URL' }, async () => {
    const client = connectChain(url);
    const toBlock = await client.getBlockNumber();
    const fromBlock = toBlock > logBlocks ? toBlock - logBlocks : 0n;
    await client.getLogs({ address, fromBlock, toBlock });
    return `returns the logs of ${logBlocks} blocks`;
  });
  if (finding.state === 'ok') return finding;
  const found = `${finding.found} ${needing === undefined ? 'Nothing needs' : `${needing} need`} logs.`;
  const remedy = `Set RPC_URL to nodes that answer eth_getLogs over ${logBlocks} blocks, on a plan that includes it.`;
  return { ...finding, state: needing === undefined ? 'note' : 'refused', found, remedy };
}

/** Whether it accepts transactions: it must refuse an unfunded one from a new key for lack of funds. */
export async function sendFinding(check: string, url: string, chainId: number, setting: string): Promise<Finding> {
  const client = createPublicClient({ transport: overHttp(url) });
  /** Undefined if it is accepted. */
  const refusalOf = (serializedTransaction: Hex): Promise<unknown> =>
    client.sendRawTransaction({ serializedTransaction }).then(
      () => undefined,
      (error: unknown) => error,
    );
  const saidOf = (error: unknown) => nodeAnswer(error)?.details.toLowerCase() ?? '';
  const remedy = `Set ${setting} to addresses that accept eth_sendRawTransaction from you.`;
  const finding = await asked(check, { url, setting }, async () => {
    // Some relays do not serve eth_chainId.
    const served = await client.getChainId().catch(() => chainId);
    if (served !== chainId) return otherChain(check, url, served, setting);
    const account = privateKeyToAccount(generatePrivateKey());
    const gas = { gas: 21_000n, gasPrice: 5_000_000_000n };
    const unpaid = await account.signTransaction({ type: 'legacy', chainId, nonce: 0, to: account.address, ...gas });
    const first = await refusalOf(unpaid);
    if (first === undefined) return 'takes transactions';
    if (ailmentOf(first).ailment !== 'answer_refused') throw first;
    // A node that inspects what it receives returns another error for something that is not a transaction.
    const isLookedAt =
      /insufficient|funds|balance/.test(saidOf(first)) || saidOf(await refusalOf('0x00')) !== saidOf(first);
    if (isLookedAt) return 'accepts transactions, and rejects an unfunded one';
    return refused(check, 'transactions_refused', `${new URL(url).host} refuses every transaction.`, remedy);
  });
  return finding.reason === 'method_missing' ? { ...finding, remedy } : finding;
}

export const otherChain = (check: string, url: string, served: number, setting: string): Finding =>
  refused(
    check,
    'chain_id',
    `${new URL(url).host} serves chain ${served}.`,
    `Set ${setting} to nodes of CHAIN's chain.`,
  );

const socketMs = 6_000;
/** A minute of blocks. */
const maxBlocksApart = 133n;

/** Whether a WebSocket announces a block of this node's chain. */
export function socketFinding(check: string, url: string, nodeUrl: string | undefined): Promise<Finding> {
  const setting = 'RPC_URL';
  return asked(check, { url, setting }, async () => {
    const block = Promise.withResolvers<bigint>();
    const stop = subscribeTo(url)(({ number }) => block.resolve(number), block.reject);
    const late = new DOMException('no block', 'TimeoutError');
    const timer = setTimeout(() => block.reject(late), socketMs);
    try {
      const number = await block.promise;
      const known = nodeUrl === undefined ? number : await connectChain(nodeUrl).getBlockNumber();
      if (number < known + maxBlocksApart && known < number + maxBlocksApart) return `is at block ${number}`;
      const found = `${new URL(url).host} is at block ${number}, and the node at block ${known}.`;
      return refused(check, 'block_differs', found, `Set ${setting} to a synced node of CHAIN's chain.`);
    } catch (error) {
      if (!(error instanceof Error) || error.message !== DELIVERS_NONE) throw error;
      const remedy = `Set ${setting} to a WebSocket that supports eth_subscribe, or to none: blocks are then polled.`;
      return refused(check, 'method_missing', `${new URL(url).host} accepts no subscription to blocks.`, remedy);
    } finally {
      clearTimeout(timer);
      stop();
    }
  });
}

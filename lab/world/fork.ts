import { chainIds } from '@bowline/http/common-settings';
import { chainName } from './addresses.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { blockGas } from './block.ts';
import { connect } from './chain.ts';
import { mineEvery } from './miner.ts';
import { startReplica } from './replica.ts';

export type LocalChain = Awaited<ReturnType<typeof startLocalChain>>;

/**
 * Not BNB Chain's 56, so that nothing signed for the local chain is valid there. An operator's day uses its real chain's
 * ID, with keys that are made for it and thrown away.
 */
export const localChainId = chainIds[chainName];

// BNB Chain has no base fee but validators that expect a gas price; anvil has a base fee. With a base fee of zero, no
// test would notice a transaction without a gas price.
const baseFeeWei = 50_000_000n;

/**
 * With 8,000 blocks an hour, a running chain keeps a megabyte of state per block unless it prunes. With its own
 * --block-time, anvil prunes only after a gigabyte, so this project requests the blocks itself.
 */
const rememberedBlocks = 30;

export interface LocalChainOptions {
  /** 0 lets the system choose. */
  port?: number;
  /** A BNB Chain node to fork instead of the replica. */
  upstreamUrl?: string | undefined;
  /** Wall time between blocks; the last 30 blocks are kept. If omitted, each transaction makes a block. */
  blockSeconds?: number;
  /** Unix seconds of the replica's last block, after everything in it; each block of the fork comes a second after the one before. */
  at?: number;
}

/**
 * Starts the local chain: a fork, by default of a replica of BNB Chain, which is at `baseUrl`. `stop` ends both, and `ended` resolves
 * when either has ended.
 */
export async function startLocalChain(options: LocalChainOptions = {}) {
  const { port = 0, upstreamUrl, blockSeconds, at } = options;
  const base = upstreamUrl === undefined ? await startReplica(at) : elsewhere(upstreamUrl);
  try {
    const fork = await startAnvil(
      [
        ...['--fork-url', base.url, '--chain-id', String(localChainId), '--no-storage-caching'],
        ...['--base-fee', String(baseFeeWei), '--gas-limit', String(blockGas)],
        ...(blockSeconds === undefined ? [] : ['--no-mining', `--prune-history=${rememberedBlocks}`]),
      ],
      port,
    );
    if (at !== undefined) await connect(fork.url).setBlockTimestampInterval({ interval: 1 });
    const stopMining = blockSeconds === undefined ? undefined : mineEvery(fork.url, blockSeconds);
    const stop = async () => {
      await stopMining?.();
      await fork.stop();
      await base.stop();
    };
    return { url: fork.url, baseUrl: base.url, ended: Promise.race([fork.ended, base.ended]), stop };
  } catch (error) {
    await base.stop();
    // Anvil quotes the URL that it cannot reach, and such a URL often contains a key.
    const { message } = error as Error;
    throw new Error(upstreamUrl === undefined ? message : message.replaceAll(upstreamUrl, 'the upstream node'));
  }
}

/** A chain that others run: this process must not stop it. */
const elsewhere = (url: string): Anvil => ({ url, ended: new Promise(() => {}), stop: () => Promise.resolve() });

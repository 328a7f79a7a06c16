import { type Anvil, startAnvil } from './anvil.ts';
import { mineEvery } from './miner.ts';
import { startReplica } from './replica.ts';

export interface LocalChain {
  /** JSON-RPC address of the fork, on loopback. */
  readonly url: string;
  /** What the fork stands on: the replica's address, or the one that was given. */
  readonly baseUrl: string;
  /** Resolves when the fork, or what it stands on, is gone. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Not BNB Chain's 56, so that nothing signed for the local chain is valid there. */
export const localChainId = 31_337;

// BNB Chain has no base fee and validators that ask for a price; anvil has a base fee. Without one, whoever forgets to
// pay for gas would never notice.
const baseFeeWei = 50_000_000n;

/**
 * A chain that goes on by itself keeps a megabyte of state for each of its 8,000 blocks an hour, unless it forgets. Anvil
 * forgets on its own --block-time only after a gigabyte, which is why the blocks are asked for instead.
 */
const rememberedBlocks = 30;

export interface LocalChainOptions {
  /** 0 lets the system choose. */
  port?: number;
  /** A node of BNB Chain to fork, instead of the replica. */
  upstreamUrl?: string | undefined;
  /** Wall time from block to block, of which the last 30 are remembered. Left out, a block comes when a transaction does. */
  blockSeconds?: number;
}

/** Starts what everything runs on: a fork, by default of a replica of BNB Chain. `stop` ends both. */
export async function startLocalChain(options: LocalChainOptions = {}): Promise<LocalChain> {
  const { port = 0, upstreamUrl, blockSeconds } = options;
  const base = upstreamUrl === undefined ? await startReplica() : elsewhere(upstreamUrl);
  try {
    const fork = await startAnvil(
      [
        ...['--fork-url', base.url, '--chain-id', String(localChainId), '--no-storage-caching', '--hardfork', 'prague'],
        ...['--base-fee', String(baseFeeWei), '--gas-limit', '140000000'],
        ...(blockSeconds === undefined ? [] : ['--no-mining', `--prune-history=${rememberedBlocks}`]),
      ],
      port,
    );
    const stopMining = blockSeconds === undefined ? undefined : mineEvery(fork.url, blockSeconds);
    const stop = async () => {
      await stopMining?.();
      await fork.stop();
      await base.stop();
    };
    return { url: fork.url, baseUrl: base.url, ended: Promise.race([fork.ended, base.ended]), stop };
  } catch (error) {
    await base.stop();
    // Anvil quotes the address that it cannot reach, and such an address often holds a key.
    const { message } = error as Error;
    throw new Error(upstreamUrl === undefined ? message : message.replaceAll(upstreamUrl, 'the upstream node'));
  }
}

/** A chain that others run: nothing of it is ours to stop. */
const elsewhere = (url: string): Anvil => ({ url, ended: new Promise(() => {}), stop: () => Promise.resolve() });

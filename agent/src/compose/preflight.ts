import { connectChain } from '@bowline/chain/chain-client';
import { type Finding, nodeFindings, preflight } from '@bowline/chain/preflight';
import type { Log } from '@bowline/core/domain/log';
import { clock, timers } from '@bowline/http/clock';
import type { Config } from '../config.ts';
import type { Chain } from './chain.ts';

/** Logs everything that is missing, with what will not work and the remedy. Never rejects. */
export async function logPreflight({ chainId, rpcUrls }: Config, chain: Chain, log: Log): Promise<void> {
  const report = (findings: readonly Finding[], of: object = {}) => {
    for (const { ok, ...finding } of findings) if (!ok) log.warn('preflight.missing', { ...of, ...finding });
  };
  const { connect, book } = chain;
  report(await preflight({ connect, chainId, clock, timers }, book));
  if (rpcUrls.length === 1) return;
  for (const [at, url] of rpcUrls.entries()) {
    const connectOne = (inBatches: boolean) => connectChain(url.reveal(), inBatches);
    report(await nodeFindings({ connect: connectOne }), { node: at + 1 });
  }
}

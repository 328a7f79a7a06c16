import { connectChain } from '@bowline/chain/chain-client';
import { type Finding, nodeFindings, poolFindings, preflight } from '@bowline/chain/preflight';
import type { Log } from '@bowline/core/domain/log';
import type { Dependency } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import type { Config } from '../config.ts';
import type { Chain } from './chain.ts';
import { clock, timers } from './time.ts';

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

/** What verdicts need of the node, what they need of each pool, and the standing of several nodes. */
export function preflightDependencies({ connect, nodes, book }: Chain): Dependency[] {
  return [
    {
      name: 'node',
      needed: true,
      look: async () => detailOf(await nodeFindings({ connect }), 'The node gives what verdicts need.'),
    },
    {
      name: 'pools',
      needed: false,
      look: async () => detailOf(await poolFindings({ connect }, book.assets), 'Every pool remembers 20 minutes.'),
    },
    ...(nodes.count === 1 ? [] : [nodesDependency(nodes)]),
  ];
}

function nodesDependency(nodes: Chain['nodes']): Dependency {
  return {
    name: 'nodes',
    needed: true,
    look: async () => {
      const states = nodes.states();
      const passedOver = states.flatMap(({ name, passedOver: reason }) => (reason ? [`${name} is ${reason}`] : []));
      const detail = [`${states.length - passedOver.length} of ${states.length} nodes are used`, ...passedOver].join(
        '; ',
      );
      if (nodes.areDisagreeing()) throw new BowlineError('chain_unavailable', `No two nodes say the same: ${detail}.`);
      return detail;
    },
  };
}

/** Throws what is missing, with its remedy. */
function detailOf(findings: readonly Finding[], fine: string): string {
  const missing = findings.filter(({ ok }) => !ok);
  if (missing.length === 0) return fine;
  const sentences = missing.map(({ check, found, without, remedy }) => `${check}: ${found} ${without} ${remedy}`);
  throw new BowlineError('chain_unavailable', sentences.join(' '));
}

import type { Log } from '@bowline/core/domain/ports';
import type { Dependency } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import { connectChain } from '../chain/chain-client.ts';
import { type Finding, nodeFindings, poolFindings, preflight } from '../chain/preflight.ts';
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
  const ofNode = remembered(() => nodeFindings({ connect }));
  const ofPools = remembered(() => poolFindings({ connect }, book.assets));
  return [
    { name: 'node', needed: true, look: async () => detailOf(await ofNode(), 'The node gives what verdicts need.') },
    { name: 'pools', needed: false, look: async () => detailOf(await ofPools(), 'Every pool remembers 20 minutes.') },
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

const GOOD_MS = 30_000;
const BAD_MS = 3_000;

/** Readiness is asked every few seconds; a node changes rarely. */
function remembered(look: () => Promise<Finding[]>): () => Promise<Finding[]> {
  let last: { readonly findings: Promise<Finding[]>; until: number } | undefined;
  return () => {
    if (last === undefined || timers.now() >= last.until) {
      const findings = look();
      const next = { findings, until: timers.now() + GOOD_MS };
      void findings.then((all) => {
        if (all.some(({ ok }) => !ok)) next.until = timers.now() + BAD_MS;
      });
      last = next;
    }
    return last.findings;
  };
}

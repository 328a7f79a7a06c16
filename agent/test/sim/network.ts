import type { Node as OwnNode } from '@bowline/chain/nodes/node-health';
import { BowlineError } from '@bowline/core/domain/result';
import { custom, HttpRequestError, TimeoutError, type Transport } from 'viem';
import type { Block, Chain } from './chain.ts';
import { answer, type View } from './node.ts';
import type { Process } from './process.ts';
import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

// Three nodes: either behind one address, like public endpoints, so that each request reaches one of them, or each
// known to the agent. An HTTP client's timeout and retries stand in for viem's, which run in real time.

/** `refuses`: nothing listens. `hangs`: no response. `fails`: HTTP 500, whatever was asked. */
export type Down = 'refuses' | 'hangs' | 'fails';

/** State of one node. */
interface Node {
  down?: Down | undefined;
  /** Milliseconds until each of its answers. */
  lateMs?: number | undefined;
  view: View;
}

export interface Network {
  readonly nodes: readonly [Node, Node, Node];
  /** Milliseconds added to each request. */
  delayMs: number;
  /** The fate of the next transactions that are sent. */
  readonly nextSends: NextSend[];
  /** Number of requests so far, to all nodes. */
  requests: number;
}

/** `half`: the transaction arrives and the response does not. `lost`: neither. */
export type NextSend = 'swallowed' | 'half' | 'lost' | { readonly heldMs: number };

export const newNetwork = (): Network => ({
  nodes: [{ view: { behind: 0 } }, { view: { behind: 0 } }, { view: { behind: 0 } }],
  delayMs: 0,
  nextSends: [],
  requests: 0,
});

export interface Line {
  /** All nodes behind one address. */
  readonly transport: Transport;
  /** Each node by itself; requests are not retried. */
  readonly nodes: readonly OwnNode[];
  /** A stand-in for a reader: reads what a node sees of the chain. Throws `chain_unavailable`. */
  read<Answer>(look: (block: Block) => Answer): Promise<Answer>;
}

/** As in connectChain. */
const [answerMs, retries, retryDelayMs] = [3_000, 2, 150];
/** Time after which a load balancer sends no more requests to a node that refuses them. */
const noticedMs = 2_000;

export interface Wires {
  readonly chain: Chain;
  readonly network: Network;
  readonly time: VirtualTime;
  readonly random: Random;
  /** Mean time of a request and its response. */
  readonly rttMs: number;
}

/** A process's connection to the nodes. */
export function connect({ chain, network, time, random, rttMs }: Wires, process: Process): Line {
  const downSince = new Map<Node, number>();

  function route(): Node {
    const isAvoided = (node: Node): boolean => {
      if (node.down === undefined) {
        downSince.delete(node);
        return false;
      }
      const since = downSince.get(node);
      if (since === undefined) downSince.set(node, time.now());
      return since !== undefined && time.now() - since >= noticedMs;
    };
    const used = network.nodes.filter((node) => !isAvoided(node));
    const among = used.length > 0 ? used : network.nodes;
    return among[random.below(among.length)] as Node;
  }

  const half = () => time.wait((rttMs / 2) * (0.5 + random.unit()));

  async function once<Answer>(use: (node: Node) => Answer, own?: Node): Promise<Answer> {
    await process.step();
    const node = own ?? route();
    network.requests += 1;
    await half();
    if (node.down === 'hangs' || network.delayMs >= answerMs) return timeOut();
    if (node.down !== undefined) {
      await half();
      await process.step();
      throw httpError(node.down === 'fails' ? 500 : undefined);
    }
    const delayMs = network.delayMs + (node.lateMs ?? 0);
    if (delayMs > 0) await time.wait(delayMs);
    // A killed process has sent this, but reads no response.
    const answered = settle(() => use(node));
    await half();
    await process.step();
    if ('thrown' in answered) throw answered.thrown;
    return answered.value;
  }

  async function timeOut(): Promise<never> {
    await time.wait(answerMs);
    await process.step();
    throw new TimeoutError({ body: {}, url: 'node' });
  }

  async function retrying<Answer>(use: (node: Node) => Answer): Promise<Answer> {
    for (let tried = 0; ; tried += 1) {
      try {
        return await once(use);
      } catch (error) {
        const isWorth = error instanceof HttpRequestError || error instanceof TimeoutError;
        if (!isWorth || tried === retries) throw error;
        await time.wait(retryDelayMs << tried);
      }
    }
  }

  function ask(node: Node, asked: { method: string; params?: readonly unknown[] }): unknown {
    const next = asked.method === 'eth_sendRawTransaction' ? network.nextSends.shift() : undefined;
    if (next === undefined) return answer(chain, node.view, asked);
    if (next === 'lost') throw httpError(500);
    if (next === 'swallowed') return answer(chain, { ...node.view, sends: { kind: 'swallowed' } }, asked);
    if (next === 'half') {
      settle(() => answer(chain, node.view, asked));
      throw httpError(500);
    }
    return answer(chain, { ...node.view, sends: { kind: 'held', untilMs: time.now() + next.heldMs } }, asked);
  }

  const request = (asked: { method: string; params?: readonly unknown[] }) => retrying((node) => ask(node, asked));
  return {
    transport: custom({ request }, { retryCount: 0 }),
    nodes: network.nodes.map((own, at) => {
      const one = (asked: Parameters<typeof request>[0]) => once((node) => ask(node, asked), own);
      return { name: `${at + 1}`, connect: () => custom({ request: one }, { retryCount: 0 }) };
    }),
    async read(look) {
      try {
        return await retrying(({ view }) => look(chain.block(Math.max(0, chain.head().number - view.behind)) as Block));
      } catch (cause) {
        if (!(cause instanceof HttpRequestError || cause instanceof TimeoutError)) throw cause;
        throw new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true, cause });
      }
    },
  };
}

const httpError = (status: number | undefined) =>
  new HttpRequestError({ url: 'node', body: {}, ...(status !== undefined && { status }) });

function settle<Answer>(ask: () => Answer): { readonly value: Answer } | { readonly thrown: unknown } {
  try {
    return { value: ask() };
  } catch (thrown) {
    return { thrown };
  }
}

import type { ChainClient } from '@bowline/chain/chain-client';
import { watchHeads } from '@bowline/chain/head';
import type { Head, Heads } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import { clock, timers } from '@bowline/http/clock';
import { type Broadcast, createBroadcast } from '../../src/sending/eoa/sender.ts';
import { patience } from '../../src/sending/keeper.ts';
import type { NonceQueue } from '../../src/sending/nonce-queue.ts';

/** Announces no blocks: open operations are looked at every `lookMs`. */
export const noHeads: Heads = { newest: () => undefined, onHead: () => () => {} };

/** Broadcasts whose answers are awaited. */
const underWay = new Set<Promise<unknown>>();

/**
 * Resolves when no broadcast of these senders is under way. One that arrives after a test has set its chain back is
 * mined in the next test.
 */
export async function broadcastsEnded(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay);
}

function tracked(broadcast: Broadcast): Broadcast {
  return {
    ...broadcast,
    send: (...transaction) => {
      const answer = broadcast.send(...transaction).finally(() => underWay.delete(answer));
      underWay.add(answer);
      return answer;
    },
  };
}

/** A sender's dependencies besides its key, made to be fast: it believes no earlier reading. */
export const sendingOn = (client: ChainClient, log: Log) =>
  ({
    client,
    broadcast: tracked(createBroadcast([client], log)),
    heads: noHeads,
    log,
    clock,
    timers,
    maxOpen: patience.maxOpen,
    maxAgeMs: 0,
    idleMs: 0,
    lookMs: 20,
  }) as const;

/** Blocks as the client's node reports them; to be stopped. */
export const headsOf = (client: ChainClient, log: Log) =>
  watchHeads({ nodes: nodeOf(client), pollMs: 20, clock, timers, log });

/** The client's node, which is trusted. */
export const nodeOf = (client: ChainClient) => ({
  count: 1,
  look: async (): Promise<Head> => {
    const { number, timestamp, hash } = await client.getBlock();
    return { number, timestamp, hash };
  },
  reportHead: () => true,
});

/** The same queue, but `send` sends its calls. */
export const queueWith = (queue: NonceQueue, send: NonceQueue['send']): NonceQueue => ({
  address: queue.address,
  send,
  underWay: () => queue.underWay(),
  isHeld: () => queue.isHeld(),
  isShared: () => queue.isShared(),
  isOpen: (call) => queue.isOpen(call),
  open: () => queue.open(),
  stop: () => queue.stop(),
});

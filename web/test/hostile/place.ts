import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Asset } from '@bowline/core/domain/assets';
import { type Address, createPublicClient, custom } from 'viem';
import { createWebApp } from '../../server/app.ts';
import type { BuyAnswer, PageConfig, QuoteAnswer } from '../../wire.ts';
import { draftMutants } from '../mutants.ts';

import { servesAll } from '../serves.ts';
import { type Frozen, type HostileNode, hostileNode } from './node.ts';
import { changed, type Random } from './seeded.ts';
import { hostileServing } from './serving.ts';
import { type HostileWallet, hostileWallet } from './wallet.ts';

// The page's own server, with an agent behind it and a node in front: each is hostile in its turn.

/** The amount typed in every order: dollars to buy BTCB, BTCB to sell, and BNB itself to sell. */
export const TYPED = { buy: '100', sell: '0.001', bnb: '0.1' } as const;
export type Side = keyof typeof TYPED;

/** What an account does about a loan, by button, with the amount typed: about its own, or at last about a neighbour's. */
export const LOAN_ACTS = {
  Repay: '100',
  'Add collateral': '0.5',
  'Close now': '',
  'Pay for its rescues': '100',
} as const;
export type LoanAct = keyof typeof LOAN_ACTS;

export interface Honest {
  /** A real agent's draft for the owner's order of each kind. */
  readonly drafts: Readonly<Record<Side, BuyAnswer>>;
  readonly quote: QuoteAnswer;
  readonly config: PageConfig;
}

interface World {
  readonly honest: Honest;
  readonly owner: Address;
  readonly nodeUrl: string;
  /** The newest block's time, unix seconds. */
  readonly blockTime: bigint;
  readonly blockNumber: bigint;
  readonly assets: readonly Asset[];
  /** Folder of the built page. */
  readonly files: string;
}

/** `chain`: the node is not hostile, but stuck, shut or behind. */
export type Turn = 'agent' | 'serving' | 'server' | 'node' | 'wallet' | 'chain';

export interface Place {
  readonly url: string;
  readonly node: HostileNode;
  readonly wallet: HostileWallet;
  /** Sets whose answers are changed from now on, and how; undefined: nobody's. */
  change(turn: Turn, random: Random | undefined, side?: Side): void;
  /** The latest draft, quote and configuration served. */
  given(): { readonly draft: BuyAnswer; readonly quote: unknown; readonly config: unknown };
  /** Restarts the time of quotes and blocks, as the page restarts its own on load. */
  begin(): void;
  /** The latest time of quotes and blocks, unix seconds. */
  latest(): bigint;
  /** Moves that time forward: seconds since the block, in addition to the time that passes. */
  date(seconds: number): void;
  stop(): Promise<void>;
}

export async function hostilePlace({
  honest,
  owner,
  nodeUrl,
  blockTime,
  blockNumber,
  assets,
  files,
}: World): Promise<Place> {
  let turn: Turn = 'agent';
  let random: Random | undefined;
  let seconds = 0;
  let begun = Date.now();
  const clock = () => Number(blockTime) + seconds + Math.floor((Date.now() - begun) / 1_000);
  let side: Side = 'buy';
  let draft = honest.drafts[side];
  let quote: unknown = honest.quote;
  let config: unknown = honest.config;
  // A number above every block that the market may still make.
  const wallet = hostileWallet(owner, honest.config, blockNumber + 1_000n);
  const node = hostileNode(nodeUrl, wallet, clock);
  const of = (who: Turn) => (turn === who ? random : undefined);
  const draftBy = (who: Turn) => {
    const by = of(who);
    draft = by === undefined ? honest.drafts[side] : changedDraft(by, honest.drafts[side]);
    return draft;
  };
  // A fast virtual clock keeps the server's orders-per-minute limit out of the test.
  let virtualMs = 0;
  const app = createWebApp({
    agent: {
      get: async () => ({}),
      ready: async () => ({}),
      statement: async () => ({}),
      post: async () => draftBy('agent'),
    },
    quotes: async () => quoteNow(),
    yearOf: async () => undefined as never,
    page: honest.config,
    chain: createPublicClient({ transport: custom({ request: node.honest }, { retryCount: 0 }) }),
    ...{ assets, files, allowedHosts: ['127.0.0.1'], trustedProxies: 0 },
    nowMs: () => (virtualMs += 60_000),
    report: () => {},
  });

  function quoteNow(): QuoteAnswer {
    const issued = BigInt(clock());
    const time = new Date(Number(issued) * 1_000).toISOString();
    const judged = honest.quote.assets.map((asset) => ({
      ...asset,
      judged: asset.judged && { ...asset.judged, issued_at: String(issued), expires_at: String(issued + 119n) },
    }));
    const by = of('serving');
    const serves = by ? hostileServing(by, honest.config, issued) : servesAll(honest.config, issued);
    const works = { ok: true, reason: null };
    return { ...honest.quote, time, sent_at: time, rescues: works, buys: works, serves, assets: judged };
  }

  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0];
    const say = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (path === '/node') {
      const body = (await request.setEncoding('utf8').toArray()).join('');
      const answer = await node.answer(body, of('node'));
      if (answer === undefined) return request.socket.destroy();
      const { status, text } = answer;
      return response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    }
    if (path === '/wallet') {
      const { method, params } = JSON.parse((await request.setEncoding('utf8').toArray()).join(''));
      return say(wallet.answer(method, params));
    }
    const by = of('server');
    if (path === '/api/quote') {
      quote = by === undefined ? quoteNow() : changed(by, quoteNow());
      return say(quote);
    }
    if (path === '/config.json') {
      config = by === undefined ? honest.config : changed(by, honest.config);
      return say(config);
    }
    // On an honest draft, the server's own checks are the same as the page's.
    if (path === '/api/buy' && turn !== 'agent') return say(draftBy('server'));
    return app(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ node, wallet },
    change: (next, by, traded = 'buy') => {
      turn = next;
      side = traded;
      random = by;
      node.freeze(next === 'chain' && by ? by.pick(frozen)(by) : undefined);
    },
    given: () => ({ draft, quote, config }),
    latest: () => BigInt(clock()),
    begin: () => {
      begun = Date.now();
      seconds = 0;
    },
    date: (to) => {
      seconds = to;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const frozen: readonly ((random: Random) => Frozen)[] = [
  () => 'stuck',
  () => 'shut',
  (random) => ({ behind: random.pick([150, 900, 7_200, 200_000]) }),
];

/** One of the named changes, or a random change of any value, or both in turn. */
function changedDraft(random: Random, honest: BuyAnswer): BuyAnswer {
  let made = honest;
  const way = random.below(10);
  try {
    if (way < 5) made = random.pick(draftMutants).of(made);
    if (way === 5 || way === 6) made = { ...made, calls: null };
  } catch {
    // The change does not fit the draft.
  }
  return way > 6 || random.below(4) === 0 ? (changed(random, made) as BuyAnswer) : made;
}

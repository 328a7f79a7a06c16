import { asking, newestBlock } from '@bowline/chain/chain-client';
import { type Dependency, Unready } from '@bowline/core/domain/readiness';
import type { Config } from '../config.ts';
import { maxUnreadMsOf, rescuesDependency, type WaitingRescues } from '../loops/loan-guard/waiting.ts';
import { readFeedAges } from '../process/feed-ages.ts';
import { keep, ownDependencies, type Watched } from '../process/readiness.ts';
import type { Vitals } from '../process/vitals.ts';
import { gasDependencies } from '../sending/gas-dependencies.ts';
import type { Keeper } from '../sending/keeper.ts';
import type { RelayWatch } from '../sending/relay-watch.ts';
import type { Sources } from '../sources/propose.ts';
import type { Chain } from './chain.ts';
import { signerDependencies } from './keys.ts';
import { preflightDependencies } from './preflight.ts';
import type { Readers } from './questions.ts';
import { timers } from './time.ts';

interface Looked {
  readonly dependencies: readonly Dependency[];
  /** Ends the looks. */
  stop(): void;
}

interface LookDeps {
  readonly sources: Sources;
  readonly readers: Readers;
  readonly keeper: Keeper;
  readonly vitals: Vitals;
  readonly waiting: WaitingRescues;
  /** Absent: runs go to everybody. */
  readonly relays: RelayWatch | undefined;
  readonly isSelling: boolean;
}

/**
 * What this process depends on. The node, the payers and the price sources are looked at again and again, whether or not
 * anybody asks: /ready answers at once, and the ages in /metrics mean something.
 */
export function dependenciesOf(
  config: Config,
  chain: Chain,
  { sources, readers, keeper, vitals, waiting, relays, isSelling }: LookDeps,
  watched: Watched,
): Looked {
  const ending = new AbortController();
  const kept = (dependency: Dependency, seconds: number) => keep(dependency, seconds, timers, ending.signal);
  const head = kept({ name: 'head', needed: true, look: () => readHead(chain, vitals) }, 5);
  const payers = gasDependencies(chain.client, keeper, vitals.payerSeen).map((payer) => kept(payer, 15));
  const preflight = preflightDependencies(chain).map((dependency) => kept(dependency, 15));
  const off = offChain(sources, vitals).map((source) => kept(source, 15));
  const signer = signerDependencies(config).map((dependency) => kept(dependency, 15));
  const served = chain.book.assets.filter(({ symbol }) => config.servingPolicy.tokens.includes(symbol));
  kept({ name: 'feeds', needed: false, look: () => readFeedAges(served, config.limits, readers.prices, vitals) }, 60);

  // Their facts come from those looks.
  const first: Readonly<Record<string, () => Promise<unknown>>> = {
    chain: head.look,
    gas: () => Promise.allSettled(payers.map(({ look }) => look())),
  };
  const loops = [...(keeper.isOperator ? ['executor'] : []), 'loan-guard', ...(isSelling ? ['jobs'] : [])];
  const own = ownDependencies(watched, loops).map((dependency) => ({
    ...dependency,
    look: async () => {
      await first[dependency.name]?.();
      return dependency.look();
    },
  }));
  const unreadMs = maxUnreadMsOf(config.guardBlockPollMs, config.guardIntervalSeconds);
  const rescues = rescuesDependency(waiting, unreadMs, () => {
    const [funds] = vitals.read().payers.values();
    return funds && { askedWei: funds.gasPriceWei, maxWei: config.gasBounds.rescueMaxGasPriceWei };
  });
  const jobs = config.isDry || config.seller === undefined || isSelling ? [] : [sellingOff];
  return {
    dependencies: [
      ...own,
      ...jobs,
      ...preflight,
      rescues,
      ...(relays ? [relays.dependency] : []),
      ...payers,
      ...signer,
      ...off,
    ],
    stop: () => ending.abort(),
  };
}

const sellingOff: Dependency = {
  name: 'jobs',
  needed: false,
  look: async () => {
    throw new Unready(
      'selling_off',
      'SELLER_PRIVATE_KEY is set, and selling did not start or the chain has no escrow.',
    );
  },
};

async function readHead({ client }: Chain, vitals: Vitals): Promise<string> {
  const head = await asking(() => newestBlock(client));
  vitals.headSeen(head);
  return `block ${head.number}`;
}

function offChain({ assets, exchange, pyth }: Sources, { sourceSeen }: Vitals): Dependency[] {
  const pair = assets.find(({ exchangePair }) => exchangePair !== undefined)?.exchangePair;
  const pythId = assets.find((asset) => asset.pythId !== undefined)?.pythId;
  const source = (name: string, of: string, ask: () => Promise<unknown>): Dependency => {
    // Its age counts from the start, too.
    sourceSeen(name);
    const look = async () => {
      await ask();
      sourceSeen(name);
      return `${of} has a price`;
    };
    return { name, needed: false, look };
  };
  return [
    ...(exchange && pair !== undefined ? [source('exchange', pair, () => exchange.bookTicker(pair))] : []),
    ...(pyth && pythId !== undefined ? [source('pyth', pythId, () => pyth.price(pythId))] : []),
  ];
}

import { createHash } from 'node:crypto';
import { healthByAnyNode, rescuesByAnyNode } from '@bowline/chain/any-node';
import { asking, type ChainClient, connectChain } from '@bowline/chain/chain-client';
import { type Subscribe, watchHeads } from '@bowline/chain/head';
import { untilAnswered } from '@bowline/chain/node-wait';
import { openNodes } from '@bowline/chain/nodes/nodes';
import { createBatchPreviewer } from '@bowline/chain/rescue-calls';
import type { Log } from '@bowline/core/domain/log';
import { type Readiness, readinessOf } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import type { Call, Sent } from '@bowline/core/domain/sending';
import { sleep } from '@bowline/core/domain/sleep';
import type { Clock } from '@bowline/core/domain/time';
import { type Address, WAD } from '@bowline/core/domain/units';
import type { ServingPolicy } from '../../src/loops/executor/plan.ts';
import { executorTick } from '../../src/loops/executor/tick.ts';
import { createLoanGuard } from '../../src/loops/loan-guard/tick.ts';
import { createWaitingRescues, maxUnreadMsOf, rescuesLook } from '../../src/loops/loan-guard/waiting.ts';
import { startLoop } from '../../src/loops/runner.ts';
import { listed } from '../../src/process/conditions.ts';
import { createCalls, type GasBounds } from '../../src/sending/calls.ts';
import { type Broadcast, createBroadcast, withPrivateRuns } from '../../src/sending/eoa/sender.ts';
import { openKeeper } from '../../src/sending/keeper.ts';
import { createRelayWatch } from '../../src/sending/relay-watch.ts';
import { openWorkers, type Workers } from '../../src/workers/workers.ts';
import { nodeOf } from '../sending/sending.ts';
import { book, chainId, keeperKey, rescueKeys, wallet } from './addresses.ts';
import { type BundlerState, bundlerTransport } from './bundler.ts';
import type { Chain } from './chain.ts';
import { fastAccount } from './fast-account.ts';
import { connect, type Line, type Wires } from './network.ts';
import type { Process } from './process.ts';
import { createReaders, createSources, loansBehind, type Readers } from './readers.ts';

// Puts the product together as main.ts and compose/ do, in virtual time and on modelled nodes. The one file to change when
// the product is put together differently.

/** Settings of a local chain: loans fall again within minutes. */
const [guardIntervalSeconds, guardBlockPollMs] = [5, 450];
const localSettings = {
  intervalSeconds: 15,
  policy: {
    tokens: ['BTCB', 'USDT'],
    minimumRunUsdWad: 5n * WAD,
    minimumPeriodSeconds: 60n,
    gasPerOwnerPerDay: 10n ** 12n,
  },
  gasBounds: {
    maxGasPriceWei: 5n * 10n ** 9n,
    rescueMaxGasPriceWei: 20n * 10n ** 9n,
    maxDayWei: 1_000n * WAD,
  },
};

export interface Setup extends Wires {
  /** Absent: the key operates the executor itself. */
  readonly isWallet: boolean;
  readonly knowsNodes: boolean;
  /** Number of keys that send only rescues. */
  readonly rescuers: number;
  readonly bundler: BundlerState | undefined;
  readonly guardIds: readonly bigint[];
  readonly clock: Clock;
  /** Seconds between the loan guard's rounds, and milliseconds between two polls for a block; absent: of a local chain. */
  readonly guardInterval?: number;
  readonly blockPollMs?: number;
  /** Basis points by which the pool is dearer than every source; absent: 0. */
  readonly premiumBps?: bigint;
  /** Settings of the executor; absent: of a local chain, with gas for everything. */
  readonly executorSettings?: {
    readonly intervalSeconds: number;
    readonly policy: ServingPolicy;
    readonly gasBounds: GasBounds;
  };
  /** WebSockets; absent: the nodes have none. */
  readonly subscriptions?: readonly Subscribe[];
  /** A private relay that alone gets the runs; absent: they go to all nodes. */
  readonly relay?: Broadcast;
  /** One of several workers, which makes only rescues: its key, and its way to Redis. Absent: it is the only one. */
  readonly worker?: { readonly key: Address; readonly beat: (own: string | undefined) => Promise<unknown> };
  /** Readers of guards and loans in place of those of readers.ts. */
  readonly readersOf?: (line: Pick<Line, 'read'>, client: ChainClient) => Pick<Readers, 'guards' | 'loans'>;
}

/** Observes what the process does. */
export interface Observer {
  readonly log: Log;
  sending(call: Call): void;
  sent(call: Call, sent: Sent | { readonly outcome: 'rejected'; readonly error: unknown }): void;
}

export interface Agent {
  isStarted(): boolean;
  isReady(): Promise<boolean>;
  readiness(): Promise<Readiness>;
  /** Undefined before the start, and where it is the only one. */
  workers(): Workers | undefined;
  /** Whether it has read all loans. */
  isLoaded(): boolean;
  /** As SIGTERM does: resolves once nothing is open. */
  stop(): Promise<void>;
}

export function startAgent(setup: Setup, process: Process, observer: Observer): Agent {
  const { chain, time, rttMs, clock, isWallet, knowsNodes, rescuers, guardIds } = setup;
  const { guardInterval = guardIntervalSeconds, blockPollMs = guardBlockPollMs } = setup;
  const { executorSettings = localSettings, worker } = setup;
  const { timers } = process;
  const { log } = observer;
  const steadyClock = () => BigInt(Math.floor(timers.now() / 1000));
  const line = connect(setup, process);
  const nodes = knowsNodes ? openNodes(line.nodes, { chainId, clock, timers, log }) : undefined;
  const client = connectChain(nodes?.transport() ?? line.transport);
  const rescuing = nodes === undefined ? client : connectChain(nodes.lenient());
  const readingBy = (of: ChainClient) => (nodes === undefined ? line : { read: readingOf(chain, of) });
  const senders = nodes === undefined ? [client] : line.nodes.map((node) => connectChain(node.connect(false)));
  const waiting = createWaitingRescues(timers);
  const rescues = listed(rescuesLook(waiting, maxUnreadMsOf(blockPollMs, guardInterval)));
  const relays = createRelayWatch(steadyClock, async () => true);
  let workers: Workers | undefined;
  let stop: (() => Promise<void>) | undefined;
  let isStopped = false;

  async function start(): Promise<void> {
    const heads = watchHeads({
      nodes: nodes ?? nodeOf(client),
      ...(setup.subscriptions && { subscriptions: setup.subscriptions }),
      pollMs: blockPollMs,
      clock: steadyClock,
      timers,
      log,
    });
    const everywhere = createBroadcast(senders, log);
    const { relay } = setup;
    const broadcast = relay ? withPrivateRuns(everywhere, relay, book.own.swapExecutor, 12) : everywhere;
    const keeper = await untilAnswered({ log, timers }, () =>
      openKeeper({
        client: rescuing,
        book,
        ...(!worker && { account: fastAccount(keeperKey) }),
        rescuers: (worker ? [worker.key] : rescueKeys.slice(0, rescuers)).map(fastAccount),
        broadcast,
        heads,
        chainId,
        gasBounds: executorSettings.gasBounds,
        ...(setup.bundler && { bundlerUrls: [bundlerTransport(chain, setup.bundler, time, process, rttMs)] }),
        log,
        clock: steadyClock,
        timers,
      }),
    );
    const sender = {
      ...keeper.sender,
      async send(call: Call): Promise<Sent> {
        observer.sending(call);
        try {
          const sent = await keeper.sender.send(call);
          observer.sent(call, sent);
          return sent;
        } catch (error) {
          observer.sent(call, { outcome: 'rejected', error });
          throw error;
        }
      },
    };
    workers =
      worker &&
      openWorkers({
        ...{ beat: worker.beat, id: worker.key, keeper: sender.address, runs: false, timers, log },
        isActive: () => waiting.isRead() && keeper.canRescue(),
        isReading: () => waiting.unreadMs() <= maxUnreadMsOf(blockPollMs, guardInterval),
      });
    const operator = isWallet ? wallet : keeperKey;
    const { plans, prices } = createReaders(chain, readingBy(client), guardIds, operator);
    const readers = {
      ...createReaders(chain, readingBy(rescuing), guardIds, operator),
      ...(nodes && { loans: healthByAnyNode({ nodes, rescuing }, loansBehind, timers) }),
      ...setup.readersOf?.(readingBy(client), client),
    };
    const calls = createCalls(book.own);
    const previewerOf = (of: ChainClient) => createBatchPreviewer(of, sender.address);
    const previewer = previewerOf(client);
    const executor = startLoop(
      'executor',
      executorTick({
        reader: plans,
        sources: createSources(readingBy(client), clock, setup.premiumBps),
        prices,
        sourcePrices: { sourcePriceWad: () => Promise.reject(new Error('no plan has a trigger')) },
        calls,
        previewer,
        sender: relay ? relays.through(sender) : sender,
        executor: book.own.swapExecutor,
        policy: executorSettings.policy,
        priceSources: [book.own.chainlinkPriceSource],
        // Stands in for keccak256, which would take most of the time: nobody replays this evidence.
        hash: (text) => `0x${createHash('sha256').update(text).digest('hex')}`,
        log,
      }),
      executorSettings.intervalSeconds,
      timers,
      log,
    );
    const guarding = createLoanGuard({
      reader: readers.guards,
      loans: readers.loans,
      assets: book.assets,
      prices: readers.prices,
      serving: { maxTriggerHealthWad: 2n * WAD, minimumRepayUsdWad: 5n * WAD },
      calls,
      previewer: nodes ? rescuesByAnyNode({ nodes, rescuing }, previewerOf, timers) : previewer,
      sender,
      waiting,
      ...(workers && { turns: workers.rescues, reads: workers.reads }),
      ...(!setup.subscriptions && { quietMs: blockPollMs }),
      clock: steadyClock,
      log,
    });
    heads.pauseWhile(() => guarding.isQuiet() && keeper.open().length === 0);
    const loanGuard = startLoop('loan-guard', guarding.tick, guardInterval, timers, log);
    const unwatch = heads.onHead(({ number }) => guarding.wants(number) && loanGuard.trigger());
    stop = async () => {
      unwatch();
      workers?.stop();
      const ended = Promise.all([executor.stop(), loanGuard.stop()]);
      await keeper.stop();
      await Promise.race([ended, sleep(timers, 1_000)]);
      heads.stop();
    };
    if (isStopped) await stop();
  }

  void start().catch((error: unknown) => log.error('agent.failed', { error }));
  return {
    isStarted: () => stop !== undefined,
    // The node's own state is another dependency: a node that does not answer makes the agent unready.
    isReady: async () => stop !== undefined && (await readinessOf([rescues])).ready,
    workers: () => workers,
    isLoaded: waiting.isRead,
    readiness: () => readinessOf([rescues, listed(relays.look)]),
    async stop() {
      isStopped = true;
      // While the start waits for a node, nothing is open: main.ts just ends.
      await stop?.();
    },
  };
}

/** Reads the block that the nodes agree on. */
function readingOf(chain: Chain, client: ChainClient): Line['read'] {
  return async (look) => {
    const { hash } = await asking(() => client.getBlock({ blockTag: 'latest' }));
    const block = chain.blockBy(hash);
    if (block === undefined) throw new BowlineError('chain_unavailable', 'The block is undone.', { retryable: true });
    return look(block);
  };
}

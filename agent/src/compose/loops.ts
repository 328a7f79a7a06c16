import { healthByAnyNode, rescuesByAnyNode } from '@bowline/chain/any-node';
import { createBatchPreviewer } from '@bowline/chain/batch-previewer';
import type { ChainClient } from '@bowline/chain/chain-client';
import type { WatchedHeads } from '@bowline/chain/head';
import { createHealthReader } from '@bowline/chain/health-reader';
import { lensesOf } from '@bowline/chain/lending/lenses';
import { createPriceReader } from '@bowline/chain/price-reader';
import { createSaleRouter } from '@bowline/chain/sale-routes';
import type { EvidenceStore } from '@bowline/core/domain/evidence-store';
import type { Log } from '@bowline/core/domain/log';
import type { Notices } from '@bowline/core/domain/notices';
import type { TicketSigner } from '@bowline/core/domain/ticket';
import type { Config } from '../config.ts';
import { executorTick } from '../loops/executor/tick.ts';
import { createLoanGuard } from '../loops/loan-guard/tick.ts';
import type { WaitingRescues } from '../loops/loan-guard/waiting.ts';
import { type Counts, type Loop, startLoop } from '../loops/runner.ts';
import { holding } from '../process/stop-file.ts';
import type { Vitals } from '../process/vitals.ts';
import { createCalls } from '../sending/calls.ts';
import type { Keeper } from '../sending/keeper.ts';
import type { RelayWatch } from '../sending/relay-watch.ts';
import type { Sources } from '../sources/propose.ts';
import type { Chain } from './chain.ts';
import { priceSourcesOf } from './left-out.ts';
import { hash, type Readers } from './questions.ts';
import type { Selling } from './seller.ts';
import { steadyClock, timers } from './time.ts';
import { notingHealths } from './vitals.ts';
import type { Workers } from './workers.ts';

interface LoopDeps {
  readonly sources: Sources;
  readonly readers: Readers;
  /** Of the plans that name them. */
  readonly tickets: readonly TicketSigner[];
  readonly keeper: Keeper;
  readonly heads: WatchedHeads;
  readonly selling: Selling | undefined;
  readonly waiting: WaitingRescues;
  /** Absent: runs go to everybody. */
  readonly relays: RelayWatch | undefined;
  readonly vitals: Vitals;
  readonly isStopped: () => boolean;
  readonly evidenceStore: EvidenceStore;
  /** Absent: nobody is told. */
  readonly notices: Notices | undefined;
  /** Absent: everything is this agent's to do. */
  readonly workers: Workers | undefined;
  readonly log: Log;
}

export interface Loops {
  readonly loops: readonly Loop[];
  /** Resolves when no rescue is under way, with the outcomes that no round has counted. */
  settled(): Promise<Counts>;
  /** Begins no round. Resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/**
 * Starts the executor, the loan guard and, if work is sold, the jobs loop. Stopping stops the senders, too: what is signed is
 * over or accounted for within five seconds.
 */
export function startLoops(config: Config, chain: Chain, deps: LoopDeps): Loops {
  const { client, rescuing, book } = chain;
  const { sources, keeper, heads, readers, tickets, selling, waiting, relays, vitals, isStopped, log } = deps;
  const { evidenceStore, notices, workers } = deps;
  const { plans, guards, prices, sourcePrices } = readers;
  const { sender } = keeper;
  const { own, assets } = book;
  const calls = createCalls(own);
  const previewerOf = (of: ChainClient) => createBatchPreviewer(of, sender.address);
  const loansOf = (of: ChainClient) => createHealthReader(of, lensesOf(of, book.lending));
  const start: typeof startLoop = (name, tick, ...rest) => startLoop(name, holding(isStopped, name, tick), ...rest);
  // Nobody else may make runs.
  const startExecutor = () =>
    start(
      'executor',
      executorTick({
        reader: plans,
        sources,
        prices,
        sourcePrices,
        calls,
        previewer: previewerOf(client),
        sender: relays?.through(sender) ?? sender,
        executor: own.swapExecutor,
        policy: config.servingPolicy,
        priceSources: priceSourcesOf(own),
        hash,
        tickets,
        evidenceStore,
        ...(notices && { notices }),
        ...(workers && { turns: workers.runs }),
        log,
      }),
      config.executorIntervalSeconds,
      timers,
      log,
    );
  const guarding = createLoanGuard({
    reader: { ...guards, balances: plans.balances },
    loans: notingHealths(healthByAnyNode(chain, loansOf, timers), vitals),
    assets,
    prices: createPriceReader(rescuing, book),
    serving: config.guardServingPolicy,
    calls,
    previewer: rescuesByAnyNode(chain, previewerOf, timers),
    sender,
    ...(own.collateralGuard && { router: createSaleRouter(rescuing, book, sender.address) }),
    waiting,
    ...(notices && { notices }),
    ...(workers && { turns: workers.rescues }),
    isHeld: isStopped,
    ...(config.rpcWsUrls.length === 0 && config.guardBlockPollMs > 0 && { quietMs: config.guardBlockPollMs }),
    clock: steadyClock,
    log,
  });
  const loanGuard = start('loan-guard', guarding.tick, config.guardIntervalSeconds, timers, log);
  const executor = keeper.isOperator ? [startExecutor()] : [];
  const loops = [...executor, loanGuard, ...(selling ? [selling.startJobs(config.jobsIntervalSeconds)] : [])];
  heads.restWhile(() => guarding.isQuiet() && keeper.open().length === 0);
  const stopWatching =
    config.guardBlockPollMs === 0
      ? () => {}
      : heads.onHead(({ number }) => guarding.wants(number) && loanGuard.trigger());
  return {
    loops,
    settled: guarding.settled,
    stop: async () => {
      stopWatching();
      const ended = Promise.all(loops.map((loop) => loop.stop()));
      await Promise.all([keeper.stop(), selling?.stop()]);
      await ended;
      await guarding.settled();
    },
  };
}

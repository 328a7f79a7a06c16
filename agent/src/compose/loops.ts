import { createHealthReader } from '@bowline/chain/health-reader';
import { lensesOf } from '@bowline/chain/lending/lenses';
import { steadyClock, timers } from '@bowline/http/clock';
import { executorTick } from '../loops/executor/tick.ts';
import { createLoanGuard } from '../loops/loan-guard/tick.ts';
import { type Counts, type Loop, startLoop } from '../loops/runner.ts';
import { holding } from '../process/stop-file.ts';
import { priceSourcesOf } from './left-out.ts';
import type { Parts } from './parts.ts';
import { hash } from './questions.ts';
import { notingHealths } from './vitals.ts';

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
export function startLoops(parts: Parts): Loops {
  const { config, sources, keeper, heads, readers, tickets, selling, waiting, relays, vitals, isStopped, log } = parts;
  const { evidenceStore, workers } = parts;
  const { client, book } = parts.chain;
  const { plans, guards, prices, sourcePrices, calls, previewer, router } = readers;
  const { sender } = keeper;
  const notices = parts.telling?.notices;
  const { own, assets } = book;
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
        previewer,
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
    loans: notingHealths(createHealthReader(client, lensesOf(client, book.lending)), vitals),
    assets,
    prices,
    serving: config.guardServingPolicy,
    calls,
    previewer,
    sender,
    ...(router && { router }),
    waiting,
    ...(notices && { notices }),
    ...(workers && { turns: workers.rescues }),
    isHeld: isStopped,
    clock: steadyClock,
    log,
  });
  const loanGuard = start('loan-guard', guarding.tick, config.guardIntervalSeconds, timers, log);
  const executor = keeper.isOperator ? [startExecutor()] : [];
  const loops = [...executor, loanGuard, ...(selling ? [selling.startJobs(config.jobsIntervalSeconds)] : [])];
  const stopWatching = config.guardBlockPollMs === 0 ? () => {} : heads.onHead(loanGuard.trigger);
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

import { healthByAnyNode, rescuesByAnyNode } from '@bowline/chain/any-node';
import type { ChainClient } from '@bowline/chain/chain-client';
import { createHealthReader } from '@bowline/chain/health-reader';
import { lensesOf } from '@bowline/chain/lending/lenses';
import { createPenaltyReader } from '@bowline/chain/penalty-reader';
import { createPriceReader } from '@bowline/chain/price-reader';
import { createBatchPreviewer } from '@bowline/chain/rescue-calls';
import { steadyClock, timers } from '@bowline/http/clock';
import { executorTick } from '../loops/executor/tick.ts';
import { createLoanGuard } from '../loops/loan-guard/tick.ts';
import { startLoop } from '../loops/runner.ts';
import { unlessStopped } from '../process/stop-file.ts';
import { BORROWERS_A_DAY } from '../sending/calls.ts';
import { priceSourcesOf } from './left-out.ts';
import type { Parts } from './parts.ts';
import { hash } from './questions.ts';
import { notingHealths } from './vitals.ts';

/**
 * Starts the executor, the loan guard and, if work is sold, the jobs loop. Stopping also stops the senders: whatever is
 * signed is over or accounted for within five seconds.
 */
export function startLoops(parts: Parts) {
  const { config, sources, keeper, heads, readers, tickets, selling, waiting, relays, vitals, isStopped, log } = parts;
  const { evidenceStore, workers, chain } = parts;
  const { rescuing, book } = chain;
  const { plans, guards, prices, sourcePrices, calls, previewer, router } = readers;
  const { sender } = keeper;
  const notices = parts.telling?.notices;
  const { own, assets } = book;
  const previewerOf = (of: ChainClient) => createBatchPreviewer(of, sender.address);
  const loansOf = (of: ChainClient) => createHealthReader(of, lensesOf(of, book.lending));
  const start: typeof startLoop = (name, tick, ...rest) =>
    startLoop(name, unlessStopped(isStopped, name, tick), ...rest);
  // Started only for an operator: nobody else may make runs.
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
    loans: notingHealths(healthByAnyNode(chain, loansOf, timers), vitals),
    assets,
    prices: createPriceReader(rescuing, book),
    penalties: createPenaltyReader(rescuing, book.lending),
    borrowerDayWei: config.gasBounds.maxDayWei / BORROWERS_A_DAY,
    serving: config.guardServingPolicy,
    calls,
    previewer: rescuesByAnyNode(chain, previewerOf, timers),
    sender,
    ...(router && { router }),
    waiting,
    ...(notices && { notices }),
    ...(workers && { turns: workers.rescues, reads: workers.reads }),
    isHeld: isStopped,
    ...(config.rpcWsUrls.length === 0 && config.guardBlockPollMs > 0 && { quietMs: config.guardBlockPollMs }),
    clock: steadyClock,
    log,
  });
  const loanGuard = start('loan-guard', guarding.tick, config.guardIntervalSeconds, timers, log);
  const executor = keeper.isOperator ? [startExecutor()] : [];
  const loops = [...executor, loanGuard, ...(selling ? [selling.startJobs(config.jobsIntervalSeconds)] : [])];
  heads.pauseWhile(() => guarding.isQuiet() && keeper.open().length === 0);
  const stopWatching =
    config.guardBlockPollMs === 0
      ? () => {}
      : heads.onHead(({ number }) => guarding.wants(number) && loanGuard.trigger());
  return {
    loops,
    /** Starts no more rounds. Resolves when the running ones have ended. */
    stop: async () => {
      stopWatching();
      const ended = Promise.all(loops.map((loop) => loop.stop()));
      await Promise.all([keeper.stop(), selling?.stop()]);
      await ended;
      await guarding.settled();
    },
  };
}

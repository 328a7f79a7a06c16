import type { Log } from '@bowline/core/domain/ports';
import type { TicketSigner } from '@bowline/core/domain/ticket';
import { createBatchPreviewer } from '../chain/batch-previewer.ts';
import { watchHead } from '../chain/head.ts';
import { createHealthReader } from '../chain/health-reader.ts';
import type { Config } from '../config.ts';
import { executorTick } from '../loops/executor/tick.ts';
import { loanGuardTick } from '../loops/loan-guard/tick.ts';
import type { WaitingRescues } from '../loops/loan-guard/waiting.ts';
import { startLoop } from '../loops/runner.ts';
import { createCalls } from '../sending/calls.ts';
import type { Keeper } from '../sending/keeper.ts';
import type { Sources } from '../sources/propose.ts';
import type { Chain } from './chain.ts';
import { hash, type Readers } from './questions.ts';
import type { Selling } from './seller.ts';
import { clock, timers } from './time.ts';

interface LoopDeps {
  readonly sources: Sources;
  readonly readers: Readers;
  readonly tickets: TicketSigner | undefined;
  readonly keeper: Keeper;
  readonly selling: Selling | undefined;
  readonly waiting: WaitingRescues;
  readonly log: Log;
}

/**
 * Starts the executor, the loan guard and, if work is sold, the jobs loop. Returns a function that stops them: no new
 * round begins, and signed transactions are awaited.
 */
export function startLoops(config: Config, { client, book }: Chain, deps: LoopDeps): () => Promise<void> {
  const { sources, keeper, readers, tickets, selling, waiting, log } = deps;
  const { plans, guards, prices } = readers;
  const { sender } = keeper;
  const { own, assets } = book;
  const calls = createCalls(own);
  const executor = startLoop(
    'executor',
    executorTick({
      reader: plans,
      sources,
      prices,
      calls,
      previewer: createBatchPreviewer(client, sender.address),
      sender,
      executor: own.swapExecutor,
      policy: config.servingPolicy,
      priceSources: [own.chainlinkPriceSource, own.venusPriceSource],
      hash,
      ...(tickets && { tickets }),
      log,
    }),
    config.executorIntervalSeconds,
    timers,
    log,
  );
  const loanGuard = startLoop(
    'loan-guard',
    loanGuardTick({
      reader: { ...guards, balances: plans.balances },
      loans: createHealthReader(client),
      assets,
      prices,
      serving: config.guardServingPolicy,
      calls,
      sender,
      waiting,
      clock,
      log,
    }),
    config.guardIntervalSeconds,
    timers,
    log,
  );
  const loops = [executor, loanGuard, ...(selling ? [selling.startJobs(config.jobsIntervalSeconds)] : [])];
  const stopWatching =
    config.guardBlockPollMs === 0
      ? () => {}
      : watchHead({ client, pollMs: config.guardBlockPollMs, clock, log }, loanGuard.trigger);
  return async () => {
    stopWatching();
    await Promise.all(loops.map((loop) => loop.stop()));
  };
}

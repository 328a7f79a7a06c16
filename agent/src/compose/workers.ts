import type { Log } from '@bowline/core/domain/log';
import { timers } from '@bowline/http/clock';
import type { Config } from '../config.ts';
import { type Loop, withSpare } from '../loops/runner.ts';
import type { Keeper } from '../sending/keeper.ts';
import type { Workers } from '../workers/workers.ts';
import type { Chain } from './chain.ts';
import { rescueAccounts } from './keys.ts';

export type { Workers } from '../workers/workers.ts';

/** Joins the other workers. Undefined, and neither Redis nor BullMQ is loaded, without REDIS_URL. */
export async function openWorkers(
  config: Config,
  { book }: Chain,
  keeper: Keeper,
  isStopped: () => boolean,
  log: Log,
): Promise<Workers | undefined> {
  const { redisUrl, chainId } = config;
  const [first] = rescueAccounts(config);
  if (redisUrl === undefined || first === undefined) return undefined;
  const { openWorkers: open } = await import('../workers/workers.ts');
  return open({
    url: redisUrl.reveal(),
    name: `${chainId}-${book.own.loanGuard.toLowerCase()}`,
    id: first.address,
    keeper: keeper.sender.address,
    runs: keeper.isOperator,
    share: config.guardServingPolicy.share,
    isActive: () => !isStopped(),
    timers,
    log,
  });
}

/** The intervals of the loops' own timers: with other workers, jobs begin the rounds before they elapse. */
export const ownIntervals = (config: Config, workers: Workers | undefined): Config => {
  if (workers === undefined) return config;
  const { executorIntervalSeconds, guardIntervalSeconds } = config;
  return {
    ...config,
    executorIntervalSeconds: withSpare(executorIntervalSeconds),
    guardIntervalSeconds: withSpare(guardIntervalSeconds),
  };
};

/** From now on, jobs begin the regular rounds of executor and loan guard. */
export function beginByJobs(workers: Workers, loops: readonly Loop[], config: Config): void {
  const every = { executor: config.executorIntervalSeconds, 'loan-guard': config.guardIntervalSeconds };
  workers.begin(
    Object.entries(every).flatMap(([name, everySeconds]) => {
      const loop = loops.find((each) => each.state().name === name);
      if (loop === undefined) return [];
      const run = async () => {
        if (!loop.regular(everySeconds)) return undefined;
        await loop.idle();
        return loop.state().last;
      };
      return [{ name, everySeconds, run }];
    }),
  );
}

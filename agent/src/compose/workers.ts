import type { Log } from '@bowline/core/domain/log';
import { timers } from '@bowline/http/clock';
import type { Config } from '../config.ts';
import { maxUnreadMsOf, type WaitingRescues } from '../loops/loan-guard/waiting.ts';
import { isRescuePayable } from '../process/conditions.ts';
import type { Vitals } from '../process/vitals.ts';
import { rescueGasOf } from '../sending/calls.ts';
import type { Keeper } from '../sending/keeper.ts';
import type { Workers } from '../workers/workers.ts';
import type { Chain } from './chain.ts';
import { rescueAccounts } from './keys.ts';

export type { Workers } from '../workers/workers.ts';

/** What shows whether this worker can rescue. */
interface Able {
  readonly isStopped: () => boolean;
  readonly waiting: Pick<WaitingRescues, 'isRead' | 'unreadMs'>;
  readonly vitals: Pick<Vitals, 'payers'>;
}

/** Joins the other workers. Undefined, and Redis's client is not loaded, without REDIS_URL. */
export async function openWorkers(
  config: Config,
  { book }: Chain,
  keeper: Keeper,
  { isStopped, waiting, vitals }: Able,
  log: Log,
): Promise<Workers | undefined> {
  const { redisUrl, chainId, guardBlockPollMs, guardIntervalSeconds } = config;
  const [first] = rescueAccounts(config);
  if (redisUrl === undefined || first === undefined) return undefined;
  const [{ openWorkers: open }, { beatOf, connectRedis }] = await Promise.all([
    import('../workers/workers.ts'),
    import('../workers/redis.ts'),
  ]);
  const redis = connectRedis(redisUrl.reveal(), log);
  const maxUnreadMs = maxUnreadMsOf(guardBlockPollMs, guardIntervalSeconds);
  const canPay = () => isRescuePayable(vitals.payers(), rescueGasOf(book.own)) !== false;
  const workers = open({
    beat: beatOf(redis, `bowline:${chainId}-${book.own.loanGuard.toLowerCase()}`),
    id: first.address,
    keeper: keeper.sender.address,
    runs: keeper.isOperator,
    // It has read all loans once, and has a key that can send a rescue.
    isActive: () => !isStopped() && waiting.isRead() && keeper.canRescue() && canPay(),
    isReading: () => waiting.unreadMs() <= maxUnreadMs,
    timers,
    log,
  });
  const stop = () => {
    workers.stop();
    redis.disconnect();
  };
  return { ...workers, stop };
}

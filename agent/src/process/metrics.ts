import type { Log } from '@bowline/core/domain/log';
import { type Dependency, type LoopState, type Readiness, readinessOf } from '@bowline/core/domain/readiness';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Known } from './vitals.ts';
import type { Watched } from './watched.ts';

export type Metrics = ReturnType<typeof createMetrics>;

interface Reading extends Known {
  readonly readiness: Readiness;
  readonly watched: Watched;
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

interface Metric {
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly samples: (reading: Reading) => readonly Sample[];
  readonly labels: readonly string[];
}

const metric =
  (type: Metric['type']) =>
  (help: string, samples: Metric['samples'], ...labels: string[]): Metric => ({ type, help, samples, labels });
const gauge = metric('gauge');
const counter = metric('counter');

const one = (value: number | undefined): readonly Sample[] => (value === undefined ? [] : [[{}, value]]);
const inSeconds = (milliseconds: number): number => milliseconds / 1000;
const WEI = 1e18;

/** Outcomes exported as 0 from the start: Prometheus sees no increase in a series that begins with a count. */
const noFailures: LoopState['outcomes'] = {
  not_sent: 0,
  reverted: 0,
  cancelled: 0,
  consumed: 0,
  unknown: 0,
  'not_allowed.gas_day': 0,
  'not_allowed.gas_price': 0,
  'not_allowed.balance': 0,
};

/** All our metrics except `bowline_events_total`. docs/reference/metrics.md is generated from this table. */
export const metrics: Readonly<Record<string, Metric>> = {
  bowline_ready: gauge('1 while /ready is 200, else 0.', ({ readiness }) => one(Number(readiness.ready))),
  bowline_dependency_ok: gauge(
    '1 while /ready calls the dependency ok, else 0. A needed one at 0 makes /ready 503.',
    ({ readiness }) =>
      Object.entries(readiness.dependencies).map(([dependency, { ok, needed }]) => [
        { dependency, needed: String(needed) },
        Number(ok),
      ]),
    'dependency',
    'needed',
  ),
  bowline_unready_reason: gauge(
    '1 for each reason of a dependency that is not ok.',
    ({ readiness }) =>
      Object.entries(readiness.dependencies).flatMap(([dependency, { reason }]) =>
        reason === undefined ? [] : [[{ dependency, reason }, 1]],
      ),
    'dependency',
    'reason',
  ),
  bowline_build_info: gauge(
    'Version and commit of the running agent; always 1.',
    ({ watched: { build } }) => [[build, 1]],
    'version',
    'revision',
  ),
  bowline_stopped: gauge('1 while the stop file exists, else 0.', ({ watched }) => one(Number(watched.isStopped()))),
  bowline_loop_good_age_seconds: gauge(
    'Time since the last good round of the loop ended, or since the start.',
    ({ watched }) => watched.loops().map(({ name, goodMs }) => [{ loop: name }, inSeconds(goodMs)]),
    'loop',
  ),
  bowline_loop_interval_seconds: gauge(
    'Configured time between two regular rounds of the loop.',
    ({ watched }) => watched.loops().map(({ name, intervalSeconds }) => [{ loop: name }, intervalSeconds]),
    'loop',
  ),
  bowline_loop_duration_seconds: gauge(
    'Duration of the last good round of the loop.',
    ({ watched }) =>
      watched
        .loops()
        .flatMap(({ name, goodDurationMs }) =>
          goodDurationMs === undefined ? [] : [[{ loop: name }, inSeconds(goodDurationMs)]],
        ),
    'loop',
  ),
  bowline_loop_rounds_total: counter(
    'Rounds of the loop. A bad round threw, or got no answer from the chain.',
    ({ watched }) =>
      watched
        .loops()
        .flatMap(({ name, rounds }) =>
          Object.entries(rounds).map(([result, count]) => [{ loop: name, result }, count] as const),
        ),
    'loop',
    'result',
  ),
  bowline_loop_outcomes_total: counter(
    'Outcomes of the rounds of the loop, from the counters of tick.end: executed, deferred, rescued, not_sent.',
    ({ watched }) =>
      watched
        .loops()
        .flatMap(({ name, outcomes }) =>
          Object.entries({ ...noFailures, ...outcomes }).map(
            ([outcome, count]) => [{ loop: name, outcome }, count] as const,
          ),
        ),
    'loop',
    'outcome',
  ),
  bowline_head_number: gauge('Number of the newest block seen.', ({ head }) => one(head && Number(head.number))),
  bowline_head_age_seconds: gauge(
    'Wall clock minus the time of the newest block. Negative if the block is in the future or the clock is slow.',
    ({ head }) => one(head?.ageSeconds),
  ),
  bowline_head_lag_seconds: gauge('Time since a new block was last seen.', ({ head }) => one(head?.lagSeconds)),
  bowline_queue_open_operations: gauge(
    'Signed operations of the queue without a final outcome.',
    ({ queues }) => [...queues].map(([queue, { open }]) => [{ queue }, open]),
    'queue',
  ),
  bowline_queue_oldest_open_seconds: gauge(
    'Age of the oldest open operation of the queue; 0 if none is open.',
    ({ queues }) => [...queues].map(([queue, { oldestMs }]) => [{ queue }, inSeconds(oldestMs)]),
    'queue',
  ),
  bowline_runs_due: gauge("Plans that were due in the executor's last round.", ({ watched }) =>
    one(watched.runs().due),
  ),
  bowline_runs_unserved: gauge(
    "Plans that were due in the executor's last round and that it did not run, defer or skip on purpose.",
    ({ watched }) => one(watched.runs().unserved),
  ),
  bowline_rescues_waiting: gauge('Rescues that are due and have not been made.', ({ watched }) =>
    one(watched.rescues.count()),
  ),
  bowline_rescues_timed_total: counter(
    'Rescues made since the start for which the block in which they were first due is known.',
    ({ watched }) => one(watched.rescues.lateness().rescues),
  ),
  bowline_rescue_blocks_total: counter(
    'Total blocks between the newest block when each of these rescues was first due and the block of the rescue.',
    ({ watched }) => one(Number(watched.rescues.lateness().blocks)),
  ),
  bowline_rescue_blocks_max: gauge('Blocks that the slowest of these rescues took.', ({ watched }) =>
    one(Number(watched.rescues.lateness().maxBlocks)),
  ),
  bowline_rescue_wait_seconds: gauge('Time that the oldest due rescue has waited; 0 if none waits.', ({ watched }) =>
    one(inSeconds(watched.rescues.oldestMs() ?? 0)),
  ),
  bowline_loans_unread_seconds: gauge('Time since the agent last read the guards and their loans.', ({ watched }) =>
    one(inSeconds(watched.rescues.unreadMs())),
  ),
  bowline_plans: gauge('Plans returned by the last read of all plans.', ({ plans }) => one(plans?.read)),
  bowline_plans_unread: gauge('Plans without an answer in the last read of all plans.', ({ plans }) =>
    one(plans?.unread),
  ),
  bowline_guards: gauge('Guards returned by the last read of all guards.', ({ guards }) => one(guards?.read)),
  bowline_guards_unread: gauge('Guards without an answer in the last read of all guards.', ({ guards }) =>
    one(guards?.unread),
  ),
  bowline_not_served: gauge(
    'Plans and guards that may still act and that this agent leaves out, by reason.',
    ({ watched }) =>
      Object.entries(watched.leftOut()).flatMap(([kind, by]) =>
        Object.entries(by).map(([why, count]) => [{ kind, why }, count] as const),
      ),
    'kind',
    'why',
  ),
  bowline_lowest_health_ratio: gauge(
    "Lowest health factor of the watched loans at their last read, by the protocol's prices or, if lower, by the guard's price source. Absent if no loan has debt.",
    ({ lowestHealthWad }) => one(lowestHealthWad === undefined ? undefined : Number(lowestHealthWad) / WEI),
  ),
  bowline_guards_falling: gauge(
    "Guards that would be due if the price of one market's token alone fell by this share, by the market's address.",
    ({ falling }) =>
      falling.map(({ market, percent, guards }) => [
        { market: `0x${market.slice(-40)}`, fall_percent: String(percent) },
        guards,
      ]),
    'market',
    'fall_percent',
  ),
  bowline_workers: gauge(
    'Live workers of the same contracts, including this one. Absent without REDIS_URL, as are the next two.',
    ({ watched }) => one(watched.workers?.().count),
  ),
  bowline_first_guards: gauge(
    'Open guards for which this worker acts first, as of the last read of all guards.',
    ({ guards }) => one(guards?.first),
  ),
  bowline_redis_silent_seconds: gauge(
    'Time since Redis last answered, or since the start.',
    ({ watched: { workers } }) => one(workers && inSeconds(workers().redisMs)),
  ),
  bowline_payer_balance_bnb: gauge(
    'BNB balance of the account that pays for gas, by role.',
    ({ payers }) => [...payers].map(([payer, { wei }]) => [{ payer }, Number(wei) / WEI]),
    'payer',
  ),
  bowline_payer_gas_days_left: gauge(
    'Days that the balance lasts if the account spends MAX_GAS_BNB_PER_DAY each day.',
    ({ payers, watched: { bounds } }) =>
      [...payers].map(([payer, { wei }]) => [{ payer }, Number(wei) / Number(bounds.maxDayWei)]),
    'payer',
  ),
  bowline_payer_rescues_left: gauge(
    'Rescues that the balance can pay for, at their maximum gas and the gas price of the node.',
    ({ payers, watched: { bounds } }) =>
      [...payers].map(([payer, { wei, gasPriceWei }]) => [
        { payer },
        Math.floor(Number(wei) / Number(gasPriceWei * bounds.rescueGas)),
      ]),
    'payer',
  ),
  bowline_source_age_seconds: gauge(
    'Time since the off-chain price source (exchange, pyth) last gave a usable price, or since the start.',
    ({ sources }) => [...sources].map(([source, age]) => [{ source }, age]),
    'source',
  ),
  bowline_feed_age_seconds: gauge(
    "Wall clock minus the last update of the asset's Chainlink feed, for each asset that plans may trade.",
    ({ feeds }) => [...feeds].map(([asset, { ageSeconds }]) => [{ asset }, ageSeconds]),
    'asset',
  ),
  bowline_feed_max_age_seconds: gauge(
    'Age from which verdicts treat the feed as stale.',
    ({ feeds }) => [...feeds].map(([asset, { maxAgeSeconds }]) => [{ asset }, maxAgeSeconds]),
    'asset',
  ),
};

/** Metrics for the operator: the process, a counter per log event, and what `watch` is given. */
export function createMetrics(log: Log) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const events = new Counter({
    name: 'bowline_events_total',
    help: 'Log events, by name and level.',
    labelNames: ['event', 'level'],
    registers: [registry],
  });
  const instruments = Object.entries(metrics).map(([name, { type, help, labels, samples }]) => {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    const instrument = type === 'gauge' ? new Gauge(options) : new Counter(options);
    return { instrument, isBare: labels.length === 0, samples };
  });
  let read: (() => Promise<Reading>) | undefined;
  const counted =
    (level: keyof Log) =>
    (event: string, fields?: Record<string, unknown>): void => {
      events.inc({ event, level });
      log[level](event, fields);
    };
  return {
    /** The given log, with every event counted by name and level. */
    log: { debug: counted('debug'), info: counted('info'), warn: counted('warn'), error: counted('error') },
    /** Exposes these from now on, read for each scrape. */
    watch(watched: Watched, dependencies: readonly Dependency[]) {
      read = async () => {
        const readiness = await readinessOf(dependencies);
        watched.vitals.queuesSeen(watched.open());
        return { ...watched.vitals.read(), readiness, watched };
      };
    },
    /** Prometheus text format. */
    async expose() {
      const reading = await read?.();
      for (const { instrument, isBare, samples } of instruments) {
        // A series that is gone must not keep its last value. Without labels, reset() would leave a 0.
        instrument.reset();
        if (isBare) instrument.remove();
        for (const [labels, value] of reading === undefined ? [] : samples(reading)) instrument.inc(labels, value);
      }
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}

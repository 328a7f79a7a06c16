import { fileURLToPath } from 'node:url';
import { feedMaxAgeSeconds } from '@bowline/core/registry/asset-limits';
import { afterEach, expect, test } from 'vitest';
import { createMetrics, metrics } from '../../src/process/metrics.ts';
import { readFeedAges } from '../../src/process/readiness.ts';
import { assets } from '../ask/assets.ts';
import { keepLog } from '../loops/world.ts';
import { evaluate, samplesIn } from './promql.ts';
import { startWatchedAgent } from './watched-agent.ts';

let agent: Awaited<ReturnType<typeof startWatchedAgent>>;
afterEach(() => agent?.stop());

const page = `# Metrics

For anyone who monitors the agent. \`GET /metrics\` serves these metrics in Prometheus text format, together with Node's own. The
[alerts](../../ops/alerts.yml) and the [dashboard](../../ops/dashboard.json) use them; [runbook](../runbook.md) says what to do. The
agent computes ages when you request the page, and omits values that it does not know. This page is generated from
[metrics.ts](../../agent/src/process/metrics.ts): \`vitest run agent/test/process/metrics.test.ts -u\`.

| metric | type | labels | |
| --- | --- | --- | --- |
| bowline_events_total | counter | event, level | Events of the log, by name and level. |
${Object.entries(metrics)
  .map(([name, { type, labels, help }]) => `| ${name} | ${type} | ${labels.join(', ')} | ${help} |`)
  .join('\n')}
`;

// AG-67
test('docs/reference/metrics.md lists every metric', async () => {
  await expect(page).toMatchFileSnapshot(fileURLToPath(new URL('../../../docs/reference/metrics.md', import.meta.url)));
});

// AG-67
test('each has the value that readiness goes by, and what is not known is absent', async () => {
  const counts = { plans: 5, due: 4, executed: 1, 'skipped.reason_repeated': 1, not_sent: 1 };
  agent = await startWatchedAgent({ executor: async () => ({ counts }) });
  const { world, waiting } = agent;
  waiting.add(7n);
  world.unread = 2;
  world.behind = 9;
  world.open.push({ queue: 'keeper', label: 'execute plan 3', hash: '0xaa', openMs: 7_500 });
  await agent.pass(20);
  const seen = new Map(
    samplesIn(await agent.text())
      .filter(({ name }) => name.startsWith('bowline_'))
      .map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(' '), value]),
  );
  expect(
    Object.fromEntries(
      [...seen].filter(([name]) => !/^bowline_(events|dependency|unready|loop_(good|interval))/.test(name)),
    ),
  ).toEqual({
    bowline_ready: 0,
    'bowline_build_info 0.1.0 abc': 1,
    'bowline_not_served guard not_served_trigger': 2,
    bowline_stopped: 0,
    'bowline_loop_duration_seconds executor': 0,
    'bowline_loop_duration_seconds loan-guard': 0,
    'bowline_loop_duration_seconds jobs': 0,
    'bowline_loop_rounds_total executor good': 1,
    'bowline_loop_rounds_total executor bad': 0,
    'bowline_loop_rounds_total loan-guard good': 5,
    'bowline_loop_rounds_total loan-guard bad': 0,
    'bowline_loop_rounds_total jobs good': 1,
    'bowline_loop_rounds_total jobs bad': 0,
    'bowline_loop_outcomes_total executor executed': 1,
    'bowline_loop_outcomes_total executor not_sent': 1,
    ...Object.fromEntries(
      ['executor', 'loan-guard', 'jobs'].flatMap((loop) =>
        ['not_sent', 'reverted', 'cancelled', 'consumed', 'unknown', 'gas_day', 'gas_price', 'balance'].flatMap(
          (failure) =>
            loop === 'executor' && failure === 'not_sent'
              ? []
              : [[`bowline_loop_outcomes_total ${loop} ${failure.replace(/^(gas|balance)/, 'not_allowed.$1')}`, 0]],
        ),
      ),
    ),
    bowline_head_number: 5,
    bowline_head_age_seconds: 9,
    bowline_head_lag_seconds: 0,
    'bowline_queue_open_operations keeper': 1,
    'bowline_queue_oldest_open_seconds keeper': 7.5,
    bowline_runs_due: 4,
    // Four due, one run, one deferred before for the same reason.
    bowline_runs_unserved: 2,
    bowline_rescues_waiting: 1,
    bowline_rescues_timed_total: 0,
    bowline_rescue_blocks_total: 0,
    bowline_rescue_blocks_max: 0,
    bowline_rescue_wait_seconds: 20,
    bowline_loans_unread_seconds: 0,
    bowline_plans: 3,
    bowline_plans_unread: 0,
    bowline_guards: 2,
    bowline_guards_unread: 2,
    bowline_lowest_health_ratio: 1.3,
    'bowline_guards_falling 0x00000000000000000000000000000000000000b7 3': 1,
    'bowline_guards_falling 0x00000000000000000000000000000000000000b7 7': 1,
    'bowline_guards_falling 0x00000000000000000000000000000000000000b7 15': 2,
    bowline_workers: 3,
    bowline_first_guards: 1,
    bowline_redis_silent_seconds: 0,
    'bowline_payer_balance_bnb keeper': 1,
    // Half a BNB a day, and 5,000,000 gas at 0.1 gwei a rescue.
    'bowline_payer_gas_days_left keeper': 2,
    'bowline_payer_rescues_left keeper': 2_000,
    'bowline_source_age_seconds exchange': 5,
    'bowline_feed_age_seconds BTCB': 50,
    'bowline_feed_max_age_seconds BTCB': 300,
  });
  expect(seen.get('bowline_unready_reason rescues rescue_waiting')).toBe(1);
  expect(seen.get('bowline_dependency_ok rescues true')).toBe(0);

  // A queue stays, empty, and so does a loan at rest; a reason or a guard that is gone does not.
  world.open.length = 0;
  world.rests = true;
  waiting.remove(7n);
  await agent.pass(5);
  const after = samplesIn(await agent.text());
  expect(after).toContainEqual({ name: 'bowline_queue_open_operations', labels: { queue: 'keeper' }, value: 0 });
  expect(after.filter(({ name }) => name === 'bowline_unready_reason')).toEqual([]);
  expect(after).toContainEqual({ name: 'bowline_lowest_health_ratio', labels: {}, value: 1.3 });
  world.guards = [1n, 2n];
  await agent.pass(5);
  expect(samplesIn(await agent.text())).toContainEqual({ name: 'bowline_lowest_health_ratio', labels: {}, value: 2 });
});

test('AG-70: a feed is stale at the age that verdicts use', async () => {
  const seen: unknown[] = [];
  const listed = assets.filter(({ symbol }) => symbol === 'BTCB' || symbol === 'WBNB');
  const prices = { price: async () => ({ chainlink: { updatedAt: 5n } }) };
  await readFeedAges(listed, prices, { feedSeen: (feed) => void seen.push(feed) });
  expect(seen).toEqual([
    { asset: 'BTCB', updatedAt: 5n, maxAgeSeconds: feedMaxAgeSeconds.get('BTCB') },
    { asset: 'WBNB', updatedAt: 5n, maxAgeSeconds: feedMaxAgeSeconds.get('WBNB') },
  ]);
});

test('what is not known yet is not shown as 0', async () => {
  const { text } = await createMetrics(keepLog()).expose();
  expect(samplesIn(text).filter(({ name }) => name.startsWith('bowline_'))).toEqual([]);
  expect(text).toContain('# TYPE bowline_head_age_seconds gauge');
});

test('the small reader of expressions reads them as Prometheus does', () => {
  const at = (seconds: number, ...values: [name: string, label: string, value: number][]) => ({
    at: seconds,
    samples: values.map(([name, x, value]) => ({ name, labels: { x }, value })),
  });
  const scrapes = [at(0, ['a', 'p', 1]), at(30, ['a', 'p', 5], ['b', 'p', 2], ['b', 'q', 9])];
  const read = (expression: string) => evaluate(expression, scrapes).map(({ value }) => value);
  expect(read('b')).toEqual([2, 9]);
  expect(read('b{x="q"} > 8')).toEqual([9]);
  expect(read('b{x=~"q|r"} - 1')).toEqual([8]);
  expect(read('b < a + 1')).toEqual([2]);
  expect(read('a > 60 or a < -60')).toEqual([]);
  expect(read('a > 4 or b > 8')).toEqual([5, 9]);
  expect(read('increase(a[1m]) > 3')).toEqual([4]);
  expect(read('absent(c)')).toEqual([1]);
  expect(read('absent(a)')).toEqual([]);
  expect(() => read('max(a)')).toThrow('max is not read here');
  expect(() => read('a > > 1')).toThrow();
});

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { metrics } from '../../src/process/metrics.ts';
import { evaluate, type Scrape } from './promql.ts';
import { startWatchedAgent } from './watched-agent.ts';

// AG-70: ops/alerts.yml and ops/dashboard.json against the metrics that the agent really has.

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

const pathOf = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const textOf = (name: string) => readFileSync(pathOf(name), 'utf8');
const rules: Rule[] = parse(textOf('ops/alerts.yml')).groups.flatMap(({ rules: some }: { rules: Rule[] }) => some);

const secondsOf = (duration = '0s'): number => Number.parseInt(duration, 10) * (duration.endsWith('m') ? 60 : 1);

/** Rules whose expression has been true at each scrape of the last `for`. */
const firing = (scrapes: readonly Scrape[]): string[] =>
  rules
    .filter((rule) => {
      const from = (scrapes.at(-1)?.at ?? 0) - secondsOf(rule.for);
      if ((scrapes[0]?.at ?? 0) > from) return false;
      return scrapes.every(({ at }, index) => at < from || evaluate(rule.expr, scrapes.slice(0, index + 1)).length > 0);
    })
    .map(({ alert }) => alert);

type Agent = Awaited<ReturnType<typeof startWatchedAgent>>;
let agent: Agent;
afterEach(() => agent?.stop());

test('no expression is true at any moment of half an hour of an agent that is well', async () => {
  agent = await startWatchedAgent();
  await agent.pass(1_800);
  const { scrapes } = agent;
  const isTrue = ({ expr }: Rule) => scrapes.some((_, at) => evaluate(expr, scrapes.slice(0, at + 1)).length > 0);
  expect(rules.filter(isTrue)).toEqual([]);
  expect(await agent.ready()).toMatchObject({ ready: true });
});

describe('each rule fires by what it is for', () => {
  const failing = async () => Promise.reject(new Error('no'));
  const unsent = async () => ({ counts: { due: 1, not_sent: 1 }, nextInSeconds: 15 });
  const open = { queue: 'keeper', label: 'execute plan 3', hash: '0xaa', openMs: 31_000 } as const;

  const cases: readonly [
    rule: string,
    /** Seconds within which it fires. */
    seconds: number,
    spoil: (agent: Agent) => unknown,
  ][] = [
    ['BowlineNotReady', 65, ({ world }) => (world.isStopped = true)],
    ['BowlineStopped', 5, ({ world }) => (world.isStopped = true)],
    ['BowlineRescueWaiting', 15, ({ waiting }) => waiting.add(1n)],
    ['BowlineLoansUnread', 20, ({ world }) => (world.isUp = false)],
    ['BowlineLoanLiquidatable', 65, ({ world }) => (world.health = 99n * 10n ** 16n)],
    ['BowlineRescueLeftOut', 125, ({ world }) => (world.isLeftOutDue = true)],
    ['BowlineEvidenceNotKept', 605, ({ keepEvidence }) => keepEvidence()],
    ['BowlineKeyShared', 305, ({ world }) => (world.isForeignNonce = true)],
    ['BowlineLoopLate', 70, ({ world }) => (world.isUp = false)],
    ['BowlineLoopFailing', 25, ({ world }) => (world.isUp = false)],
    ['BowlineHeadSilent', 20, ({ world }) => (world.isMining = false)],
    ['BowlineHeadAge', 25, ({ world }) => (world.behind = -7_193)],
    ['BowlineOperationOpen', 5, ({ world }) => world.open.push(open)],
    ['BowlineRescueUnpayable', 15, ({ world }) => (world.wei = 10n ** 14n)],
    ['BowlineGasLow', 615, ({ world }) => (world.wei = 4n * 10n ** 17n)],
    ['BowlineRunsUnserved', 1_205, ({ world }) => (world.executor = unsent)],
    ['BowlineUnread', 605, ({ world }) => (world.unread = 1)],
    ['BowlineSourceSilent', 125, ({ world }) => (world.exchange = false)],
    ['BowlineFeedStale', 365, ({ world }) => (world.feedAge = 301n)],
    ['BowlineWorkersApart', 105, ({ world }) => (world.hasRedis = false)],
    ['BowlineCallsFailing', 995, ({ world }) => (world.executor = unsent)],
  ];

  test('and every rule has its case', () => {
    expect(['BowlineDown', ...cases.map(([rule]) => rule)].toSorted()).toEqual(
      rules.map(({ alert }) => alert).toSorted(),
    );
  });

  test.each(cases)('%s, within %i s', async (rule, seconds, spoil) => {
    agent = await startWatchedAgent();
    await agent.pass(30);
    await spoil(agent);
    expect(firing(agent.scrapes)).toEqual([]);
    await agent.pass(seconds);
    expect(firing(agent.scrapes)).toContain(rule);
  });

  test('BowlineWorkersApart, too, when two workers have one key; neither makes /ready 503', async () => {
    agent = await startWatchedAgent();
    agent.world.isKeyShared = true;
    await agent.pass(70);
    expect(firing(agent.scrapes)).toEqual(['BowlineWorkersApart']);
    const { ready, dependencies } = await agent.ready();
    expect([ready, dependencies.workers?.reason]).toEqual([true, 'key_shared']);
    agent.world.isKeyShared = false;
    agent.world.hasRedis = false;
    await agent.pass(35);
    expect(await agent.ready()).toMatchObject({ ready: true, dependencies: { workers: { reason: 'redis_silent' } } });
  });

  test('BowlineDown, without an answer', () => {
    const nothing = Array.from({ length: 20 }, (_, at) => ({ at: at * 5, samples: [] }));
    expect(firing(nothing)).toEqual(['BowlineDown']);
  });

  test('BowlineDown, without an answer of one of several', async () => {
    agent = await startWatchedAgent();
    await agent.pass(120);
    const up = (value: number) =>
      [1, value].map((each, at) => ({ name: 'up', labels: { job: 'bowline', instance: `${at}` }, value: each }));
    const by = (value: number) => agent.scrapes.map(({ at, samples }) => ({ at, samples: [...samples, ...up(value)] }));
    expect(firing(by(1))).toEqual([]);
    expect(firing(by(0))).toEqual(['BowlineDown']);
  });

  test('BowlineCallsFailing, at the first burst', async () => {
    agent = await startWatchedAgent();
    await agent.pass(30);
    agent.world.executor = async () => ({ counts: { due: 6, reverted: 6 } });
    await agent.pass(900);
    expect(firing(agent.scrapes)).toContain('BowlineCallsFailing');
  });

  test('a loop that throws is late, too, and says so in /ready', async () => {
    agent = await startWatchedAgent();
    await agent.pass(30);
    agent.world.executor = failing;
    await agent.pass(1_000);
    expect(firing(agent.scrapes)).toContain('BowlineLoopLate');
    const { ready, dependencies } = await agent.ready();
    expect([ready, dependencies.executor?.reason]).toEqual([false, 'loop_late']);
  });
});

test('promtool accepts the rules', () => {
  const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', pathOf('ops/alerts.yml')]);
  if (error !== undefined && process.env.REQUIRE_PROMTOOL !== '1') return console.warn('promtool is not installed');
  expect([error, status, `${stdout}${stderr}`]).toEqual([undefined, 0, expect.stringContaining('SUCCESS')]);
});

test('every metric and label that rules and dashboard name exists', () => {
  const dashboard = JSON.parse(textOf('ops/dashboard.json'));
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    ),
  ];
  const known = { ...metrics, bowline_events_total: { labels: ['event', 'level'] } };
  const unknown = expressions.flatMap((expression) =>
    [...expression.matchAll(/(bowline_\w+)(?:\{([^}]*)\})?/g)].flatMap(([, name, matchers = '']) => {
      const metric = known[name as keyof typeof known];
      if (metric === undefined) return [name];
      return [...matchers.matchAll(/(\w+)=/g)]
        .map(([, label = '']) => label)
        .filter((label) => !metric.labels?.includes(label));
    }),
  );
  expect(unknown).toEqual([]);
  expect(expressions.length).toBeGreaterThan(rules.length + 10);
});

import { type Look, readinessOf, Unready } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import type { OpenOperation } from '@bowline/core/domain/sending';
import type { Timers } from '@bowline/core/domain/time';
import { pad } from 'viem';
import { unservedOf } from '../../src/loops/executor/plan.ts';
import { createWaitingRescues, rescuesLook } from '../../src/loops/loan-guard/waiting.ts';
import { type Loop, type Round, startLoop } from '../../src/loops/runner.ts';
import { createEvidenceStore } from '../../src/process/evidence-store.ts';
import { createMetrics } from '../../src/process/metrics.ts';
import { dependenciesOf } from '../../src/process/readiness.ts';
import { createVitals } from '../../src/process/vitals.ts';
import type { Watched } from '../../src/process/watched.ts';
import { guard } from '../loops/loan-guard/guard.ts';
import { keepLog } from '../loops/world.ts';
import { type Scrape, samplesIn } from './promql.ts';

/** Time that passes when it is told to, timer by timer. */
function virtualTime() {
  let now = 0;
  const waiting = new Set<{ readonly at: number; readonly call: () => void }>();
  const timers: Timers = {
    now: () => now,
    after(milliseconds, call) {
      const timer = { at: now + milliseconds, call };
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    timers,
    async pass(seconds: number): Promise<void> {
      const until = now + seconds * 1000;
      for (;;) {
        await settled();
        const [next] = [...waiting].toSorted((a, b) => a.at - b.at);
        if (next === undefined || next.at > until) break;
        waiting.delete(next);
        now = next.at;
        next.call();
      }
      now = until;
    },
  };
}

function leftOutDue(): never {
  throw new Unready('rescue_left_out', 'Below the trigger, and left out by the settings: guard 1.');
}

const gwei = 10n ** 9n;
const ether = 10n ** 18n;

/**
 * The agent's own loops, looks, readiness and metrics in virtual time. `world` holds what a node, a market and plans
 * would give. It starts healthy, and tests break it. Blocks come every second.
 */
export async function startWatchedAgent(
  changes: {
    readonly executor?: () => Promise<Round>;
    readonly payer?: string;
    readonly isVerdictKeyUnnamed?: boolean;
    /** Whether it has no key of the executor's operator. */
    readonly isNoOperator?: boolean;
  } = {},
) {
  const { timers, pass } = virtualTime();
  const clock = () => 1_000_000n + BigInt(Math.floor(timers.now() / 1000));
  const world = {
    /** The node answers. */
    isUp: true,
    /** Blocks come. */
    isMining: true,
    /** Seconds by which the chain's time is behind the wall clock. */
    behind: 0,
    executor: changes.executor ?? (async (): Promise<Round> => ({ counts: { plans: 3, due: 1, executed: 1 } })),
    wei: ether,
    feedAge: 30n,
    exchange: true,
    health: (13n * ether) / 10n,
    guards: [1n, 2n, 3n],
    rests: false,
    unread: 0,
    isStopped: false,
    isGasDayUsed: false,
    isForeignNonce: false,
    isLeftOutDue: false,
    gasPriceWei: gwei / 10n,
    hasRedis: true,
    isKeyShared: false,
    open: [] as OpenOperation[],
  };
  const log = keepLog();
  /** A disk that accepts nothing: no folder can be created inside a file. */
  const folder = new URL('watched-agent.ts/', import.meta.url);
  const evidenceStore = createEvidenceStore({ folder, hash: () => '0x', log });
  const metrics = createMetrics(log);
  const vitals = createVitals(clock, timers);
  const waiting = createWaitingRescues(timers);
  const loops: Loop[] = [];
  let redisAt = 0;
  const states = () => loops.map((loop) => loop.state());
  const watched: Watched = {
    vitals,
    loops: states,
    rescues: waiting,
    runs: () => {
      const last = states()[0]?.last ?? {};
      return { due: last.due ?? 0, unserved: unservedOf(last) };
    },
    open: () => world.open,
    isGasDayUsed: () => world.isGasDayUsed,
    isStopped: () => world.isStopped,
    build: { version: '0.1.0', revision: 'abc' },
    isKeyShared: () => world.isForeignNonce,
    isVerdictKeyUnnamed: changes.isVerdictKeyUnnamed === true,
    leftOut: () => ({ plan: {}, guard: { not_served_trigger: 2 } }),
    bounds: {
      ...{ rescueGas: 5_000_000n, maxDayWei: ether / 2n },
      ...{ maxGasPriceWei: 5n * gwei, rescueMaxGasPriceWei: 20n * gwei },
    },
    workers: () => {
      if (world.hasRedis) redisAt = timers.now();
      return { count: 3, redisMs: timers.now() - redisAt, isKeyShared: world.isKeyShared };
    },
  };
  let head = { number: 0n, timestamp: 0n };
  const look = (name: string, read: () => void): Look => ({
    name,
    look: async () => {
      if (!world.isUp) throw new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true });
      read();
      return '';
    },
  });
  const node = look('node', () => {
    if (world.isMining) head = { number: head.number + 1n, timestamp: clock() - BigInt(world.behind) };
    vitals.headSeen(head);
  });
  const keeper = look('keeper', () =>
    vitals.payerSeen(changes.payer ?? 'keeper', { wei: world.wei, gasPriceWei: world.gasPriceWei }),
  );
  vitals.sourceSeen('exchange');
  const exchange = look('exchange', () => {
    if (world.exchange) vitals.sourceSeen('exchange');
  });
  const feeds = look('feeds', () =>
    vitals.feedSeen({ asset: 'BTCB', updatedAt: clock() - world.feedAge, maxAgeSeconds: 300n }),
  );
  const { dependencies, stop: stopLooking } = dependenciesOf(
    watched,
    {
      ...{ head: node.look, payers: [keeper], nodes: [], sources: [exchange], feeds: feeds.look },
      rescues: rescuesLook(waiting),
      served: { name: 'served', look: async () => (world.isLeftOutDue ? leftOutDue() : ''), everySeconds: () => 60 },
      evidence: evidenceStore.look,
    },
    { loops: [...(changes.isNoOperator ? [] : (['executor'] as const)), 'loan-guard', 'jobs'], isSellingOff: false },
    timers,
  );
  metrics.watch(watched, dependencies);
  const loanGuard = async (): Promise<Round> => {
    if (!world.isUp) return { counts: { chain_unavailable: 1 } };
    waiting.loansRead();
    vitals.crowdRead('guards', { read: 2, unread: world.unread, first: 1 });
    vitals.crowdRead('plans', { read: 3, unread: 0 });
    vitals.watchOnly(world.guards);
    vitals.fallBy((factor) => new Map([[pad('0xb7'), factor < 0.9 ? [guard, guard] : [guard]]]));
    vitals.healthsRead([1n, 2n], ['no_debt', 2n * ether]);
    // Guard 3 is not read in each round: it rests.
    if (world.guards.includes(3n) && !world.rests) vitals.healthsRead([3n], [world.health]);
    return { counts: { guards: 2 } };
  };
  if (!changes.isNoOperator) loops.push(startLoop('executor', () => world.executor(), 900, timers, metrics.log));
  loops.push(startLoop('loan-guard', loanGuard, 5, timers, metrics.log));
  loops.push(startLoop('jobs', async () => ({ counts: {} }), 60, timers, metrics.log));
  const scrapes: Scrape[] = [];
  return {
    world,
    waiting,
    vitals,
    timers,
    log: metrics.log,
    keepEvidence: () => evidenceStore.keep(`0x${'ab'.repeat(32)}`, 'a document'),
    ...{ watched, dependencies, clock },
    ready: () => readinessOf(dependencies),
    text: async () => (await metrics.expose()).text,
    scrapes,
    /** Lets this time pass, with a scrape every five seconds. */
    async pass(seconds: number): Promise<void> {
      for (let passed = 0; passed < seconds; passed += 5) {
        await pass(Math.min(5, seconds - passed));
        scrapes.push({ at: timers.now() / 1000, samples: samplesIn((await metrics.expose()).text) });
      }
    },
    stop: () => stopLooking(),
  };
}

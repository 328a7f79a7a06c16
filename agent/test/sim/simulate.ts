import type { Log } from '@bowline/core/domain/log';
import type { Readiness } from '@bowline/core/domain/readiness';
import type { Call, Sent } from '@bowline/core/domain/sending';
import type { Broadcast } from '../../src/sending/eoa/sender.ts';
import { keeperKey, wallet } from './addresses.ts';
import { type Agent, startAgent } from './agent.ts';
import type { BundlerState } from './bundler.ts';
import { blockMs, type Chain, createChain } from './chain.ts';
import type { Excuse } from './excuses.ts';
import { createJudge, type Limits, type Violation } from './invariants.ts';
import { type Network, newNetwork } from './network.ts';
import type { View } from './node.ts';
import type { Pool } from './pool.ts';
import { createProcess, type Process } from './process.ts';
import { createRandom } from './random.ts';
import { type Fault, guardIds, type Ill, type Lie, type Story, storyMs } from './story.ts';
import { createVirtualTime, type VirtualTime } from './virtual-time.ts';

/** What a run of a story measured. */
export interface Report {
  readonly violations: readonly Violation[];
  /** For each rescue: milliseconds since it was due, less the time in which nobody could have acted. */
  readonly rescueMs: readonly number[];
  /** The same, including that time. */
  readonly waitMs: readonly number[];
  /** The same for each run, since its slot began. */
  readonly runMs: readonly number[];
  /** Time that each SIGTERM took. */
  readonly stopMs: readonly number[];
  readonly slotsMissed: number;
  readonly failures: { readonly count: number; readonly wei: bigint };
  /** Log lines by event, at warn and above. */
  readonly events: ReadonlyMap<string, number>;
  readonly steps: number;
  /** Readiness of rescues and relays at the end. */
  readonly readiness: Readiness | undefined;
  readonly trace: readonly string[];
}

export interface SimulateOptions {
  readonly limits: Limits;
  /** Keeps a line for each log line at info and above, or for all. */
  readonly trace?: 'info' | 'debug';
  readonly untilMs?: number;
  /** A pool that records. */
  readonly pool?: Pool;
  /** A private relay of this chain, which alone gets the runs. */
  readonly relayOf?: (chain: Chain, time: VirtualTime) => Broadcast;
}

/** Unix seconds at the start. On the hour, so that every candle is whole. */
const startsAt = 1_800_000_000n;
const ordinaryGasPriceWei = 10n ** 8n;
/** Time that an orchestrator gives a process that it asks to end. */
const graceMs = 30_000;

/** Runs the agent through a story, in virtual time. */
export async function simulate(
  story: Story,
  { limits, trace, untilMs = storyMs, pool, relayOf }: SimulateOptions,
): Promise<Report> {
  const random = createRandom(story.noise);
  const time = createVirtualTime(createRandom(story.noise ^ 0x5bd1e995));
  const operator = story.isWallet ? wallet : keeperKey;
  const plans = Array.from({ length: story.plans }, (_, at) => ({
    id: BigInt(at + 1),
    startAt: startsAt + BigInt(5 + 7 * at),
    periodSeconds: 60n,
    windowSeconds: 50n,
  }));
  const chain = createChain({ operator, plans, startsAt, pool });
  chain.setMinGasPrice(ordinaryGasPriceWei);
  const network = newNetwork();
  const bundler: BundlerState | undefined = story.isWallet && story.hasBundler ? { mood: 'honest' } : undefined;
  const excuses: Excuse[] = [];
  const judge = createJudge({ chain, time, limits, excuses, guardIds });
  const events = new Map<string, number>();
  const lines: string[] = [];
  const stopMs: number[] = [];
  const liedAt = network.nodes.map(() => Number.NEGATIVE_INFINITY);
  /** Nodes that have called loans endangered: none is believed alone for an hour. */
  const refuted = new Set<Network['nodes'][number]>();
  let clockOffset = 0;
  let process: Process = createProcess(time);
  let agent: Agent | undefined;
  let steps = 0;
  /** When the last process ended. */
  let endedMs: number | undefined = 0;

  const note = (text: string): void => {
    if (trace !== undefined)
      lines.push(`${(time.now() / 1000).toFixed(2).padStart(7)} #${chain.head().number} ${text}`);
  };
  const setup = {
    ...{ chain, network, time, random, rttMs: story.rttMs, isWallet: story.isWallet, rescuers: story.rescuers },
    knowsNodes: story.knowsNodes,
    ...{ bundler, guardIds },
    ...(relayOf && { relay: relayOf(chain, time) }),
    clock: () => startsAt + BigInt(Math.floor(time.now() / 1000) + clockOffset),
  };

  function begin(): void {
    const mine = createProcess(time);
    process = mine;
    const lineOf =
      (level: keyof Log) =>
      (event: string, fields: Record<string, unknown> = {}) => {
        if (mine.isDead()) return;
        if (level === 'warn' || level === 'error') events.set(event, (events.get(event) ?? 0) + 1);
        judge.logged(event, fields);
        if (trace === 'debug' || (trace === 'info' && level !== 'debug')) note(`${level} ${event} ${inShort(fields)}`);
      };
    agent = startAgent(setup, mine, {
      log: { debug: lineOf('debug'), info: lineOf('info'), warn: lineOf('warn'), error: lineOf('error') },
      sending: (call: Call) => {
        if (!mine.isDead()) judge.sending(call);
      },
      sent: (call: Call, sent: Sent | { readonly outcome: 'rejected'; readonly error: unknown }) => {
        if (mine.isDead()) return;
        note(`sent ${call.label}: ${sent.outcome}`);
        judge.sent(call, sent);
      },
    });
  }

  function end(afterMs: number): void {
    process.kill();
    steps += process.steps();
    agent = undefined;
    judge.killed();
    endedMs ??= time.now();
    time.after(afterMs, begin);
  }

  function strike(fault: Fault): void {
    note(`# ${fault.kind} ${JSON.stringify({ ...fault, kind: undefined, atMs: undefined })}`);
    if (fault.kind === 'kill') {
      if (!process.isDead()) process.killAfter(fault.steps, () => end(fault.lastsMs));
    } else if (fault.kind === 'stop') {
      const stopped = agent;
      if (stopped !== undefined) void stopping(stopped, process);
    } else apply(fault);
  }

  async function stopping(stopped: Agent, its: Process): Promise<void> {
    const from = time.now();
    endedMs = from;
    await Promise.race([stopped.stop(), time.wait(graceMs)]);
    if (its.isDead()) return;
    stopMs.push(time.now() - from);
    judge.stopped(time.now() - from);
    note('# stopped');
    end(500);
  }

  function apply(fault: Exclude<Fault, { kind: 'kill' | 'stop' }>): void {
    const { undo, excuse } = effectOf(fault, {
      ...{ chain, network, bundler, time, knowsNodes: story.knowsNodes },
      setClock: (seconds) => {
        clockOffset = seconds;
      },
    });
    if (fault.kind === 'two' && fault.how.some((how) => how === 'endangered' || how === 'frozen')) judge.lied();
    if ('lastsMs' in fault) time.after(fault.lastsMs, undo);
    const isForRuns = fault.kind === 'clock';
    if (excuse !== undefined) excuses.push({ fromMs: fault.atMs, toMs: fault.atMs + excuse, isForRuns });
  }

  function block(): void {
    chain.mine(time.now());
    // From the end of a process to the start of the next, nobody acts.
    if (agent?.isStarted() === true && endedMs !== undefined && !process.isDead()) {
      excuses.push({ fromMs: endedMs, toMs: time.now() });
      endedMs = undefined;
    }
    for (const [at, { view }] of network.nodes.entries()) if (isLying(view)) liedAt[at] = time.now();
    const hasLied = network.nodes.map((_, at) => time.now() <= (liedAt[at] ?? 0) + mistrustedMs);
    for (const node of network.nodes) if (node.view.loans === 'endangered') refuted.add(node);
    const sound = network.nodes.filter((node, at) => !isIll(node) && !hasLied[at]);
    if (story.knowsNodes) {
      const excused = { fromMs: time.now() - blockMs, toMs: time.now() + avoidedMs };
      // A rescue needs one node that is honest about loans, and no other that lies about more than loans.
      const isHonest = sound.some((node) => node.view.loans === undefined && !refuted.has(node));
      const isLied = network.nodes.some(({ down }, at) => down === undefined && hasLied[at]);
      const isForRuns = isHonest && (sound.length > 1 || !isLied);
      if (sound.length < 2 || !isForRuns) excuses.push({ ...excused, isForRuns });
    }
    const isUp = endedMs === undefined && network.nodes.some(({ down }) => down === undefined);
    judge.block(endedMs === undefined ? undefined : endedMs);
    if (isUp && agent !== undefined) void agent.isReady().then(judge.readiness);
    time.after(blockMs, block);
  }

  time.after(blockMs, block);
  for (const { atMs, guards } of story.falls) {
    time.after(atMs, () => {
      for (const index of guards) judge.fall(guardIds[index] as bigint);
    });
  }
  for (const fault of story.faults) time.after(fault.atMs, () => strike(fault));
  begin();
  await time.run(untilMs);
  const readiness = await agent?.readiness();
  judge.end();
  process.kill();
  const { violations, rescueMs, waitMs, runMs, slotsMissed } = judge.found();
  const failures = chain.paidForFailures();
  return {
    ...{ violations, rescueMs, waitMs, runMs, stopMs, slotsMissed, failures, events, trace: lines },
    steps: steps + process.steps(),
    readiness,
  };
}

interface World {
  readonly chain: Chain;
  readonly network: Network;
  readonly bundler: BundlerState | undefined;
  readonly time: VirtualTime;
  readonly knowsNodes: boolean;
  readonly setClock: (seconds: number) => void;
}

/** Milliseconds that a guard rests after a rescue that it believes was made, plus the reading that follows. */
const believedMs = 20_000;
/** Milliseconds until requests avoid a node that does not answer, and a request that it has swallowed ends. */
const avoidedMs = 5_000;

/** Milliseconds for which a node that was caught lying is asked nothing. */
const mistrustedMs = 61_000;

/** Applies the fault. `excuse`: milliseconds from its beginning in which nobody could have acted. */
function effectOf(
  fault: Exclude<Fault, { kind: 'kill' | 'stop' }>,
  { chain, network, bundler, time, knowsNodes, setClock }: World,
): { readonly undo: () => void; readonly excuse?: number } {
  const { nodes } = network;
  const nothing = () => {};
  switch (fault.kind) {
    case 'outage':
      for (const node of nodes) node.down = fault.how;
      return {
        undo: () => {
          for (const node of nodes) node.down = undefined;
        },
        excuse: fault.lastsMs,
      };
    case 'gone': {
      const node = nodes[fault.node];
      node.down ??= fault.how;
      return {
        undo: () => {
          node.down = undefined;
        },
        excuse: avoidedMs,
      };
    }
    case 'lag': {
      const node = nodes[fault.node];
      node.view = { ...node.view, behind: fault.blocks };
      return {
        undo: () => {
          node.view = { ...node.view, behind: 0 };
        },
      };
    }
    case 'lie': {
      const node = nodes[fault.node];
      const { behind } = node.view;
      node.view = lyingView(behind, fault.about);
      return {
        undo: () => {
          node.view = { behind: node.view.behind };
        },
        // An agent that knows the nodes believes no single one.
        ...(!knowsNodes && { excuse: fault.lastsMs + believedMs }),
      };
    }
    case 'two': {
      // Behind one address, the agent cannot tell them apart.
      if (!knowsNodes) return { undo: nothing };
      const others = nodes.filter((_, at) => at !== fault.spared);
      for (const [at, node] of others.entries()) sicken(node, fault.how[at] as Ill, chain);
      return {
        undo: () => {
          for (const node of others) {
            [node.down, node.lateMs, node.view] = [undefined, undefined, { behind: node.view.behind }];
          }
        },
        excuse: avoidedMs,
      };
    }
    case 'slow':
      network.delayMs = fault.delayMs;
      return {
        undo: () => {
          network.delayMs = 0;
        },
        excuse: fault.lastsMs,
      };
    case 'sends':
      network.nextSends.push(...Array.from({ length: fault.count }, () => fault.become));
      return { undo: nothing };
    case 'dropped': {
      const newest = chain.pool.newest();
      if (newest !== undefined) chain.pool.drop(newest.hash);
      return { undo: nothing };
    }
    case 'reorganisation':
      chain.reorganise(time.now(), fault.depth, () => fault.isKept);
      return { undo: nothing };
    case 'dear':
      chain.setMinGasPrice(ordinaryGasPriceWei * BigInt(fault.times));
      return { undo: () => chain.setMinGasPrice(ordinaryGasPriceWei) };
    case 'bundler':
      if (bundler !== undefined) bundler.mood = fault.mood;
      return {
        undo: () => {
          if (bundler !== undefined) bundler.mood = 'honest';
        },
      };
    case 'clock':
      setClock(fault.seconds);
      return { undo: () => setClock(0), excuse: fault.lastsMs };
  }
}

function sicken(node: Network['nodes'][number], how: Ill, chain: Chain): void {
  const { view } = node;
  if (typeof how === 'object') node.lateMs = how.lateMs;
  else if (how === 'healthy' || how === 'endangered') node.view = { ...view, loans: how };
  else if (how === 'frozen') node.view = { ...view, frozenAt: chain.head().number };
  else if (how === 'forgets') node.view = { ...view, calls: 'forgotten' };
  else node.down ??= how;
}

function lyingView(behind: number, about: Lie): View {
  if (about === 'heads') return { behind, headsAhead: 1_000 };
  return about === 'calls' ? { behind, calls: 'reverted' } : { behind, receipts: about };
}

const isLying = ({ headsAhead, receipts, calls }: View): boolean =>
  headsAhead !== undefined || receipts !== undefined || calls === 'reverted';
const isIll = ({ down, lateMs, view }: Network['nodes'][number]): boolean =>
  down !== undefined || lateMs !== undefined || view.frozenAt !== undefined || view.calls === 'forgotten';

const inShort = (fields: Record<string, unknown>): string => {
  const text = JSON.stringify(fields, (_, value: unknown) =>
    typeof value === 'bigint'
      ? String(value)
      : value instanceof Error
        ? ((value as { shortMessage?: string }).shortMessage ?? value.message)
        : value,
  );
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

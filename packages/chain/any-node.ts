// What several nodes say about loans in danger, each on its own. A false "endangered" costs at most a revert, because the contract checks
// again; a false "healthy" costs the loan. So the most alarming report counts, and no two need to agree.

import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import type { Health } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import { sleep } from '@bowline/core/domain/sleep';
import type { Timers } from '@bowline/core/domain/time';
import type { Hex } from 'viem';
import type { ChainClient } from './chain-client.ts';
import type { OneNode } from './nodes/nodes.ts';
import type { BatchPreviewer, HealthReader, JudgedLoans, JudgedRescue, Word } from './readers.ts';

/** How long to wait for the other nodes after the first answer, and after two answers that suffice. */
const PATIENCE_MS = 300;
const ENOUGH_MS = 100;
/** The same if no answer leads to a rescue: the honest node may be a slow one. */
const LAST_MS = 1_000;

/**
 * Asks all nodes, except those known to be silent while others respond.
 * @param isEnough whether these answers suffice: a slow third node then delays little.
 * @param isNothing whether these answers are not worth acting on without the other nodes'.
 */
function asker(nodes: readonly OneNode[], timers: Timers) {
  /** Nodes whose last answer came too late. They are not waited for. */
  const tardy = new Set<OneNode>();
  return async <Answer>(
    ask: (node: OneNode) => Promise<Answer>,
    isEnough: (answers: readonly Answer[]) => boolean,
    isNothing: (answers: readonly Answer[]) => boolean = () => false,
  ): Promise<ReadonlyMap<OneNode, Answer>> => {
    const heard = nodes.filter((node) => !node.isSilent());
    const answers = new Map<OneNode, Answer>();
    const enough = Promise.withResolvers<void>();
    const since = timers.now();
    const asked = (heard.length > 0 ? heard : nodes).map((node) => {
      const answer = ask(node).then((said) => {
        answers.set(node, said);
        if (answers.size > 1 && isEnough([...answers.values()])) enough.resolve();
        if (timers.now() - since < PATIENCE_MS) tardy.delete(node);
      });
      return { node, answer };
    });
    await Promise.any(asked.map(({ answer }) => answer)).catch(({ errors }: AggregateError) => {
      throw errors[0];
    });
    const prompt = Promise.allSettled(asked.flatMap(({ node, answer }) => (tardy.has(node) ? [] : answer)));
    const soon = enough.promise.then(() => sleep(timers, ENOUGH_MS));
    await Promise.race([prompt, soon, sleep(timers, PATIENCE_MS)]);
    if (isNothing([...answers.values()])) {
      await Promise.race([Promise.allSettled(asked.map(({ answer }) => answer)), sleep(timers, LAST_MS)]);
    }
    for (const { node } of asked) if (!answers.has(node)) tardy.add(node);
    return new Map(answers);
  };
}

interface Lines {
  readonly nodes: { each(): readonly OneNode[] };
  /** The client to use if there is only one node. */
  readonly rescuing: ChainClient;
}

/** Health as reported by the most alarming node. @param readerOf makes a reader that asks a single node. */
export function healthByAnyNode(
  lines: Lines,
  readerOf: (client: ChainClient) => HealthReader,
  timers: Timers,
): HealthReader {
  const nodes = lines.nodes.each();
  if (nodes.length === 1) return readerOf(lines.rescuing);
  const all = asker(nodes, timers);
  const readers = new Map(nodes.map((node) => [node, readerOf(node.client)]));
  /** Alarming reports that came too late for the round that asked. */
  const late = new Map<OneNode, ReadonlyMap<GuardKey, Report>>();

  /** The most alarming report of the believed nodes, by guard. `isFull`: all of them reported. */
  async function read(ask: (reader: HealthReader) => Promise<JudgedLoans>) {
    let isOver = false;
    const askNode = async (node: OneNode): Promise<ReadonlyMap<GuardKey, Report>> => {
      const judged = await ask(readers.get(node) as HealthReader);
      const reports = judged.guards.map((guard, at) => ({ guard, health: judged.healths[at] ?? 'unread' }));
      const byKey = (some: readonly Report[]) => new Map(some.map((each) => [guardKey(each.guard), each] as const));
      if (isOver) late.set(node, byKey(reports.filter(isAlarming)));
      return byKey(reports);
    };
    const isAlarm = (reports: ReadonlyMap<GuardKey, Report>) => [...reports.values()].some(isAlarming);
    const answers = await all(askNode, (said) => said.every(isAlarm));
    isOver = true;
    const believed = [...answers].filter(([node]) => node.wasRight() !== false);
    const said = (believed.length > 0 ? believed : [...answers]).map(([, reports]) => reports);
    const before = [...late].flatMap(([node, reports]) =>
      node.wasRight() === false || answers.has(node) ? [] : [reports],
    );
    late.clear();
    const most = new Map<GuardKey, Report & { readonly isFull: boolean }>();
    for (const reports of [...said, ...before]) {
      for (const [key, { guard, health }] of reports) {
        const known = most.get(key);
        const isFull = known?.isFull ?? said.every((each) => each.has(key));
        most.set(key, { guard, health: known ? worst(guard, known.health, health) : health, isFull });
      }
    }
    return most;
  }

  return {
    async healths(guards) {
      const reports = await read(async (reader) => ({ guards, healths: await reader.healths(guards) }));
      return guards.map((guard) => reports.get(guardKey(guard))?.health ?? 'unread');
    },
    async watch(...asked) {
      const reports = await read((reader) => reader.watch(...asked));
      // A guard that one node did not read and another left out is healthy.
      const judged = [...reports.values()].filter(({ health, isFull }) => isFull || health !== 'unread');
      return { guards: judged.map(({ guard }) => guard), healths: judged.map(({ health }) => health) };
    },
    changed: (guard) => {
      for (const reader of readers.values()) reader.changed(guard);
    },
    falling: (factor) => {
      const most = new Map<Hex, readonly Guard[]>();
      for (const reader of readers.values()) {
        for (const [market, guards] of reader.falling(factor)) {
          if (guards.length >= (most.get(market)?.length ?? 0)) most.set(market, guards);
        }
      }
      return most;
    },
  };
}

interface Report {
  readonly guard: Guard;
  readonly health: Health;
}

const isAlarming = ({ guard, health }: Report): boolean => rankOf(guard, health) > HEALTHY;

const HEALTHY = 2;

/** A loan that one node cannot read is judged by the contract. */
function rankOf({ triggerHealthWad }: Guard, health: Health): number {
  if (health === 'unread') return 0;
  if (health === 'no_debt') return 1;
  if (health === 'unreadable') return 3;
  return health < triggerHealthWad ? 4 : HEALTHY;
}

function worst(guard: Guard, one: Health, other: Health): Health {
  const more = rankOf(guard, other) - rankOf(guard, one);
  const isLower = typeof other === 'bigint' && typeof one === 'bigint' && other < one;
  return more > 0 || (more === 0 && isLower) ? other : one;
}

/** Simulates rescues at all nodes. @param previewerOf makes a previewer that asks a single node. */
export function rescuesByAnyNode(
  lines: Lines,
  previewerOf: (client: ChainClient) => Pick<BatchPreviewer, 'rescues'>,
  timers: Timers,
): Pick<BatchPreviewer, 'rescues'> {
  const nodes = lines.nodes.each();
  if (nodes.length === 1) return previewerOf(lines.rescuing);
  const all = asker(nodes, timers);
  const previewers = new Map(nodes.map((node) => [node, previewerOf(node.client)]));
  return {
    async rescues(call) {
      const ask = (node: OneNode) => (previewers.get(node) as Pick<BatchPreviewer, 'rescues'>).rescues(call);
      const isDue = (judged: readonly JudgedRescue[]) => judged.length > 0 && judged.every((each) => 'repay' in each);
      const isAnyDue = (judged: readonly JudgedRescue[]) => judged.some((each) => 'repay' in each);
      const answers = await all(
        ask,
        (said) => said.filter(isDue).length > 1,
        (said) => !said.some(isAnyDue),
      );
      const lists = [...answers].filter(([, judged]) => judged.length > 0);
      const [, longest = []] = lists.toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
      const words = new Map<string, Word>();
      return longest.map((_, at) => {
        const said = lists.flatMap(([node, judged]) => (judged[at] ? [{ node, judged: judged[at] }] : []));
        return together(said, (due, isDoubtful) => {
          const key = `${due.map((node) => nodes.indexOf(node))} ${isDoubtful}`;
          const word = words.get(key) ?? wordOf(due, isDoubtful);
          words.set(key, word);
          return word;
        });
      });
    },
  };
}

/**
 * What nodes say about one rescue. A single node is believed unless the chain has refuted it; two are believed even if refuted, but
 * if another contradicts them, only as a doubtful report.
 */
function together(
  said: readonly { readonly node: OneNode; readonly judged: JudgedRescue }[],
  wordBy: (due: readonly OneNode[], isDoubtful: boolean) => Word,
): JudgedRescue {
  const due = said.flatMap(({ node, judged }) => ('repay' in judged ? [{ node, repay: judged.repay }] : []));
  const denial = said.find(({ judged }) => 'error' in judged)?.judged;
  const [first, second] = due;
  const hasRefuted = due.some(({ node }) => node.wasRight() === false);
  if (first === undefined || (second === undefined && hasRefuted)) return denial ?? { error: 'node_refuted' };
  const { repay } = first;
  if (second !== undefined && denial === undefined) return { repay };
  const isDoubtful = denial !== undefined && (second === undefined || hasRefuted);
  return {
    repay,
    word: wordBy(
      due.map(({ node }) => node),
      isDoubtful,
    ),
  };
}

function wordOf(due: readonly OneNode[], isDoubtful: boolean): Word {
  const isLone = due.length === 1;
  return {
    isDoubtful,
    isUnproven: (isLone || isDoubtful) && due.some((node) => node.wasRight() !== true),
    judge: (isRight: boolean) => {
      // If two agree, that says nothing about how reliable one of them is alone.
      if (isLone || !isRight) for (const node of due) node.judge(isRight);
    },
  };
}

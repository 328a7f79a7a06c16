import type { Life } from '../../test/faults/agents.ts';
import { lateOf, type startJudge } from '../../test/faults/judge.ts';
import type { Run } from '../../test/faults/living.ts';
import { explained, type Line, type Trouble } from './explain.ts';
import { type Sample, slopePerHour } from './memory.ts';

type Judge = ReturnType<typeof startJudge>;

export interface Soaked {
  readonly log: readonly Line[];
  readonly troubles: readonly Trouble[];
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly lives: readonly Pick<Life, 'toMs'>[];
  readonly samples: readonly Sample[];
  readonly falls: readonly { readonly guardId: bigint; readonly atMs: number }[];
  /** What the chain says, by guard and by plan. */
  readonly rescues: ReadonlyMap<bigint, readonly { readonly time: number }[]>;
  readonly runs: ReadonlyMap<bigint, readonly Run[]>;
  readonly waits: Judge['waits'];
  readonly readyAlthough: Judge['readyAlthough'];
  /** Seconds, by plan. */
  readonly periods: ReadonlyMap<bigint, number>;
  readonly toMs: number;
}

/** The promise is the outage and 5 s; the rest is for looks at the chain and a machine that others use. */
const allowedMs = 10_000;
const maxHeapMbPerHour = 10;
const maxRssMbPerHour = 60;
/** A new process compiles, fills its caches and settles. */
const settlingMs = 5 * 60_000;
/** A restart loses the reports of what was done around it. */
const untoldMs = 20_000;

/** What the hour shows, and what is wrong with it. */
export function judgeSoak(soaked: Soaked): { readonly lines: string[]; readonly reasons: string[] } {
  const parts = [judgeRescues, judgeRuns, judgeLog, judgeMemory].map((judge) => judge(soaked));
  return { lines: parts.flatMap(({ lines }) => lines), reasons: parts.flatMap(({ reasons }) => reasons) };
}

interface Part {
  readonly lines: string[];
  readonly reasons: string[];
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const time = (ms: number) => new Date(ms).toISOString().slice(11, 19);
const countOf = (log: readonly Line[], event: string) => log.filter((line) => line.event === event).length;

function judgeRescues({ log, troubles, gaps, falls, rescues, waits, readyAlthough, lives }: Soaked): Part {
  const reasons: string[] = [];
  let made = 0;
  for (const [guardId, records] of rescues) {
    made += records.length;
    const fallen = falls.filter((fall) => fall.guardId === guardId).length;
    if (records.length !== fallen) reasons.push(`Guard ${guardId} made ${records.length} rescues of ${fallen} falls.`);
    const told = log.filter((line) => line.event === 'rescue.done' && line.guardId === `${guardId}`).length;
    const excused =
      records.filter((record) => isAroundAnEnd(record.time, lives)).length + toldOtherwise(log, 'rescue', guardId);
    if (told > records.length)
      reasons.push(`Guard ${guardId}: ${told} rescues in the log, ${records.length} on chain.`);
    if (told + excused < records.length)
      reasons.push(`Guard ${guardId}: ${records.length} rescues on chain, ${told} in the log, ${excused} excused.`);
  }
  const excuses = [...troubles.filter(({ cause }) => cause !== 'stop'), ...gaps];
  const waited = waits.map((wait) => wait.toMs - wait.fromMs).toSorted((a, b) => a - b);
  const late = waits.map((wait) => ({ wait, ms: lateOf(wait, excuses, allowedMs) })).toSorted((a, b) => b.ms - a.ms);
  for (const { wait, ms } of late.filter(({ ms }) => ms > allowedMs))
    reasons.push(`Guard ${wait.guardId} was due at ${time(wait.fromMs)} and rescued ${seconds(ms)} after it could be.`);
  for (const { guardId, atMs, waitedMs } of readyAlthough)
    reasons.push(`${time(atMs)}: READY although the loan of guard ${guardId} had been due for ${seconds(waitedMs)}.`);
  const at = (part: number) => seconds(waited[Math.ceil(part * waited.length) - 1] ?? 0);
  return {
    lines: [
      `loans     ${falls.length} falls, ${made} rescues on chain, ${countOf(log, 'rescue.done')} in the log`,
      `          wait of a due loan: half ${at(0.5)}, 90 % ${at(0.9)}, longest ${at(1)}; beyond a fault at most ${seconds(late[0]?.ms ?? 0)}`,
    ],
    reasons,
  };
}

/** Whether a process ended soon after, before it could report. */
const isAroundAnEnd = (unixSeconds: number, lives: Soaked['lives']): boolean =>
  lives.some(({ toMs = Number.NaN }) => toMs >= unixSeconds * 1000 - 1_000 && toMs <= unixSeconds * 1000 + untoldMs);

/**
 * Calls for this guard or plan of which something else was told: that their nonce is used, by whatever (CH-4), or that
 * they reverted, as a forged receipt says. The log is judged for whether a fault explains the latter.
 */
const toldOtherwise = (log: readonly Line[], what: 'rescue' | 'execute', id: bigint): number =>
  log.filter(({ event, label }) => {
    const text = event === 'call.consumed' || event === 'call.reverted' ? String(label) : '';
    const ids: readonly string[] = text.match(/\d+/g) ?? [];
    return text.startsWith(what) && ids.includes(`${id}`);
  }).length;

function judgeRuns({ log, runs, periods, toMs, lives }: Soaked): Part {
  const reasons: string[] = [];
  const total = { executed: 0, deferred: 0, slots: 0 };
  for (const [planId, records] of runs) {
    const period = periods.get(planId) ?? 0;
    const first = Math.min(...records.map(({ slotStart }) => slotStart));
    for (const { outcome } of records) total[outcome] += 1;
    // The slot that is open at the end may still be served.
    for (let slot = first; slot + period < toMs / 1000; slot += period) {
      total.slots += 1;
      const served = records.filter(({ slotStart }) => slotStart === slot);
      const executed = served.filter(({ outcome }) => outcome === 'executed').length;
      if (served.length === 0)
        reasons.push(`Plan ${planId}: slot of ${time(slot * 1000)} was neither run nor deferred.`);
      if (executed > 1) reasons.push(`Plan ${planId}: slot of ${time(slot * 1000)} was run ${executed} times.`);
    }
    if (records.length === 0) reasons.push(`Plan ${planId} has no record.`);
    for (const [event, outcome] of [
      ['run.executed', 'executed'],
      ['run.deferred', 'deferred'],
    ] as const) {
      const told = log.filter((line) => line.event === event && line.planId === `${planId}`).length;
      const made = records.filter((record) => record.outcome === outcome);
      const excused =
        made.filter((record) => isAroundAnEnd(record.time, lives)).length + toldOtherwise(log, 'execute', planId);
      if (told > made.length || told + excused < made.length)
        reasons.push(`Plan ${planId}: ${made.length} ${outcome} on chain, ${told} in the log, ${excused} excused.`);
    }
  }
  const told = `${countOf(log, 'run.executed')} and ${countOf(log, 'run.deferred')}`;
  return {
    lines: [
      `plans     ${total.slots} slots, ${total.executed} runs and ${total.deferred} deferrals on chain, ${told} in the log`,
    ],
    reasons,
  };
}

function judgeLog({ log, troubles, lives }: Soaked): Part {
  const serious = log.filter(({ level }) => level === 'warn' || level === 'error');
  const ends: Trouble[] = lives.flatMap(({ toMs }) =>
    toMs === undefined ? [] : [{ cause: 'stop', fromMs: toMs, toMs: toMs + 6_000 } as const],
  );
  const all = [...troubles, ...ends];
  const unexplained = serious.filter((line) => explained(line, all) === undefined);
  const events = new Map<string, number>();
  for (const { event } of serious) events.set(event, (events.get(event) ?? 0) + 1);
  const counts = [...events].toSorted(([, a], [, b]) => b - a).map(([event, count]) => `${event} ${count}`);
  return {
    lines: [
      `faults    ${troubles.filter(({ cause }) => cause !== 'start' && cause !== 'stop').length}, restarts ${lives.length - 1}`,
      `log       ${log.length} lines, ${serious.length} of level warn or error, ${unexplained.length} unexplained`,
      ...(counts.length === 0 ? [] : [`          ${counts.join(', ')}`]),
    ],
    reasons: unexplained.map((line) => `Nothing explains ${JSON.stringify(line)}`),
  };
}

function judgeMemory({ samples }: Soaked): Part {
  const life = samples.at(-1)?.life;
  const all = samples.filter((sample) => sample.life === life);
  const from = (all[0]?.atMs ?? 0) + settlingMs;
  const settled = all.filter(({ atMs }) => atMs >= from);
  const [first, last] = [settled[0], settled.at(-1)];
  if (first === undefined || last === undefined || settled.length < 10)
    return { lines: ['memory    too short to tell'], reasons: [] };
  const heap = slopePerHour(settled.map(({ atMs, heapMb }) => [atMs, heapMb]));
  const rss = slopePerHour(settled.map(({ atMs, rssMb }) => [atMs, rssMb]));
  return {
    lines: [
      `memory    over ${((last.atMs - first.atMs) / 60_000).toFixed(0)} minutes: heap after collection ` +
        `${first.heapMb.toFixed(1)} → ${last.heapMb.toFixed(1)} MB, ${heap.toFixed(1)} MB an hour (limit ${maxHeapMbPerHour}); ` +
        `resident ${first.rssMb.toFixed(0)} → ${last.rssMb.toFixed(0)} MB, ${rss.toFixed(1)} MB an hour (limit ${maxRssMbPerHour})`,
    ],
    reasons: [
      ...(heap > maxHeapMbPerHour ? [`The heap grows by ${heap.toFixed(1)} MB an hour.`] : []),
      ...(rss > maxRssMbPerHour ? [`Resident memory grows by ${rss.toFixed(1)} MB an hour.`] : []),
    ],
  };
}

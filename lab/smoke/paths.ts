import { setTimeout as sleep } from 'node:timers/promises';
import { type Coverage, fileOf, type Ran } from './coverage.ts';

export const pathNames = ['question', 'verdict', 'plan', 'rescue'] as const;
export type PathName = (typeof pathNames)[number];

/** The files that ran on each path, sorted. */
export type Paths = Readonly<Record<PathName, readonly string[]>>;

/** Attributes the code that runs in the agent to paths. Time windows must not overlap. */
export interface Recorder {
  /** Code that runs during `act` belongs to this path, except what the idle agent runs anyway. */
  during<Seen>(path: PathName, act: () => Promise<Seen>): Promise<Seen>;
  /** The same for an answer on its own: waits first until everything that the agent caches for others has expired. */
  answer(path: PathName, ask: () => Promise<unknown>): Promise<void>;
  /** Resolves when the executor has just ended a round. */
  roundEnd(): Promise<void>;
  paths(): Paths;
}

/** The agent shares market facts for this long (agent/src/sources/propose.ts); this adds a margin. */
const EXPIRY_MS = 5_200;
const LOOK_MS = 300;
const MAX_TRIES = 4;

/** The demo has a plan that is deferred in each round, so the executor's work is never idle. */
const isRound = (ran: Ran) => [...ran].some((each) => each.startsWith('agent/src/loops/executor/'));

export function createRecorder(coverage: Coverage): Recorder {
  const idle = new Set<string>();
  const windows: Record<PathName, Ran[]> = { question: [], verdict: [], plan: [], rescue: [] };

  const ranDuring = async (act: () => Promise<unknown>): Promise<Ran> => {
    await coverage.take();
    await act();
    return coverage.take();
  };

  const rest = async () => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const ran = await ranDuring(() => sleep(EXPIRY_MS));
      if (isRound(ran)) continue;
      for (const each of ran) idle.add(each);
      return;
    }
    throw new Error('The executor is never idle.');
  };

  return {
    async during(path, act) {
      await coverage.take();
      const seen = await act();
      windows[path].push(await coverage.take());
      return seen;
    },
    async answer(path, ask) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        await rest();
        const ran = await ranDuring(ask);
        if (isRound(ran)) continue;
        windows[path].push(ran);
        return;
      }
      throw new Error('The executor is at work during each answer.');
    },
    async roundEnd() {
      const look = async () => isRound(await ranDuring(() => sleep(LOOK_MS)));
      while (!(await look()));
      while (await look());
    },
    paths: () => {
      const of = (path: PathName) => filesOf(windows[path], idle);
      const rescues = windows.rescue.filter((ran) => !isRound(ran));
      if (rescues.length === 0) throw new Error('The executor was at work during each rescue: try again.');
      return { question: of('question'), verdict: of('verdict'), plan: of('plan'), rescue: filesOf(rescues, idle) };
    },
  };
}

/** Unrelated code may run within one window, but not within all of them. */
export function filesOf([first, ...others]: readonly Ran[], idle: Ran): string[] {
  const always = [...(first ?? [])].filter((ran) => !idle.has(ran) && others.every((other) => other.has(ran)));
  return [...new Set(always.map(fileOf))].sort();
}

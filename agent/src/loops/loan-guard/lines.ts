import type { Call, Log, Sender } from '@bowline/core/domain/ports';
import { createDispatch, type Dispatch } from '../dispatch.ts';
import type { Tally } from '../tally.ts';

/** What goes to the chain by one way. What is slow or lost there holds up no other line. */
export interface Line {
  readonly dispatch: Dispatch;
  isBusy(): boolean;
  /** Begins it, while the line is not busy. */
  start(work: () => Promise<unknown>): void;
}

/** One line for each way of a sender; one alone where the sender has one. */
export interface Lines {
  of(call: Call): Line;
  /** Looks by each line that is not busy for what became of its lost call. */
  findLost(tally: Tally): void;
  areBusy(): boolean;
  hasLost(): boolean;
  /** Until no line is busy; for a moment only, if other ways may be free. */
  pause(): Promise<void>;
  /** Until no line is busy. Throws what work has thrown. */
  end(): Promise<void>;
}

/** About one block. */
const moment = () => new Promise((resolve) => setTimeout(resolve, 500));

export function createLines(sender: Sender, log: Log): Lines {
  const lines = new Map<unknown, Line>();
  const works = new Set<Promise<void>>();
  let failures: unknown[] = [];

  function newLine(): Line {
    let busy = false;
    return {
      dispatch: createDispatch(sender, log),
      isBusy: () => busy,
      start(work) {
        busy = true;
        const run = async () => {
          try {
            await work();
          } catch (error) {
            failures.push(error);
          }
          busy = false;
        };
        const running: Promise<void> = run().finally(() => works.delete(running));
        works.add(running);
      },
    };
  }

  const whenAll = async () => void (await Promise.all(works));
  return {
    of(call) {
      const way = sender.wayOf?.(call);
      const line = lines.get(way) ?? newLine();
      lines.set(way, line);
      return line;
    },
    findLost(tally) {
      for (const line of lines.values()) {
        if (!line.isBusy() && line.dispatch.hasLost()) line.start(() => line.dispatch.findLost(tally));
      }
    },
    areBusy: () => works.size > 0,
    hasLost: () => [...lines.values()].some(({ dispatch }) => dispatch.hasLost()),
    async pause() {
      if (works.size === 0) return;
      await (sender.wayOf === undefined ? whenAll() : Promise.race([whenAll(), moment()]));
    },
    async end() {
      await whenAll();
      const [failure] = failures;
      const hasFailed = failures.length > 0;
      failures = [];
      if (hasFailed) throw failure;
    },
  };
}

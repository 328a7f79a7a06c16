import type { Timers } from '@bowline/core/domain/time';
import type { VirtualTime } from './virtual-time.ts';

/** One run of the agent, which may be killed at any of its steps, or frozen. */
export interface Process {
  readonly timers: Timers;
  isDead(): boolean;
  /** Kills it: whatever it waits for never comes, and nothing that it still does has an effect. */
  kill(): void;
  /** Kills it after this many more steps: a step is a request, a response or a timer. */
  killAfter(steps: number, then: () => void): void;
  /** As SIGSTOP does: it makes no progress until it is thawed. */
  freeze(): void;
  thaw(): void;
  /** Counts a step; never resolves for a dead process. */
  step(): Promise<void>;
  steps(): number;
}

export function createProcess(time: VirtualTime): Process {
  let isDead = false;
  let steps = 0;
  let frozen: PromiseWithResolvers<void> | undefined;
  let killAt: { readonly step: number; readonly then: () => void } | undefined;

  const count = (): void => {
    steps += 1;
    if (isDead || killAt === undefined || steps < killAt.step) return;
    isDead = true;
    killAt.then();
  };
  return {
    isDead: () => isDead,
    kill() {
      isDead = true;
    },
    killAfter(more, then) {
      killAt = { step: steps + more, then };
    },
    freeze() {
      frozen ??= Promise.withResolvers();
    },
    thaw() {
      frozen?.resolve();
      frozen = undefined;
    },
    step() {
      count();
      return isDead ? new Promise<never>(() => {}) : (frozen?.promise ?? Promise.resolve());
    },
    steps: () => steps,
    timers: {
      now: time.now,
      after: (milliseconds, call) =>
        time.after(milliseconds, () => {
          const fire = () => {
            if (isDead) return;
            count();
            if (!isDead) call();
          };
          if (frozen === undefined) fire();
          else void frozen.promise.then(fire);
        }),
    },
  };
}

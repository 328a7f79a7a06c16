import type { Tick } from '../loops/runner.ts';

/** Seconds between two looks for the end of a stop. */
const AGAIN_SECONDS = 15;

/** Runs no round while the agent is stopped: judging what cannot be sent would only ask sources and fill the log. */
export const holding =
  (isStopped: () => boolean, tick: Tick): Tick =>
  async (stopping, cause) =>
    isStopped() ? { counts: { stopped: 1 }, nextInSeconds: AGAIN_SECONDS } : tick(stopping, cause);

/** The rule by which a sender refuses calls while the agent is stopped. */
export const ruleOf = (isStopped: () => boolean) => () => (isStopped() ? 'stop_file' : undefined);

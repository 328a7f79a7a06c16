import { isUnreachable } from '@bowline/chain/errors';
import type { Transport } from 'viem';
import { elapsed, type Moment, thisMoment } from '../api/age.ts';

/** The node counts as silent if it answers no request for this long. */
const SILENT_MS = 10_000;
/** An answer that takes longer counts as slow, and the page says so. */
const SLOW_MS = 5_000;

/** How the chain's node has behaved. */
interface LineState {
  /** When it last answered; undefined: never. */
  readonly answered: Moment | undefined;
  /** Since when no request has been answered; undefined while it answers. */
  readonly silentSince: Moment | undefined;
  /** Whether the last answer was slow, or a pending one already is. */
  readonly isSlow: boolean;
}

/** Watches every request from the page to its node. */
export interface Line {
  readonly watch: (transport: Transport) => Transport;
  readonly subscribe: (listener: () => void) => () => void;
  readonly state: () => LineState;
}

export function createLine(): Line {
  let state: LineState = { answered: undefined, silentSince: undefined, isSlow: false };
  const listeners = new Set<() => void>();
  const become = (next: LineState) => {
    const isNews =
      next.silentSince !== state.silentSince || next.isSlow !== state.isSlow || state.answered === undefined;
    state = next;
    // Components that show an age read the state every second anyway.
    if (isNews) for (const listener of listeners) listener();
  };
  const answered = (since: Moment) => {
    const now = thisMoment();
    become({ answered: now, silentSince: undefined, isSlow: elapsed(since, now) >= SLOW_MS });
  };
  const silent = () => become({ ...state, silentSince: state.silentSince ?? thisMoment() });
  return {
    watch: (transport) => (options) => {
      const made = transport(options);
      const request: typeof made.request = async (asked, how) => {
        const since = thisMoment();
        // A request that hangs fails only after its retries, half a minute later.
        const slowTimer = setTimeout(() => become({ ...state, isSlow: true }), SLOW_MS);
        const timer = setTimeout(() => {
          if (state.answered === undefined || elapsed(since, state.answered) === 0) silent();
        }, SILENT_MS);
        try {
          const answer = await made.request(asked, how);
          answered(since);
          return answer as never;
        } catch (error) {
          // A refusal is an answer.
          if (isUnreachable(error)) silent();
          else answered(since);
          throw error;
        } finally {
          clearTimeout(slowTimer);
          clearTimeout(timer);
        }
      };
      return { ...made, request };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
  };
}

import type { Call, Log, Sender } from '@bowline/core/domain/ports';
import type { Hex } from '@bowline/core/domain/units';
import { type Settled, settle } from './outcome.ts';
import type { Tally } from './tally.ts';

/** Sends a loop's calls, and comes back to the one whose outcome was not known in its own round. */
export interface Dispatch {
  /** `conclude` is given what became of the call, and once more in a later round if that was not known. */
  send<Done>(call: Call, tally: Tally, conclude: Conclude<Done>): Promise<Done>;
  /** For the start of a round. False while it is still not known what became of the last call: nothing can be sent. */
  findLost(tally: Tally): Promise<boolean>;
  /** Whether it is not known what became of the last call. */
  hasLost(): boolean;
}

/** Does what follows from it: counts, tells, remembers. */
type Conclude<Done> = (settled: Settled, tally: Tally) => Promise<Done>;

interface Lost {
  readonly call: Call;
  readonly hash: Hex;
  readonly conclude: Conclude<unknown>;
}

export function createDispatch(sender: Sender, log: Log): Dispatch {
  // One at most: while there is one, the sender sends nothing.
  let lost: Lost | undefined;
  return {
    hasLost: () => lost !== undefined,
    async send(call, tally, conclude) {
      const sent = await sender.send(call);
      if (sent.outcome === 'unknown') lost = { call, hash: sent.hash, conclude };
      return conclude(settle(call, sent, tally, log), tally);
    },
    async findLost(tally) {
      if (lost === undefined) return true;
      const { call, hash, conclude } = lost;
      const sent = await sender.outcome(hash);
      if (sent.outcome === 'unknown') {
        tally.add('unknown');
        return false;
      }
      lost = undefined;
      await conclude(settle(call, sent, tally, log), tally);
      return true;
    },
  };
}

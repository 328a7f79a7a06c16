import type { Call, Log, Sender, Sent } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import type { Hex } from '@bowline/core/domain/units';
import type { Tally } from './runner.ts';

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

export type Confirmed = Extract<Sent, { outcome: 'confirmed' }>;

/**
 * `confirmed`: it is done. `refused`: it is not, and the next call may still be. `reverted`: the same, and gas was paid.
 * `stop`: send nothing more in this tick.
 */
export type Settled =
  | { readonly state: 'confirmed'; readonly sent: Confirmed }
  | { readonly state: 'refused' | 'reverted' | 'stop'; readonly sent: Exclude<Sent, Confirmed> };

/** Counts what became of a call, and tells of what somebody should look at. */
export function settle(call: Call, sent: Sent, tally: Tally, log: Log): Settled {
  const { label } = call;
  switch (sent.outcome) {
    case 'confirmed':
      return { state: 'confirmed', sent };
    case 'would_revert':
      tally.add(`would_revert.${sent.error}`);
      log.info('call.would_revert', { label, error: sent.error });
      return { state: 'refused', sent };
    case 'reverted':
      tally.add('reverted');
      log.warn('call.reverted', { label, hash: sent.hash, block: sent.block, gasUsed: sent.gasUsed });
      return { state: 'reverted', sent };
    case 'not_allowed':
      tally.add(`not_allowed.${sent.rule}`);
      log.error('call.not_allowed', { label, rule: sent.rule });
      return { state: 'refused', sent };
    case 'not_sent':
      tally.add('not_sent');
      log.warn('call.not_sent', { label });
      return { state: 'stop', sent };
    case 'cancelled':
      tally.add('cancelled');
      log.warn('call.cancelled', { label, hash: sent.hash });
      return { state: 'refused', sent };
    case 'consumed':
      // It may have been done: the next round reads the chain before anything is repeated.
      tally.add('consumed');
      log.error('call.consumed', { label, hash: sent.hash });
      return { state: 'stop', sent };
    case 'unknown':
      // Whatever is sent now could meet the lost one in a block.
      tally.add('unknown');
      log.error('call.unknown', { label, hash: sent.hash });
      return { state: 'stop', sent };
  }
}

export const isChainUnavailable = (error: unknown): boolean =>
  error instanceof BowlineError && error.code === 'chain_unavailable';

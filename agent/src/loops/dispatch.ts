import type { Call, Log, Sender, Sent } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import type { Hex } from '@bowline/core/domain/units';
import type { Tally } from './runner.ts';

/** Sends a loop's calls and resolves a call whose outcome was unknown in its own round. */
export interface Dispatch {
  /** Passes the outcome to `conclude`, and again in a later round if it was unknown. */
  send<Done>(call: Call, tally: Tally, conclude: Conclude<Done>): Promise<Done>;
  /** Call at the start of a round. False while the outcome of the last call is still unknown: nothing can be sent. */
  findLost(tally: Tally): Promise<boolean>;
  /** Whether the outcome of the last call is unknown. */
  hasLost(): boolean;
}

/** Acts on an outcome: counts, logs, remembers. */
type Conclude<Done> = (settled: Settled, tally: Tally) => Promise<Done>;

interface Lost {
  readonly call: Call;
  readonly hash: Hex;
  readonly conclude: Conclude<unknown>;
}

export function createDispatch(sender: Sender, log: Log): Dispatch {
  // At most one: while its outcome is unknown, the sender sends nothing.
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
 * `confirmed`: executed. `refused`: not executed, and the next call may be sent. `reverted`: not executed, gas paid.
 * `stop`: send nothing more in this tick.
 */
export type Settled =
  | { readonly state: 'confirmed'; readonly sent: Confirmed }
  | { readonly state: 'refused' | 'reverted' | 'stop'; readonly sent: Exclude<Sent, Confirmed> };

/** Counts the outcome of a call and logs what needs attention. */
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
      // It may have been executed: the next round reads the chain before repeating anything.
      tally.add('consumed');
      log.error('call.consumed', { label, hash: sent.hash });
      return { state: 'stop', sent };
    case 'unknown':
      // A call sent now could be mined together with the lost one.
      tally.add('unknown');
      log.error('call.unknown', { label, hash: sent.hash });
      return { state: 'stop', sent };
  }
}

export const isChainUnavailable = (error: unknown): boolean =>
  error instanceof BowlineError && error.code === 'chain_unavailable';

import type { Call, Log, Sent } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import type { Tally } from './tally.ts';

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

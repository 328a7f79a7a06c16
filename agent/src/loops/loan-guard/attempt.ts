// What follows for one guard from each thing that happens to its rescue. Pure; rescue.ts drives it.

import type { Sent } from '@bowline/core/domain/sending';
import type { GasPrices } from './waiting.ts';
import { restSeconds, retrySeconds } from './watch.ts';

/** What is remembered of a guard's last attempts. */
export interface Attempt {
  /** The contract, or the serving policy, has refused the last one. */
  readonly isRefused: boolean;
  /** It has reverted in a block since its last rescue. */
  readonly hasReverted: boolean;
}

export type Event =
  /** Its simulation says that it is due, or why not. */
  | { readonly type: 'judged'; readonly skip: string | undefined }
  /** The simulation had no answer. `isRead`: its loan was seen below the trigger. */
  | { readonly type: 'unanswered'; readonly isRead: boolean }
  /** `isBySource`: the protocol's own prices may make another rescue due in the next block. */
  | { readonly type: 'made'; readonly isBySource: boolean }
  /** It failed inside a list that was mined. */
  | { readonly type: 'failed'; readonly reason: string | undefined }
  /** The transaction came to this. `isAlone`: it was for this guard. */
  | { readonly type: 'ended'; readonly sent: NotMade; readonly isAlone: boolean }
  /** An exception of ours. */
  | { readonly type: 'broken' };

export type NotMade = Exclude<Sent, { outcome: 'confirmed' }>;

export type Effect =
  /** The guard is skipped for so long. */
  | { readonly do: 'rest'; readonly seconds: bigint }
  /** Of the rescues that are due. */
  | { readonly do: 'add' | 'remove' | 'refuse' }
  | { readonly do: 'too_dear'; readonly gas: GasPrices | undefined }
  /** All guards are read again in so many seconds. */
  | { readonly do: 'mistrust'; readonly seconds: bigint };

type Step = readonly [Attempt, readonly Effect[]];

export const first: Attempt = { isRefused: false, hasReverted: false };

const rest = (seconds: bigint): Effect => ({ do: 'rest', seconds });

/** Skips that the next block may change. */
const changesAtOnce: ReadonlySet<string | undefined> = new Set([
  'health_not_below_trigger',
  'health_at_target',
  'cooling_down',
]);
const soon: ReadonlySet<Sent['outcome']> = new Set(['cancelled', 'consumed', 'unknown']);

export function step(attempt: Attempt, event: Event): Step {
  switch (event.type) {
    case 'judged':
      return onJudged(attempt, event.skip);
    case 'unanswered': {
      // No reason to refuse the rescue is known, but a loan that nobody can read may never be due. An answer that cannot be
      // read is the node's fault, too.
      const isDue: readonly Effect[] = event.isRead ? [{ do: 'add' }] : [];
      return [attempt, [...isDue, rest(retrySeconds)]];
    }
    case 'made': {
      // The loan may fall again before the next regular round. A rescue by its source does not even hold back one by the
      // protocol's prices, which may fall in the next block.
      const seconds = event.isBySource ? 0n : restSeconds;
      return [first, [rest(restSeconds), { do: 'remove' }, { do: 'mistrust', seconds }]];
    }
    case 'failed': {
      // Another keeper may have been faster.
      const isRefused = attempt.isRefused || !changesAtOnce.has(event.reason);
      return [{ isRefused, hasReverted: true }, [restAfterRevert(attempt), { do: 'refuse' }]];
    }
    case 'ended':
      return event.isAlone ? onEndedAlone(attempt, event.sent) : [attempt, onListEnded(event.sent)];
    case 'broken':
      return [attempt, [rest(restSeconds)]];
  }
}

function onJudged(attempt: Attempt, skip: string | undefined): Step {
  const judged = { ...attempt, isRefused: false };
  if (skip === undefined) return [judged, [{ do: 'add' }]];
  if (changesAtOnce.has(skip)) return [judged, [{ do: 'remove' }]];
  // A loan whose rescue the contract refuses is not simulated at every block. Without a named reason the node may be at fault.
  const seconds = skip === 'unknown_error' ? retrySeconds : restSeconds;
  return [{ ...attempt, isRefused: true }, [{ do: 'remove' }, rest(seconds)]];
}

function onEndedAlone(attempt: Attempt, sent: NotMade): Step {
  const isReverted = sent.outcome === 'reverted';
  const gas = sent.outcome === 'not_allowed' ? sent.price : undefined;
  const effects: readonly Effect[] = [isReverted ? restAfterRevert(attempt) : restAfter(sent), { do: 'too_dear', gas }];
  const isRefused = isReverted || (sent.outcome === 'would_revert' && !isUnexplained(sent));
  const now = { isRefused: attempt.isRefused || isRefused, hasReverted: attempt.hasReverted || isReverted };
  return [now, [...effects, ...(isRefused ? [{ do: 'refuse' } as const] : []), ...mistrustAfter(sent)]];
}

/** No single guard's fault, and perhaps done: each loan is read again before it is tried again. */
const onListEnded = (sent: NotMade): readonly Effect[] => [
  rest(sent.outcome === 'not_sent' ? 0n : retrySeconds),
  ...mistrustAfter(sent),
];

/** It may have been made: the next chain read decides whether another is due. */
const mistrustAfter = ({ outcome }: NotMade): readonly Effect[] =>
  outcome === 'consumed' ? [{ do: 'mistrust', seconds: 0n }] : [];

/**
 * The contract allowed it a moment before: blocks may have been undone since, and the next simulation decides. Only once,
 * because whoever can bring it about again makes us pay for each.
 */
const restAfterRevert = ({ hasReverted }: Attempt): Effect => rest(hasReverted ? restSeconds : 0n);

/** What was never signed is tried again at the next block. */
function restAfter(sent: NotMade): Effect {
  if (sent.outcome === 'not_sent') return rest(0n);
  return rest(soon.has(sent.outcome) || isUnexplained(sent) || isTooDear(sent) ? retrySeconds : restSeconds);
}

/** The contract allowed it a moment before, so the node probably failed, or lags behind the one that was read. */
const isUnexplained = (sent: NotMade): boolean =>
  sent.outcome === 'would_revert' && (sent.error === 'unknown_error' || sent.error === 'health_not_below_trigger');

/** Such a rescue stays due. */
export const isTooDear = (sent: Sent): boolean => sent.outcome === 'not_allowed' && sent.rule === 'gas_price';

import type { Hex } from 'viem';
import type { Step } from '../chain/step.ts';
import type { Failure } from '../words/contract-errors.ts';
import { words } from '../words/en/frame.ts';

// What became of an act that the chain or the wallet tells, and no error does.

/** @param by undefined if it was not found, so that it may have done the same. */
export const replacedFailure = (by: Hex | undefined): Failure =>
  by ? { kind: 'replaced', words: words.failures.replaced } : { kind: 'missing', words: words.failures.replacedUnseen };

/** The hash that the wallet gave is of another call. */
export const otherFailure = (): Failure => ({ kind: 'other', words: words.failures.other });

/** Of what the wallet did not tell: a private node, or the wallet itself, may still have it. */
export const overtakenFailure = (): Failure => ({ kind: 'missing', words: words.failures.overtaken });

/** Of steps made as one, by the wallet's word alone. */
export const unsentFailure = (): Failure => ({ kind: 'failed', words: words.failures.unsent });

/** The user stopped waiting before the wallet was asked. */
export const stoppedFailure = (): Failure => ({ kind: 'failed', words: words.failures.stopped });

/** Its owner stopped everything, and the wallet had not been asked. */
export const haltedFailure = (): Failure => ({ kind: 'failed', words: words.failures.halted });

/** It would have sent BNB to a contract that is none of the page's. */
export const bnbFailure = (): Failure => ({ kind: 'failed', words: words.failures.strayBnb });

/** @param next the step that was not asked for after the ones before it. */
export const unfinishedFailure = (next: Step): Failure => ({
  kind: 'unfinished',
  words: words.failures.unfinished(next.label),
});

/**
 * Of steps that a wallet should have made as one.
 * @param made those that the chain shows, by number.
 * @param isFailure whether the wallet reports a failure.
 * @param isChanged whether one of the approvals was made with another amount.
 */
export function partialFailure(
  steps: readonly Step[],
  made: readonly number[],
  isFailure: boolean,
  isChanged: boolean,
): Failure {
  if (made.length === 0 && !isChanged) {
    const { failureUnseen, successUnseen } = words.failures;
    return { kind: 'missing', words: isFailure ? failureUnseen : successUnseen };
  }
  const missing = steps.filter((_, at) => !made.includes(at)).map(({ label }) => label);
  return {
    kind: 'partial',
    words: words.failures.partial(missing) + (isChanged ? words.failures.changedApproval : ''),
  };
}

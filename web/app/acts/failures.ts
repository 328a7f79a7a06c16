import type { Hex } from 'viem';
import type { Step } from '../chain/step.ts';
import type { Failure } from '../words/contract-errors.ts';
import { words } from '../words/en/frame.ts';

// Outcomes that the chain or the wallet reports without an error.

/** @param by undefined if it was not found, so that it may have done the same. */
export const replacedFailure = (by: Hex | undefined): Failure =>
  by ? { kind: 'replaced', words: words.failures.replaced } : { kind: 'missing', words: words.failures.replacedUnseen };

/** The hash from the wallet belongs to another call. */
export const otherFailure = (): Failure => ({ kind: 'other', words: words.failures.other });

/** For a call that the wallet did not report: a private node, or the wallet itself, may still have it. */
export const overtakenFailure = (): Failure => ({ kind: 'missing', words: words.failures.overtaken });

/** For a batch, based only on the wallet's answer. */
export const unsentFailure = (): Failure => ({ kind: 'failed', words: words.failures.unsent });

/** The user stopped waiting before the wallet was asked. */
export const stoppedFailure = (): Failure => ({ kind: 'failed', words: words.failures.stopped });

/** Its owner stopped everything, and the wallet had not been asked. */
export const haltedFailure = (): Failure => ({ kind: 'failed', words: words.failures.halted });

/** It would have sent BNB to a contract that the build did not pin. */
export const bnbFailure = (): Failure => ({ kind: 'failed', words: words.failures.strayBnb });

/** @param next the step that was not requested after the previous ones. */
export const unfinishedFailure = (next: Step): Failure => ({
  kind: 'unfinished',
  words: words.failures.unfinished(next.label),
});

/**
 * For a batch that a wallet should have run whole.
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

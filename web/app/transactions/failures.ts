import type { Step } from '../chain/step.ts';
import type { Failure } from '../words/contract-errors.ts';
import { words } from '../words/en/frame.ts';

// Outcomes that the chain or the wallet reports without an error.

const kinds = {
  replaced: 'replaced',
  /** The replacement was not found, so it may have done the same. */
  replacedUnseen: 'missing',
  /** The hash from the wallet belongs to another call. */
  other: 'other',
  /** The wallet reported no hash: a private node, or the wallet itself, may still have the call. */
  overtaken: 'missing',
  /** For a batch, based only on the wallet's answer. */
  unsent: 'failed',
  /** The owner stopped waiting, or stopped everything, before the wallet was asked. */
  stopped: 'failed',
  halted: 'failed',
  /** It would have sent BNB to a contract that the build did not pin. */
  strayBnb: 'failed',
  /** A wallet must not sign what a section shows and drafts for another address. */
  others: 'failed',
} as const satisfies Record<string, Failure['kind']>;

export const failureBy = (name: keyof typeof kinds): Failure => ({ kind: kinds[name], words: words.failures[name] });

/** @param next the step that was not requested, although the previous ones were. */
export const unfinishedFailure = (next: Step): Failure => ({
  kind: 'unfinished',
  words: words.failures.unfinished(next.label),
});

/**
 * For a batch that a wallet should have run whole.
 * @param made indexes of the steps that the chain shows.
 * @param isFailure whether the wallet reports a failure.
 * @param isChanged whether an approval was made with a different amount.
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

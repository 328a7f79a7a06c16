import type { Step } from '../chain/step.ts';
import type { Failure } from '../words/contract-errors.ts';
import { words } from '../words/en/frame.ts';

// Outcomes that the chain or the wallet reports without an error.

const kinds = {
  replaced: 'replaced',
  /** What replaced it was not found, so that it may have done the same. */
  replacedUnseen: 'missing',
  /** The hash from the wallet belongs to another call. */
  other: 'other',
  /** The wallet reported no hash: a private node, or the wallet itself, may still have the call. */
  overtaken: 'missing',
  /** Of a batch, based only on the wallet's answer. */
  unsent: 'failed',
  /** Its owner stopped waiting, or stopped everything, before the wallet was asked. */
  stopped: 'failed',
  halted: 'failed',
  /** It would have sent BNB to a contract that the build did not pin. */
  strayBnb: 'failed',
  /** What a section shows and drafts for one address must not be signed by another's wallet. */
  others: 'failed',
} as const satisfies Record<string, Failure['kind']>;

export const failureBy = (name: keyof typeof kinds): Failure => ({ kind: kinds[name], words: words.failures[name] });

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

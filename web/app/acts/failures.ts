import type { Hex } from 'viem';
import type { Step } from '../chain/step.ts';
import type { Failure } from '../words/contract-errors.ts';

// What became of an act that the chain or the wallet tells, and no error does.

/** @param by undefined if it was not found, so that it may have done the same. */
export const replacedFailure = (by: Hex | undefined): Failure =>
  by
    ? {
        kind: 'replaced',
        words: 'Your wallet sent another transaction in the place of this one, so nothing of this step happened.',
      }
    : {
        kind: 'missing',
        words:
          'Another transaction of your account took the place of this one. Check your wallet to see whether it did the same.',
      };

/** The hash that the wallet gave is of another call. */
export const otherFailure: Failure = {
  kind: 'other',
  words:
    'It is not the transaction that this page asked for: your wallet sent another one, or it was changed there. Check what it did before you try again.',
};

/** Of what the wallet did not tell: a private node, or the wallet itself, may still have it. */
export const overtakenFailure: Failure = {
  kind: 'missing',
  words:
    'Another transaction took the number that this one was expected to have. Check your wallet before you try again, or it may happen twice.',
};

/** Of steps made as one, by the wallet's word alone. */
export const unsentFailure: Failure = { kind: 'failed', words: 'Your wallet says that it gave up and sent nothing.' };

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
    const words = isFailure
      ? 'Your wallet reports a failure, and its transactions show none of it. Check your wallet before you try again.'
      : 'Your wallet reports success, but its transactions show none of it. Check your wallet before you try again.';
    return { kind: 'missing', words };
  }
  const changed = isChanged ? ' It approved another amount than was asked for.' : '';
  const missing = steps.filter((_, at) => !made.includes(at)).map(({ label }) => `“${label}”`);
  return {
    kind: 'partial',
    words: `Your wallet did only part of it. Its transactions do not show ${missing.join(' and ')}.${changed}`,
  };
}

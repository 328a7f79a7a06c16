import type { Hex } from 'viem';
import type { Step } from '../chain/step.ts';
import type { Failure } from '../words/contract-errors.ts';

// What became of an act that the chain or the wallet tells, and no error does.

export const replacedFailure = (by: Hex | undefined): Failure => ({
  kind: 'replaced',
  words: by
    ? 'Your wallet sent another transaction in the place of this one, so nothing of this step happened.'
    : 'Another transaction of your account has taken the place of this one. Whether it did the same is in your wallet.',
});

/** The hash that the wallet gave is of another call. */
export const otherFailure: Failure = {
  kind: 'other',
  words:
    'It is not the transaction that this page asked for: your wallet sent another one, or it was changed there. Check what it did before you try again.',
};

/** The wallet reported an error, and the number was then used by another transaction. */
export const untoldFailure: Failure = {
  kind: 'failed',
  words:
    'Your wallet reported an error, and the next transaction of your account was another one. This one was not sent.',
};

/** Of steps made as one, by the wallet's word alone. */
export const unsentFailure: Failure = { kind: 'failed', words: 'Your wallet says that it gave up and sent nothing.' };

/** Of steps that a wallet should have made as one. @param made those that the chain shows, by number. */
export function partialFailure(steps: readonly Step[], made: readonly number[]): Failure {
  const missing = steps.filter((_, at) => !made.includes(at)).map(({ label }) => `“${label}”`);
  return {
    kind: 'partial',
    words:
      made.length === 0
        ? 'Your wallet says that it is done, but its transactions show none of it.'
        : `Your wallet did not make all of it as one. Its transactions do not show ${missing.join(' and ')}.`,
  };
}

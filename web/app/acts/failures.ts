import type { Hex } from 'viem';
import type { Failure } from '../words/contract-errors.ts';

// How an act can end that neither the contract nor the wallet's owner has refused.

/** @param by the transaction that has its number; undefined if it could not be found. */
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
export const unsentFailure: Failure = {
  kind: 'failed',
  words: 'Your wallet reported an error, and the next transaction of your account was another one. This one was not sent.',
};

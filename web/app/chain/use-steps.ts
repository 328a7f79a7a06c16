import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Address, Hex, ReplacementReason, TransactionReceipt } from 'viem';
import { useConfig, useConnection } from 'wagmi';
import { sendTransaction } from 'wagmi/actions';
import { useSettings } from '../settings.tsx';
import { type Failure, failureOf } from '../words/contract-errors.ts';
import { useChain } from './client.ts';
import type { Step } from './step.ts';

/** How far a list of steps has come; `at` is the step in question. */
export type Progress =
  | { readonly state: 'idle' }
  | { readonly state: 'signing' | 'pending'; readonly steps: readonly Step[]; readonly at: number; readonly hash?: Hex }
  | { readonly state: 'done'; readonly steps: readonly Step[]; readonly receipts: readonly TransactionReceipt[] }
  | { readonly state: 'failed'; readonly steps: readonly Step[]; readonly at: number; readonly failure: Failure }
  /** Sent, and nothing is known of it: not to be sent again before somebody has looked. */
  | { readonly state: 'unknown'; readonly steps: readonly Step[]; readonly at: number; readonly hash: Hex };

/** How long a transaction may take to come into a block before its outcome counts as unknown. */
const RECEIPT_MS = 120_000;
/** How long a step waits for new readings after the one before it. */
const READING_MS = 3_000;

const replacedFailure: Failure = {
  kind: 'replaced',
  words: 'Your wallet sent another transaction in the place of this one, so nothing of this step happened.',
};

export function useSteps() {
  const [progress, setProgress] = useState<Progress>({ state: 'idle' });
  const config = useConfig();
  const client = useChain();
  const queries = useQueryClient();
  const { address } = useConnection();
  const { chainId } = useSettings();

  /** Signs and sends one after the other, each tried out first; stops at the first that does not go through. */
  async function run(steps: readonly Step[]): Promise<boolean> {
    const receipts: TransactionReceipt[] = [];
    for (const [at, { to, data, isUntried }] of steps.entries()) {
      const call = { account: address as Address, to, data };
      setProgress({ state: 'signing', steps, at });
      let hash: Hex;
      try {
        if (!isUntried) await client.call(call);
        hash = await sendTransaction(config, { ...call, chainId });
      } catch (error) {
        setProgress({ state: 'failed', steps, at, failure: failureOf(error) });
        return false;
      }
      setProgress({ state: 'pending', steps, at, hash });
      let receipt: TransactionReceipt;
      let replaced: ReplacementReason | undefined;
      try {
        receipt = await client.waitForTransactionReceipt({
          ...{ hash, timeout: RECEIPT_MS },
          onReplaced: ({ reason }) => {
            replaced = reason;
          },
        });
      } catch {
        setProgress({ state: 'unknown', steps, at, hash });
        return false;
      }
      // The same call at another fee is this step; any other transaction in its place is not, and its receipt says nothing here.
      const isAnother = receipt.transactionHash !== hash && replaced !== 'repriced';
      if (!isAnother) {
        receipts.push(receipt);
        setProgress({ state: 'pending', steps, at, hash: receipt.transactionHash });
      }
      // What is shown next rests on what is read anew; but one reading that hangs must not keep the next step back.
      const isReadAnew = queries.invalidateQueries({ queryKey: ['chain'] });
      await Promise.race([isReadAnew, new Promise((resolve) => setTimeout(resolve, READING_MS))]);
      if (isAnother) {
        setProgress({ state: 'failed', steps, at, failure: replacedFailure });
        return false;
      }
      if (receipt.status === 'reverted') {
        setProgress({ state: 'failed', steps, at, failure: await whyReverted(call) });
        return false;
      }
    }
    setProgress({ state: 'done', steps, receipts });
    return true;
  }

  /** The same call again says why; what has changed since may let it pass now. */
  async function whyReverted(call: {
    readonly account: Address;
    readonly to: Address;
    readonly data: Hex;
  }): Promise<Failure> {
    const cause = await client.call(call).then(
      () => undefined,
      (error: unknown) => failureOf(error),
    );
    const because = cause?.kind === 'reverted' ? ` ${cause.words.replace(' Nothing was sent.', '')}` : '';
    return { kind: 'reverted', words: `The transaction was undone by the contract: only its fee was paid.${because}` };
  }

  const isBusy = progress.state === 'signing' || progress.state === 'pending';
  return { progress, isBusy, run, reset: () => setProgress({ state: 'idle' }) };
}

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Address, Hex, ReplacementReason, TransactionReceipt } from 'viem';
import { useConfig, useConnection } from 'wagmi';
import { sendTransaction } from 'wagmi/actions';
import { useSettings } from '../settings.tsx';
import { type Failure, failureOf } from '../words/contract-errors.ts';
import { useChain } from './client.ts';
import type { Step } from './step.ts';

/** Progress of a list of steps; `at` is the current step. */
export type Progress =
  | { readonly state: 'idle' }
  | { readonly state: 'signing' | 'pending'; readonly steps: readonly Step[]; readonly at: number; readonly hash?: Hex }
  | { readonly state: 'done'; readonly steps: readonly Step[]; readonly receipts: readonly TransactionReceipt[] }
  | { readonly state: 'failed'; readonly steps: readonly Step[]; readonly at: number; readonly failure: Failure }
  /** Sent with unknown outcome: a person must check before it is sent again. */
  | { readonly state: 'unknown'; readonly steps: readonly Step[]; readonly at: number; readonly hash: Hex };

/** Time for a transaction to be mined before its outcome counts as unknown. */
const RECEIPT_MS = 120_000;
/** Time that a step waits for fresh readings after the step before it. */
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

  /** Signs and sends the steps in order, simulating each first; stops at the first that fails. */
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
      // The same call with another fee is still this step. Any other replacement is not, and its receipt proves nothing
      // here.
      const isAnother = receipt.transactionHash !== hash && replaced !== 'repriced';
      if (!isAnother) {
        receipts.push(receipt);
        setProgress({ state: 'pending', steps, at, hash: receipt.transactionHash });
      }
      // The next view needs fresh readings, but a reading that hangs must not block the next step.
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

  /** Repeats the call to learn why it reverted; it may succeed now if the state has changed. */
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

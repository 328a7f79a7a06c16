import { useState } from 'react';
import type { Hex, TransactionReceipt } from 'viem';
import { useConnection } from 'wagmi';
import { type Act, isBusy, madeOf } from '../acts/act.ts';
import { useActStore, useActs } from '../acts/use-acts.tsx';
import { useWatched } from '../wallet/use-owner.ts';
import type { Failure } from '../words/contract-errors.ts';
import { words } from '../words/en/frame.ts';
import type { Step } from './step.ts';

/** Progress of a list of steps; `at` is the current step. `isOne`: the wallet makes all of them as one. */
export type Progress =
  | { readonly state: 'idle' }
  | {
      readonly state: 'signing';
      /** Of the act. */
      readonly id: string;
      readonly steps: readonly Step[];
      readonly at: number;
      readonly isOne: boolean;
    }
  | {
      /** `unknown`: a person must check before it is sent again. */
      readonly state: 'pending' | 'unknown';
      readonly steps: readonly Step[];
      readonly at: number;
      readonly isOne: boolean;
      readonly hash: Hex | undefined;
      /** Whether the page looks for it on the chain. */
      readonly isSought: boolean;
    }
  | { readonly state: 'done'; readonly steps: readonly Step[]; readonly receipts: readonly TransactionReceipt[] }
  | {
      readonly state: 'failed';
      readonly steps: readonly Step[];
      readonly at: number;
      readonly isOne: boolean;
      readonly failure: Failure;
      /** The steps that have happened all the same. */
      readonly made: readonly Step[];
      /** Of their transactions. */
      readonly hashes: readonly Hex[];
    };

/**
 * Signs steps for one button of the page. The act belongs to the page and goes on without the button.
 * @param place names the button, the same each time it is shown: it then finds its act again. "plan-3".
 * @param isFrame whether it acts for the connected account, whatever address is looked at.
 */
export function useSteps(place?: string, isFrame = false) {
  const store = useActStore();
  const acts = useActs();
  const { address } = useConnection();
  const watched = useWatched();
  const isOthers = watched !== undefined && watched !== address && !isFrame;
  const [found] = useState(() => (place === undefined ? undefined : store.openAt(place, address)?.id));
  const [id, setId] = useState(found);
  const act = acts.find((each) => each.id === id);
  return {
    progress: progressOf(act),
    isBusy: act !== undefined && isBusy(act),
    /** Whether it was under way before this was shown: the fields of a form are then not those that were signed. */
    isEarlier: act !== undefined && act.id === found,
    /** Signs and sends the steps in order, and says whether every one succeeded. */
    run: async (steps: readonly Step[]): Promise<boolean> => {
      if (address === undefined) return false;
      const { id, ended } = isOthers
        ? store.refuse(address, steps, othersFailure())
        : store.start(address, place, steps);
      setId(id);
      return ended;
    },
    reset: () => setId(undefined),
  };
}

/** What a section shows and drafts for one address must not be signed by another's wallet. */
const othersFailure = (): Failure => ({ kind: 'failed', words: words.failures.others });

function progressOf(act: Act | undefined): Progress {
  if (act === undefined) return { state: 'idle' };
  const { steps, at, hashes, receipts } = act;
  const isOne = act.batch !== undefined;
  switch (act.state) {
    case 'signing':
      return { state: 'signing', id: act.id, steps, at, isOne };
    case 'pending':
    case 'unknown': {
      const isSought = isOne || (act.sent ?? act.asked) !== undefined;
      return { state: act.state, steps, at, isOne, hash: act.sent?.hash, isSought };
    }
    case 'done':
      return { state: 'done', steps, receipts };
    case 'failed':
      return { state: 'failed', steps, at, isOne, failure: act.failure, made: madeOf(act), hashes };
  }
}

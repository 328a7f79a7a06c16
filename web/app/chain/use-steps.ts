import { useState } from 'react';
import { useConnection } from 'wagmi';
import { useSettings } from '../settings.tsx';
import { failureBy } from '../transactions/failures.ts';
import { isBusy, type Transaction } from '../transactions/transaction.ts';
import { useTransactionStore, useTransactions } from '../transactions/use-transactions.tsx';
import { useWatched } from '../wallet/use-owner.ts';
import type { Step } from './step.ts';

/** The state of one button's transaction. */
export type Progress = Transaction | { readonly state: 'idle' };

const idle = { state: 'idle' } as const;

/**
 * Signs steps for one button of the page. The transaction belongs to the page and continues without the button.
 * @param place a stable name of the button, such as "plan-3", by which it finds its transaction again.
 * @param isFrame whether it acts for the connected account, whatever address is viewed.
 */
export function useSteps(place?: string, isFrame = false) {
  const store = useTransactionStore();
  const transactions = useTransactions();
  const { address, chainId } = useConnection();
  const isElsewhere = chainId !== useSettings().chainId;
  const watched = useWatched();
  const isOthers = watched !== undefined && watched !== address && !isFrame;
  const [found] = useState(() => (place === undefined ? undefined : store.openAt(place, address)?.id));
  const [id, setId] = useState(found);
  const tx = transactions.find((each) => each.id === id);
  return {
    progress: tx ?? idle,
    isBusy: tx !== undefined && isBusy(tx),
    /** Whether the button must wait for its transaction, or for the wallet to be on the page's network. */
    isOff: isElsewhere || (tx !== undefined && isBusy(tx)),
    /** Whether it was in flight before this was shown: the form's fields are then not the ones that were signed. */
    isEarlier: tx !== undefined && tx.id === found,
    /** Signs and sends the steps in order. Resolves to whether every one succeeded. */
    run: async (steps: readonly Step[]): Promise<boolean> => {
      if (address === undefined) return false;
      const { id, ended } = isOthers
        ? store.refuse(address, steps, failureBy('others'))
        : store.start(address, place, steps);
      setId(id);
      return ended;
    },
    reset: () => setId(undefined),
  };
}

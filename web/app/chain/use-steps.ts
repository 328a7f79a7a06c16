import { useState } from 'react';
import { useConnection } from 'wagmi';
import { useSettings } from '../settings.tsx';
import { failureBy } from '../transactions/failures.ts';
import { isBusy, type Transaction } from '../transactions/transaction.ts';
import { useTransactionStore, useTransactions } from '../transactions/use-transactions.tsx';
import { useWatched } from '../wallet/use-owner.ts';
import type { Step } from './step.ts';

/** What has become of the transaction of one button. */
export type Progress = Transaction | { readonly state: 'idle' };

const idle = { state: 'idle' } as const;

/**
 * Signs steps for one button of the page. The transaction belongs to the page and continues without the button.
 * @param place names the button, the same each time it is shown: it then finds its transaction again. "plan-3".
 * @param isFrame whether it acts for the connected account, whatever address is looked at.
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
    /** Whether it was under way before this was shown: the fields of a form are then not those that were signed. */
    isEarlier: tx !== undefined && tx.id === found,
    /** Signs and sends the steps in order, and says whether every one succeeded. */
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

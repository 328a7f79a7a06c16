import { useState } from 'react';
import { useConnection } from 'wagmi';
import { type Act, isBusy } from '../acts/act.ts';
import { failureBy } from '../acts/failures.ts';
import { useActStore, useActs } from '../acts/use-acts.tsx';
import { useSettings } from '../settings.tsx';
import { useWatched } from '../wallet/use-owner.ts';
import type { Step } from './step.ts';

/** What has become of the act of one button. */
export type Progress = Act | { readonly state: 'idle' };

const idle = { state: 'idle' } as const;

/**
 * Signs steps for one button of the page. The act belongs to the page and continues without the button.
 * @param place names the button, the same each time it is shown: it then finds its act again. "plan-3".
 * @param isFrame whether it acts for the connected account, whatever address is looked at.
 */
export function useSteps(place?: string, isFrame = false) {
  const store = useActStore();
  const acts = useActs();
  const { address, chainId } = useConnection();
  const isElsewhere = chainId !== useSettings().chainId;
  const watched = useWatched();
  const isOthers = watched !== undefined && watched !== address && !isFrame;
  const [found] = useState(() => (place === undefined ? undefined : store.openAt(place, address)?.id));
  const [id, setId] = useState(found);
  const act = acts.find((each) => each.id === id);
  return {
    progress: act ?? idle,
    isBusy: act !== undefined && isBusy(act),
    /** Whether the button must wait for its act, or for the wallet to be on the page's network. */
    isOff: isElsewhere || (act !== undefined && isBusy(act)),
    /** Whether it was under way before this was shown: the fields of a form are then not those that were signed. */
    isEarlier: act !== undefined && act.id === found,
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

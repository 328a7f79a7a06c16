import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Address } from 'viem';
import { useConfig, useConnection } from 'wagmi';
import { sendTransaction } from 'wagmi/actions';
import { isApproval } from '../chain/approve.ts';
import { takesBnb } from '../chain/bnb.ts';
import { useChain } from '../chain/client.ts';
import type { Step } from '../chain/step.ts';
import { trySteps } from '../chain/try-steps.ts';
import { useSettings } from '../settings.tsx';
import { tabStorage } from '../storage.ts';
import { refusalIn } from '../words/contract-errors.ts';
import { type Act, isBusy } from './act.ts';
import { type Acts, createActs } from './store.ts';
import { walletBatch } from './wallet-batch.ts';

export const ActsContext = createContext<Acts | undefined>(undefined);

/** Above the sections: no change of section, network or account ends an act. */
export function ActsProvider({ children }: { readonly children: ReactNode }) {
  const config = useConfig();
  const client = useChain();
  const queries = useQueryClient();
  const settings = useSettings();
  const { chainId } = settings;
  const { address } = useConnection();
  const [acts] = useState(() =>
    createActs({
      chainId,
      client,
      send: (call) => sendTransaction(config, { ...call, chainId }),
      batches: walletBatch(config, chainId),
      async tryAll(owner, calls) {
        const refused = (await trySteps(client, owner, calls)).find(({ isOk }) => !isOk);
        return refused && refusalIn(refused);
      },
      readAnew: () => queries.invalidateQueries({ queryKey: ['chain'] }),
      storage: tabStorage,
      takesBnb: (contract) => takesBnb(settings, contract),
      // BNB Chain's blocks are final within seconds.
      lookAgainAfterMs: [3_000, 12_000, 45_000],
    }),
  );
  useEffect(() => {
    if (address) acts.recall(address);
  }, [acts, address]);
  return <ActsContext.Provider value={acts}>{children}</ActsContext.Provider>;
}

export function useActStore(): Acts {
  const acts = useContext(ActsContext);
  if (acts === undefined) throw new Error('useActStore outside of ActsProvider');
  return acts;
}

/** Every act, oldest first. */
export function useActs(): readonly Act[] {
  const acts = useActStore();
  return useSyncExternalStore(acts.subscribe, acts.all, acts.all);
}

/** Whether an act of the connected account that calls the contract, or changes an approval to it, waits for its end. */
export const useIsBusyWith = (contract: Address): boolean => useHasOpen((step) => isOf(contract, step));

/** Whether such an act changes an approval to it: another approval would replace this one, or this one that. */
export const useIsApproving = (contract: Address): boolean =>
  useHasOpen((step) => isApproval(step) && isOf(contract, step));

const isOf = (contract: Address, { to, data }: Step): boolean =>
  `${to}${data}`.toLowerCase().includes(contract.slice(2).toLowerCase());

function useHasOpen(concerns: (step: Step) => boolean): boolean {
  const { address } = useConnection();
  return useActs().some((act) => isBusy(act) && act.owner === address && act.steps.some(concerns));
}

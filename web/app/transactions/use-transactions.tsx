import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { type Address, BaseError, UserRejectedRequestError } from 'viem';
import { type Config, useConfig, useConnection } from 'wagmi';
import { getCallsStatus, getCapabilities, getConnection, sendCalls, sendTransaction } from 'wagmi/actions';
import { isApproval } from '../chain/approve.ts';
import { takesBnb } from '../chain/bnb.ts';
import { useChain } from '../chain/client.ts';
import type { Step } from '../chain/step.ts';
import { trySteps } from '../chain/try-steps.ts';
import { useSettings } from '../settings.tsx';
import { tabStorage } from '../storage.ts';
import { SAFE } from '../wallet/other-connectors.ts';
import { refusalIn } from '../words/contract-errors.ts';
import type { BatchWallet } from './batch.ts';
import { createTransactions, type TransactionStore } from './store.ts';
import { isBusy, type Transaction } from './transaction.ts';

export const TransactionsContext = createContext<TransactionStore | undefined>(undefined);

/** Sits above the sections, so that no change of section, network or account ends a transaction. */
export function TransactionsProvider({ children }: { readonly children: ReactNode }) {
  const config = useConfig();
  const client = useChain();
  const queries = useQueryClient();
  const settings = useSettings();
  const { chainId } = settings;
  const { address } = useConnection();
  const [transactions] = useState(() =>
    createTransactions({
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
    if (address) transactions.recall(address);
  }, [transactions, address]);
  return <TransactionsContext.Provider value={transactions}>{children}</TransactionsContext.Provider>;
}

export function useTransactionStore(): TransactionStore {
  const transactions = useContext(TransactionsContext);
  if (transactions === undefined) throw new Error('useTransactionStore outside of TransactionsProvider');
  return transactions;
}

/** Every transaction, oldest first. */
export function useTransactions(): readonly Transaction[] {
  const transactions = useTransactionStore();
  return useSyncExternalStore(transactions.subscribe, transactions.all, transactions.all);
}

/** Whether a busy transaction of the connected account calls the contract or changes an approval to it. */
export const useIsBusyWith = (contract: Address): boolean => useHasOpen((step) => isOf(contract, step));

/** Whether such a transaction changes an approval to the contract: one approval would overwrite the other. */
export const useIsApproving = (contract: Address): boolean =>
  useHasOpen((step) => isApproval(step) && isOf(contract, step));

const isOf = (contract: Address, { to, data }: Step): boolean =>
  `${to}${data}`.toLowerCase().includes(contract.slice(2).toLowerCase());

function useHasOpen(concerns: (step: Step) => boolean): boolean {
  const { address } = useConnection();
  return useTransactions().some((tx) => isBusy(tx) && tx.owner === address && tx.steps.some(concerns));
}

/**
 * Codes by which a wallet says that it sent nothing and would take the calls one after another (EIP-5792): no such
 * method, capability or chain, too many calls, the owner refused the account upgrade, no atomic execution.
 */
const unable = [4200, 5700, 5710, 5740, 5750, 5760, -32_601, -32_004];

/** The connected wallet's support for batches. */
function walletBatch(config: Config, chainId: number): BatchWallet {
  const namesNoHash = () => getConnection(config).connector?.type === SAFE;
  return {
    namesNoHash,
    async canBatch(account) {
      const { atomic } = await getCapabilities(config, { account, chainId });
      // "ready": the wallet first asks its owner to allow an account upgrade (EIP-7702).
      return atomic?.status === 'supported' || atomic?.status === 'ready';
    },
    async send(account, calls, id) {
      try {
        const { id: own } = await sendCalls(config, { account, chainId, calls, id, forceAtomic: true });
        // Whatever the answer, the wallet may have sent the calls; only a refusal shows that it has not.
        return typeof own === 'string' ? own : id;
      } catch (error) {
        if (isDeclinedInSafe(error)) throw new UserRejectedRequestError(error as Error);
        if (isUnable(error) && !namesNoHash()) return undefined;
        throw error;
      }
    },
    async status(id) {
      const { statusCode, receipts = [] } = await getCallsStatus(config, { id });
      return { code: statusCode, hashes: receipts.map(({ transactionHash }) => transactionHash) };
    },
  };
}

/** Safe's web app has no error code for this. */
const isDeclinedInSafe = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((each) => /^Transaction was rejected$/.test((each as Error).message)) !== null;

const isUnable = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((each) => unable.includes((each as { readonly code?: number }).code ?? 0)) !== null;

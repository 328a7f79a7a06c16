import { BaseError, UserRejectedRequestError } from 'viem';
import type { Config } from 'wagmi';
import { getCallsStatus, getCapabilities, getConnection, sendCalls } from 'wagmi/actions';
import { SAFE } from '../wallet/other-connectors.ts';
import type { BatchWallet } from './batch.ts';

/**
 * Codes with which a wallet says that it has sent nothing and would take the calls one after another (EIP-5792): no such
 * method, capability or chain, too many calls, the owner refused to have the account upgraded, not as one.
 */
const unable = [4200, 5700, 5710, 5740, 5750, 5760, -32_601, -32_004];

/** The connected wallet's part that makes several calls as one. */
export function walletBatch(config: Config, chainId: number): BatchWallet {
  const namesNoHash = () => getConnection(config).connector?.type === SAFE;
  return {
    namesNoHash,
    async canBatch(account) {
      const { atomic } = await getCapabilities(config, { account, chainId });
      // "ready": the wallet asks its owner first whether it may upgrade the account (EIP-7702).
      return atomic?.status === 'supported' || atomic?.status === 'ready';
    },
    async send(account, calls, id) {
      try {
        const { id: own } = await sendCalls(config, { account, chainId, calls, id, forceAtomic: true });
        // Whatever it answers, it may have sent them: only a refusal says that it has not.
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

/** Safe's web app has no code for it. */
const isDeclinedInSafe = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((each) => /^Transaction was rejected$/.test((each as Error).message)) !== null;

const isUnable = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((each) => unable.includes((each as { readonly code?: number }).code ?? 0)) !== null;

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Address, BaseError, decodeErrorResult, type Hex, RawContractError, UserRejectedRequestError } from 'viem';
import { useAccount, usePublicClient, useWalletClient } from 'wagmi';
import * as abis from '../../../abis/index.ts';
import { useConfig } from './config.tsx';
import { contractError } from './words.ts';

/** One transaction that the user is asked to sign. */
export interface UserCall {
  readonly label: string;
  readonly to: Address;
  readonly data: Hex;
}

export type CallState =
  | { readonly state: 'idle' }
  | {
      readonly state: 'busy';
      readonly label: string;
      readonly step: number;
      readonly steps: number;
      readonly isSent: boolean;
    }
  | { readonly state: 'done'; readonly text: string }
  | { readonly state: 'failed'; readonly text: string };

const errors = Object.values(abis)
  .flat()
  .filter((item) => item.type === 'error');

/** Has the user sign one call after the other; each is simulated first, and the next waits for its receipt. */
export function useCalls() {
  const [state, setState] = useState<CallState>({ state: 'idle' });
  const { chainId } = useConfig();
  const { address } = useAccount();
  const { data: wallet } = useWalletClient();
  const node = usePublicClient();
  const queries = useQueryClient();

  async function run(calls: readonly UserCall[], done: string): Promise<boolean> {
    if (wallet === undefined || address === undefined || node === undefined) {
      setState({ state: 'failed', text: 'Connect a wallet first.' });
      return false;
    }
    try {
      for (const [at, { label, to, data }] of calls.entries()) {
        const busy = { state: 'busy', label, step: at + 1, steps: calls.length } as const;
        setState({ ...busy, isSent: false });
        await node.call({ account: address, to, data });
        const hash = await wallet.sendTransaction({ account: address, chain: wallet.chain, to, data });
        setState({ ...busy, isSent: true });
        const { status } = await node.waitForTransactionReceipt({ hash, timeout: 120_000 });
        if (status !== 'success') throw new Error(`${label} was included and reverted: nothing else has happened.`);
      }
      setState({ state: 'done', text: done });
      return true;
    } catch (error) {
      setState({ state: 'failed', text: reasonOf(error) });
      return false;
    } finally {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'quotes' });
    }
  }

  const isOnChain = wallet?.chain.id === chainId;
  return { state, run, isReady: wallet !== undefined && isOnChain, reset: () => setState({ state: 'idle' }) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error ? error.message : 'That did not work.';
  if (error.walk((cause) => cause instanceof UserRejectedRequestError) !== null)
    return 'You declined in your wallet. Nothing was sent.';
  const raw = error.walk((cause) => cause instanceof RawContractError || dataOf(cause) !== undefined);
  const data = dataOf(raw);
  if (data !== undefined) {
    try {
      return contractError(decodeErrorResult({ abi: errors, data }).errorName);
    } catch {
      // An error of another contract.
    }
  }
  if (error.name === 'WaitForTransactionReceiptTimeoutError') {
    return 'It was sent and is in no block yet. Look again before you send it once more.';
  }
  return /insufficient funds/i.test(error.message) ? 'You need BNB for gas.' : error.shortMessage;
}

function dataOf(error: unknown): Hex | undefined {
  const data = (error as { data?: unknown } | null)?.data;
  const hex = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
  return typeof hex === 'string' && /^0x[0-9a-f]{8}/i.test(hex) ? (hex as Hex) : undefined;
}

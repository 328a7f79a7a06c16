import {
  type Address,
  custom,
  encodeFunctionData,
  type Hex,
  HttpRequestError,
  keccak256,
  TimeoutError,
  type Transport,
} from 'viem';
import {
  entryPoint09Abi,
  formatUserOperation,
  type RpcUserOperation,
  toPackedUserOperation,
} from 'viem/account-abstraction';
import type { Operation } from '../../src/sending/wallet/account.ts';
import { bundlerKey, entryPoint } from './addresses.ts';
import type { Chain } from './chain.ts';
import { operationHash } from './contracts.ts';
import { refusal } from './node.ts';
import type { Process } from './process.ts';
import type { VirtualTime } from './virtual-time.ts';

/**
 * `lies`: takes operations and drops them. `refuses`: says no. `late`: carries them after this time. `down`: does not
 * answer.
 */
type BundlerMood = 'honest' | 'lies' | 'refuses' | 'down' | { readonly lateMs: number };

export interface BundlerState {
  mood: BundlerMood;
}

/** An honest bundler's time from an operation to its transaction. */
const carriedMs = 600;
const answerMs = 3_000;

/** A bundler's JSON-RPC, over a process's own connection. */
export function bundlerTransport(
  chain: Chain,
  state: BundlerState,
  time: VirtualTime,
  process: Process,
  rttMs: number,
): Transport {
  const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
    await process.step();
    await time.wait(rttMs / 2);
    const { mood } = state;
    if (mood === 'down') {
      await time.wait(answerMs);
      await process.step();
      throw new TimeoutError({ body: {}, url: 'bundler' });
    }
    const answered = method === 'eth_sendUserOperation' && mood !== 'refuses' ? take(params, mood) : undefined;
    await time.wait(rttMs / 2);
    await process.step();
    if (answered !== undefined) return answered;
    if (method === 'eth_getUserOperationReceipt') throw new HttpRequestError({ url: 'bundler', body: {}, status: 500 });
    throw refusal(-32_500, 'AA21 this operation is refused');
  };

  function take(params: readonly unknown[], mood: BundlerMood): Hex {
    const operation = formatUserOperation(params[0] as RpcUserOperation) as unknown as Operation;
    if (mood !== 'lies') time.after(typeof mood === 'object' ? mood.lateMs : carriedMs, () => carry(operation));
    return operationHash(operation);
  }

  function carry(operation: Operation): void {
    const mined = chain.head().state.nonces.get(bundlerKey) ?? 0;
    const number = chain.head().state.operations.get(operation.nonce >> 64n) ?? 0n;
    // A real bundler simulates it first.
    if (number !== (operation.nonce & ((1n << 64n) - 1n))) return;
    const packed = toPackedUserOperation(operation);
    const transaction = {
      from: bundlerKey,
      nonce: chain.pool.nextNonce(bundlerKey, mined),
      to: entryPoint as Address,
      data: encodeFunctionData({ abi: entryPoint09Abi, functionName: 'handleOps', args: [[packed], bundlerKey] }),
      gas: 10_000_000n,
      gasPriceWei: operation.maxFeePerGas,
    };
    const hash = keccak256(`${transaction.data}${transaction.nonce.toString(16).padStart(8, '0')}`);
    chain.pool.submit({ ...transaction, hash }, mined, 0);
  }

  return custom({ request }, { retryCount: 0 });
}

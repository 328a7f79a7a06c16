import Simple7702Account from '@account-abstraction/contracts/artifacts/Simple7702Account.json' with { type: 'json' };
import { createPublicClient, createWalletClient, encodeFunctionData, type Hex, http, numberToHex } from 'viem';
import { entryPoint09Address } from 'viem/account-abstraction';
import type { PrivateKeyAccount } from 'viem/accounts';

/** How the test wallet makes several calls as one (EIP-5792). */
export interface Batching {
  /** The capability that it reports. */
  says: 'supported' | 'ready' | 'unsupported';
  /** The code with which it refuses a list, or undefined to take it. */
  refuses?: number | undefined;
  /** How many of the calls it makes; by default all, in one transaction of the account's own code (EIP-7702). */
  makes?: number | undefined;
  /** The calls that it makes instead of the requested ones. */
  changes?: (calls: readonly Call[]) => readonly Call[];
  /** Whether each call is a transaction of its own, so that a failing call undoes no other. */
  isSeparate?: boolean | undefined;
  /** The status that it reports; undefined: it does not know the list. 200 by default. */
  reports?: number | undefined;
  /** It makes the calls once this resolves, and answers after that. */
  holds?: Promise<void>;
}

interface Call {
  readonly to: Hex;
  readonly data: Hex;
  readonly value?: Hex;
}

const refusal = (code: number) => ({ code, message: 'refused' });

const { abi, bytecode } = Simple7702Account as unknown as { readonly abi: unknown[]; readonly bytecode: Hex };

/** The three EIP-5792 methods on a local chain, with a real account that runs lists of calls. */
export function createBatches(account: PrivateKeyAccount, rpcUrl: string) {
  const client = createWalletClient({ account, transport: http(rpcUrl) });
  const chain = createPublicClient({ transport: http(rpcUrl), pollingInterval: 50, cacheTime: 0 });
  const made = new Map<string, Hex[]>();
  let code: Promise<Hex> | undefined;

  async function deploy(): Promise<Hex> {
    const hash = await client.deployContract({ chain: null, abi, bytecode, args: [entryPoint09Address] });
    const { contractAddress } = await chain.waitForTransactionReceipt({ hash });
    return contractAddress as Hex;
  }

  /** All calls in one transaction, which the account sends to itself. */
  async function together(calls: readonly Call[]): Promise<Hex> {
    code ??= deploy();
    const authorization = await client.signAuthorization({ contractAddress: await code, executor: 'self' });
    const list = calls.map(({ to, data, value = '0x0' }) => ({ target: to, value: BigInt(value), data }));
    return client.sendTransaction({
      ...{ chain: null, to: account.address, authorizationList: [authorization], gas: 5_000_000n },
      data: encodeFunctionData({ abi, functionName: 'executeBatch', args: [list] }),
    });
  }

  /** @returns the answer, or what an EIP-1193 provider throws. */
  async function answer(method: string, params: readonly unknown[], batching: Batching): Promise<unknown> {
    switch (method) {
      case 'wallet_getCapabilities': {
        const [, [chainId] = []] = params as [Hex, Hex[]?];
        return { [chainId ?? '0x0']: { atomic: { status: batching.says } } };
      }
      case 'wallet_sendCalls': {
        const [{ calls, id }] = params as [{ calls: Call[]; id: string }];
        await batching.holds;
        if (batching.refuses !== undefined) return refusal(batching.refuses);
        const meant = (batching.changes?.(calls) ?? calls).slice(0, batching.makes);
        const hashes: Hex[] = [];
        if (batching.isSeparate) {
          for (const { to, data, value = '0x0' } of meant)
            hashes.push(await client.sendTransaction({ chain: null, to, data, value: BigInt(value), gas: 5_000_000n }));
        } else if (meant.length > 0) hashes.push(await together(meant));
        made.set(id, hashes);
        return { id };
      }
      case 'wallet_getCallsStatus': {
        const [id] = params as [string];
        const hashes = made.get(id);
        const status = 'reports' in batching ? batching.reports : 200;
        if (hashes === undefined || status === undefined) return refusal(5730);
        const found = await Promise.all(
          hashes.map((hash) => chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })),
        );
        const isMined = found.every((receipt) => receipt !== null);
        const receipts = isMined && status >= 200 ? found : [];
        const chainId = numberToHex(await chain.getChainId());
        return { version: '2.0.0', id, chainId, atomic: true, status: isMined ? status : 100, receipts };
      }
      default:
        return undefined;
    }
  }
  return { answer, together };
}

import { type Address, BaseError, formatEther, type Hex, type LocalAccount } from 'viem';
import { type ChainClient, contractErrorName, refusalOf } from '../../agent/src/chain/chain-client.ts';

const receiptMs = 60_000;

/**
 * Sends one call and waits until it is mined. What is sent can be seen on chain alone: run the command again if this throws.
 * @param gas computed if absent.
 * @throws one line.
 */
export async function sendAs(
  client: ChainClient,
  account: LocalAccount,
  { to, data, gas: given }: { readonly to: Address; readonly data: Hex; readonly gas?: bigint },
): Promise<Hex> {
  const { address } = account;
  const [chainId, nonce, gasPrice, balance] = await Promise.all([
    client.getChainId(),
    client.getTransactionCount({ address, blockTag: 'pending' }),
    client.getGasPrice(),
    client.getBalance({ address }),
  ]);
  const gas = given ?? ((await simulated(client, address, to, data)) * 5n) / 4n;
  if (balance < gas * gasPrice) {
    throw new Error(`${address} holds ${formatEther(balance)} BNB, and needs ${formatEther(gas * gasPrice)} for gas.`);
  }
  const transaction = { type: 'legacy', chainId, nonce, gasPrice, gas, to, data, value: 0n } as const;
  const serializedTransaction = await account.signTransaction(transaction);
  const hash = await client.sendRawTransaction({ serializedTransaction });
  const receipt = await client
    .waitForTransactionReceipt({ hash, timeout: receiptMs, pollingInterval: 250 })
    .catch((cause: unknown) => {
      throw new Error(`Transaction ${hash} was sent and is not known to be mined: run this again.`, { cause });
    });
  if (receipt.status !== 'success') throw new Error(`Transaction ${hash} reverted.`);
  return hash;
}

async function simulated(client: ChainClient, account: Address, to: Address, data: Hex): Promise<bigint> {
  try {
    return await client.estimateGas({ account, to, data });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined || !(error instanceof BaseError)) throw error;
    throw new Error(`${to} refuses the call of ${account}: ${contractErrorName(refusal.data)}.`, { cause: error });
  }
}

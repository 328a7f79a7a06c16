import type { ChainClient } from '@bowline/chain/chain-client';
import { contractErrorName } from '@bowline/chain/contract-error';
import { refusalOf } from '@bowline/chain/errors';
import { bnb, formatUnits, gwei } from '@bowline/core/domain/units';
import type { Address, Hex, LocalAccount, TransactionReceipt } from 'viem';

const receiptMs = 60_000;

/** What a node may not decide: the chain id that is signed, and the maximum cost of gas. */
export interface SendBounds {
  readonly chainId: number;
  readonly maxGasPriceWei: bigint;
}

export interface Call {
  readonly to: Address;
  readonly data: Hex;
  /** Defaults to zero. */
  readonly value?: bigint;
  /** Estimated if absent. */
  readonly gas?: bigint;
}

/**
 * Signs one call and hands it to the node.
 * @returns the hash that the node returned; whether a block includes it is unknown.
 * @throws one line.
 */
export async function broadcastAs(
  client: ChainClient,
  account: LocalAccount,
  { to, data, value = 0n, gas: given }: Call,
  bounds: SendBounds,
): Promise<Hex> {
  const { address } = account;
  const [nonce, gasPrice, balance] = await Promise.all([
    client.getTransactionCount({ address, blockTag: 'pending' }),
    gasPriceWithin(client, bounds),
    client.getBalance({ address }),
  ]);
  const gas = given ?? ((await simulated(client, address, { to, data, value })) * 5n) / 4n;
  const needed = gas * gasPrice + value;
  if (balance < needed) {
    throw new Error(`${address} holds ${bnb(balance)}, and needs ${bnb(needed)}${value === 0n ? ' for gas' : ''}.`);
  }
  const transaction = { type: 'legacy', chainId: bounds.chainId, nonce, gasPrice, gas, to, data, value } as const;
  const serializedTransaction = await account.signTransaction(transaction);
  return client.sendRawTransaction({ serializedTransaction });
}

/** Sends one call and waits until it is mined. @throws one line. */
export const sendAs = async (client: ChainClient, account: LocalAccount, call: Call, bounds: SendBounds) =>
  minedBy(client, await broadcastAs(client, account, call, bounds));

/**
 * Waits for a transaction's receipt. If this throws, run the command again: only the chain shows what was sent.
 * @throws one line.
 */
export async function minedBy(client: ChainClient, hash: Hex): Promise<TransactionReceipt> {
  const receipt = await client
    .waitForTransactionReceipt({ hash, timeout: receiptMs, pollingInterval: 250 })
    .catch((cause: unknown) => {
      throw new Error(`Transaction ${hash} was sent but is not confirmed: run this again.`, { cause });
    });
  if (receipt.status !== 'success') throw new Error(`Transaction ${hash} reverted.`);
  return receipt;
}

/**
 * The node's gas price.
 * @throws one line if it is above the bound, or if the node is on another chain.
 */
export async function gasPriceWithin(client: ChainClient, { chainId, maxGasPriceWei }: SendBounds): Promise<bigint> {
  const [found, gasPrice] = await Promise.all([client.getChainId(), client.getGasPrice()]);
  if (found !== chainId) throw new Error(`The node serves chain ${found}, not chain ${chainId}: nothing was sent.`);
  if (gasPrice > maxGasPriceWei) {
    throw new Error(
      `The node quotes ${gwei(gasPrice)} for gas, and MAX_GAS_PRICE_GWEI is ${formatUnits(maxGasPriceWei, 9)}: nothing was sent.`,
    );
  }
  return gasPrice;
}

async function simulated(client: ChainClient, account: Address, call: Required<Omit<Call, 'gas'>>): Promise<bigint> {
  try {
    return await client.estimateGas({ account, ...call });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    throw new Error(`${call.to} would revert the call from ${account}: ${contractErrorName(refusal.data)}.`, {
      cause: error,
    });
  }
}

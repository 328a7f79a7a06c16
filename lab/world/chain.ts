import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Abi,
  type Address,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  ContractFunctionRevertedError,
  createTestClient,
  type EncodeFunctionDataParameters,
  encodeDeployData,
  encodeFunctionData,
  formatTransactionReceipt,
  type Hex,
  http,
  publicActions,
  type RpcTransactionReceipt,
  type TransactionReceipt,
  toHex,
} from 'viem';
import type { Artifact } from './artifacts.ts';

/** A connection to a local anvil: viem's test and public actions, and the extra ones that building a chain needs. */
export type Chain = ReturnType<typeof connect>;

/** Maximum gas of a transaction on BNB Chain (EIP-7825). */
export const maxTransactionGas = 2n ** 24n;

/** Gas limit of each call in a group, so that two dozen fit into a block. */
const gasLimitEach = 5_000_000n;

/** Longer than any block takes, even on a busy machine. */
const blockPatienceMs = 30_000;

/** An encoded call, as a transaction takes it. */
export interface EncodedCall {
  readonly to: Address;
  readonly data: Hex;
  /** In wei; zero by default. */
  readonly value?: bigint;
}

export function call<const abi extends Abi, name extends ContractFunctionName<abi, 'nonpayable' | 'payable'>>(
  to: Address,
  abi: abi,
  functionName: name,
  args: ContractFunctionArgs<abi, 'nonpayable' | 'payable', name>,
): EncodedCall {
  return { to, data: encodeFunctionData({ abi, functionName, args } as never) };
}

function clientOf(url: string) {
  return createTestClient({
    mode: 'anvil',
    transport: http(url, { timeout: 60_000, retryCount: 0 }),
    // A local chain changes whenever this process says, so cached values would be wrong.
    cacheTime: 0,
  }).extend(publicActions);
}

type Client = ReturnType<typeof clientOf>;

export function connect(url: string) {
  const client = clientOf(url);
  return { ...client, url, ...sendingOf(client), ...placingOf(client) };
}

/** viem has no typed names for some of anvil's methods. */
const requestOf = (client: Client) =>
  client.request as <answer>(call: { method: string; params: unknown }) => Promise<answer>;

/** One round trip instead of a send and polls for the receipt. */
async function transact(
  client: Client,
  from: Address,
  to: Address,
  input: Hex,
  value: bigint,
): Promise<TransactionReceipt> {
  // Estimating would execute every transaction of the build several times.
  const params = [{ from, to, input, value: toHex(value), gas: toHex(maxTransactionGas) }];
  return formatTransactionReceipt(
    await requestOf(client)<RpcTransactionReceipt>({ method: 'eth_sendTransactionSync', params }),
  );
}

/**
 * Waits for a receipt. viem's wait looks only when a new block appears, so it can miss the only block of a chain that
 * mines at once, and then waits in vain.
 */
async function receiptOf(client: Client, hash: Hex): Promise<TransactionReceipt> {
  const deadline = performance.now() + blockPatienceMs;
  while (performance.now() < deadline) {
    const params = [hash];
    const receipt = await requestOf(client)<RpcTransactionReceipt | null>({
      method: 'eth_getTransactionReceipt',
      params,
    });
    if (receipt !== null) return formatTransactionReceipt(receipt);
    await sleep(25);
  }
  throw new Error(`transaction ${hash} was not mined within ${blockPatienceMs / 1000} s`);
}

async function sendTogether(
  client: Client,
  from: Address,
  calls: readonly EncodedCall[],
): Promise<TransactionReceipt[]> {
  if (calls.length === 0) return [];
  const first = await client.getTransactionCount({ address: from, blockTag: 'pending' });
  const hashes: Hex[] = [];
  // Not the synchronous method: on a chain with a block time, anvil sometimes misses the block and waits for 30 s.
  // Sequential: a chain that mines at once sometimes keeps transactions that arrive out of order in its pool.
  for (const [index, { to, data, value = 0n }] of calls.entries()) {
    const nonce = toHex(first + index);
    const params = [{ from, to, input: data, value: toHex(value), gas: toHex(gasLimitEach), nonce }];
    hashes.push(await requestOf(client)<Hex>({ method: 'eth_sendTransaction', params }));
  }
  return Promise.all(hashes.map((hash) => receiptOf(client, hash)));
}

async function sendAll(client: Client, from: Address, calls: readonly EncodedCall[]): Promise<TransactionReceipt[]> {
  const receipts = await sendTogether(client, from, calls);
  const failed = receipts.findIndex(({ status }) => status !== 'success');
  if (failed !== -1) throw new Error(`transaction ${failed + 1} of ${from}, to ${calls[failed]?.to}, reverted`);
  return receipts;
}

const sendingOf = (client: Client) => ({
  receiptOf: (hash: Hex) => receiptOf(client, hash),

  /**
   * Sends one account's calls in order, without waiting for their blocks: on a chain with a block time they share a
   * block. Does not throw on a revert; check the receipts.
   */
  sendTogether: (from: Address, calls: readonly EncodedCall[]) => sendTogether(client, from, calls),

  /** The same. @throws if one of them reverts. */
  sendAll: (from: Address, calls: readonly EncodedCall[]) => sendAll(client, from, calls),

  /** The same in one block, on a chain that mines at once. @param mine mines that block, and does nothing else. */
  async sendInOneBlock(
    from: Address,
    calls: readonly EncodedCall[],
    mine: () => Promise<unknown> = () => client.mine({ blocks: 1 }),
  ): Promise<TransactionReceipt[]> {
    await client.setAutomine(false);
    try {
      const sent = sendAll(client, from, calls);
      // The race stops waiting if one of them is refused.
      while ((await client.getTxpoolStatus()).pending < calls.length) await Promise.race([sent, sleep(1)]);
      await mine();
      return await sent;
    } finally {
      await client.setAutomine(true);
    }
  },

  /**
   * Sends a contract call from an account that the node can sign for, and waits for its receipt.
   * @param value wei to send along.
   * @throws the contract's revert reason, decoded with the given ABI.
   */
  async send<const abi extends Abi, name extends ContractFunctionName<abi>>(
    from: Address,
    to: Address,
    call: EncodeFunctionDataParameters<abi, name>,
    value = 0n,
  ): Promise<TransactionReceipt> {
    const { abi, functionName, args } = call as { abi: Abi; functionName: string; args?: readonly unknown[] };
    const input = encodeFunctionData({ abi, functionName, args: args ?? [] });
    const receipt = await transact(client, from, to, input, value);
    if (receipt.status === 'success') return receipt;
    const before = { account: from, blockNumber: receipt.blockNumber - 1n };
    const replay = client.simulateContract({ address: to, abi, functionName, args: args ?? [], value, ...before });
    const reason = await replay.then(() => 'not when replayed alone', revertReason);
    throw new Error(`${functionName} on ${to} reverted: ${reason}`);
  },

  /** Sends bare calldata, to a contract that has no ABI. */
  async sendRaw(from: Address, to: Address, input: Hex): Promise<TransactionReceipt> {
    const receipt = await transact(client, from, to, input, 0n);
    if (receipt.status !== 'success') throw new Error(`the transaction to ${to} reverted`);
    return receipt;
  },
});

const placingOf = (client: Client) => ({
  /**
   * Deploys at a chosen address. The constructor runs as the code of that address, so storage and immutables are the
   * same as if the contract had been created there.
   */
  async place(address: Address, { abi, bytecode }: Artifact, args: readonly unknown[], deployer: Address) {
    await client.setNonce({ address, nonce: 1 });
    await client.setCode({ address, bytecode: encodeDeployData({ abi, bytecode, args: [...args] }) });
    const { data: runtime } = await client.call({ account: deployer, to: address, gas: maxTransactionGas });
    if (runtime === undefined) throw new Error(`the constructor for ${address} returned no code`);
    const receipt = await transact(client, deployer, address, '0x', 0n);
    if (receipt.status !== 'success') throw new Error(`the constructor for ${address} reverted`);
    await client.setCode({ address, bytecode: runtime });
  },
});

function revertReason(error: unknown): string {
  if (!(error instanceof BaseError)) return String(error);
  const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  if (!(reverted instanceof ContractFunctionRevertedError)) return error.shortMessage;
  const { data, reason, signature } = reverted;
  if (data !== undefined && data.errorName !== 'Error') return `${data.errorName}(${data.args?.join(', ') ?? ''})`;
  return reason ?? signature ?? 'without a reason';
}

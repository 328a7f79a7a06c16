import type { Block } from '@bowline/core/domain/facts';
import { BowlineError } from '@bowline/core/domain/result';
import { wordOfError } from '@bowline/core/texts/words';
import {
  type AbiItem,
  type Address,
  BaseError,
  BlockNotFoundError,
  bytesToHex,
  createPublicClient,
  decodeErrorResult,
  type Hex,
  HttpRequestError,
  isHex,
  numberToHex,
  RpcRequestError,
  TimeoutError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
} from 'viem';
import { entryPoint09Abi } from 'viem/account-abstraction';
import * as abis from '../../abis/index.ts';
import { httpTransport } from './http-transport.ts';

/** viem's client, shared by all code that calls the node. */
export type ChainClient = ReturnType<typeof connectChain>;

/**
 * Milliseconds until a lost request is repeated. A rescue that waits for a node must be sent within five seconds of its
 * return.
 */
const answerMs = 3_000;

/** How often a request to the node is repeated, beginning soon: a rate limit or a restart may be over in a moment. */
export const repeats = { retryCount: 2, retryDelay: 150 } as const;

/**
 * @param node JSON-RPC over HTTP, or another way to a node.
 * @param inBatches whether concurrent requests to a URL are sent as one batch of up to eight. A node without batch
 * support does not answer.
 */
export function connectChain(node: string | Transport, inBatches = false) {
  return createPublicClient({
    transport: typeof node === 'string' ? overHttp(node, inBatches, repeats) : node,
    // A cached block number is too old when blocks come every half second.
    cacheTime: 0,
    // Otherwise a called contract could make this process fetch any URL it names.
    ccipRead: false,
  });
}

/** The way to one node. Requests are not repeated unless told so. */
export const overHttp = (
  url: string,
  inBatches = false,
  repeated: { readonly retryCount: number; readonly retryDelay?: number } = { retryCount: 0 },
): Transport => httpTransport(url, { timeoutMs: answerMs, batchSize: inBatches ? 8 : 1, ...repeated });

/**
 * Runs a request to the node. A node that does not answer or refuses is `chain_unavailable`, with viem's error in `cause`. Any
 * other error is thrown as it is: a contract's revert, a value that cannot be encoded, a fault of ours.
 */
export async function asking<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (cause) {
    if (!isOfNode(cause)) throw cause;
    throw new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true, cause });
  }
}

/**
 * Whether there is no answer because of the node: it is silent, refuses, fails, or lacks the block that was asked for. A
 * contract's revert is an answer.
 */
const isOfNode = (error: unknown): boolean =>
  error instanceof BlockNotFoundError ||
  (error instanceof BaseError && nodeFailure(error) !== undefined && refusalOf(error) === undefined);

export async function newestBlock(client: ChainClient): Promise<Block> {
  const { number, timestamp } = await client.getBlock({ blockTag: 'latest' });
  return { number, timestamp };
}

/**
 * Turns a list of reads into one eth_call without a deployed contract: the request is sent as creation code (48 kB at
 * most) and the answer returns as the created code (24 kB at most). Longer lists need pages.
 */
export const inOneCall = { deployless: true, batchSize: 0 } as const;

/**
 * A random address without code whose key nobody has. Each call gets a new one, so that no source recognises the
 * caller.
 */
export const nobody = (): Address => bytesToHex(crypto.getRandomValues(new Uint8Array(20)));

// Public nodes allow a call 50,000,000 gas. The lens divides its gas: this is enough if every source uses its whole
// share.
export const lensGas = 40_000_000n;

/** Words that a call finds in a contract's storage instead of what is there. A form of viem's `StateOverride`. */
export interface Supposed {
  address: Address;
  stateDiff: { slot: Hex; value: Hex }[];
}

/**
 * Runs a lens at the newest block through an `eth_call` that overrides the code at `at`.
 * @param at an address that nobody controls.
 * @param supposed of other contracts.
 * @returns undefined if the node ignores state overrides: it called an address without code.
 */
export async function runLens(
  client: ChainClient,
  code: Hex,
  question: Hex,
  at: Address = nobody(),
  supposed: readonly Supposed[] = [],
): Promise<Hex | undefined> {
  // viem's own call takes five times as long to write the same request.
  const call = { from: nobody(), to: at, data: question, gas: numberToHex(lensGas) };
  const overrides = Object.fromEntries(
    supposed.map(({ address, stateDiff }) => [
      address,
      { stateDiff: Object.fromEntries(stateDiff.map(({ slot, value }) => [slot, value])) },
    ]),
  );
  const data = await client.request({
    method: 'eth_call',
    params: [call, 'latest', { ...overrides, [at]: { code } }],
  });
  return isHex(data) && data !== '0x' ? data : undefined;
}

/**
 * The receipt of whichever transaction is mined. Throws viem's error if the node does not answer or returns anything
 * but a receipt of that transaction: neither allows a conclusion.
 */
export async function receiptOf(client: ChainClient, hashes: readonly Hex[]): Promise<TransactionReceipt | undefined> {
  for (const hash of hashes) {
    try {
      const receipt = await client.getTransactionReceipt({ hash });
      if (isWhole(receipt, hash)) return receipt;
      throw new BaseError('The node returned something other than the receipt of the transaction.');
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
  }
  return undefined;
}

/** Nodes omit fields, and viem passes the gaps through. */
function isWhole(receipt: TransactionReceipt, hash: Hex): boolean {
  const { transactionHash, status, blockNumber, gasUsed, effectiveGasPrice, logs } = receipt;
  return (
    transactionHash === hash &&
    (status === 'success' || status === 'reverted') &&
    [blockNumber, gasUsed, effectiveGasPrice].every((each) => typeof each === 'bigint') &&
    Array.isArray(logs)
  );
}

export const paidWei = ({ gasUsed, effectiveGasPrice }: TransactionReceipt): bigint => gasUsed * effectiveGasPrice;

const errors = [...Object.values<readonly AbiItem[]>(abis), entryPoint09Abi]
  .flat()
  .filter((item) => item.type === 'error');

/**
 * The error name in revert data in lower_snake, for errors of this project's contracts and of the EntryPoint:
 * `HealthNotBelowTrigger` becomes `health_not_below_trigger`. A failed price source yields its own error if known.
 * Everything else is `unknown_error`: third-party texts are never repeated.
 */
export function contractErrorName(data: Hex | undefined): string {
  const { errorName, args } = decode(data);
  if (errorName === undefined) return 'unknown_error';
  if (errorName === 'PriceSourceFailed') {
    const inner = contractErrorName(args?.[1] as Hex);
    if (inner !== 'unknown_error') return inner;
  }
  // EntryPoint reasons start with a code: AA25 is a used nonce.
  if (errorName === 'FailedOp') return `failed_op_${String(args?.[1]).slice(0, 4).toLowerCase()}`;
  return wordOfError(errorName);
}

function decode(data: Hex | undefined): { errorName?: string; args?: readonly unknown[] } {
  try {
    const { errorName, args } = decodeErrorResult({ abi: errors, data: data ?? '0x' });
    return errorName === 'Error' ? {} : { errorName, args: args ?? [] };
  } catch {
    return {};
  }
}

/**
 * What a failed request says of the node:
 * - `silent`: no answer. The same request may succeed later.
 * - `limited`: too many requests, or too large.
 * - `turned_away`: the HTTP server refuses, as it does for a wrong key or path.
 * - `internal`: an error inside the node. It may pass, or come from what was asked: both happen.
 * - `answered`: an answer about the request, such as a contract's revert, too little gas, or a method it does not have.
 */
export type NodeFailure = 'silent' | 'limited' | 'turned_away' | 'internal' | 'answered';

/** Limit exceeded (EIP-1474), QuickNode's code for it, and the HTTP status, which some nodes send as a code. */
const limitCodes: ReadonlySet<number> = new Set([-32_005, -32_007, 429]);
const INTERNAL_ERROR = -32_603;

/** Undefined if the failure is neither the node's nor its answer: a value that cannot be decoded, or a fault of ours. */
export function nodeFailure(error: unknown): NodeFailure | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof TimeoutError) return 'silent';
    if (cause instanceof HttpRequestError) return byStatus(cause.status);
    // viem also reads the JSON-RPC error of a response with a failing HTTP status.
    if (cause instanceof RpcRequestError) {
      if (limitCodes.has(cause.code)) return 'limited';
      return cause.code === INTERNAL_ERROR && refusalOf(cause) === undefined ? 'internal' : 'answered';
    }
    if (cause instanceof BowlineError && cause.code === 'chain_unavailable' && cause.cause === undefined)
      return 'silent';
  }
  return undefined;
}

function byStatus(status: number | undefined): NodeFailure {
  if (status === 429) return 'limited';
  return status === undefined || status === 408 || status >= 500 ? 'silent' : 'turned_away';
}

/** Whether the node answers nothing now, whatever it is asked: smaller or other requests would only be more of them. */
export function isSilence(error: unknown): boolean {
  const failure = nodeFailure(error);
  return failure === 'silent' || failure === 'limited' || failure === 'turned_away';
}

/** Whether the node is there and speaks of what it was asked. */
export function isAnswer(error: unknown): boolean {
  const failure = nodeFailure(error);
  return failure === 'answered' || failure === 'internal';
}

/** An error and all its causes. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error; each = each.cause) causes.push(each);
  return causes;
}

/** The node's JSON-RPC error inside a viem error; undefined if the node returned none. */
export function nodeAnswer(error: unknown): RpcRequestError | undefined {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : undefined;
  return answer instanceof RpcRequestError ? answer : undefined;
}

/**
 * Revert data of a contract that refused an eth_call; undefined if anything else failed. Nodes mark a revert with code
 * 3 and the contract's data; a revert without data is recognised by its standard text.
 */
export function refusalOf(error: unknown): { readonly data: Hex | undefined } | undefined {
  const answer = nodeAnswer(error);
  if (answer === undefined) return undefined;
  const data = isHex(answer.data) ? answer.data : undefined;
  const refused = answer.code === 3 || data !== undefined || answer.details.startsWith('execution reverted');
  return refused ? { data } : undefined;
}

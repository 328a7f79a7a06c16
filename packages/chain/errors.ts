import {
  type Abi,
  BlockNotFoundError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  decodeErrorResult,
  type Hex,
  HttpRequestError,
  isHex,
  RawContractError,
  RpcRequestError,
  TimeoutError,
} from 'viem';

/**
 * Who caused an error:
 * - `node`: there is no answer. The node does not respond, refuses, fails, or lacks the requested block. It may answer later.
 * - `contract`: there is an answer, but not a result. A contract reverted, or returned something outside its ABI.
 * - `ours`: anything else, including a value that cannot be encoded. It must never be reported as the chain's fault.
 */
export type Fault = 'node' | 'contract' | 'ours';

/** Who caused an error thrown by a read, a simulation or a call. This is decided only here. */
export function faultOf(error: unknown): Fault {
  if (refusalOf(error) !== undefined) return 'contract';
  const causes = causesOf(error);
  if (nodeFailure(error) !== undefined || causes.some(isLacking)) return 'node';
  return causes.some(({ name }) => unreadable.has(name)) ? 'contract' : 'ours';
}

/** Decoding errors by name: viem's, not all of whose classes are exported, and our own (unknown-answer.ts). */
const unreadable: ReadonlySet<string> = new Set([
  'AbiDecodingDataSizeTooSmallError',
  'AbiDecodingZeroDataError',
  'InvalidBytesBooleanError',
  'NegativeOffsetError',
  'PositionOutOfBoundsError',
  'RecursiveReadLimitExceededError',
  'UnknownAnswer',
]);

/** The node lacks a block, or one of our readers found its answer incomplete. */
const isLacking = (cause: Error): boolean =>
  cause instanceof BlockNotFoundError || ('code' in cause && cause.code === 'chain_unavailable');

/**
 * What a failed request says about the node:
 * - `silent`: no answer. The same request may succeed later.
 * - `limited`: too many requests, or too large.
 * - `turned_away`: the HTTP server refuses, as it does for a wrong key or path.
 * - `internal`: an error inside the node. It may be transient, or caused by the request: both happen.
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
    // Our own error about an unusable answer, not one that wraps an error of the node.
    if ('code' in cause && cause.code === 'chain_unavailable' && cause.cause === undefined) return 'silent';
  }
  return undefined;
}

function byStatus(status: number | undefined): NodeFailure {
  if (status === 429) return 'limited';
  return status === undefined || status === 408 || status >= 500 ? 'silent' : 'turned_away';
}

/** Whether the node answers no request at all now. Smaller or different requests would only add to the load. */
export function isSilence(error: unknown): boolean {
  const failure = nodeFailure(error);
  return failure === 'silent' || failure === 'limited' || failure === 'turned_away';
}

/** Whether nothing replied at all, not even with an HTTP status. */
export const isUnreachable = (error: unknown): boolean =>
  causesOf(error).some(
    (cause) => cause instanceof TimeoutError || (cause instanceof HttpRequestError && cause.status === undefined),
  );

/** Whether the node responded to the request itself, if only with an error. */
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
export const nodeAnswer = (error: unknown): RpcRequestError | undefined =>
  causesOf(error).find((cause) => cause instanceof RpcRequestError);

/**
 * Revert data of a contract that refused a call, or has no such function; undefined if anything else failed. Nodes mark a
 * revert with code 3 and the contract's data; a revert without data is recognised by its standard text. viem also takes an
 * internal error of a node for a revert, so the node's own answer decides where there is one.
 */
export function refusalOf(error: unknown): { readonly data: Hex | undefined } | undefined {
  const answer = nodeAnswer(error);
  if (answer !== undefined) {
    const data = dataIn(answer.data);
    const refused = answer.code === 3 || data !== undefined || answer.details.startsWith('execution reverted');
    return refused ? { data } : undefined;
  }
  // One of several calls in an eth_call.
  for (const cause of causesOf(error)) {
    if (cause instanceof RawContractError) return { data: dataIn(cause.data) };
    if (cause instanceof ContractFunctionRevertedError) return { data: cause.raw };
    if (cause instanceof ContractFunctionZeroDataError) return { data: undefined };
  }
  return undefined;
}

/** The error in revert data; undefined if the ABI does not have it. */
export function errorIn(abi: Abi, data: Hex = '0x') {
  try {
    return decodeErrorResult({ abi, data });
  } catch {
    return undefined;
  }
}

/** Some nodes wrap the data in an object. */
function dataIn(data: unknown): Hex | undefined {
  const found = (data as { readonly data?: unknown } | undefined)?.data ?? data;
  return isHex(found) ? found : undefined;
}

import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  RawContractError,
  type StateOverride,
} from 'viem';
import { readLensAbi } from '../../../abis/index.ts';
import { readLensCode } from '../../../abis/read-lens.ts';
import { type Failure, failureOf } from '../words/contract-errors.ts';
import type { ChainClient } from './client.ts';

export interface Call {
  readonly to: Address;
  readonly data: Hex;
}

export interface Answer {
  readonly isOk: boolean;
  /** The result, or the revert data. */
  readonly data: Hex;
}

const asked = (calls: readonly Call[]): Hex =>
  encodeFunctionData({
    ...{ abi: readLensAbi, functionName: 'read' },
    args: [calls.map(({ to, data }) => ({ target: to, data }))],
  });

/** A call in which another of `tryAs`’s accounts makes calls of its own. `answersIn` reads its result. */
export const callsAs = (account: Address, calls: readonly Call[]): Call => ({ to: account, data: asked(calls) });

/** @throws if the accounts' code was not replaced: the node takes no state overrides. */
export function answersIn(data: Hex): readonly Answer[] {
  const [, answers] = decodeFunctionResult({ abi: readLensAbi, functionName: 'read', data });
  return answers;
}

/**
 * What calls of an account would do one after another at the newest block, through the contracts' own code: one eth_call
 * in which the account's own code makes them (contracts/lens/ReadLens.sol). Nothing is sent.
 * @param others accounts that make calls inside of these, see `callsAs`.
 * @param time of the block, unix seconds; the newest block's if omitted.
 */
export async function tryAs(
  client: ChainClient,
  account: Address,
  calls: readonly Call[],
  { others = [], time }: { readonly others?: readonly Address[]; readonly time?: bigint | undefined } = {},
): Promise<readonly Answer[]> {
  const accounts = [...new Set([account, ...others])];
  const stateOverride: StateOverride = accounts.map((address) => ({ address, code: readLensCode }));
  const { data = '0x' } = await client.call({
    ...{ account, to: account, data: asked(calls), stateOverride },
    ...(time !== undefined && { blockOverrides: { time } }),
  });
  const answers = answersIn(data);
  if (answers.length !== calls.length) throw new Error('The node answered another question.');
  return answers;
}

/** The contract's reason in words. */
export const refusalIn = ({ data }: Answer): Failure => failureOf(new RawContractError({ data }));

/** The network's fee for an account's transactions, sent one after another now. */
export interface NetworkCost {
  readonly gas: bigint;
  /** What of BNB that is at the price of now. */
  readonly wei: bigint;
}

/** Undefined where the node cannot simulate transactions (eth_simulateV1), or the contracts refuse one. */
export async function networkCost(
  client: ChainClient,
  account: Address,
  calls: readonly Call[],
): Promise<NetworkCost | undefined> {
  try {
    const [[block], price] = await Promise.all([
      client.simulateBlocks({ blocks: [{ calls: calls.map(({ to, data }) => ({ account, to, data })) }] }),
      client.getGasPrice(),
    ]);
    if (block === undefined || block.calls.some(({ status }) => status !== 'success')) return undefined;
    const gas = block.calls.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
    return { gas, wei: gas * price };
  } catch {
    return undefined;
  }
}

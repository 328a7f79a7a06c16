import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, type StateOverride } from 'viem';
import { readLensAbi } from '../../abis/index.ts';
import { readLensCode } from '../../abis/read-lens.ts';
import type { Calls } from './reads.ts';

/** A transaction for a wallet to sign, or a call to try. */
export interface Call {
  readonly to: Address;
  readonly data: Hex;
}

export interface Answer {
  readonly isOk: boolean;
  /** The result, or the revert data. */
  readonly data: Hex;
}

/** The question to the lens that makes these calls, one after the other. `answerOf` reads its result. */
export const questionOf = (calls: readonly Call[]): Hex =>
  encodeFunctionData({
    ...{ abi: readLensAbi, functionName: 'read' },
    args: [calls.map(({ to, data }) => ({ target: to, data }))],
  });

/** The block's time in unix seconds, and as many answers as there were calls. @throws if the node answered something else. */
export function answerOf(calls: readonly Call[], data: Hex): readonly [time: bigint, answers: readonly Answer[]] {
  const read = decodeFunctionResult({ abi: readLensAbi, functionName: 'read', data });
  if (read[1].length !== calls.length) throw new Error("The node's answer does not match the request.");
  return read;
}

/** A call in which another of `tryAs`’s accounts makes calls of its own. `answersIn` reads its result. */
export const callsAs = (account: Address, calls: readonly Call[]): Call => ({ to: account, data: questionOf(calls) });

/** @throws if the accounts' code was not replaced: the node takes no state overrides. */
export function answersIn(data: Hex): readonly Answer[] {
  return decodeFunctionResult({ abi: readLensAbi, functionName: 'read', data })[1];
}

interface Circumstances {
  readonly others?: readonly Address[];
  readonly time?: bigint | undefined;
  readonly supposed?: StateOverride;
}

/**
 * What calls of an account would do one after another at the newest block, through the contracts' own code: one eth_call
 * in which the account's own code makes them (contracts/lens/ReadLens.sol). Nothing is sent.
 * @param others accounts that make calls inside of these, see `callsAs`.
 * @param time of the block, unix seconds; the newest block's if omitted.
 * @param supposed overridden code and storage of other contracts.
 */
export async function tryAs(
  client: Pick<Calls, 'call'>,
  account: Address,
  calls: readonly Call[],
  { others = [], time, supposed = [] }: Circumstances = {},
): Promise<readonly Answer[]> {
  const accounts = [...new Set([account, ...others])];
  const own: StateOverride = accounts.map((address) => ({ address, code: readLensCode }));
  const { data = '0x' } = await client.call({
    ...{ account, to: account, data: questionOf(calls), stateOverride: [...supposed, ...own] },
    ...(time !== undefined && { blockOverrides: { time } }),
  });
  return answerOf(calls, data)[1];
}

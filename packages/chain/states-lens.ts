import type { Address } from '@bowline/core/domain/units';
import {
  type AbiFunction,
  type AbiParameter,
  decodeAbiParameters,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  toFunctionSelector,
} from 'viem';
import { statesLensAbi } from '../../abis/index.ts';
import { statesLensCode } from '../../abis/states-lens.ts';
import { type ChainClient, tryLens } from './chain-client.ts';
import { inTurn } from './paginated-reads.ts';
import { inOneCall } from './reads.ts';

/** Two words each; see contracts/lens/StatesLens.sol. */
export interface StateWords {
  readonly state: bigint;
  readonly more: bigint;
}

type StatesQuestion =
  | { readonly planRegistry: Address; readonly tokens: readonly Address[] }
  | { readonly loanGuard: Address };

/**
 * Runs contracts/lens/StatesLens.sol at the newest block.
 * @returns the words of each ID, in order, undefined for one that cannot be read; or undefined if the node does not
 * support state overrides. Throws viem's errors.
 */
async function readStates(
  client: ChainClient,
  question: StatesQuestion,
  ids: readonly bigint[],
): Promise<readonly (StateWords | undefined)[] | undefined> {
  const packed = packedIds(ids);
  const data =
    'planRegistry' in question
      ? encodeFunctionData({
          abi: statesLensAbi,
          functionName: 'plans',
          args: [question.planRegistry, packed, question.tokens],
        })
      : encodeFunctionData({ abi: statesLensAbi, functionName: 'guards', args: [question.loanGuard, packed] });
  const answer = await tryLens(client, statesLensCode, data);
  if (answer === undefined) return undefined;
  // Both functions answer alike.
  const [asked, words] = decodeFunctionResult({ abi: statesLensAbi, functionName: 'plans', data: answer });
  if (asked !== keccak256(data) || words.length !== 2 * ids.length) return undefined;
  return ids.map((_, at) => {
    const [state = 0n, more = 0n] = words.slice(2 * at, 2 * at + 2);
    return state === 0n ? undefined : { state, more };
  });
}

/** More than a plan or a guard needs. */
const STRUCT_GAS = 500_000n;

/** Plans or guards of a contract, which the lens reads whole and then again. */
interface Structs<OnChain, Item> {
  readonly address: Address;
  /** The view function that returns one by its number. Its answer is of fixed length. */
  readonly view: AbiFunction;
  /** Items that one call reads without the lens. */
  readonly pageSize: number;
  toItem(id: bigint, answer: OnChain): Item;
  /** What the lens hashes to detect whether an item has changed. Absent: items are only read whole. */
  readonly encodedTerms?: (answer: OnChain) => Hex;
}

/** Reads items whole first, and later only the parts that can change. Throws viem's errors. */
export function createStructReader<OnChain, Item extends { readonly id: bigint }>(
  client: ChainClient,
  { address, view, pageSize, toItem, encodedTerms }: Structs<OnChain, Item>,
) {
  const bounds = { words: wordsOf(view.outputs), gasEach: STRUCT_GAS };
  /** The lens's tag of each item's own terms, kept by object: another caller may have read newer terms. */
  const tags = new WeakMap<Item, bigint | undefined>();
  const tagged = (item: Item, tag: bigint | undefined): Item => tags.set(item, tag) && item;

  const isChanged = (words: StateWords | undefined, item: Item) => words && words.state >> 192n !== tags.get(item);

  const known = (id: bigint, answer: OnChain): Item =>
    tagged(toItem(id, answer), encodedTerms && tagOf(encodedTerms(answer)));

  async function readPage(ids: readonly bigint[]): Promise<Item[]> {
    const contracts = ids.map((id) => ({ address, abi: [view], functionName: view.name, args: [id] }));
    const answers = await client.multicall({ ...inOneCall, allowFailure: false, contracts });
    return answers.map((answer, at) => known(ids[at] as bigint, answer as OnChain));
  }

  return {
    known,
    readPage,

    /** Undefined for an item that cannot be read. */
    async readWhole(ids: readonly bigint[]): Promise<(Item | undefined)[]> {
      const read = await readHeads(client, address, view, bounds, ids);
      if (read === undefined) return inTurn(ids, pageSize, readPage);
      return ids.map((id, at) => {
        const data = read[at];
        return data ? known(id, (decodeAbiParameters(view.outputs, data) as [OnChain])[0]) : undefined;
      });
    },

    /**
     * Known items as they are now. Reads only what can change. Items whose terms have changed are read whole, as are
     * all items if the node does not support state overrides.
     * @param withState returns undefined if what the item needs could not be read.
     * @param completed adds what items read whole lack, and keeps their order.
     */
    async readAgain(
      before: readonly Item[],
      question: StatesQuestion,
      withState: (item: Item, words: StateWords) => Item | undefined,
      completed: (items: readonly Item[]) => Promise<readonly Item[]> = async (items) => items,
    ): Promise<(Item | undefined)[]> {
      const ids = before.map(({ id }) => id);
      const states = await readStates(client, question, ids);
      const changed = states ? ids.filter((_, at) => isChanged(states[at], before[at] as Item)) : ids;
      const whole = await inTurn(changed, pageSize, readPage);
      const complete = await completed(whole);
      const byId = new Map(complete.map((item, at) => [item.id, tagged(item, tags.get(whole[at] as Item))]));
      return before.map((item, at) => {
        const words = states?.[at];
        const same = words && withState(item, words);
        return byId.get(item.id) ?? (same && tagged(same, tags.get(item)));
      });
    },
  };
}

/**
 * Reads the beginnings of structs by the same lens.
 * @param bounds per struct: the words that are kept, and the gas that may be used.
 * @returns as many as the call's gas allowed, in order, null for one that cannot be read; or undefined if the node does
 * not support state overrides. Throws viem's errors.
 */
export async function readHeads(
  client: ChainClient,
  target: Address,
  read: AbiFunction,
  { words, gasEach }: { readonly words: number; readonly gasEach: bigint },
  ids: readonly bigint[],
): Promise<readonly (Hex | null)[] | undefined> {
  const length = 32 * words;
  const args = [target, toFunctionSelector(read), BigInt(length), gasEach, packedIds(ids)] as const;
  const data = encodeFunctionData({ abi: statesLensAbi, functionName: 'each', args });
  const answer = await tryLens(client, statesLensCode, data);
  if (answer === undefined) return undefined;
  const [asked, structs] = decodeFunctionResult({ abi: statesLensAbi, functionName: 'each', data: answer });
  const digits = 2 * length;
  const count = (structs.length - 2) / digits;
  if (asked !== keccak256(data) || !Number.isInteger(count) || count > ids.length) return undefined;
  const isZero = /^0*$/;
  return Array.from({ length: count }, (_, at) => {
    const struct = structs.slice(2 + at * digits, 2 + (at + 1) * digits);
    return isZero.test(struct) ? null : (`0x${struct}` as const);
  });
}

/** Words of parameters without dynamic types. */
const wordsOf = (parameters: readonly AbiParameter[]): number =>
  parameters.reduce((sum, each) => sum + ('components' in each ? wordsOf(each.components) : 1), 0);

/** Five bytes each, as the lenses take them. */
const packedIds = (ids: readonly bigint[]): Hex =>
  `0x${ids.map((id) => numberToHex(id, { size: 5 }).slice(2)).join('')}`;

/** The bits of a word from `from` on. */
export const bits = (word: bigint, from: bigint, count: bigint): bigint => (word >> from) & ((1n << count) - 1n);

/** The lens's tag of encoded terms. */
const tagOf = (encoded: Hex): bigint => hexToBigInt(keccak256(encoded)) >> 192n;

import { BowlineError } from '@bowline/core/domain/result';
import type { Timers } from '@bowline/core/domain/time';
import type { Address } from '@bowline/core/domain/units';
import {
  type Abi as AnyAbi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  concat,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  pad,
} from 'viem';
import { marketLensAbi } from '../../abis/index.ts';
import { marketLensCode } from '../../abis/market-lens.ts';
import { type ChainClient, nobody, runLens, type Supposed } from './chain-client.ts';
import { erc20Abi } from './erc20-abi.ts';

type Abi = typeof marketLensAbi;
type Question = 'read' | 'ask';
type Args<Name extends Question> = ContractFunctionArgs<Abi, 'nonpayable' | 'view', Name>;
type Answer<Name extends Question> = ContractFunctionReturnType<Abi, 'nonpayable' | 'view', Name>;
export type Snapshot = Answer<'read'>;

/** Runs contracts/lens/MarketLens.sol like `runLens`. */
export async function callLens<Name extends Question>(
  client: ChainClient,
  functionName: Name,
  args: Args<Name>,
  at: Address,
  supposed: readonly Supposed[] = [],
): Promise<Answer<Name>> {
  const question = encodeFunctionData({ abi: marketLensAbi, functionName, args } as never);
  const data = await runLens(client, marketLensCode, question, at, supposed);
  if (data === undefined) throw unavailable();
  const answer: unknown = decodeFunctionResult({ abi: marketLensAbi, functionName, data } as never);
  // A node may send the answer to another question.
  const { asked } = Array.isArray(answer) ? { asked: answer[0] } : (answer as Answer<'read'>);
  if (asked !== keccak256(question)) throw unavailable();
  return answer as Answer<Name>;
}

/** What a contract answered to the lens; undefined if that cannot be decoded. */
export function decoded<const abi extends AnyAbi, name extends ContractFunctionName<abi, 'view'>>(
  abi: abi,
  functionName: name,
  data: Hex = '0x',
): ContractFunctionReturnType<abi, 'view', name> | undefined {
  if (data === '0x') return undefined;
  try {
    return decodeFunctionResult({ abi, functionName, data } as never) as never;
  } catch {
    return undefined;
  }
}

const unavailable = () => new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true });

/** Storage slot where a token may keep a holder's balance. */
type Slot = (holder: Address) => Hex;

const solidity =
  (slot: Hex): Slot =>
  (holder) =>
    keccak256(concat([pad(holder), slot]));
const vyper =
  (slot: Hex): Slot =>
  (holder) =>
    keccak256(concat([slot, pad(holder)]));

// OpenZeppelin's upgradeable tokens: version 4 reserves slots before its first variable, version 5 uses named storage.
const openZeppelin = [
  numberToHex(51, { size: 32 }),
  '0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00',
] as const;
const first = Array.from({ length: 31 }, (_, at) => numberToHex(at, { size: 32 }));
const slots: readonly Slot[] = [...first.map(solidity), ...openZeppelin.map(solidity), ...first.map(vyper)];

// More than any payment. All ones below, so that data packed above the balance in the same word stays zero.
const plenty = 2n ** 127n - 1n;
const inStorage = numberToHex(plenty, { size: 32 });

/**
 * How long a token is skipped after its balance slot was not found: each search costs the node as much gas as the token
 * consumes.
 */
const unknownMs = 300_000;

/** State that gives an account plenty of a token. A token's storage slot is searched once and cached. */
export interface BalanceStorage {
  /** Empty if the slot is unknown. */
  plentyOf(token: Address, holder: Address): Promise<Supposed[]>;
  /** Makes the next call for this token search for its slot again. */
  forget(token: Address): void;
}

export function createBalanceStorage(client: ChainClient, { now }: Pick<Timers, 'now'>): BalanceStorage {
  const known = new Map<Address, Slot>();
  const unknownUntil = new Map<Address, number>();
  return {
    async plentyOf(token, holder) {
      if (now() < (unknownUntil.get(token) ?? 0)) return [];
      const slot = known.get(token) ?? (await find(client, token));
      if (slot === undefined) {
        unknownUntil.set(token, now() + unknownMs);
        return [];
      }
      known.set(token, slot);
      return [{ address: token, stateDiff: [{ slot: slot(holder), value: inStorage }] }];
    },
    forget: (token) => known.delete(token),
  };
}

async function find(client: ChainClient, token: Address): Promise<Slot | undefined> {
  // One holder per candidate slot, so that a single call tries all of them without interference.
  const tried = slots.map((slot) => {
    const holder = nobody();
    return { slot, holder, key: slot(holder) };
  });
  const stateDiff = tried.map(({ key }) => ({ slot: key, value: inStorage }));
  const reads = tried.map(({ holder }) => ({
    source: token,
    question: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] }),
  }));
  const [, balances] = await callLens(client, 'ask', [reads], nobody(), [{ address: token, stateDiff }]);
  // A rebasing token reports a different number; a token that packs a flag there reports a small one.
  return tried[balances.findIndex((each) => each !== '0x' && BigInt(each) >> 96n > 0n)]?.slot;
}

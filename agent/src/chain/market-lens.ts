import { BowlineError } from '@bowline/core/domain/result';
import type { Address } from '@bowline/core/domain/units';
import {
  bytesToHex,
  type ContractFunctionArgs,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  isHex,
  keccak256,
  type StateOverride,
} from 'viem';
import { marketLensAbi } from '../../../abis/index.ts';
import { marketLensCode } from '../../../abis/market-lens.ts';
import type { ChainClient } from './chain-client.ts';

type Abi = typeof marketLensAbi;
type Question = 'read' | 'ask';
type Args<Name extends Question> = ContractFunctionArgs<Abi, 'nonpayable' | 'view', Name>;
type Answer<Name extends Question> = ContractFunctionReturnType<Abi, 'nonpayable' | 'view', Name>;

/** A random address: without code, and nobody has its key. A new one for each call, so that no source recognises the caller. */
export const nobody = (): Address => bytesToHex(crypto.getRandomValues(new Uint8Array(20)));

// Public nodes give a call 50,000,000. The lens shares its gas out: this is enough if every source uses up its share.
const gas = 40_000_000n;

/**
 * Runs contracts/lens/MarketLens.sol at the newest block, by an `eth_call` that overrides the code at `at`.
 * @param at an address that nobody holds.
 * @param supposed further state overrides.
 */
export async function callLens<Name extends Question>(
  client: ChainClient,
  functionName: Name,
  args: Args<Name>,
  at: Address,
  supposed: StateOverride = [],
): Promise<Answer<Name>> {
  const question = encodeFunctionData({ abi: marketLensAbi, functionName, args } as never);
  const stateOverride = [{ address: at, code: marketLensCode } as const, ...supposed];
  const { data } = await client.call({ account: nobody(), to: at, data: question, gas, stateOverride });
  // A node that ignores state overrides has called an address without code.
  if (!isHex(data)) throw unavailable();
  const answer: unknown = decodeFunctionResult({ abi: marketLensAbi, functionName, data } as never);
  // viem matches the answers of a batch by their order: an answer without an id shifts the others.
  const { asked } = Array.isArray(answer) ? { asked: answer[0] } : (answer as Answer<'read'>);
  if (asked !== keccak256(question)) throw unavailable();
  return answer as Answer<Name>;
}

const unavailable = () => new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true });

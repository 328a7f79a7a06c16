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
import { marketProbeAbi } from '../../../abis/index.ts';
import { marketProbeCode } from '../../../abis/market-probe.ts';
import type { ChainClient } from './chain-client.ts';

type Abi = typeof marketProbeAbi;
type Question = 'look' | 'ask';
type Args<Name extends Question> = ContractFunctionArgs<Abi, 'nonpayable' | 'view', Name>;
type Answer<Name extends Question> = ContractFunctionReturnType<Abi, 'nonpayable' | 'view', Name>;

/** An address that nobody has a key of, and nothing stands at. Another each time: who is asked is not to know who asks. */
export const nobody = (): Address => bytesToHex(crypto.getRandomValues(new Uint8Array(20)));

// Public nodes give a call 50,000,000. The probe shares it out: this is enough where all that are asked use up their share.
const gas = 40_000_000n;

/**
 * Has the node play script/probe/MarketProbe.sol at its newest block, as if it stood there.
 * @param at where it is to stand: nobody's.
 * @param supposed what else the node is to suppose.
 */
export async function askProbe<Name extends Question>(
  client: ChainClient,
  functionName: Name,
  args: Args<Name>,
  at: Address,
  supposed: StateOverride = [],
): Promise<Answer<Name>> {
  const question = encodeFunctionData({ abi: marketProbeAbi, functionName, args } as never);
  const stateOverride = [{ address: at, code: marketProbeCode } as const, ...supposed];
  const { data } = await client.call({ account: nobody(), to: at, data: question, gas, stateOverride });
  // A node that supposes nothing has asked an address without code.
  if (!isHex(data)) throw unavailable();
  const answer: unknown = decodeFunctionResult({ abi: marketProbeAbi, functionName, data } as never);
  // viem hands a batch's answers out by their order. One that came without a number has put others into wrong hands.
  const { asked } = Array.isArray(answer) ? { asked: answer[0] } : (answer as Answer<'look'>);
  if (asked !== keccak256(question)) throw unavailable();
  return answer as Answer<Name>;
}

const unavailable = () => new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true });

import {
  type ContractFunctionArgs,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  isHex,
  keccak256,
  type StateOverride,
  slice,
  stringToHex,
} from 'viem';
import { marketProbeAbi } from '../../../abis/index.ts';
import { marketProbeCode } from '../../../abis/market-probe.ts';
import { BowlineError } from '../domain/result.ts';
import type { Address } from '../domain/units.ts';
import type { ChainClient } from './chain-client.ts';

type Abi = typeof marketProbeAbi;
type Question = 'look' | 'ask';
type Args<Name extends Question> = ContractFunctionArgs<Abi, 'nonpayable' | 'view', Name>;
type Answer<Name extends Question> = ContractFunctionReturnType<Abi, 'nonpayable' | 'view', Name>;

/** An address that nobody has a key of, and nothing stands at. */
export const nobodys = (name: string): Address => slice(keccak256(stringToHex(`bowline ${name}`)), 12);

/** Where nodes suppose the probe. */
export const probeAddress = nobodys('market probe');

// Half of what public nodes give a call. The probe shares it out.
const gas = 25_000_000n;

/**
 * Has the node play script/probe/MarketProbe.sol at its newest block, as if it stood there.
 * @param supposed what else the node is to suppose.
 */
export async function askProbe<Name extends Question>(
  client: ChainClient,
  functionName: Name,
  args: Args<Name>,
  supposed: StateOverride = [],
): Promise<Answer<Name>> {
  const question = encodeFunctionData({ abi: marketProbeAbi, functionName, args } as never);
  const stateOverride = [{ address: probeAddress, code: marketProbeCode } as const, ...supposed];
  const { data } = await client.call({ to: probeAddress, data: question, gas, stateOverride });
  // A node that supposes nothing has asked an address without code.
  if (!isHex(data)) throw new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true });
  return decodeFunctionResult({ abi: marketProbeAbi, functionName, data } as never) as Answer<Name>;
}

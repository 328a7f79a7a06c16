import { decodeFunctionData, isAddressEqual } from 'viem';
import type { BuyAnswer } from '../../wire.ts';
import { erc20Abi } from '../chain/abis.ts';
import type { Step } from '../chain/step.ts';

/**
 * The answer's calls as steps to sign, if they are what the answer says they are: an approval of exactly what is paid, to the
 * one that is then called. Undefined otherwise: the page signs nothing that it cannot read.
 */
export function soundCalls({ calls, token_in, amount_in, asset }: BuyAnswer, pay: string): readonly Step[] | undefined {
  const swap = calls?.at(-1);
  if (!calls || token_in === null || amount_in === null || swap?.kind !== 'swap' || calls.length > 2) return undefined;
  if (calls.some(({ value }) => BigInt(value) !== 0n) || isAddressEqual(swap.to, token_in)) return undefined;
  const [approval] = calls.length === 2 ? calls : [];
  if (approval !== undefined) {
    if (approval.kind !== 'approve' || !isAddressEqual(approval.to, token_in)) return undefined;
    try {
      const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: approval.data });
      if (functionName !== 'approve' || !isAddressEqual(args[0], swap.to) || args[1] !== BigInt(amount_in))
        return undefined;
    } catch {
      return undefined;
    }
  }
  const label = { approve: `Approve ${pay}`, swap: `Swap for ${asset}` };
  return calls.map(({ kind, to, data }) => ({ label: label[kind], to, data }));
}

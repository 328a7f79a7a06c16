import { type Address, decodeFunctionData, encodeFunctionData, pad, toEventSelector, toFunctionSelector } from 'viem';
import { erc20Abi } from './abis.ts';
import type { Step } from './step.ts';

const approved = toEventSelector('Approval(address,address,uint256)');

/**
 * Sets the allowance of `spender` to exactly `amount`, never unlimited.
 * @param kept what others need of it, which remains if the step that it is for fails; absent: nothing is offered back.
 */
export const approveStep = (label: string, token: Address, spender: Address, amount: bigint, kept?: bigint): Step => ({
  label,
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  proof: { address: token, topics: [approved, 'owner', pad(spender)] },
  ...(kept !== undefined && { kept }),
});

const selector = toFunctionSelector('approve(address,uint256)');

export const isApproval = ({ data }: Step): boolean => data.startsWith(selector);

/** Whom an approval lets take how many base units. */
export function approvalIn({ data }: Step) {
  const { args } = decodeFunctionData({ abi: erc20Abi, data });
  const [spender, amount] = args as readonly [Address, bigint];
  return { spender, amount };
}

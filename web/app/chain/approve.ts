import { type Address, encodeFunctionData, toFunctionSelector } from 'viem';
import { erc20Abi } from './abis.ts';
import type { Step } from './step.ts';

/** Sets the allowance of `spender` to exactly `amount`, never unlimited. */
export const approveStep = (label: string, token: Address, spender: Address, amount: bigint): Step => ({
  label,
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
});

const selector = toFunctionSelector('approve(address,uint256)');

export const isApproval = ({ data }: Step): boolean => data.startsWith(selector);

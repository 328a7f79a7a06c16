import { type Address, encodeFunctionData, pad, toEventSelector, toFunctionSelector, toHex } from 'viem';
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
  proof: { address: token, topics: [approved, 'owner', pad(spender)], data: toHex(amount, { size: 32 }) },
  ...(kept !== undefined && { kept: { spender, amount: kept } }),
});

const selector = toFunctionSelector('approve(address,uint256)');

export const isApproval = ({ data }: Step): boolean => data.startsWith(selector);

/** Whether an approval's amount, its last word, is zero. */
export const approvesNothing = ({ data }: Step): boolean => /0{64}$/.test(data);

/** Approvals that have happened without the step that they are for, which is the next one. @param made of `steps`. */
export const leftBehind = (steps: readonly Step[], made: readonly Step[]): Step[] =>
  steps.filter((step, at) => {
    const next = steps[at + 1];
    return step.kept !== undefined && made.includes(step) && next !== undefined && !made.includes(next);
  });

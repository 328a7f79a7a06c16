import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  pad,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
  toHex,
} from 'viem';
import type { Step } from './step.ts';

const approveAbi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)']);
const approved = toEventSelector('Approval(address,address,uint256)');

/**
 * Sets the allowance of `spender` to exactly `amount`, never unlimited.
 * @param kept what others need of it: the page offers to keep only that if the next step fails; absent: no offer.
 */
export const approveStep = (label: string, token: Address, spender: Address, amount: bigint, kept?: bigint): Step => ({
  label,
  to: token,
  data: encodeFunctionData({ abi: approveAbi, functionName: 'approve', args: [spender, amount] }),
  proof: { address: token, topics: [approved, 'owner', pad(spender)], data: [toHex(amount, { size: 32 })] },
  ...(kept !== undefined && { kept: { spender, amount: kept } }),
});

const selector = toFunctionSelector('approve(address,uint256)');

export const isApproval = ({ data }: Step): boolean => data.startsWith(selector);

/** Whether an approval's amount, its last word, is zero. */
export const approvesNothing = ({ data }: Step): boolean => /0{64}$/.test(data);

/** An approval that may allow more than is needed; only a reading shows whether it does. */
export interface Left {
  readonly token: Address;
  readonly spender: Address;
  /** How much of it is needed, in base units. */
  readonly needed: bigint;
  /** Whether the step that it is for has happened. */
  readonly isSurplus: boolean;
}

/**
 * Approvals that happened without the next step, which they are for.
 * @param made the ones of `steps` that happened.
 * @param isPartial whether some of the batched `steps` differ from the request: an approval may have another amount.
 */
export const leftBehind = (steps: readonly Step[], made: readonly Step[], isPartial: boolean): Left[] =>
  steps.flatMap((step, at) => {
    const next = steps[at + 1];
    const isMade = made.includes(step);
    if (step.kept === undefined || next === undefined || (isMade ? made.includes(next) : !isPartial)) return [];
    const { spender, amount } = step.kept;
    const isSurplus = made.includes(next);
    return [{ token: step.to, spender, needed: isSurplus ? approvedBy(step) : amount, isSurplus }];
  });

const approvedBy = ({ data }: Step): bigint => decodeFunctionData({ abi: approveAbi, data }).args[1];

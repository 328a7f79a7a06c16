import { type Address, encodeFunctionData } from 'viem';
import { loanGuardAbi } from '../../../abis/index.ts';
import { proofBy } from '../chain/proof.ts';
import type { Step } from '../chain/step.ts';

export const cancelStep = (loanGuard: Address, id: bigint): Step => ({
  label: `Cancel guard ${id} for good`,
  to: loanGuard,
  data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'cancel', args: [id] }),
  proof: proofBy(loanGuard, loanGuardAbi, 'GuardCancelled', { guardId: id }),
});

import { type Address, encodeFunctionData } from 'viem';
import { loanGuardAbi } from '../../../abis/index.ts';
import { proofBy } from '../chain/proof.ts';
import type { Step } from '../chain/step.ts';
import { guardWords } from '../words/en/guard.ts';

export const cancelStep = (loanGuard: Address, id: bigint): Step => ({
  label: guardWords.cancelStep(id),
  to: loanGuard,
  data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'cancel', args: [id] }),
  proof: proofBy(loanGuard, loanGuardAbi, 'GuardCancelled', { guardId: id }),
  isEnd: true,
});

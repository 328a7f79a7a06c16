import { type GuardContracts, type GuardKey, guardContractAt, numberOf } from '@bowline/core/domain/guard-key';
import { encodeFunctionData } from 'viem';
import { collateralGuardAbi, loanGuardAbi } from '../../../abis/index.ts';
import { proofBy } from '../chain/proof.ts';
import type { Step } from '../chain/step.ts';
import { guardWords } from '../words/en/guard.ts';

export function cancelStep(contracts: GuardContracts, key: GuardKey): Step {
  const to = guardContractAt(contracts, key);
  const id = numberOf(key);
  const isWallet = typeof key === 'bigint';
  return {
    label: guardWords.cancelStep(key),
    to,
    // Both contracts have the same function.
    data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'cancel', args: [id] }),
    proof: isWallet
      ? proofBy(to, loanGuardAbi, 'GuardCancelled', { guardId: id })
      : proofBy(to, collateralGuardAbi, 'GuardCancelled', { guardId: id }),
    isEnd: true,
  };
}

import { type Address, type ContractFunctionArgs, encodeFunctionData } from 'viem';
import { loanGuardAbi } from '../../../abis/index.ts';
import { proofBy } from '../chain/proof.ts';
import type { Step } from '../chain/step.ts';
import { guardWords } from '../words/en/guard.ts';

export type GuardTerms = ContractFunctionArgs<typeof loanGuardAbi, 'nonpayable', 'register'>[0];

/**
 * @param data the call, where another account has signed for these terms.
 * @param repayToken the market's token, as the page has read it: the contract notes the adapter's.
 */
export const registerStep = (
  loanGuard: Address,
  terms: GuardTerms,
  repayToken: Address,
  data = encodeFunctionData({ abi: loanGuardAbi, functionName: 'register', args: [terms] }),
): Step => ({
  label: guardWords.setStep,
  to: loanGuard,
  data,
  proof: proofBy(loanGuard, loanGuardAbi, 'GuardRegistered', {
    ...{ borrower: terms.borrower, funder: terms.funder, terms, repayToken },
  }),
});

import { noRoute } from '@bowline/chain/sale-guard';
import { SALE_COOLDOWN_SECONDS } from '@bowline/core/domain/sale-terms';
import { mulDivUp, WAD } from '@bowline/core/domain/units';
import { type Address, encodeFunctionData, zeroAddress } from 'viem';
import { collateralGuardAbi } from '../../../abis/index.ts';
import { approveStep } from '../chain/approve.ts';
import { proofBy } from '../chain/proof.ts';
import type { Step } from '../chain/step.ts';
import { exactAmount } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { saleFormWords } from '../words/en/sale.ts';
import type { SaleDraft } from './sale-form.ts';
import type { Deposit } from './use-deposit.ts';

interface Context {
  readonly borrower: Address;
  readonly adapter: Address;
  readonly collateralGuard: Address;
  readonly priceSource: Address;
  readonly deposit: Deposit;
  /** The chain's time, unix seconds. */
  readonly now: bigint;
}

/** What is signed: the approval of the receipts, then the guard. */
export function saleSteps(draft: SaleDraft, context: Context): readonly Step[] {
  const { borrower, adapter, collateralGuard, priceSource, deposit, now } = context;
  const { debt, collateral, sellAtMost, poolFee } = draft;
  const terms = {
    ...{ borrower, funder: borrower, adapter },
    ...{ debtMarket: debt.market, collateralMarket: collateral.market, keeper: zeroAddress, priceSource },
    triggerHealthWad: draft.triggerHealthWad,
    targetHealthWad: draft.targetHealthWad,
    maxCostBps: draft.maxCostBps,
    capPerRescue: draft.capPerRescue,
    // Two rescues.
    capPerDay: 2n * draft.capPerRescue,
    minRepay: draft.minRepay,
    cooldownSeconds: SALE_COOLDOWN_SECONDS,
    expiresAt: Number(now + draft.days * 86_400n),
    route: { ...noRoute, firstFee: poolFee },
  };
  const sold = `${exactAmount(sellAtMost, collateral.decimals)} ${collateral.symbol}`;
  const receipts = mulDivUp(sellAtMost, WAD, deposit.rateWad);
  return [
    approveStep(saleFormWords.approveStep(sold), deposit.receipt, collateralGuard, receipts, 0n),
    {
      label: guardWords.setStep,
      to: collateralGuard,
      data: encodeFunctionData({ abi: collateralGuardAbi, functionName: 'register', args: [terms] }),
      proof: proofBy(collateralGuard, collateralGuardAbi, 'GuardRegistered', {
        ...{ borrower, funder: borrower, terms, repayToken: debt.token, collateralToken: deposit.token },
      }),
    },
  ];
}

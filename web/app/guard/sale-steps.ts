import { noRoute } from '@bowline/chain/guard';
import { rescueCall } from '@bowline/chain/rescue-calls';
import { guardContractAt, guardKey } from '@bowline/core/domain/guard-key';
import type { Sale } from '@bowline/core/domain/permissions';
import { mulDivDown, mulDivUp, smallest, WAD } from '@bowline/core/domain/units';
import { type Address, encodeFunctionData, zeroAddress } from 'viem';
import { collateralGuardAbi } from '../../../abis/index.ts';
import type { Settings } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import type { ChainClient } from '../chain/client.ts';
import { proofBy } from '../chain/proof.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Step } from '../chain/step.ts';
import { moneyOf } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { saleFormWords } from '../words/en/sale.ts';
import { cancelStep } from './cancel-step.ts';
import { endOf } from './guard-form.ts';
import type { SaleDraft } from './sale-form.ts';
import type { Deposit } from './use-deposit.ts';

interface Context {
  readonly borrower: Address;
  readonly adapter: Address;
  readonly contracts: Settings['contracts'];
  readonly deposit: Deposit;
  /** The chain's time, unix seconds. */
  readonly now: bigint;
  /** A guard of the borrower's that the new one takes the place of. */
  readonly replaces?: Guard | undefined;
}

/** What is signed: the approval of the receipts, unless it already exists, then the guard, and the cancellation of the one it replaces. */
export function saleSteps(draft: SaleDraft, context: Context): readonly Step[] {
  const { borrower, adapter, contracts, deposit, now, replaces } = context;
  const collateralGuard = guardContractAt(contracts, 'collateral-0');
  const { debt, collateral, sellAtMost, poolFee } = draft;
  const terms = {
    ...{ borrower, funder: borrower, adapter },
    ...{ debtMarket: debt.market, collateralMarket: collateral.market, keeper: replaces?.keeper ?? zeroAddress },
    priceSource: contracts.priceSource,
    triggerHealthWad: draft.triggerHealthWad,
    targetHealthWad: draft.targetHealthWad,
    maxCostBps: draft.maxCostBps,
    capPerRescue: draft.capPerRescue,
    capPerDay: draft.capPerDay,
    minRepay: draft.minRepay,
    cooldownSeconds: Number(draft.cooldownSeconds),
    expiresAt: Number(endOf(draft, now)),
    route: { ...noRoute, firstFee: poolFee },
  };
  const sold = moneyOf(collateral).exact(sellAtMost);
  const receipts = mulDivUp(sellAtMost, WAD, deposit.rateWad);
  const stands = sellAtMost === mulDivDown(deposit.allowance, deposit.rateWad, WAD);
  const kept = smallest([deposit.allowance, receipts]);
  return [
    ...(stands ? [] : [approveStep(saleFormWords.approveStep(sold), deposit.receipt, collateralGuard, receipts, kept)]),
    {
      label: guardWords.setStep,
      to: collateralGuard,
      data: encodeFunctionData({ abi: collateralGuardAbi, functionName: 'register', args: [terms] }),
      proof: proofBy(collateralGuard, collateralGuardAbi, 'GuardRegistered', {
        ...{ borrower, funder: borrower, terms, repayToken: debt.token, collateralToken: deposit.token },
      }),
    },
    // Last: the loan is never without a guard.
    ...(replaces ? [cancelStep(contracts, guardKey(replaces))] : []),
  ];
}

/** The rescue by the guard that is registered next, over the pools that its terms name. */
export async function nextRescueCall(client: ChainClient, contracts: Settings['contracts']) {
  const address = guardContractAt(contracts, 'collateral-0');
  const id = 1n + (await client.readContract({ address, abi: collateralGuardAbi, functionName: 'guardCount' }));
  return { ...rescueCall(contracts, { id, sale: {} as Sale }), id };
}

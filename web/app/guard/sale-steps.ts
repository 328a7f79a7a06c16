import type { SaleTerms } from '@bowline/chain/drafts/guard';
import { noRoute } from '@bowline/chain/guard';
import { rescueCall } from '@bowline/chain/rescue-calls';
import { guardContractAt, guardKey } from '@bowline/core/domain/guard-key';
import type { Sale } from '@bowline/core/domain/permissions';
import { mulDivDown, mulDivUp, smallest, WAD } from '@bowline/core/domain/units';
import { type Address, zeroAddress } from 'viem';
import { collateralGuardAbi } from '../../../abis/index.ts';
import type { Settings } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import type { ChainClient } from '../chain/client.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Step } from '../chain/step.ts';
import { moneyOf } from '../words/amounts.ts';
import { saleFormWords } from '../words/en/sale.ts';
import { cancelStep } from './cancel-step.ts';
import { endOf } from './guard-form.ts';
import { registerStep } from './guard-steps.ts';
import type { SaleDraft } from './sale-form.ts';
import type { Deposit } from './use-deposit.ts';

interface Context {
  readonly borrower: Address;
  readonly adapter: Address;
  readonly contracts: Settings['contracts'];
  readonly deposit: Deposit;
  /** The chain's time, unix seconds. */
  readonly now: bigint;
  /** The borrower's guard that the new one replaces. */
  readonly replaces?: Guard | undefined;
  /** The owner of the deposit, if it is not the borrower. */
  readonly funder?: Address | undefined;
}

/** The terms as CollateralGuard takes them. */
export const saleTermsOf = (
  draft: SaleDraft,
  { borrower, funder = borrower, adapter, contracts, now, replaces }: Omit<Context, 'deposit'>,
): SaleTerms => ({
  ...{ borrower, funder, adapter, keeper: replaces?.keeper ?? zeroAddress },
  ...{ debtMarket: draft.debt.market, collateralMarket: draft.collateral.market },
  priceSource: contracts.priceSource,
  triggerHealthWad: draft.triggerHealthWad,
  targetHealthWad: draft.targetHealthWad,
  maxCostBps: draft.maxCostBps,
  capPerRescue: draft.capPerRescue,
  capPerDay: draft.capPerDay,
  minRepay: draft.minRepay,
  cooldownSeconds: Number(draft.cooldownSeconds),
  expiresAt: Number(endOf(draft, now)),
  route: { ...noRoute, firstFee: draft.poolFee },
});

/**
 * The steps to sign: the approval of the receipts unless it exists, the guard, and the cancellation of the one it
 * replaces. A funder other than the borrower signs only the approval, because only the borrower can set the guard.
 */
export function saleSteps(draft: SaleDraft, context: Context): readonly Step[] {
  const { contracts, deposit, replaces } = context;
  const collateralGuard = guardContractAt(contracts, 'collateral-0');
  const { debt, collateral, sellAtMost } = draft;
  const sold = moneyOf(collateral).exact(sellAtMost);
  const receipts = mulDivUp(sellAtMost, WAD, deposit.rateWad);
  const stands = sellAtMost === mulDivDown(deposit.allowance, deposit.rateWad, WAD);
  const kept = smallest([deposit.allowance, receipts]);
  const approve = approveStep(saleFormWords.approveStep(sold), deposit.receipt, collateralGuard, receipts, kept);
  if (context.funder !== undefined) return [approve];
  const tokens = { repayToken: debt.token, collateralToken: deposit.token };
  return [
    ...(stands ? [] : [approve]),
    registerStep({ contracts }, saleTermsOf(draft, context), tokens),
    // Last, so that the loan is never without a guard.
    ...(replaces ? [cancelStep(contracts, guardKey(replaces))] : []),
  ];
}

/** The rescue call of the guard that is registered next, through the pools that its terms name. */
export async function nextRescueCall(client: ChainClient, contracts: Settings['contracts']) {
  const address = guardContractAt(contracts, 'collateral-0');
  const id = 1n + (await client.readContract({ address, abi: collateralGuardAbi, functionName: 'guardCount' }));
  return { ...rescueCall(contracts, { id, sale: {} as Sale }), id };
}

import type { PermissionDrafter } from '@bowline/core/domain/permission-drafts';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, type Hex, mulDivUp, WAD } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import type { DepositOf, RepayTokenOf } from '../repay-token.ts';
import { baseUnits } from './base-units.ts';
import { assetOf, type Deployment } from './deployment.ts';
import { approveRescuesCall, approveSalesCall, cancelGuardCall, draftGuard, draftSale, registerCall } from './guard.ts';
import { approveCall, cancelPlanCall, createCall, draftPlan, revokeAllCall } from './plan.ts';

/** Drafts permissions with the functions that integrators use, so that both produce the same bytes. */
export function createPermissionDrafter(
  chainId: number,
  { own, assets, lending, pancake }: AddressBook,
  repayTokenOf: RepayTokenOf,
  depositOf?: DepositOf,
): PermissionDrafter {
  const deployment: Deployment = { chainId, contracts: own, assets, lending, pancake, verdictSigners: [] };

  /** Both contracts take the market's own token. If the borrower meant another, the caps are in the wrong token. */
  async function requireRepaidIn(symbolOrAddress: string, adapter: Address, market: Hex): Promise<void> {
    const { address, symbol } = assetOf(deployment, symbolOrAddress);
    const repaid = await repayTokenOf(adapter, market);
    if (repaid === undefined) throw new Error('market: unknown to the protocol.');
    if (sameAddress(repaid, address)) return;
    const named = assets.find((asset) => sameAddress(asset.address, repaid))?.symbol ?? repaid;
    throw new Error(`repay: this market's debt is repaid in ${named}, not in ${symbol}.`);
  }

  return {
    plan(words, others) {
      const terms = draftPlan(deployment, words);
      return {
        terms,
        calls: [
          { kind: 'approve', ...approveCall(deployment, [terms], others) },
          { kind: 'create', ...createCall(deployment, terms) },
        ],
      };
    },
    async guard({ budget, ...words }) {
      const terms = draftGuard(deployment, words);
      const { address, decimals } = assetOf(deployment, words.repay);
      await requireRepaidIn(words.repay, terms.adapter, terms.market);
      const amount = baseUnits('budget', budget, decimals);
      if (amount < terms.capPerRescue) throw new Error('budget must be at least cap_per_rescue.');
      return {
        terms,
        calls: [
          { kind: 'approve', ...approveRescuesCall(deployment, address, amount) },
          { kind: 'register', ...registerCall(deployment, terms) },
        ],
      };
    },
    async sale({ sellAtMost, poolFee, ...words }) {
      const route = poolFee === undefined ? {} : { route: [{ fee: poolFee }] };
      const terms = draftSale(deployment, { ...words, ...route });
      await requireRepaidIn(words.repay, terms.adapter, terms.debtMarket);
      const deposit = await depositOf?.(terms.adapter, terms.funder, terms.collateralMarket);
      if (deposit === undefined) throw new Error('collateral_market: unknown to the protocol.');
      const sold = assetOf(deployment, deposit.token);
      const amount = baseUnits('sell_at_most', sellAtMost, sold.decimals);
      const receipts = mulDivUp(amount, WAD, deposit.rateWad);
      return {
        terms: { ...terms, route: JSON.stringify(terms.route) },
        calls: [
          { kind: 'approve', ...approveSalesCall(deployment, deposit.receipt, receipts) },
          { kind: 'register', ...registerCall(deployment, terms) },
        ],
      };
    },
    cancelPlan: (id) => ({ kind: 'cancel', ...cancelPlanCall(deployment, id) }),
    cancelGuard: (key) => ({ kind: 'cancel', ...cancelGuardCall(deployment, key) }),
    revokeAll: () => ({ kind: 'revoke', ...revokeAllCall(deployment) }),
  };
}

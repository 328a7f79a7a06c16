import type { PermissionDrafter } from '@bowline/core/domain/permission-drafts';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { AddressBook } from '@bowline/core/registry/address-book';
import type { RepayTokenOf } from '../repay-token.ts';
import { baseUnits } from './base-units.ts';
import { assetOf, type Deployment } from './deployment.ts';
import { approveRescuesCall, cancelGuardCall, draftGuard, registerCall } from './guard.ts';
import { approveCall, cancelPlanCall, createCall, draftPlan, revokeAllCall } from './plan.ts';

/** Writes permissions with what integrators use, so that a draft here and one of theirs are the same bytes. */
export function createPermissionDrafter(
  chainId: number,
  { own, assets, lending }: AddressBook,
  repayTokenOf: RepayTokenOf,
): PermissionDrafter {
  const deployment: Deployment = { chainId, contracts: own, assets, lending, verdictSigners: [] };
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
      const { address, decimals, symbol } = assetOf(deployment, words.repay);
      // LoanGuard takes the market's own token, whatever the borrower meant: approval and caps would be of another one.
      const repaid = await repayTokenOf(terms.adapter, terms.market);
      if (repaid === undefined) throw new Error('market: the protocol does not know it.');
      if (!sameAddress(repaid, address)) {
        const named = assets.find((asset) => sameAddress(asset.address, repaid))?.symbol ?? repaid;
        throw new Error(`repay: this market's debt is repaid in ${named}, not in ${symbol}.`);
      }
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
    cancelPlan: (id) => ({ kind: 'cancel', ...cancelPlanCall(deployment, id) }),
    cancelGuard: (id) => ({ kind: 'cancel', ...cancelGuardCall(deployment, id) }),
    revokeAll: () => ({ kind: 'revoke', ...revokeAllCall(deployment) }),
  };
}

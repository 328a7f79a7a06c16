import type { PermissionDrafter } from '@bowline/core/domain/permission-drafts';
import { parseUnitsDown } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { assetOf, type Deployment } from '../../../packages/sdk/deployment.ts';
import { approveRescuesCall, cancelGuardCall, draftGuard, registerCall } from '../../../packages/sdk/guard.ts';
import { approveCall, cancelPlanCall, createCall, draftPlan, revokeAllCall } from '../../../packages/sdk/plan.ts';

/** Writes permissions with what integrators use, so that a draft here and one of theirs are the same bytes. */
export function createPermissionDrafter(chainId: number, { own, assets, lending }: AddressBook): PermissionDrafter {
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
    guard({ budget, ...words }) {
      const terms = draftGuard(deployment, words);
      const { address, decimals } = assetOf(deployment, words.repay);
      const amount = parseUnitsDown(budget, decimals);
      if (amount === undefined || amount < terms.capPerRescue) {
        throw new Error('budget must be at least cap_per_rescue.');
      }
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

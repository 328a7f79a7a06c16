export { baseUnits } from '@bowline/chain/drafts/base-units';
export type { Call } from '@bowline/chain/drafts/call';
export { assetOf, type Deployment } from '@bowline/chain/drafts/deployment';
export {
  approveRescuesCall,
  approveSalesCall,
  type Consent,
  cancelGuardCall,
  consentTypedData,
  draftConsent,
  draftGuard,
  draftSale,
  type GuardOptions,
  type GuardTerms,
  registerCall,
  registerFundedCall,
  type SaleConsent,
  type SaleOptions,
  type SaleTerms,
} from '@bowline/chain/drafts/guard';
export {
  approveCall,
  type Creation,
  cancelPlanCall,
  createBySignatureCall,
  createCall,
  creationTypedData,
  draftCreation,
  draftPlan,
  type PlanOptions,
  type PlanTerms,
  revokeAllCall,
} from '@bowline/chain/drafts/plan';
export { BowlineError } from '@bowline/core/domain/result';

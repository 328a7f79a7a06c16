// Public API of @bowline/sdk. Payments are in @bowline/sdk/payment, so that who does not pay loads none of it.

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
export type { Line } from '@bowline/core/replay/line';
export {
  collateralGuardAbi,
  loanGuardAbi,
  planRegistryAbi,
  quoteDeskAbi,
  revocationsAbi,
  swapExecutorAbi,
} from '../../abis/index.ts';
export {
  type Agent,
  AgentError,
  connectAgent,
  NoOffer,
  type SpokenAnswer,
  type VerdictAnswer,
  type VerdictQuestion,
} from './agent.ts';
export { deploymentOf } from './deployment.ts';
export { type FoundAgent, findAgent } from './find.ts';
export type { Offer, OfferedTerms } from './job.ts';
export { type Replayed, replayAnswer } from './replay.ts';
export {
  type CheckedTicket,
  type ContractTicket,
  type IntendedTrade,
  type TicketProblem,
  verifyTicket,
} from './ticket.ts';

// Public API of @bowline/sdk. Payments are in @bowline/sdk/payment, so that who does not pay loads none of it.

export { BowlineError } from '@bowline/core/domain/result';
export type { Line } from '@bowline/core/replay/line';
export { loanGuardAbi, planRegistryAbi, quoteDeskAbi, revocationsAbi, swapExecutorAbi } from '../../abis/index.ts';
export {
  type Agent,
  AgentError,
  connectAgent,
  NoOffer,
  type SpokenAnswer,
  type VerdictAnswer,
  type VerdictQuestion,
} from './agent.ts';
export { baseUnits } from './base-units.ts';
export type { Call } from './call.ts';
export { assetOf, type Deployment, deploymentOf } from './deployment.ts';
export { type FoundAgent, findAgent } from './find.ts';
export {
  approveRescuesCall,
  type Consent,
  cancelGuardCall,
  consentTypedData,
  draftConsent,
  draftGuard,
  type GuardOptions,
  type GuardTerms,
  registerCall,
  registerFundedCall,
} from './guard.ts';
export type { Offer, OfferedTerms } from './job.ts';
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
} from './plan.ts';
export { type Replayed, replayAnswer } from './replay.ts';
export {
  type CheckedTicket,
  type ContractTicket,
  type IntendedTrade,
  type TicketProblem,
  verifyTicket,
} from './ticket.ts';

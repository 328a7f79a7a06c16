// Everything but payments, which are in @bowline/sdk/pay: who does not pay need not install x402.

export * from './abi.ts';
export { type BowlineActions, bowlineActions } from './actions.ts';
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
export * from './drafts.ts';
export { type FoundAgent, findAgent } from './find.ts';
export type { Offer, OfferedTerms } from './job.ts';
export * from './replay.ts';
export * from './ticket.ts';

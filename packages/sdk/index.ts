// Everything but payments, which are in @bowline/sdk/pay: only those who pay need to install x402.

export * from './abi.ts';
export * from './actions.ts';
export * from './agent.ts';
export { deploymentOf } from './deployment.ts';
export * from './drafts.ts';
export * from './find.ts';
export type { Offer, OfferedTerms } from './job.ts';
export * from './replay.ts';
export * from './ticket.ts';

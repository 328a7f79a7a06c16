export { baseUnits } from '@bowline/chain/drafts/base-units';
export { assetOf, type Deployment } from '@bowline/chain/drafts/deployment';
export * from '@bowline/chain/drafts/guard';
export * from '@bowline/chain/drafts/plan';
export type { Call } from '@bowline/chain/try-as';
export { BowlineError } from '@bowline/core/domain/result';

import type { Json } from '@bowline/core/domain/payment';
import type { Outcome } from './outcome.ts';

/** A refused payment as x402's SettlementResponse, for the transports that say in one what became of each. */
export function declined({ required, reason, detail }: Extract<Outcome, { readonly state: 'refused' }>): Json {
  const [first] = (required.accepts ?? []) as readonly Json[];
  return { success: false, errorReason: reason, errorMessage: detail, transaction: '', network: first?.network };
}

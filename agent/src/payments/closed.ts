import type { PaymentRail } from '@bowline/core/domain/payment';
import { BowlineError } from '@bowline/core/domain/result';
import type { Till } from './till.ts';

// What is said where no payment is taken.

const WAIT_SECONDS = 60;
const switchedOff = 'Payments are switched off: answers cannot be bought now.';

const refusing = (detail: string) => async (): Promise<never> => {
  throw new BowlineError('payment_unavailable', detail);
};

/** Where answers have a price and payments failed to start, or nothing may be signed: they are refused rather than free. */
export const closedTill: Till = {
  ask: refusing(switchedOff),
  serve: async () => ({
    ...{ state: 'later', code: 'payment_unavailable', detail: switchedOff, waitSeconds: WAIT_SECONDS },
  }),
  look: refusing(switchedOff),
  drain: async () => {},
  recover: async () => {},
};

export const refusingNew = refusing('Answers are free now: ask again, without a payment.');

/** Of payments from before answers became free: finds their outcome, and takes nothing. */
export const owedRail = (resume: PaymentRail['resume']): PaymentRail => ({
  ...{ ask: refusingNew, read: () => 'other_terms', check: refusingNew, open: refusingNew, resume },
});

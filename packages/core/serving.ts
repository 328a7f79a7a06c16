import * as z from 'zod/mini';
import type { Address } from './domain/units.ts';

// What an agent states about its own work, in /.well-known/bowline.json: where it works, which parts of it run, since when,
// and for which permissions. It is only a claim: a reader may use it to remove a claim, never to make one.
// Written in zod/mini, since the page parses it, too.

/** Time allowed for a round, in addition to its loop's interval. */
export const LOOP_MARGIN_SECONDS = 60;

/** Letters in any case: a checksum is not required. */
const address = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  z.transform((text) => text as Address),
);
/** A whole number as text. */
const whole = z.string().check(z.regex(/^\d{1,78}$/));
const seconds = z.int().check(z.nonnegative());

/** A loop. */
const part = {
  /** Why it does not act now, a reason of /ready; null if it does. */
  reason: z.nullable(z.string().check(z.regex(/^[a-z_]{1,40}$/))),
  /** Its interval. */
  everySeconds: seconds,
  /** When its last good round ended, by `at`'s clock; null before the first. */
  lastRoundAt: z.nullable(whole),
};

export const serving = z.object({
  chainId: z.int(),
  planRegistry: address,
  swapExecutor: address,
  loanGuard: address,
  /** The contract of guards that pay from deposits, which it serves like LoanGuard's; absent: it serves none. */
  collateralGuard: z.optional(address),
  /** When this was stated, unix seconds by the agent's clock. */
  at: whole,
  /** The newest block that it has read; null before the first. */
  block: z.nullable(z.object({ number: whole, timestamp: whole })),
  /** Runs of plans; null if this agent makes none. It never runs any other plans. */
  plans: z.nullable(
    z.object({
      ...part,
      /** Tokens that may be paid and bought. */
      tokens: z.array(address),
      /** The signers whose verdicts it can sign, for plans that require them. */
      verdictSigners: z.array(address),
      /** The only owner whose plans it serves; null for everybody's. */
      owner: z.nullable(address),
      minPeriodSeconds: whole,
      /** 18 decimals. */
      minRunUsdWad: whole,
    }),
  ),
  /** Rescues; null if this agent makes none. It never serves any other guards. */
  guards: z.nullable(
    z.object({
      ...part,
      /** Tokens in which it repays. */
      tokens: z.array(address),
      maxTriggerHealthWad: whole,
      /** The only owner whose loans it serves; null for everybody's. */
      owner: z.nullable(address),
      minRepayUsdWad: whole,
    }),
  ),
  /** Offers of the QuoteDesk; null where it signs none. */
  quotes: z.nullable(z.object({ desk: address })),
  /** Jobs of the escrow; null where it sells none. */
  selling: z.nullable(z.object(part)),
});

export type Serving = z.output<typeof serving>;

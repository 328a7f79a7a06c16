import { paymentMethods } from '@bowline/core/domain/payment';
import type { Readiness } from '@bowline/core/domain/readiness';
import { address, integer } from '@bowline/core/schemas';
import type { Serving } from '@bowline/core/serving';
import { z } from 'zod';

/** What an answer costs, as in `GET /x402` and the tool `about`. */
export const priceOutput = z.object({
  price_usd: z.number().nonnegative(),
  payment: z
    .object({
      rail: z.enum(['x402', 'b402']),
      network: z.string(),
      asset: address,
      amount: integer,
      pay_to: address,
      tokens: z.array(z.object({ asset: address, amount: integer, method: z.enum(paymentMethods) })),
    })
    .optional()
    .describe(
      'Absent if answers are free. Pay one of the tokens, in the amount next to it, in base units; asset and amount are the first of them.',
    ),
});

/** What the agent's other documents say about it, each from its own source. */
export interface Self {
  readonly version: string;
  readonly description: string;
  readonly price: z.input<typeof priceOutput>;
  /** Tools whose answer costs this price. */
  readonly priced: readonly string[];
  /** Absent: no jobs are sold. */
  readonly jobPrice?: { readonly amount: string; readonly token: string };
  /** Addresses of the page and the documents. */
  readonly links: Readonly<Record<string, string>>;
  /** As in /.well-known/bowline.json. */
  readonly serves: () => Promise<Serving>;
  /** As in /ready. */
  readonly readiness: () => Promise<Readiness>;
}

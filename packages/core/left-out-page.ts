import { z } from 'zod';

/** A page of /served: plans and guards that may still act and that an agent leaves out. */
export const leftOutPage = z.object({
  total: z.int().nonnegative(),
  left_out: z.array(
    z.object({
      kind: z.enum(['plan', 'guard']),
      id: z
        .string()
        .regex(/^(collateral-)?\d{1,78}$/)
        .describe('A guard that pays out of a deposit is collateral- and its number.'),
      reason: z
        .string()
        .regex(/^[a-z_]{1,40}$/)
        .describe('As in /ready and /metrics.'),
    }),
  ),
  next: z.int().positive().nullable().describe('Where the next page begins; null at the end.'),
  runs_plans: z.boolean().describe('False: this agent runs no plan at all, and lists none.'),
});

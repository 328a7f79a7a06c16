import { formatUnits } from '@bowline/core/domain/units';
import { z } from 'zod';
import { address, assetAt, decimal, defineTool, idInput, integer } from './schemas.ts';

export const previewRescue = defineTool({
  name: 'preview_rescue',
  title: 'Rescue preview',
  description:
    'Whether a loan guard would rescue its loan now and how much it would repay, or why it would refuse. ' +
    "The answer is the contract's own, from a simulation of the exact call.",
  effect: 'read',
  input: z.strictObject({ guard: idInput.describe('ID of the guard.') }),
  output: z.object({
    guard: integer,
    borrower: address,
    would_rescue: z.boolean(),
    repay: z.object({ token: z.string(), amount: decimal }).nullable(),
    /** The contract's reason for refusing. */
    reason: z.string().nullable(),
    trigger_health: decimal,
    target_health: decimal,
    /** Null without debt. */
    health: decimal.nullable(),
  }),
  async run({ guard: guardId }, context) {
    const guard = await context.chain.guard(guardId);
    const [preview, loan] = await Promise.all([context.chain.preview(guardId), context.chain.health(guard.borrower)]);
    const token = assetAt(context, guard.repayToken);
    return {
      guard: guardId.toString(),
      borrower: guard.borrower,
      would_rescue: preview.due,
      repay: preview.due
        ? { token: token?.symbol ?? guard.repayToken, amount: formatUnits(preview.repay, token?.decimals ?? 0) }
        : null,
      reason: preview.due ? null : preview.error,
      trigger_health: formatUnits(guard.triggerHealthWad, 18),
      target_health: formatUnits(guard.targetHealthWad, 18),
      health: loan.healthWad === undefined ? null : formatUnits(loan.healthWad, 18),
    };
  },
});

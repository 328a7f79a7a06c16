import { triggerFor, usualGapOf } from '@bowline/core/domain/gap';
import type { Loan } from '@bowline/core/domain/permissions';
import { formatUnits } from '@bowline/core/domain/units';
import { usualMoveHours, usualMoveOf } from '@bowline/core/registry/gaps';
import { z } from 'zod';
import { assetAt, decimal } from './schemas.ts';
import type { ToolContext } from './tool.ts';

/**
 * The largest move of this loan's assets in all but one of `one_hour_in` hours, if it comes between two prices. Null
 * without a debt, or if an asset's usual move is not known.
 */
export const usualGapOutput = z
  .object({
    collateral_fall_percent: decimal,
    debt_rise_percent: decimal,
    trigger_needed: decimal.describe(
      'Health that is 1 after the gap, rounded up: a guard with a lower trigger may come too late.',
    ),
    one_hour_in: z.number().int(),
  })
  .nullable();

export function usualGapIn({ parts }: Loan, context: Pick<ToolContext, 'assets'>): z.infer<typeof usualGapOutput> {
  const gap = parts && usualGapOf(parts, (token) => usualMoveOf(assetAt(context, token)?.symbol ?? ''));
  if (gap === undefined) return null;
  return {
    collateral_fall_percent: formatUnits(BigInt(gap.fallBps), 2),
    debt_rise_percent: formatUnits(BigInt(gap.riseBps), 2),
    trigger_needed: formatUnits(triggerFor(gap), 18),
    one_hour_in: usualMoveHours,
  };
}

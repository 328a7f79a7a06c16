import { step } from '@bowline/core/domain/asking';
import { fundingOf } from '@bowline/core/domain/guard-key';
import type { Guard, LoanHealth } from '@bowline/core/domain/permissions';
import { formatUnits } from '@bowline/core/domain/units';
import { z } from 'zod';
import { liquidationOf, liquidationOutput } from './liquidation.ts';
import {
  address,
  assetAt,
  decimal,
  defineTool,
  fundingOutput,
  guardInput,
  guardOutput,
  targetIn,
  targetOutput,
} from './schemas.ts';

export const previewRescue = defineTool({
  name: 'preview_rescue',
  title: 'Rescue preview',
  description:
    'Whether a guard would rescue its loan now and how much it would repay, or why not: simulates the exact call.',
  effect: 'read',
  input: z.strictObject({ guard: guardInput.describe('3, or collateral-3.') }),
  output: z.object({
    guard: guardOutput,
    funding: fundingOutput,
    max_cost_bps: z.number().int().nullable(),
    borrower: address,
    would_rescue: z.boolean(),
    repay: z.object({ token: z.string(), amount: decimal }).nullable(),
    reason: z.string().nullable().describe('Why it is refused.'),
    triggered_by: z.enum(['protocol', 'price_source']).nullable().describe('Which prices trigger it.'),
    trigger_health: decimal,
    target_health: targetOutput,
    price_source: address.nullable(),
    health: decimal.nullable().describe('Null: no debt.'),
    ...liquidationOutput,
  }),
  async run({ guard: guardId }, context, asking) {
    step(asking, 0, 2, 'Reading the guard');
    const guard = await context.chain.guard(guardId);
    step(asking, 1, 2, 'Simulating the rescue');
    const [preview, loan] = await Promise.all([context.chain.preview(guardId), context.chain.healthOf(guard)]);
    const token = assetAt(context, guard.repayToken);
    const repay = 'repay' in preview ? preview.repay : undefined;
    return {
      guard: guardId.toString(),
      funding: fundingOf(guard),
      max_cost_bps: guard.sale?.maxCostBps ?? null,
      borrower: guard.borrower,
      would_rescue: repay !== undefined,
      repay:
        repay === undefined
          ? null
          : { token: token?.symbol ?? guard.repayToken, amount: formatUnits(repay, token?.decimals ?? 0) },
      reason: 'error' in preview ? preview.error : null,
      triggered_by: repay === undefined ? null : triggeredBy(guard, loan),
      trigger_health: formatUnits(guard.triggerHealthWad, 18),
      target_health: targetIn(guard),
      price_source: guard.priceSource ?? null,
      health: loan.healthWad === undefined ? null : formatUnits(loan.healthWad, 18),
      ...liquidationOf(loan, context),
    };
  },
});

/** The contract asks the source only if the protocol's health is not below the trigger. */
function triggeredBy({ priceSource, triggerHealthWad }: Guard, { healthWad }: LoanHealth): 'protocol' | 'price_source' {
  const isBelow = healthWad !== undefined && healthWad < triggerHealthWad;
  return priceSource === undefined || isBelow ? 'protocol' : 'price_source';
}

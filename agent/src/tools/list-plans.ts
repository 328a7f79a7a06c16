import type { BarePlan } from '@bowline/core/domain/permissions';
import { toIsoTime } from '@bowline/core/domain/readable';
import { isSaleOf } from '@bowline/core/domain/sided';
import { formatUnits, WAD } from '@bowline/core/domain/units';
import { z } from 'zod';
import { address, addressInput, assetAt, decimal, defineTool, idInput, integer, isoTime } from './schemas.ts';
import type { ToolContext } from './tool.ts';

export const listPlans = defineTool({
  name: 'list_plans',
  title: 'Plans',
  description: 'On-chain plans of all owners or one, newest first: what each trades, how much, how often, state.',
  effect: 'read',
  input: z.strictObject({
    owner: addressInput.optional().describe('Only its plans.'),
    count: z.number().int().min(1).max(50).default(20),
    before: idInput.optional().describe('`next` of the previous answer.'),
  }),
  output: z.object({
    total: z.number().int(),
    next: integer.nullable().describe('Where the list continues; null at its end.'),
    unread: z.number().int(),
    plans: z.array(
      z.object({
        id: integer,
        owner: address,
        status: z.enum(['active', 'paused', 'cancelled', 'revoked']),
        pay: z.object({ token: z.string(), amount: decimal }),
        buy: z.string(),
        sells: z.boolean(),
        every_seconds: integer,
        runs: z.number().int(),
        max_runs: z.number().int(),
        expires: isoTime,
        max_slippage_bps: z.number().int(),
        allows_any_price: z.boolean().describe('Its limit price may be far off.'),
        trigger_price: decimal.nullable().describe('Only from this price of buy up, in units of pay.'),
      }),
    ),
    block: integer,
  }),
  async run({ owner, count, before }, context) {
    const { block, plans, total, next, unread } = await context.chain.newestPlans({
      count,
      ...(owner !== undefined && { owner }),
      ...(before !== undefined && { before }),
    });
    return {
      total,
      next: next?.toString() ?? null,
      unread,
      plans: plans.map((plan) => describe(plan, context)),
      block: block.number.toString(),
    };
  },
});

function describe(plan: BarePlan, context: ToolContext) {
  const [paid, received] = [assetAt(context, plan.tokenIn), assetAt(context, plan.tokenOut)];
  const triggerPrice = (plan.triggerPriceWad * 10n ** BigInt(received?.decimals ?? 18)) / WAD;
  return {
    id: plan.id.toString(),
    owner: plan.owner,
    status: plan.status,
    // An unlisted token's decimals are unknown: give base units and its address.
    pay: { token: paid?.symbol ?? plan.tokenIn, amount: formatUnits(plan.amountPerRun, paid?.decimals ?? 0) },
    buy: received?.symbol ?? plan.tokenOut,
    sells: isSaleOf(context.assets, plan),
    every_seconds: plan.periodSeconds.toString(),
    runs: plan.runs,
    max_runs: plan.maxRuns,
    expires: toIsoTime(plan.expiresAt),
    max_slippage_bps: plan.maxSlippageBps,
    allows_any_price: plan.farLimit,
    trigger_price: plan.triggerPriceWad === 0n ? null : formatUnits(triggerPrice, paid?.decimals ?? 0),
  };
}

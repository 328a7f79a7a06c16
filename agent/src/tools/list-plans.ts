import { z } from 'zod';
import type { Plan } from '../domain/permissions.ts';
import { formatUnits } from '../domain/units.ts';
import { address, addressInput, assetAt, decimal, integer, isoTime, toIsoTime } from './schemas.ts';
import { defineTool, type ToolContext } from './tool.ts';

const MOST = 50;

export const listPlans = defineTool({
  name: 'list_plans',
  title: 'Plans',
  description:
    'Lists the standing plans on chain, newest first, of everybody or of one owner: what each buys, how much, how often, how ' +
    'many runs it has had and whether it is active.',
  effect: 'read',
  input: z.strictObject({ owner: addressInput.optional().describe('Only the plans of this address.') }),
  output: z.object({
    /** All that match, of which at most 50 are listed. */
    total: z.number().int(),
    plans: z.array(
      z.object({
        id: integer,
        owner: address,
        status: z.enum(['active', 'paused', 'cancelled']),
        pay: z.object({ token: z.string(), amount: decimal }),
        buy: z.string(),
        every_seconds: integer,
        runs: z.number().int(),
        max_runs: z.number().int(),
        expires: isoTime,
        max_slippage_bps: z.number().int(),
      }),
    ),
    block: integer,
  }),
  async run({ owner }, context) {
    const { block, plans } = await context.chain.plans();
    const wanted = plans.filter((plan) => owner === undefined || plan.owner.toLowerCase() === owner.toLowerCase());
    const newest = wanted.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, MOST);
    return {
      total: wanted.length,
      plans: newest.map((plan) => describe(plan, context)),
      block: block.number.toString(),
    };
  },
});

function describe(plan: Plan, context: ToolContext) {
  const paid = assetAt(context, plan.tokenIn);
  return {
    id: plan.id.toString(),
    owner: plan.owner,
    status: plan.status,
    // Of a token that is not listed nothing is known, its decimals included: base units, and its address.
    pay: { token: paid?.symbol ?? plan.tokenIn, amount: formatUnits(plan.amountPerRun, paid?.decimals ?? 0) },
    buy: assetAt(context, plan.tokenOut)?.symbol ?? plan.tokenOut,
    every_seconds: plan.periodSeconds.toString(),
    runs: plan.runs,
    max_runs: plan.maxRuns,
    expires: toIsoTime(plan.expiresAt),
    max_slippage_bps: plan.maxSlippageBps,
  };
}

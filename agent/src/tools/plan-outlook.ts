import { plansOfOwner } from '@bowline/chain/plans-of-owner';
import { step } from '@bowline/core/domain/asking';
import {
  EQUAL_DEFERRALS,
  isDeferredToday,
  isTermBelowFee,
  type Unrecorded,
  waitsForTrigger,
} from '@bowline/core/domain/deferrals';
import type { Funded } from '@bowline/core/domain/funded-runs';
import { fundedRunsOf } from '@bowline/core/domain/owner-plans';
import type { Plan } from '@bowline/core/domain/permissions';
import { toIsoTime } from '@bowline/core/domain/readable';
import { reasonCodes } from '@bowline/core/domain/reasons';
import { pairingOf, poolFeeOf } from '@bowline/core/domain/route';
import { nextSlots, slotEnd } from '@bowline/core/domain/slots';
import { goUpTo } from '@bowline/core/texts/verdict-answer';
import { stricter } from '@bowline/core/verdict/limits';
import { judgeProposal } from '@bowline/core/verdict/rules';
import { z } from 'zod';
import { propose } from '../sources/propose.ts';
import { assetAt, defineTool, goUpToOutput, idInput, integer, isoTime, verdictOutput } from './schemas.ts';
import type { ToolContext } from './tool.ts';

const SLOTS = 3;

export const planOutlook = defineTool({
  name: 'plan_outlook',
  title: 'Plan outlook',
  description:
    'When a plan may run next, and what would stop it now: its state, its owner’s balance and allowance, the verdict on its ' +
    'trade.',
  effect: 'read',
  input: z.strictObject({ plan: idInput }),
  output: z.object({
    plan: integer,
    slots: z.array(z.object({ opens: isoTime, closes: isoTime, open_now: z.boolean() })).describe('With the open one.'),
    /** What would stop a run now; empty if nothing would. */
    obstacles: z.array(
      z.enum([
        'plan_not_active',
        'plan_expired',
        'runs_used_up',
        'not_served_route',
        'balance_too_low',
        'allowance_too_low',
        'trigger_not_reached',
        'verdict_not_go',
      ]),
    ),
    unrecorded: z
      .enum(['term_below_fee', 'trigger_not_reached', 'deferred_today'])
      .nullable()
      .describe('Why that it does not run now need not be recorded; null if it must.'),
    runs_paid_for: integer.nullable().describe('That funds cover beside its owner’s other plans; null: unknown.'),
    /** Counting ends after 5,000 runs of the owner. */
    more_runs_paid_for: z.boolean(),
    verdict_now: z
      .object({ ...verdictOutput, go_up_to: goUpToOutput })
      .nullable()
      .describe('Null if it is not traded here.'),
    block: integer,
    time: isoTime,
  }),
  async run({ plan: id }, context, asking) {
    step(asking, 0, 2, 'Reading the plan');
    const { plan, block } = await context.chain.planWithFunds(id);
    const now = block.timestamp;
    step(asking, 1, 2, 'Judging its trade');
    const [ruling, paidFor, waits] = await Promise.all([
      ruled(plan, context),
      runsPaidFor(plan, now, context),
      isWaiting(plan, context),
    ]);
    const slots = plan.status === 'cancelled' || plan.status === 'revoked' ? [] : nextSlots(plan, now, SLOTS);
    return {
      plan: id.toString(),
      slots: slots.map((start) => ({
        opens: toIsoTime(start),
        closes: toIsoTime(slotEnd(plan, start)),
        open_now: start <= now,
      })),
      obstacles: obstaclesOf(plan, now, ruling, waits),
      unrecorded: waits ? 'trigger_not_reached' : await whyUnrecorded(plan, now, ruling, context),
      runs_paid_for: paidFor?.runs.toString() ?? null,
      more_runs_paid_for: paidFor?.state === 'more',
      verdict_now: ruling,
      block: block.number.toString(),
      time: toIsoTime(now),
    };
  },
});

async function ruled(plan: Plan, context: ToolContext) {
  const pairing = pairingOf(context.assets, plan.tokenIn, plan.tokenOut);
  if (pairing === undefined) return null;
  // Same limits as the executor.
  const limitsOf: ToolContext['limitsOf'] = (asset) => stricter(context.limitsOf(asset), plan);
  const proposal = await propose({ ...context, limitsOf }, pairing.asset, pairing.side, { paid: plan.amountPerRun });
  const { verdict, reason, findings } = judgeProposal(proposal);
  return { verdict, reason: reason ?? null, go_up_to: goUpTo(proposal, { verdict, findings }) };
}

/** Undefined if the owner's balance or one of its plans was not read. */
async function runsPaidFor(plan: Plan, now: bigint, context: ToolContext): Promise<Funded | undefined> {
  if (assetAt(context, plan.tokenIn) === undefined) return undefined;
  const { plans, isWhole } = await plansOfOwner(context.chain, plan.owner);
  return isWhole ? fundedRunsOf(plan, plans, now) : undefined;
}

/** As the audit has it. */
async function whyUnrecorded(
  plan: Plan,
  now: bigint,
  ruling: Awaited<ReturnType<typeof ruled>>,
  { assets, chain }: ToolContext,
): Promise<Unrecorded | null> {
  if (ruling === null || ruling.verdict === 'GO') return null;
  const { id, version, records, tokenIn, tokenOut } = plan;
  if (isTermBelowFee(plan, poolFeeOf(assets, tokenIn, tokenOut))) return 'term_below_fee';
  if (ruling.reason === null || records < EQUAL_DEFERRALS) return null;
  const newest = await chain.runs(id, records - EQUAL_DEFERRALS, records);
  return isDeferredToday(newest, { reasonCode: reasonCodes[ruling.reason], version, time: now })
    ? 'deferred_today'
    : null;
}

const isWaiting = async (plan: Plan, { chain }: ToolContext): Promise<boolean> =>
  plan.triggerPriceWad !== 0n && waitsForTrigger(plan, await chain.sourcePriceWad(plan));

/** In the executor's order. */
function obstaclesOf(plan: Plan, now: bigint, ruling: Awaited<ReturnType<typeof ruled>>, waits: boolean) {
  return [
    ...(plan.status === 'active' ? [] : ['plan_not_active' as const]),
    ...(now < plan.expiresAt ? [] : ['plan_expired' as const]),
    ...(plan.runs < plan.maxRuns ? [] : ['runs_used_up' as const]),
    ...(ruling === null ? ['not_served_route' as const] : []),
    ...(plan.ownerBalance >= plan.amountPerRun ? [] : ['balance_too_low' as const]),
    ...(plan.ownerAllowance >= plan.amountPerRun ? [] : ['allowance_too_low' as const]),
    ...(waits ? ['trigger_not_reached' as const] : []),
    ...(ruling === null || ruling.verdict === 'GO' ? [] : ['verdict_not_go' as const]),
  ];
}

import { wasDeferredToday } from '@bowline/chain/deferred-today';
import { outlookOf, planObstacles } from '@bowline/chain/plan-outlook';
import { step } from '@bowline/core/domain/asking';
import { isTermBelowFee, type Unrecorded, unrecorded } from '@bowline/core/domain/deferrals';
import type { Plan } from '@bowline/core/domain/permissions';
import { toIsoTime } from '@bowline/core/domain/readable';
import { reasonCodes } from '@bowline/core/domain/reasons';
import { pairingOf, poolFeeOf } from '@bowline/core/domain/route';
import { planLeftOut } from '@bowline/core/domain/served';
import { findingUnits } from '@bowline/core/domain/verdict';
import { figuresOf, goUpTo } from '@bowline/core/texts/verdict-answer';
import { z } from 'zod';
import { judgeRun } from '../sources/judge-run.ts';
import { blockIn, blockOutput, defineTool, goUpToOutput, idInput, integer, isoTime, verdictOutput } from './schemas.ts';
import type { ToolContext } from './tool.ts';

/** Figures behind a refusal; null for GO, and where nothing was measured. */
const figuresOutput = z
  .object({ measured: integer, limit: integer, unit: z.enum(findingUnits), text: z.string() })
  .nullable();

export const planOutlook = defineTool({
  name: 'plan_outlook',
  title: 'Plan outlook',
  description: 'When a plan may run next, and what would stop it now: its state, its owner’s funds, the verdict.',
  effect: 'read',
  input: z.strictObject({ plan: idInput }),
  output: z.object({
    plan: integer,
    slots: z.array(z.object({ opens: isoTime, closes: isoTime, open_now: z.boolean() })),
    /** What would stop a run now; empty if nothing would. */
    obstacles: z.array(z.enum([...new Set([...planObstacles, ...planLeftOut]), 'verdict_not_go'])),
    unrecorded: z.enum(unrecorded).nullable().describe('Why no deferral need be recorded; null: no such reason.'),
    runs_paid_for: integer.nullable().describe('Beside its owner’s other plans; null: unknown.'),
    /** Counting ends after 5,000 runs of the owner. */
    more_runs_paid_for: z.boolean(),
    verdict_now: z
      .object({ ...verdictOutput, figures: figuresOutput, go_up_to: goUpToOutput })
      .nullable()
      .describe('Null if it is not traded here.'),
    ...blockOutput,
  }),
  async run({ plan: id }, context, asking) {
    step(asking, 0, 2, 'Reading the plan');
    const read = await context.chain.planWithFunds(id);
    const { plan, block } = read;
    const now = block.timestamp;
    step(asking, 1, 2, 'Judging its trade');
    const [{ ruling, isBelowLimit }, { slots, obstacles: stops, paidFor }, leftOut] = await Promise.all([
      ruled(plan, context),
      outlookOf(context.chain, context.assets, read),
      context.whyPlanLeftOut?.(plan),
    ]);
    // A pool may be cheaper than the sources by more than its fee: then the plan runs.
    const isLeftOut = leftOut !== undefined && (leftOut !== 'term_below_fee' || ruling?.verdict !== 'GO');
    const found = [...new Set([...stops, ...(isLeftOut ? [leftOut] : [])])];
    // As in the executor: the source's price decides first, and near a limit the pools do.
    const isFar = found.includes('trigger_not_reached') || found.includes('limit_not_reached');
    const obstacles = isFar || !isBelowLimit ? found : [...found, 'limit_not_reached' as const];
    const waits = (['trigger_not_reached', 'limit_not_reached'] as const).find((each) => obstacles.includes(each));
    return {
      plan: id.toString(),
      slots: slots.map(({ opens, closes, isOpen }) => ({
        opens: toIsoTime(opens),
        closes: toIsoTime(closes),
        open_now: isOpen,
      })),
      obstacles: [...obstacles, ...(ruling === null || ruling.verdict === 'GO' ? [] : (['verdict_not_go'] as const))],
      unrecorded: waits ?? (await whyUnrecorded(plan, now, ruling, context)),
      runs_paid_for: paidFor?.runs.toString() ?? null,
      more_runs_paid_for: paidFor?.state === 'more',
      verdict_now: ruling,
      ...blockIn(block),
    };
  },
});

async function ruled(plan: Plan, context: ToolContext) {
  const pairing = pairingOf(context.assets, plan.tokenIn, plan.tokenOut);
  if (pairing === undefined) return { ruling: null, isBelowLimit: false };
  const { proposal, judgement, isBelowLimit } = await judgeRun(context, plan, pairing);
  const { verdict, reason, findings } = judgement;
  const judged = { verdict, findings };
  return {
    ruling: {
      ...{ verdict, reason: reason ?? null },
      ...{ figures: figuresOf(proposal, judged), go_up_to: goUpTo(proposal, judged) },
    },
    isBelowLimit,
  };
}

/** As in the audit. */
async function whyUnrecorded(
  plan: Plan,
  now: bigint,
  ruling: Awaited<ReturnType<typeof ruled>>['ruling'],
  { assets, chain }: ToolContext,
): Promise<Unrecorded | null> {
  if (ruling === null || ruling.verdict === 'GO') return null;
  if (isTermBelowFee(plan, poolFeeOf(assets, plan.tokenIn, plan.tokenOut))) return 'term_below_fee';
  if (ruling.reason === null) return null;
  return (await wasDeferredToday(chain, plan, reasonCodes[ruling.reason], now)) ? 'deferred_today' : null;
}

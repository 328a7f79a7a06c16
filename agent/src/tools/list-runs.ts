import { step } from '@bowline/core/domain/asking';
import { toIsoTime } from '@bowline/core/domain/readable';
import { formatUnits } from '@bowline/core/domain/units';
import { verdictCodes } from '@bowline/core/domain/verdict';
import { z } from 'zod';
import { assetAt, decimal, defineTool, idInput, integer, isoTime } from './schemas.ts';

export const listRuns = defineTool({
  name: 'list_runs',
  title: 'Runs of a plan',
  description:
    'On-chain record of one plan, newest first: each run with the amounts paid and received, each ' +
    'deferral with its reason. Verdicts and reasons in the record are what the executor claimed.',
  effect: 'read',
  input: z.strictObject({
    plan: idInput.describe('ID of the plan.'),
    count: z.number().int().min(1).max(100).default(10).describe('Maximum number of records, newest first.'),
  }),
  output: z.object({
    plan: integer,
    total: z.number().int().describe('Total number of records.'),
    runs: z.array(
      z.object({
        outcome: z.enum(['executed', 'deferred']),
        time: isoTime,
        slot_start: isoTime,
        paid: z.object({ token: z.string(), amount: decimal }).nullable(),
        received: z.object({ token: z.string(), amount: decimal }).nullable(),
        floor: decimal.nullable(),
        verdict: z.enum(Object.keys(verdictCodes) as [keyof typeof verdictCodes]),
        reason: z.string().nullable(),
        attested: z
          .boolean()
          .describe(
            'Whether the plan’s verdict signer signed the verdict. Otherwise the verdict is the executor’s claim; the reason always is.',
          ),
        evidence_prefix: z
          .string()
          .describe(
            'First 19 bytes of the evidence document’s keccak256, in hex. The event RunRecorded or DeferralRecorded has all 32.',
          ),
      }),
    ),
  }),
  async run({ plan: planId, count }, context, asking) {
    step(asking, 0, 2, 'Reading the plan');
    const plan = await context.chain.plan(planId);
    step(asking, 1, 2, 'Reading its record');
    const records = await context.chain.runs(planId, Math.max(0, plan.records - count), plan.records);
    const [paid, bought] = [assetAt(context, plan.tokenIn), assetAt(context, plan.tokenOut)];
    return {
      plan: planId.toString(),
      total: plan.records,
      runs: records.toReversed().map((run) => {
        const executed = run.outcome === 'executed';
        const received = (amount: bigint) => formatUnits(amount, bought?.decimals ?? 0);
        return {
          outcome: run.outcome,
          time: toIsoTime(run.time),
          slot_start: toIsoTime(run.slotStart),
          paid: executed
            ? { token: paid?.symbol ?? plan.tokenIn, amount: formatUnits(run.amountIn, paid?.decimals ?? 0) }
            : null,
          received: executed ? { token: bought?.symbol ?? plan.tokenOut, amount: received(run.amountOut) } : null,
          floor: executed ? received(run.floor) : null,
          verdict: run.verdict,
          reason: executed ? null : (run.reason ?? run.reasonCode.toString()),
          attested: run.isAttested,
          evidence_prefix: run.evidencePrefix,
        };
      }),
    };
  },
});

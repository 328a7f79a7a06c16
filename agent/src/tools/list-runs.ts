import { expectedIn, type Surplus, surplusOf, surplusSum } from '@bowline/core/audit/surplus';
import { step } from '@bowline/core/domain/asking';
import type { Run } from '@bowline/core/domain/permissions';
import { toIsoTime } from '@bowline/core/domain/readable';
import { isSaleOf } from '@bowline/core/domain/sided';
import { formatUnits } from '@bowline/core/domain/units';
import { verdictCodes } from '@bowline/core/domain/verdict';
import { z } from 'zod';
import { assetAt, decimal, defineTool, idInput, integer, isoTime } from './schemas.ts';
import type { ToolContext } from './tool.ts';

/** US dollars gained; negative: lost. */
const surplus = z.object({ reference_usd: decimal, pool_usd: decimal.nullable() });

export const listRuns = defineTool({
  name: 'list_runs',
  title: 'Runs of a plan',
  description: 'On-chain record of a plan, newest first: runs with amounts paid and received, deferrals with reasons.',
  effect: 'read',
  input: z.strictObject({
    plan: idInput,
    count: z.number().int().min(1).max(100).default(10),
  }),
  output: z.object({
    plan: integer,
    sells: z.boolean(),
    total: z.number().int(),
    surplus: surplus.extend({ runs: z.number().int() }).describe('Sum of listed runs with evidence.'),
    runs: z.array(
      z.object({
        outcome: z.enum(['executed', 'deferred']),
        time: isoTime,
        slot_start: isoTime,
        paid: z.object({ token: z.string(), amount: decimal }).nullable(),
        received: z.object({ token: z.string(), amount: decimal }).nullable(),
        floor: decimal.nullable(),
        surplus: surplus.nullable().describe('Beyond the reference price and the best single pool.'),
        verdict: z.enum(Object.keys(verdictCodes) as [keyof typeof verdictCodes]),
        reason: z.string().nullable(),
        attested: z
          .boolean()
          .describe(
            'Whether the plan’s verdict signer signed the verdict. If not, it is the executor’s claim; the reason always is.',
          ),
        evidence_prefix: z
          .string()
          .describe('First 19 bytes of the evidence’s keccak256, in hex. The event has all 32.'),
      }),
    ),
  }),
  async run({ plan: planId, count }, context, asking) {
    step(asking, 0, 2, 'Reading the plan');
    const plan = await context.chain.plan(planId);
    step(asking, 1, 2, 'Reading its record');
    const records = await context.chain.runs(planId, Math.max(0, plan.records - count), plan.records);
    const [paid, got] = [assetAt(context, plan.tokenIn), assetAt(context, plan.tokenOut)];
    const gains = new Map(await Promise.all(records.map(async (run) => [run, await gainOf(run, context)] as const)));
    const sum = surplusSum([...gains.values()].filter((gain) => gain !== undefined));
    return {
      plan: planId.toString(),
      sells: isSaleOf(context.assets, plan),
      total: plan.records,
      surplus: { ...inUsd(sum), runs: sum.runs },
      runs: records.toReversed().map((run) => {
        const gain = gains.get(run);
        const executed = run.outcome === 'executed';
        const received = (amount: bigint) => formatUnits(amount, got?.decimals ?? 0);
        return {
          outcome: run.outcome,
          time: toIsoTime(run.time),
          slot_start: toIsoTime(run.slotStart),
          paid: executed
            ? { token: paid?.symbol ?? plan.tokenIn, amount: formatUnits(run.amountIn, paid?.decimals ?? 0) }
            : null,
          received: executed ? { token: got?.symbol ?? plan.tokenOut, amount: received(run.amountOut) } : null,
          floor: executed ? received(run.floor) : null,
          surplus: gain ? inUsd(gain) : null,
          verdict: run.verdict,
          reason: executed ? null : (run.reason ?? run.reasonCode.toString()),
          attested: run.isAttested,
          evidence_prefix: run.evidencePrefix,
        };
      }),
    };
  },
});

/** Undefined for a deferral, and for a run whose evidence is not kept or not readable. */
async function gainOf(run: Run, { evidence }: ToolContext): Promise<Surplus | undefined> {
  if (run.outcome !== 'executed') return undefined;
  const text = await evidence?.read(run.evidencePrefix);
  const expected = text === undefined ? undefined : expectedIn(text);
  return expected && surplusOf(run, expected);
}

const inUsd = ({ referenceUsdWad, poolUsdWad }: Surplus) => ({
  reference_usd: formatUnits(referenceUsdWad, 18),
  pool_usd: poolUsdWad === undefined ? null : formatUnits(poolUsdWad, 18),
});

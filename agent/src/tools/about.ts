import { toIsoTime } from '@bowline/core/domain/readable';
import { unreadyReasons } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits } from '@bowline/core/domain/units';
import type { Serving } from '@bowline/core/serving';
import { checks } from '@bowline/core/verdict/checks/index';
import { rulesVersion } from '@bowline/core/verdict/rules';
import { z } from 'zod';
import { address, assetAt, decimal, defineTool, integer, isoTime } from './schemas.ts';
import { priceOutput } from './self.ts';
import type { ToolContext } from './tool.ts';

const reason = z.enum(unreadyReasons).nullable();
const loop = { reason: z.string().nullable(), last_round: isoTime.nullable() };

export const about = defineTool({
  name: 'about',
  title: 'About this agent',
  description:
    'What this agent is and whether it works: its checks, charges, limits, whom it serves, who signs, contracts, links.',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    chain_id: z.number().int(),
    rules: z.number().int(),
    checks: z.array(z.object({ check: z.string(), question: z.string() })),
    charges: priceOutput
      .extend({
        tools: z.array(z.string()),
        job: z.object({ amount: decimal, token: z.string() }).nullable(),
      })
      .describe('Other tools are free.'),
    /** The contracts take nothing, and hold nothing except what a call moves. */
    contract_fees: z.literal('none'),
    custody: z.literal('none'),
    serves: z
      .object({
        plans: z
          .object({
            ...loop,
            ...{ registry: address, executor: address, ticket_signers: z.array(address), tokens: z.array(z.string()) },
            ...{ owner: address.nullable(), min_run_usd: decimal, min_period_seconds: integer },
          })
          .nullable(),
        guards: z
          .object({
            ...loop,
            ...{ contracts: z.array(address), tokens: z.array(z.string()) },
            ...{ owner: address.nullable(), max_trigger_health: decimal, min_repay_usd: decimal },
          })
          .nullable(),
        jobs: z.object(loop).nullable(),
        quotes: z.object({ desk: address }).nullable(),
      })
      .describe('Null: not at all.'),
    ready: z.boolean(),
    not_ok: z.array(z.object({ name: z.string(), needed: z.boolean(), reason, detail: z.string() })),
    links: z.record(z.string(), z.string()),
  }),
  async run(_input, context) {
    if (context.self === undefined) throw new BowlineError('internal', 'Nothing is known about this agent here.');
    const { version, description, price, priced, jobPrice, links, ...now } = await context.self();
    const [serving, { ready, dependencies }] = await Promise.all([now.serves(), now.readiness()]);
    return {
      ...{ name: 'Bowline', version, description, chain_id: serving.chainId, rules: rulesVersion },
      checks: checks.map(({ id, question }) => ({ check: id, question })),
      charges: { ...price, tools: [...priced], job: jobPrice ?? null },
      ...{ contract_fees: 'none' as const, custody: 'none' as const },
      serves: servedIn(serving, context),
      ready,
      not_ok: Object.entries(dependencies).flatMap(([name, { ok, needed, reason: why = null, detail }]) =>
        ok ? [] : [{ name, needed, reason: why, detail }],
      ),
      links: { ...links },
    };
  },
});

function servedIn({ plans, guards, selling, quotes, ...contracts }: Serving, context: Pick<ToolContext, 'assets'>) {
  const symbols = (tokens: readonly string[]) => tokens.map((token) => assetAt(context, token)?.symbol ?? token);
  const { planRegistry, swapExecutor, loanGuard, collateralGuard } = contracts;
  return {
    plans: plans && {
      ...loopIn(plans),
      ...{ registry: planRegistry, executor: swapExecutor, ticket_signers: plans.verdictSigners },
      tokens: symbols(plans.tokens),
      owner: plans.owner,
      min_run_usd: usd(plans.minRunUsdWad),
      min_period_seconds: plans.minPeriodSeconds,
    },
    guards: guards && {
      ...loopIn(guards),
      contracts: collateralGuard === undefined ? [loanGuard] : [loanGuard, collateralGuard],
      tokens: symbols(guards.tokens),
      owner: guards.owner,
      max_trigger_health: usd(guards.maxTriggerHealthWad),
      min_repay_usd: usd(guards.minRepayUsdWad),
    },
    jobs: selling && loopIn(selling),
    quotes,
  };
}

const loopIn = ({ reason: why, lastRoundAt }: NonNullable<Serving['selling']>) => ({
  reason: why,
  last_round: lastRoundAt === null ? null : toIsoTime(BigInt(lastRoundAt)),
});
const usd = (wad: string): string => formatUnits(BigInt(wad), 18);

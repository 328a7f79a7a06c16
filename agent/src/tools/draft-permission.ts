import { keptForOthersOf } from '@bowline/chain/plans-of-owner';
import { step } from '@bowline/core/domain/asking';
import { MAX_RUNS, MAX_SALE_COST_BPS } from '@bowline/core/domain/bounds';
import { GUARD_DAYS, PLAN_SLIPPAGE_BPS } from '@bowline/core/domain/defaults';
import { numberOf } from '@bowline/core/domain/guard-key';
import type { DraftedPermission, PermissionCall, PermissionDrafter } from '@bowline/core/domain/permission-drafts';
import { BowlineError } from '@bowline/core/domain/result';
import { SALE_COST_BPS, SALE_TARGET_HEALTH, saleWarnings } from '@bowline/core/domain/sale-terms';
import { sameAddress } from '@bowline/core/domain/same-address';
import {
  type Address,
  BPS,
  formatBps,
  type Hex,
  mulDivUp,
  parseUnitsDown,
  withSymbol,
} from '@bowline/core/domain/units';
import { z } from 'zod';
import { marketName } from './positions.ts';
import {
  address,
  addressInput,
  assetInput,
  defineTool,
  findAsset,
  guardInput,
  marketInput,
  slippageInput,
} from './schemas.ts';
import type { ToolContext } from './tool.ts';

// Permissions as unsigned calls for the owner's own wallet, from the owner's words. Nothing is chosen for the owner: no
// receiver, token or amount that was not named.

const amount = z
  .string()
  .trim()
  .max(40)
  .refine((text) => (parseUnitsDown(text, 18) ?? 0n) > 0n, 'must be an amount above 0, like 25 or 0.5');
const health = amount;
const guardDays = z.number().int().min(1).max(3_650).default(GUARD_DAYS);
/** Maximum number of the borrower's guards whose triggers are compared. */
const MAX_GUARDS = 50;
const calls = z
  .array(
    z.object({ kind: z.enum(['approve', 'create', 'register', 'cancel', 'revoke']), to: address, data: z.string() }),
  )
  .describe('In order.');
const terms = z.record(z.string(), z.string()).describe('Base units, unix seconds.');
const output = z.object({ terms, calls });

export const draftPlan = defineTool({
  name: 'draft_plan',
  title: 'Plan draft',
  description:
    'A plan of equal purchases at equal intervals as unsigned calls for its owner’s wallet: approval and plan.',
  effect: 'draft',
  input: z.strictObject({
    owner: addressInput.describe('Who pays and receives.'),
    pay: assetInput,
    buy: assetInput,
    amount: amount.describe('Paid each run, in whole units of pay.'),
    every: z.enum(['hour', 'day', 'week']),
    runs: z.number().int().min(1).max(MAX_RUNS),
    max_slippage_bps: slippageInput(1_000, PLAN_SLIPPAGE_BPS).describe('Below Chainlink’s price, 1/10,000.'),
    limit_price: amount.optional().describe('Maximum price of buy, in pay.'),
    trigger_price: amount.optional().describe('Minimum price of buy: a stop loss if pay falls.'),
  }),
  output,
  async run({ owner, pay, buy, amount: amountPerRun, every, runs, max_slippage_bps, ...words }, context, asking) {
    const [paid, bought] = [findAsset(context, pay), findAsset(context, buy)];
    if (paid === bought) throw new BowlineError('invalid_input', 'pay and buy are the same asset.');
    step(asking, 0, 1, 'Reading the owner’s other plans');
    const { others, now } = await keptForOthersOf(context.chain, owner, paid.address);
    const periodSeconds = { hour: 3_600, day: 86_400, week: 604_800 }[every];
    return shown(context, (drafter) =>
      drafter.plan(
        {
          owner,
          pay: paid.symbol,
          buy: bought.symbol,
          amountPerRun,
          periodSeconds,
          maxRuns: runs,
          startAt: Number(now),
          maxSlippageBps: max_slippage_bps,
          ...(words.limit_price !== undefined && { limitPrice: words.limit_price }),
          ...(words.trigger_price !== undefined && { triggerPrice: words.trigger_price }),
        },
        others,
      ),
    );
  },
});

export const draftGuard = defineTool({
  name: 'draft_guard',
  title: 'Guard draft',
  description:
    'A guard that repays part of a loan when its health falls, as unsigned calls for the borrower’s wallet: approval, which ' +
    'replaces earlier ones, and guard.',
  effect: 'draft',
  input: z.strictObject({
    borrower: addressInput.describe('Whose loan it is, and who pays.'),
    market: marketInput.optional().describe('The debt’s; needed if several are owed.'),
    repay: assetInput,
    trigger_health: health,
    target_health: health,
    cap_per_rescue: amount.describe('In whole units of repay, like all amounts here.'),
    cap_per_day: amount,
    min_repay: amount,
    budget: amount.describe('For all guards of the borrower.'),
    days: guardDays,
  }),
  output,
  async run({ borrower, market, repay, days, ...words }, context) {
    const token = findAsset(context, repay);
    const owedIn = market ?? (await onlyDebt(borrower, token.address, context));
    return shown(context, (drafter) =>
      drafter.guard({
        borrower,
        market: owedIn,
        repay: token.symbol,
        triggerHealth: words.trigger_health,
        targetHealth: words.target_health,
        capPerRescue: words.cap_per_rescue,
        capPerDay: words.cap_per_day,
        minRepay: words.min_repay,
        budget: words.budget,
        expiresAt: Number(context.clock()) + days * 86_400,
      }),
    );
  },
});

/** The market in which the borrower owes this token. @throws `invalid_input` unless there is exactly one. */
async function onlyDebt(borrower: Address, token: Address, { chain }: Pick<ToolContext, 'chain'>): Promise<Hex> {
  const { parts = [] } = await chain.loan(borrower);
  const [only, ...others] = parts.filter(
    (part) => part.debt > 0n && part.token !== undefined && sameAddress(part.token, token),
  );
  if (only !== undefined && others.length === 0) return marketName(only.market);
  throw new BowlineError(
    'invalid_input',
    'market is required: loan_health lists the markets in which the borrower owes.',
  );
}

const warning = z.enum(['cost_tight', 'trigger_not_below_wallet', 'no_price_source']);

export const draftCollateralGuard = defineTool({
  name: 'draft_collateral_guard',
  title: 'Collateral guard draft',
  description:
    'As draft_guard, but repays by selling some of the loan’s collateral: needs no idle tokens. The approval is of the ' +
    'deposit’s receipts.',
  effect: 'draft',
  input: z.strictObject({
    borrower: addressInput.describe('Whose loan and deposit it is.'),
    market: addressInput.describe('The debt’s market, by its contract.'),
    collateral_market: addressInput.describe('The deposit’s.'),
    repay: assetInput,
    trigger_health: health.describe('Below that of the loan’s wallet guard.'),
    target_health: z
      .string()
      .regex(/^(unwind|\d{1,20}(\.\d{1,18})?)$/)
      .default(SALE_TARGET_HEALTH)
      .describe('Or unwind: all.'),
    max_cost_bps: z
      .number()
      .int()
      .min(1)
      .max(MAX_SALE_COST_BPS)
      .default(SALE_COST_BPS)
      .describe('Of a sale, 1/10,000.'),
    pool_fee: z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Fee of their pool, 1/1,000,000; none if both are the same.'),
    cap_per_rescue: amount.describe('In whole units of repay.'),
    cap_per_day: amount,
    min_repay: amount,
    sell_at_most: amount.describe('Whole units of the collateral, by all such guards.'),
    days: guardDays,
  }),
  output: output.extend({
    cost_at_most: z.string().describe('Of one rescue, in words.'),
    warnings: z.array(warning),
  }),
  async run({ borrower, market, collateral_market, repay, days, ...words }, context) {
    const token = findAsset(context, repay);
    const drafted = await shown(context, (drafter) =>
      drafter.sale({
        borrower,
        market,
        collateralMarket: collateral_market,
        repay: token.symbol,
        triggerHealth: words.trigger_health,
        targetHealth: words.target_health,
        maxCostBps: words.max_cost_bps,
        ...(words.pool_fee !== undefined && { poolFee: words.pool_fee }),
        capPerRescue: words.cap_per_rescue,
        capPerDay: words.cap_per_day,
        minRepay: words.min_repay,
        sellAtMost: words.sell_at_most,
        expiresAt: Number(context.clock()) + days * 86_400,
      }),
    );
    const { guards, unread } = await context.chain.guardsOf(borrower, MAX_GUARDS);
    if (unread > 0)
      throw new BowlineError('chain_unavailable', 'Not all guards of the borrower could be read.', { retryable: true });
    const { debtMarket, triggerHealthWad, maxCostBps, priceSource, capPerRescue } = drafted.terms;
    const terms = {
      ...{ borrower, market: debtMarket as Hex, triggerHealthWad: BigInt(triggerHealthWad ?? 0) },
      ...{ maxCostBps: Number(maxCostBps), priceSource },
    };
    const warnings = saleWarnings(terms, guards, context.clock());
    if (warnings.includes('trigger_not_below_wallet')) {
      throw new BowlineError(
        'invalid_input',
        'trigger_health: must be below that of the guard that pays from the wallet for the same loan.',
      );
    }
    const cost = mulDivUp(BigInt(capPerRescue ?? 0), BigInt(words.max_cost_bps), BPS);
    return {
      ...drafted,
      cost_at_most: `${withSymbol(cost, token)} (${formatBps(BigInt(words.max_cost_bps))})`,
      warnings: [...warnings],
    };
  },
});

export const draftRevoke = defineTool({
  name: 'draft_revoke',
  title: 'Revocation draft',
  description:
    'Ends a plan, a guard, or all plans, guards and unused signatures of the sender, as an unsigned call. Approvals stay.',
  effect: 'draft',
  input: z.strictObject({
    what: z.enum(['plan', 'guard', 'all']),
    id: guardInput.optional().describe('3, or collateral-3.'),
  }),
  output,
  async run({ what, id }, context) {
    if ((id === undefined) !== (what === 'all')) {
      throw new BowlineError('invalid_input', 'id is required for a plan or guard, and not allowed for "all".');
    }
    if (id === undefined) return shown(context, (drafter) => ({ terms: { what }, calls: [drafter.revokeAll()] }));
    if (what === 'plan' && typeof id !== 'bigint')
      throw new BowlineError('invalid_input', 'The id of a plan must be a number without "collateral-".');
    const of = what === 'plan' ? await context.chain.plan(numberOf(id)) : await context.chain.guard(id);
    const sender = 'owner' in of ? of.owner : of.borrower;
    return shown(context, (drafter) => ({
      terms: { what, id, status: of.status, sender },
      calls: [what === 'plan' ? drafter.cancelPlan(numberOf(id)) : drafter.cancelGuard(id)],
    }));
  },
});

async function shown(
  { permissions }: ToolContext,
  draft: (drafter: PermissionDrafter) => DraftedPermission | Promise<DraftedPermission>,
) {
  if (permissions === undefined) throw new BowlineError('internal', 'No permissions can be drafted here.');
  let drafted: DraftedPermission;
  try {
    drafted = await draft(permissions);
  } catch (error) {
    if (error instanceof BowlineError) throw error;
    // The drafter's own errors are one line in our words; an encoder's are not.
    const isOurs = error instanceof Error && error.constructor === Error;
    throw new BowlineError('invalid_input', isOurs ? error.message : 'A value does not fit the contract’s field.');
  }
  const shownTerms = Object.entries(drafted.terms).map(([name, value]) => [name, String(value)]);
  return { terms: Object.fromEntries(shownTerms), calls: drafted.calls.map((call: PermissionCall) => ({ ...call })) };
}

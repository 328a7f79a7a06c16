import { GUARD_TARGET_HEALTH } from '@bowline/core/domain/defaults';
import { healthWadOf } from '@bowline/core/domain/loan-health';
import type { Position } from '@bowline/core/domain/loan-part';
import { depositUp, valuesAt } from '@bowline/core/domain/loan-prices';
import { repaymentUp } from '@bowline/core/domain/rescue-size';
import { BowlineError } from '@bowline/core/domain/result';
import { BPS, formatUnits, parseUnitsDown, WAD } from '@bowline/core/domain/units';
import { z } from 'zod';
import { assetOf, valuesOf } from './positions.ts';
import { addressInput, assetInput, blockIn, blockOutput, decimal, defineTool, findAsset } from './schemas.ts';
import type { ToolContext } from './tool.ts';

const MAX_HEALTH_WAD = 100n * WAD;

/** Percent of today's price, parsed to basis points. */
const changeInput = z
  .string()
  .max(12)
  .transform((text, context) => {
    const [, sign, digits = ''] = /^([+-]?)(\d{1,3}(?:\.\d{1,2})?) ?%?$/.exec(text) ?? [];
    const bps = parseUnitsDown(digits, 2);
    if (bps !== undefined && (sign !== '-' || bps <= BPS)) return sign === '-' ? -bps : bps;
    context.addIssue({ code: 'custom', message: 'must be percent from -100 to 999.99, like -20' });
    return z.NEVER;
  });

const healthInput = z
  .string()
  .max(40)
  .refine((text) => {
    const wad = parseUnitsDown(text, 18) ?? 0n;
    return wad > WAD && wad <= MAX_HEALTH_WAD;
  }, 'must be above 1 and up to 100');

const ways = z.array(z.object({ asset: z.string(), amount: decimal }));

export const whatIf = defineTool({
  name: 'what_if',
  title: 'Loan at other prices',
  description:
    'A loan at changed prices: its health, and what to add or repay for a target. Without a change: what it lacks now.',
  effect: 'read',
  input: z.strictObject({
    borrower: addressInput,
    asset: assetInput.optional().describe('Whose price; all collateral if absent.'),
    change_percent: changeInput.prefault('0').describe('-20: a fall by 20 %.'),
    target_health: healthInput.default(GUARD_TARGET_HEALTH),
  }),
  output: z.object({
    protocol: z.string(),
    changed: z.array(z.string()),
    change_percent: decimal,
    health_now: decimal.nullable().describe('Null: no debt.'),
    health: decimal.nullable().describe('Then.'),
    can_be_liquidated: z.boolean(),
    target_health: decimal,
    add: ways.describe('Each alone is enough.'),
    repay: ways,
    ...blockOutput,
  }),
  async run({ borrower, asset: name, change_percent: changeBps, target_health }, context) {
    const loan = await context.chain.loan(borrower);
    const { parts } = loan;
    if (parts === undefined) {
      throw new BowlineError('market_unavailable', `${loan.protocol} did not report the parts of the loan.`, {
        retryable: true,
      });
    }
    const changed = changedBy(parts, name, context);
    const at = valuesAt(
      { ...valuesOf(loan), parts },
      changed.map(({ market, priceWad }) => ({ market, priceWad: movedBy(priceWad, changeBps) })),
    );
    const isChanged = new Set(changed);
    const then = parts.map((part) => (isChanged.has(part) ? atPrice(part, movedBy(part.priceWad, changeBps)) : part));
    const targetHealthWad = parseUnitsDown(target_health, 18) ?? 0n;
    return {
      protocol: loan.protocol,
      changed: [...new Set(changed.map((part) => assetOf(part, context)?.symbol ?? part.token ?? 'unknown'))],
      change_percent: formatUnits(changeBps, 2),
      health_now: healthText(loan.healthWad),
      health: healthText(at.healthWad),
      can_be_liquidated: (at.healthWad ?? WAD) < WAD || (loan.forcedDebts ?? []).length > 0,
      target_health,
      ...waysTo(targetHealthWad, at, then, context),
      ...blockIn(loan.block),
    };
  },
});

const healthText = (healthWad: bigint | undefined) => (healthWad === undefined ? null : formatUnits(healthWad, 18));
const movedBy = (priceWad: bigint, bps: bigint): bigint => (priceWad * (BPS + bps)) / BPS;
const atPrice = (part: Position, priceWad: bigint): Position => ({
  ...part,
  priceWad,
  debtWad: part.debtAt(priceWad),
  weightedWad: part.weightedAt(priceWad),
});

/** @throws `invalid_input` if the loan has no part of that asset. */
function changedBy(parts: readonly Position[], name: string | undefined, context: ToolContext): readonly Position[] {
  const priced = parts.filter(({ priceWad, debtWad, weightedWad }) => priceWad > 0n && debtWad + weightedWad > 0n);
  if (name === undefined) return priced.filter(({ weightedWad }) => weightedWad > 0n);
  const asset = findAsset(context, name);
  const found = priced.filter((part) => assetOf(part, context) === asset);
  if (found.length > 0) return found;
  throw new BowlineError('invalid_input', `The loan has no ${asset.symbol}.`);
}

/** Amounts of each asset that alone reach a health; none if it is reached, or if a whole debt's repayment cannot. */
function waysTo(
  targetHealthWad: bigint,
  { debtUsdWad, weightedUsdWad }: Pick<Parameters<typeof repaymentUp>[0], 'debtUsdWad' | 'weightedUsdWad'>,
  parts: readonly Position[],
  context: ToolContext,
) {
  const health = healthWadOf(weightedUsdWad, debtUsdWad);
  if (health === undefined || health >= targetHealthWad) return { add: [], repay: [] };
  const listed = parts.flatMap((part) => {
    const asset = assetOf(part, context);
    return asset === undefined ? [] : [{ part, asset }];
  });
  const add = listed.flatMap(({ part, asset: { symbol, decimals } }) => {
    const amount = depositUp({ debtUsdWad, weightedUsdWad }, part, targetHealthWad);
    return amount === undefined ? [] : [{ asset: symbol, amount: formatUnits(amount, decimals) }];
  });
  const repay = listed.flatMap(({ part: { debt, priceWad }, asset: { symbol, decimals } }) => {
    const amount = repaymentUp({ debtUsdWad, weightedUsdWad, priceWad, targetHealthWad });
    return debt === 0n || amount > debt ? [] : [{ asset: symbol, amount: formatUnits(amount, decimals) }];
  });
  return { add, repay };
}

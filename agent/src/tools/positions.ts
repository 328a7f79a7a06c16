import type { Position } from '@bowline/core/domain/loan-part';
import { perToken, priceAt } from '@bowline/core/domain/loan-prices';
import type { Loan } from '@bowline/core/domain/permissions';
import { BPS, formatUnits, formatUsd, type Hex, WAD } from '@bowline/core/domain/units';
import { z } from 'zod';
import { assetAt, decimal } from './schemas.ts';
import type { ToolContext } from './tool.ts';

/** A loan's collateral and debt by market; null if they could not be read. */
export const positionsOutput = z
  .array(
    z.object({
      market: z.string().describe('As an input of draft_guard.'),
      asset: z.string(),
      supplied: decimal,
      debt: decimal,
      price_usd: decimal.nullable(),
      liquidation_price_usd: decimal.nullable().describe('If only it falls; null if that never liquidates.'),
      fall_to_liquidation_percent: decimal.nullable(),
    }),
  )
  .nullable();

/** The asset of a position, if it is listed. */
export const assetOf = ({ token }: Pick<Position, 'token'>, context: Pick<ToolContext, 'assets'>) =>
  token === undefined ? undefined : assetAt(context, token);

/** The loan's values in the form that price calculations take. */
export const valuesOf = ({ debtUsdWad, weightedCollateralUsdWad }: Loan) => ({
  ...{ debtUsdWad, weightedUsdWad: weightedCollateralUsdWad },
});

export function positionsIn(loan: Loan, context: Pick<ToolContext, 'assets'>): z.infer<typeof positionsOutput> {
  const held = loan.parts?.filter(({ supplied, debt }) => supplied > 0n || debt > 0n);
  return held?.map((part) => shown(loan, part, context)) ?? null;
}

function shown(loan: Loan, part: Position, context: Pick<ToolContext, 'assets'>) {
  const asset = assetOf(part, context);
  const decimals = asset?.decimals ?? 18;
  const { priceWad, supplied, debt } = part;
  const fallsTo = part.weightedWad > 0n && priceWad > 0n ? priceAt(valuesOf(loan), { part }, WAD) : undefined;
  // If it is above today's price, the loan can already be liquidated.
  const isBelow = fallsTo !== undefined && fallsTo < priceWad;
  const usd = (wad: bigint) => formatUsd(perToken(wad, { decimals }));
  return {
    market: marketName(part.market),
    asset: asset?.symbol ?? part.token ?? 'unknown',
    supplied: formatUnits(supplied, decimals),
    debt: formatUnits(debt, decimals),
    price_usd: priceWad === 0n ? null : usd(priceWad),
    liquidation_price_usd: fallsTo === undefined ? null : usd(fallsTo),
    fall_to_liquidation_percent: isBelow ? formatUnits(((priceWad - fallsTo) * BPS) / priceWad, 2) : null,
  };
}

/** A contract's address if the adapter pads one to 32 bytes, otherwise the id. */
export const marketName = (market: Hex): Hex => (/^0x0{24}/.test(market) ? `0x${market.slice(26)}` : market);

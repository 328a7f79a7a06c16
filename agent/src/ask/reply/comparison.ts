import { deviationBpsUp, formatBps, formatUnits, mulDivDown, parseUnitsDown, WAD } from '@bowline/core/domain/units';
import { short } from './words.ts';

/** How a price that somebody named lies to the reference; both decimal text of US dollars for one of the asset. */
export function comparedWith(priceUsd: string, asset: string, referenceUsd: string | null): string {
  const named = `${short(priceUsd)} USD`;
  const [price, reference] = [
    parseUnitsDown(priceUsd, 18),
    referenceUsd === null ? undefined : parseUnitsDown(referenceUsd, 18),
  ];
  if (!price || !reference || referenceUsd === null)
    return `There is no reference price of ${asset} to compare ${named} with.`;
  const of = `the reference price of one ${asset}, ${short(referenceUsd)} USD`;
  if (price === reference) return `${named} is ${of}.`;
  return `${named} is ${formatBps(deviationBpsUp(price, reference))} ${price < reference ? 'below' : 'above'} ${of}.`;
}

/** What so many units are worth; decimal text, cut. */
export const worth = (units: string, usd: string): string =>
  short(formatUnits(mulDivDown(parseUnitsDown(units, 18) ?? 0n, parseUnitsDown(usd, 18) ?? 0n, WAD), 18));

import type { Asset } from '../../domain/assets.ts';
import { formatUnits, parseUnitsDown } from '../../domain/units.ts';
import { nameOf } from './names.ts';
import type { Text } from './text.ts';

const number = '(\\d[\\d,]*(?:\\.\\d+)?)';
const times = '(k|thousand|grand|m|mio|million)?';

/**
 * Takes an amount of dollars out of the text, as decimal text: "$2k", "1,000 USDT", "250.50 dollars". A stablecoin counts
 * as a dollar; `coin` says which one was named.
 */
export function takeDollars(text: Text, assets: readonly Asset[]): { usd: string; coin?: Asset } | undefined {
  const sign = text.take(new RegExp(`\\$\\s*${number}\\s*${times}(?![a-z])(?:\\s*(?:usd|dollars?)\\b)?`));
  if (sign) return { usd: dollars(sign[1], sign[2]) };
  const stables = assets.filter((asset) => asset.class === 'stable');
  const coins = stables.map(nameOf).join('|');
  const worded = text.take(
    new RegExp(`(?<![\\w.])${number}\\s*${times}\\s*(?:usd|us dollars?|dollars?|bucks|\\$|(${coins}))(?![a-z])`),
  );
  if (worded === undefined) return undefined;
  const coin = stables.find((asset) => worded[3] !== undefined && new RegExp(`^(?:${nameOf(asset)})$`).test(worded[3]));
  return { usd: dollars(worded[1], worded[2]), ...(coin && { coin }) };
}

/** Takes a number that names no currency, when assets have been replaced by @: "put 10k into @", but not "0.5 @". */
export function takeBareNumber(text: Text): string | undefined {
  const bare = text.take(new RegExp(`(?<![\\w.,#@])${number}\\s*${times}(?![\\w%]|\\s*@|[.,]\\d)`));
  return bare && dollars(bare[1], bare[2]);
}

function dollars(digits = '', factor = ''): string {
  const thousands = factor.startsWith('m') ? 1_000_000n : factor === '' ? 1n : 1_000n;
  return formatUnits((parseUnitsDown(digits.replaceAll(',', ''), 18) ?? 0n) * thousands, 18);
}

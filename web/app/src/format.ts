import { formatUnits } from 'viem';

// Numbers for people: cut, not rounded up, and never the basis of a sum.

const group = (whole: string) => whole.replace(/\B(?=(\d{3})+$)/g, ',');

/** Decimal text with thousands apart and at most so many decimals. */
function shorten(decimal: string, decimals: number): string {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  const kept = fraction.slice(0, decimals).replace(/0+$/, '');
  return `${sign}${group(whole)}${kept === '' ? '' : `.${kept}`}`;
}

/** Base units as an amount: six decimals where it is small, two where it is large. */
export function amount(base: bigint, decimals: number): string {
  const text = formatUnits(base, decimals);
  const whole = text.replace('-', '').split('.')[0] ?? '0';
  const shown = shorten(text, whole.length > 3 ? 2 : 6);
  return base !== 0n && /^-?0$/.test(shown) ? `${base < 0n ? '-' : ''}<0.000001` : shown;
}

/** US dollars from decimal text: cents, and more decimals below one dollar. */
export function usd(decimal: string): string {
  const isSmall = /^-?0(\.|$)/.test(decimal);
  const shown = shorten(decimal, isSmall ? 4 : 2);
  const [whole = '0', fraction = ''] = shown.split('.');
  return `$${whole}.${fraction.padEnd(2, '0')}`.replace('$-', '-$');
}

/** Health, with three decimals. */
export const health = (wad: bigint): string => shorten(formatUnits(wad, 18), 3);

export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;

export function span(seconds: number): string {
  const units = [
    [86_400 * 7, 'week'],
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, name] = units.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, 'second'];
  const count = seconds / size;
  return count === 1 ? name : `${group(String(count))} ${name}s`;
}

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const farAway = 4_102_444_800;

/** @param seconds unix time. */
export const when = (seconds: number): string =>
  seconds >= farAway ? 'the end of time' : dateTime.format(new Date(seconds * 1000));

const clockTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
export const clock = (seconds: number): string => clockTime.format(new Date(seconds * 1000));

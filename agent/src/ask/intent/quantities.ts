import type { Asset } from '@bowline/core/domain/assets';
import { formatUnits, parseUnitsDown } from '@bowline/core/domain/units';
import type { Text } from './text.ts';

// What is left of a number in the text. Capitals, as everything else is lower case.
//   D dollars · N an amount of the asset whose @ follows · B a number that names no unit
type Mark = 'D' | 'N' | 'B';

export interface Quantity {
  readonly mark: Mark;
  /** Decimal text. */
  readonly amount: string;
  /** Of which asset: always with N, and with D where it was given in a stablecoin. */
  readonly asset?: Asset;
  /** As it was written, where the reading is a guess: "10k". */
  readonly written: string;
}

/** What cannot be read for certain, or not at all. */
export type Unclear =
  | { readonly kind: 'number' | 'unit' | 'price_or_size'; readonly written: string }
  | { readonly kind: 'percent' | 'currency' | 'times'; readonly written: string }
  /** "40k @": so many of it, so many dollars, or its price. */
  | { readonly kind: 'thousands'; readonly written: string; readonly amount: string };

const currencies =
  'eur|euros?|gbp|pounds?|sterling|chf|francs?|yen|jpy|yuan|cny|rmb|rupees?|inr|cents?|wei|gwei|sats?|satoshis?';
const quantity = new RegExp(
  // Sign, minus, digits, thousands, unit.
  '(us\\$|[$€£¥₹])?\\s*(?<![a-z\\d.,])([-−/]?)((?:\\d[\\d.,/]*)?\\d|\\.\\d+)\\s*' +
    '(k|thousand|grand|hundred|mio|mil|mn|million|m|bn|billion)?(?![a-z\\d])\\s*' +
    `(%|percent\\b|us dollars?\\b|usd\\b|dollars?\\b|bucks\\b|[$€£¥₹]|(?:${currencies})\\b|(?:of (?:my|your|our|the) )?@)?`,
  'g',
);

const factors: Readonly<Record<string, bigint>> = {
  h: 100n,
  k: 1_000n,
  t: 1_000n,
  g: 1_000n,
  m: 1_000_000n,
  b: 10n ** 9n,
};

/**
 * Takes all numbers out of the text, leaving a mark for each. `named` are the assets of the text's @s. An amount of a
 * stablecoin beside another asset counts as dollars, and its @ goes.
 */
export function takeQuantities(
  text: Text,
  named: readonly Asset[],
): { quantities: Quantity[]; named: Asset[]; unclear?: Unclear } {
  const quantities: Quantity[] = [];
  const paidWith = new Set<number>();
  let unclear: Unclear | undefined;
  text.value = text.value.replace(
    quantity,
    (match, sign = '', minus, digits: string, times = '', unit = '', at: number, whole: string) => {
      const written = match.trim();
      const no = (kind: Exclude<Unclear['kind'], 'thousands'>, shown = written): string => {
        unclear ??= { kind, written: shown.replace(/\s*@$/, '') };
        return unit.endsWith('@') ? ' @ ' : ' ';
      };
      if (/[€£¥₹]/.test(sign + unit) || new RegExp(`^(?:${currencies})$`).test(unit)) return no('currency');
      if (/%|percent/.test(unit)) return no('percent');
      const dollars = sign !== '' || /^(?:us|dollar|buck|\$)/.test(unit);
      const amount = amountOf(minus + digits, times, dollars);
      if (amount === undefined) return no('number', digits);
      const ordinal = whole.slice(0, at).split('@').length - 1;
      const asset = unit.endsWith('@') ? named[ordinal] : undefined;
      if (dollars || asset === undefined) {
        quantities.push({ mark: dollars ? 'D' : 'B', amount, written: digits + times });
        return `${dollars ? ' D ' : ' B '}${asset ? '@ ' : ''}`;
      }
      if (asset.class === 'stable' && named.some((other) => other.class !== 'stable')) {
        paidWith.add(ordinal);
        quantities.push({ mark: 'D', amount, asset, written });
        return ' D ';
      }
      if (times !== '' && asset.class !== 'stable' && !/\bof\b/.test(unit)) {
        unclear ??= { kind: 'thousands', written: digits + times, amount };
      }
      quantities.push({ mark: 'N', amount, asset, written });
      return ' N @ ';
    },
  );
  const left = named.filter((_, index) => !paidWith.has(index));
  return { quantities, named: left, ...(unclear && { unclear }) };
}

/**
 * Decimal text, or undefined where there are two ways to read it: in "2,5" and in "1.500 USD" one half of the world sees a
 * decimal point and the other thousands.
 */
function amountOf(digits: string, times: string, dollars: boolean): string | undefined {
  if (!/^(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+)$/.test(digits)) return undefined;
  if (dollars && times === '' && /^[1-9]\d{0,2}\.\d{3}$/.test(digits)) return undefined;
  const plain = digits.replaceAll(',', '').replace(/^\./, '0.');
  const amount = parseUnitsDown(plain, 18);
  return amount === undefined ? undefined : formatUnits(amount * (factors[times.charAt(0)] ?? 1n), 18);
}

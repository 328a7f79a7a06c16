import { type Asset, isTraded } from '@bowline/core/domain/assets';
import type { Side } from '@bowline/core/domain/facts';
import { formatUnits, parseUnitsDown, WAD } from '@bowline/core/domain/units';
import { type Clauses, clausesOf, type Size } from './clauses.ts';
import {
  type Quantity,
  type Span,
  spellNumbersInDigits,
  takeQuantities,
  takeSpan,
  type Unclear,
} from './quantities.ts';
import { isVague, markSides, sidesNamed } from './sides.ts';
import { type Correction, Text, takeAssets, takeNegated } from './text.ts';
import { unknownWords } from './vocabulary.ts';

/** What an English question names, read by its words alone. */
export interface Question {
  /** The whole question in lower case, with an @ for each asset. */
  readonly all: string;
  /** Without negated clauses and what the other fields hold; D, N and B stand for numbers (see quantities.ts). */
  readonly words: string;
  /** Words that no rule knows: their effect on the question is unknown, too. */
  readonly unknown: readonly string[];
  /** Listed assets the question is about, in the order of the text. */
  readonly assets: readonly Asset[];
  readonly sizes: readonly Size[];
  /** Price of one whole unit named by the question, in US dollars. */
  readonly priceUsd?: string;
  readonly unclear?: Unclear;
  /** Sides named by a trading word or by what is paid. */
  readonly sides: readonly Side[];
  /** The side, if there is exactly one. */
  readonly side?: Side;
  readonly clauses: Clauses;
  /** It mentions a trade whose side is uncertain. */
  readonly vague: boolean;
  readonly address?: string;
  readonly plan?: string;
  readonly guard?: string;
  /** Number of a plan's newest records. */
  readonly count?: number;
  readonly span?: Span;
  /** Guesses, to be stated in the answer. */
  readonly readings: readonly string[];
}

/** The tool's maximum. */
export const MAX_RECORDS = 100;
const ID = '\\s*(?:number|no\\.?|nr\\.?|id)?\\s*#?\\s*(\\d{1,18})\\b';

export function readQuestion(prompt: string, assets: readonly Asset[]): Question {
  const text = new Text(prompt);
  const address = text.take(/\b0x[0-9a-f]{40}\b/i)?.[0];
  text.lower();
  const plan = text.take(new RegExp(`\\bplan${ID}`), 'plan')?.[1];
  const guard = text.take(new RegExp(`\\b(guard|policy|rescue)${ID}`), 'guard rescue')?.[2];
  text.clearMarks();
  const { named: spelt, corrections } = takeAssets(text, assets);
  const all = text.tidy();
  plainTrades(text);
  takeNegated(text);
  const share = takeShare(text);
  spellNumbersInDigits(text);
  const count = takeCount(text);
  const span = takeSpan(text);
  const times = span && takeSpan(text) ? ({ kind: 'times', written: '' } as const) : undefined;
  aUnit(text);
  const { quantities, named: unpaid, unclear } = takeQuantities(text, spelt);
  text.tidy();
  const named = takeCounterCoins(text, unpaid);
  const money = sortOut(text, quantities, named);
  const words = text.tidy();
  const sides = sidesNamed(markSides(words));
  const side = sides.length === 1 ? sides[0] : undefined;
  const coins = quantities.flatMap(({ mark, asset }) => (mark === 'D' && asset ? [asset] : []));
  const subjects = [...new Set(named.length > 0 ? named : coins)];
  const stillUnclear = times ?? share ?? unclear ?? money.unclear;
  return {
    all,
    words,
    unknown: unknownWords(words),
    assets: subjects,
    sizes: money.sizes,
    ...(money.priceUsd !== undefined && { priceUsd: money.priceUsd }),
    ...(stillUnclear && { unclear: stillUnclear }),
    sides,
    ...(side && { side }),
    clauses: clausesOf(words, named, money.priceUsd === undefined ? money.sizes : undefined),
    vague: isVague(words),
    ...(address && { address }),
    ...(plan && { plan }),
    ...(guard && { guard }),
    ...(count && { count }),
    ...(span && { span }),
    readings: [...corrections.map(correction), ...money.readings, ...coins.flatMap((coin) => paidWith(coin, subjects))],
  };
}

const correction = ({ word, asset }: Correction): string => `"${word}" was read as ${asset.symbol}`;

/** Only the pool's own stablecoin can be the payment; any other is a way to write dollars. */
const paidWith = (coin: Asset, subjects: readonly Asset[]): string[] =>
  subjects
    .filter(isTraded)
    .filter(({ symbol, pool }) => symbol !== coin.symbol && pool.quote !== coin.symbol)
    .map(({ symbol, pool }) => `${coin.symbol} was read as US dollars: ${symbol} is traded against ${pool.quote}`);

/** "Half of my @": what is held is not known. */
function takeShare(text: Text): Unclear | undefined {
  const share = text.take(
    /\b((?:a |one )?(?:half|third|quarter|most|part|fraction)) (?:of )?(?:my|our|the) (?:whole )?(?=@)/,
  );
  return share && { kind: 'percent', written: share[1] ?? '' };
}

function takeCount(text: Text): number | undefined {
  const newest = '(?:last|latest|newest|most recent)';
  const match = text.take(
    new RegExp(`\\b(?:${newest}\\s+)?(\\d{1,3})\\s+(?:${newest}\\s+)?(?:runs|records|deferrals)\\b`),
    'runs',
  );
  return match && Math.min(MAX_RECORDS, Number(match[1]));
}

const trades: readonly (readonly [RegExp, string])[] = [
  [/^(should (?:i|we)) liquidate (?=(?:(?:my|our|the|some|all) )*(?:[\d.,]+ ?)?@ ?(?:now|today)?[?.! ]*$)/, '$1 sell '],
  [/\b(buy|buying) the dip (?:in|on|of) (?=@)/, '$1 '],
  [/^(should (?:i|we) (?:buy|sell) [^,;.?!]*@) before the weekend(?=[?.! ]*$)/, '$1 now'],
];

/** Common phrasings of a trade to judge now. */
function plainTrades(text: Text): void {
  for (const [pattern, plain] of trades) text.value = text.value.replace(pattern, plain);
}

/** "Buy a @" means one of it; "a @ pool" does not. */
function aUnit(text: Text): void {
  text.value = text.value.replace(
    /\b(buy|buying|sell|selling|swap|swapping|get|for|into|convert|converting|is) an?(?: (?:whole|single))?\s+@(?!\s*(?:pool|price|pric|purchase|buy|sale|sell|check|verdict|quote|swap|plan|trade|chart|position))/g,
    '$1 1 @',
  );
}

/** A stablecoin used as payment or price unit is not the subject: "sell 2 @ for USDT". */
function takeCounterCoins(text: Text, named: readonly Asset[]): Asset[] {
  const left: Asset[] = [];
  let index = 0;
  const value = text.value.replace(
    /(\b(?:for|(?:in)?to|in|with|against|vs\.?|versus|using|from|how much|how many)\s+(?:all )?(?:of )?(?:my |the )?|\/\s*)?@/g,
    (match, before) => {
      const asset = named[index++];
      if (asset === undefined) return match;
      if (before !== undefined && asset.class === 'stable' && named.some((other) => other !== asset))
        return `${before}stablecoin`;
      left.push(asset);
      return match;
    },
  );
  if (left.length === 0) return [...named];
  text.value = value;
  return left;
}

const aPriceBefore =
  /(?:\b(?:pric(?:e|ed)(?: (?:is|was|of|at|tag|be))*|at|above|below|over|under|than|worth|costs?|trad(?:es?|ing) for|go(?:es|ing) for|near|still)|[<>])\s+(?:about |only |just |around )*$/;
const aPriceAfter =
  /^\s*(?:(?:per|each|apiece|a piece)\b|(?:(?:for|per) )?(?:an?|one|a single) @|for N @|(?:(?:an?|the|too|still|really|actually|currently|quite|so) )*(?:fair|good|reasonable|right|great|bad|ok(?:ay)?|high|low|cheap|expensive|much|steep|realistic|correct)\b)/;
const aPartBefore = /\b(?:some|any|part|most|half|quarter|third|rest|all but) (?:of )?(?:my |the |our |your )?$/;
const aSizeAfter = /^\s*(?:(?:worth )?(?:of|in|into|to|on) )?(?:my |the |some )?@/;

/** Separates sizes from prices. A number without a unit means dollars if it is large enough, and the answer says so. */
function sortOut(
  text: Text,
  quantities: readonly Quantity[],
  named: readonly Asset[],
): Pick<Question, 'sizes' | 'priceUsd' | 'unclear' | 'readings'> {
  const sizes: Size[] = [];
  const readings: string[] = [];
  let unclear: Unclear | undefined;
  let priceUsd: string | undefined;
  let index = 0;
  for (const { index: at } of text.value.matchAll(/[DNB]/g)) {
    const found = quantities[index++];
    if (found === undefined) break;
    const [before, after] = [text.value.slice(0, at), text.value.slice(at + 1)];
    if (found.mark === 'N' && found.asset) {
      // "A fair price for one @": the price's unit, not a size.
      if (priceUsd !== undefined && found.amount === '1' && /\b(?:for|of|per) $/.test(before)) continue;
      const part = aPartBefore.exec(before)?.[0];
      if (part !== undefined) unclear ??= { kind: 'percent', written: `${part}${found.amount} ${found.asset.symbol}` };
      sizes.push({ asset: found.asset, amount: { amount_asset: found.amount } });
      continue;
    }
    const asset = aSizeAfter.test(after) ? named[before.split('@').length - 1] : undefined;
    const total = /N @ for (?:about )?$/.test(before) || /^\s*for N @/.test(after);
    if (asset === undefined && (total || aPriceBefore.test(before) || aPriceAfter.test(after))) {
      if (priceUsd !== undefined) unclear ??= { kind: 'price_or_size', written: found.written, amount: found.amount };
      const units = quantities.find(({ mark }) => mark === 'N')?.amount;
      priceUsd = total && units !== undefined ? each(found.amount, units) : found.amount;
    } else if (/\bpay(?:ing)?\s+$/.test(before) && /^\s*for @/.test(after)) {
      unclear ??= { kind: 'price_or_size', written: found.written, amount: found.amount };
    } else if (found.mark === 'B' && /@ $/.test(before) && asset === undefined && /\b(?:buy|sell)\b/.test(after)) {
      unclear ??= { kind: 'price_or_size', written: found.written, amount: found.amount };
    } else if (found.mark === 'D') {
      sizes.push({ ...(asset && { asset }), amount: { amount_usd: found.amount } });
    } else {
      if ((parseUnitsDown(found.amount, 0) ?? 0n) < 100n)
        unclear ??= { kind: 'unit', written: found.written, amount: found.amount };
      sizes.push({ ...(asset && { asset }), amount: { amount_usd: found.amount } });
      readings.push(`"${found.written}" was read as US dollars`);
    }
  }
  return { sizes, readings, ...(priceUsd !== undefined && { priceUsd }), ...(unclear && { unclear }) };
}

/** Price of one unit, given that `usd` is the price of `units`; undefined for zero units. */
function each(usd: string, units: string): string | undefined {
  const divisor = parseUnitsDown(units, 18) ?? 0n;
  return divisor === 0n ? undefined : formatUnits(((parseUnitsDown(usd, 18) ?? 0n) * WAD) / divisor, 18);
}

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Which parts of the output the question asks for. */
  readonly details?: Details;
}

export interface Details {
  /** Compare this price of one unit, in US dollars. */
  readonly priceUsd?: string;
  /** Value of this many units. */
  readonly units?: string;
  /** Measurement of this check, whether or not it decided. */
  readonly check?: string;
  /** Only yesterday. */
  readonly yesterday?: true;
  /** Terms of one plan from the list. */
  readonly plan?: string;
}

/** What the question lacks. */
export type Missing = 'asset' | 'amount' | 'address' | 'plan' | 'guard' | 'side' | 'one asset' | 'one size';

/** Why a question is refused. */
export type Refusal =
  | 'not_understood'
  | 'greeting'
  | 'only_reads'
  | 'no_forecast'
  | 'not_instructed'
  | 'only_now'
  | 'no_causes'
  | 'no_comparison'
  | 'no_pairs'
  | 'both_sides'
  | 'no_rescue_record'
  | 'no_loan_detail'
  | 'no_plans_by_asset'
  | 'no_long_history'
  | 'too_much_at_once'
  | 'unknown_words'
  | 'unclear';

/** The language of the question, if it is not English. */
interface InLanguage {
  readonly language?: 'zh';
}

export type Intent = InLanguage &
  (
    | { readonly calls: readonly ToolCall[]; readonly readings?: readonly string[] }
    | { readonly missing: Missing; readonly question?: Question }
    | { readonly refusal: Refusal; readonly question?: Question; readonly instead?: readonly ToolCall[] }
  );

type Fact = 'assets' | 'sizes' | 'priceUsd' | 'address' | 'plan' | 'guard' | 'count' | 'span';

/**
 * The intent, if it uses everything the question names; otherwise a refusal: an answer that ignores a time, a size or
 * an asset would answer a different question.
 */
export function using(question: Question, facts: readonly Fact[], intent: Intent): Intent {
  const named: Record<Fact, boolean> = {
    assets: question.assets.length > 0,
    sizes: question.sizes.length > 0,
    priceUsd: question.priceUsd !== undefined,
    address: question.address !== undefined,
    plan: question.plan !== undefined,
    guard: question.guard !== undefined,
    count: question.count !== undefined,
    span: question.span !== undefined,
  };
  const left = (Object.keys(named) as Fact[]).filter((fact) => named[fact] && !facts.includes(fact));
  return left.length === 0 ? intent : { refusal: 'too_much_at_once' };
}

import type { Asset } from '@bowline/core/domain/assets';
import type { Intent, ToolCall } from '../intent/question.ts';
import { isKnown } from '../intent/vocabulary.ts';
import { chinese } from './chinese.ts';
import { fold, type Language, type LanguageCode, type Topic } from './language.ts';
import { spanish } from './spanish.ts';
import { turkish } from './turkish.ts';

export const languages: Readonly<Record<LanguageCode, Language>> = { zh: chinese, es: spanish, tr: turkish };

/** What a text in one of the languages names, and how many of its words are of that language. */
interface Words {
  readonly topics: ReadonlySet<Topic>;
  readonly assets: readonly Asset[];
  readonly sizes: readonly ToolCall['input'][];
  readonly address?: string;
  readonly plan?: string;
  readonly guard?: string;
  /** Letters or digits that no phrase accounts for: a negation, another asset, a number of two readings. */
  readonly isWhole: boolean;
  /** Words that are of this language and not of English. */
  readonly hits: number;
  /** All words, names and numbers apart. */
  readonly count: number;
}

/**
 * Reads the common questions in Chinese, Spanish and Turkish: price, fairness, plans, loans. Every word must be known, so
 * that a negation or a second clause is asked back. Undefined for other languages, English included.
 */
export function readForeign(prompt: string, assets: readonly Asset[]): Intent | undefined {
  const read = Object.values(languages).map((language) => ({ language, words: wordsOf(language, prompt, assets) }));
  const [best] = read
    .filter(({ language, words }) => isOf(language, prompt, words))
    .toSorted(
      (one, other) => Number(other.words.isWhole) - Number(one.words.isWhole) || other.words.hits - one.words.hits,
    );
  if (best === undefined) return undefined;
  const { language, words } = best;
  const intent = words.isWhole ? intentOf(words) : undefined;
  return { ...(intent ?? { refusal: 'not_understood', instead: insteadOf(words) }), language: language.code };
}

/** Half of its words must be: an English question may have "son" and "van". */
const isOf = ({ marks }: Language, prompt: string, { hits, count, isWhole }: Words): boolean =>
  marks.test(prompt) || (hits * 2 >= count && hits >= (isWhole ? 1 : 2));

const insteadOf = ({ assets }: Words): ToolCall[] =>
  assets.slice(0, 1).map(({ symbol }) => ({ tool: 'check_asset', input: { asset: symbol } }));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Longest first, so that no phrase hides a longer one. */
const anyOf = (phrases: Iterable<string>): string =>
  [...phrases]
    .toSorted((one, other) => other.length - one.length)
    .map((phrase) => escaped(phrase).replaceAll(' ', '\\s+'))
    .join('|');

const dictionaries = new Map(Object.values(languages).map((language) => [language, dictionaryOf(language)]));

function dictionaryOf(language: Language) {
  const { phrases, isSpaced } = language;
  const topics = new Map<string, Topic[]>();
  for (const [topic, list = ''] of Object.entries(phrases) as [Topic, string][]) {
    for (const phrase of list.split(/,\s*/)) topics.set(phrase, [...(topics.get(phrase) ?? []), topic]);
  }
  const any = anyOf(topics.keys());
  return {
    topics,
    pattern: new RegExp(isSpaced ? `(?<![a-z0-9])(?:${any})(?![a-z0-9])` : any, 'g'),
    money: moneyIn(language),
  };
}

interface Names {
  readonly byName: ReadonlyMap<string, Asset>;
  readonly pattern: RegExp;
}

/** Patterns of an asset list, which is one for the life of the process. */
const patterns = new WeakMap<readonly Asset[], Map<LanguageCode, Names>>();

function namesIn({ code, names, counter, one }: Language, assets: readonly Asset[]): Names {
  const known = patterns.get(assets) ?? new Map<LanguageCode, Names>();
  patterns.set(assets, known);
  const before = known.get(code);
  if (before !== undefined) return before;
  const byName = new Map(
    assets.flatMap((asset) => [asset.symbol.toLowerCase(), ...asset.aliases].map((name) => [name, asset] as const)),
  );
  for (const [name, symbol] of Object.entries(names)) {
    const asset = assets.find((each) => each.symbol === symbol);
    if (asset) byName.set(name, asset);
  }
  // "1.500" is a thousand and a half in two of the languages, so at most two decimals, or a zero before them.
  const number = '(?<![\\d.,])(0\\.\\d{1,18}|\\d{1,9}(?:\\.\\d{1,2})?)';
  const units = `(?:${number}\\s*(?:(?:${counter})\\s*)?|(?<![a-z])(${one})\\s*)?`;
  const pattern = new RegExp(`${units}(?<![a-z])(${anyOf(byName.keys())})(?:'[a-z]{1,4})?(?![a-z0-9])`, 'g');
  const made = { byName, pattern };
  known.set(code, made);
  return made;
}

function moneyIn({ money }: Language): RegExp {
  const amount = '(?<![\\d.,])(\\d{1,9}(?:\\.\\d{1,2})?)';
  return new RegExp(
    `(?:\\$\\s*${amount}(?![\\d.,]|[kmb]\\b)|${amount}\\s*(?:${money})(?![a-z]))(?:\\s*(?:de|的)(?![a-z]))?`,
    'g',
  );
}

function wordsOf(language: Language, prompt: string, assets: readonly Asset[]): Words {
  const { isSpaced } = language;
  const dictionary = dictionaries.get(language) ?? dictionaryOf(language);
  let text = fold(prompt);
  const take = (patterns: readonly RegExp[]): string | undefined => {
    for (const pattern of patterns) {
      const found = pattern.exec(text);
      if (found === null) continue;
      text = text.replace(found[0], ' ');
      return found[1];
    }
    return undefined;
  };
  const address = take([/(0x[0-9a-f]{40})(?![0-9a-f])/]);
  const plan = take(language.plan);
  const guard = take(language.guard);

  const sizes: ToolCall['input'][] = [];
  text = text.replace(dictionary.money, (_, one, two) => {
    sizes.push({ amount_usd: one ?? two });
    return ' ';
  });
  const { byName, pattern: sized } = namesIn(language, assets);
  const named: Asset[] = [];
  text = text.replace(sized, (_, number: string | undefined, one: string | undefined, name: string) => {
    const units = number ?? (one && '1');
    const asset = byName.get(name.replace(/\s+/g, ' '));
    if (asset) named.push(asset);
    if (units !== undefined) sizes.push({ amount_asset: units });
    return ' ';
  });

  const topics = new Set<Topic>();
  let hits = 0;
  const count = text.match(/\p{L}+/gu)?.length ?? 0;
  text = text.replace(dictionary.pattern, (phrase) => {
    const name = phrase.replace(/\s+/g, ' ');
    for (const topic of dictionary.topics.get(name) ?? []) topics.add(topic);
    if (!isSpaced || !name.split(' ').every(isKnown)) hits += name.split(' ').length;
    return ' ';
  });
  return {
    topics,
    assets: [...new Set(named)],
    sizes,
    ...(address && { address }),
    ...(plan && { plan }),
    ...(guard && { guard }),
    isWhole: !/[\p{L}\p{N}]/u.test(text),
    hits,
    count,
  };
}

const call = (tool: string, input: ToolCall['input']): Intent => ({ calls: [{ tool, input }] });

/** Undefined for a question of more than one subject. */
function intentOf({ topics: all, assets, sizes, address, plan, guard }: Words): Intent | undefined {
  const topics = new Set([...all].filter((topic) => topic !== 'filler'));
  const only = (...allowed: readonly Topic[]) => [...topics].every((topic) => allowed.includes(topic));
  const [asset, ...others] = assets;
  const [size, ...moreSizes] = sizes;
  const bare = asset === undefined && size === undefined;
  if (guard !== undefined) {
    return bare && plan === undefined && address === undefined && only('rescue', 'next', 'status', 'hello')
      ? call('preview_rescue', { guard })
      : undefined;
  }
  if (plan !== undefined) {
    if (!bare || address !== undefined || !only('plan', 'next', 'why', 'status', 'hello')) return undefined;
    return topics.has('why') ? call('list_runs', { plan }) : call('plan_outlook', { plan });
  }
  if (topics.has('loan')) {
    if (!bare || !only('loan', 'fair', 'status', 'hello')) return undefined;
    return address === undefined ? { missing: 'address' } : call('loan_health', { borrower: address });
  }
  if (address !== undefined) return undefined;
  if (topics.has('plans')) return bare && only('plans', 'hello') ? call('list_plans', {}) : undefined;
  if (topics.has('plan'))
    return bare && only('plan', 'next', 'why', 'status', 'hello') ? { missing: 'plan' } : undefined;
  if (asset === undefined)
    return bare && topics.has('hello') && only('hello', 'status') ? { refusal: 'greeting' } : undefined;
  if (others.length > 0 || moreSizes.length > 0 || (topics.has('buy') && topics.has('sell'))) return undefined;
  const side = topics.has('sell') ? 'sell' : topics.has('buy') ? 'buy' : undefined;
  if (topics.has('fair') && only('fair', 'price', 'buy', 'sell', 'hello')) {
    // A size without a side: "2 ETH, fair?"
    if (size !== undefined && side === undefined) return undefined;
    return call('check_asset', { asset: asset.symbol, ...(side && { side }), ...size });
  }
  // "How much is one bitcoin?"
  const isOne = size === undefined || size.amount_asset === '1';
  if (topics.has('price') && only('price', 'hello') && isOne) return call('get_price', { asset: asset.symbol });
  return undefined;
}

import type { Asset } from '@bowline/core/domain/assets';
import type { Intent, ToolCall } from '../intent/question.ts';
import { chinese, type Topic } from './chinese.ts';

/** What a text names, and how many of its words are Chinese. */
interface Words {
  readonly topics: ReadonlySet<Topic>;
  readonly assets: readonly Asset[];
  readonly sizes: readonly ToolCall['input'][];
  readonly address?: string;
  readonly plan?: string;
  readonly guard?: string;
  /** Letters or digits that no phrase accounts for: a negation, another asset, a number of two readings. */
  readonly isWhole: boolean;
  /** Chinese phrases. */
  readonly hits: number;
  /** All words, names and numbers apart. */
  readonly count: number;
}

/**
 * Reads the common questions in Chinese: price, fairness, plans, loans. Every word must be known, so that a negation or a
 * second clause is asked back. Undefined for other languages, English included.
 */
export function readChinese(prompt: string, assets: readonly Asset[]): Intent | undefined {
  const words = wordsOf(prompt, assets);
  if (!isChinese(prompt, words)) return undefined;
  const intent = words.isWhole ? intentOf(words) : undefined;
  return { ...(intent ?? { refusal: 'not_understood', instead: insteadOf(words) }), language: 'zh' };
}

/** Half of its words must be, where characters of other languages are among them. */
const isChinese = (prompt: string, { hits, count, isWhole }: Words): boolean =>
  chinese.marks.test(prompt) || (hits * 2 >= count && hits >= (isWhole ? 1 : 2));

const insteadOf = ({ assets }: Words): ToolCall[] =>
  assets.slice(0, 1).map(({ symbol }) => ({ tool: 'check_asset', input: { asset: symbol } }));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Longest first, so that no phrase hides a longer one. */
const anyOf = (phrases: Iterable<string>): string =>
  [...phrases]
    .toSorted((one, other) => other.length - one.length)
    .map((phrase) => escaped(phrase).replaceAll(' ', '\\s+'))
    .join('|');

const topicsOf = new Map<string, Topic[]>();
for (const [topic, list] of Object.entries(chinese.phrases) as [Topic, string][]) {
  for (const phrase of list.split(/,\s*/)) topicsOf.set(phrase, [...(topicsOf.get(phrase) ?? []), topic]);
}
const phrases = new RegExp(anyOf(topicsOf.keys()), 'g');

interface Names {
  readonly byName: ReadonlyMap<string, Asset>;
  readonly pattern: RegExp;
}

/** Patterns of an asset list, which is one for the life of the process. */
const patterns = new WeakMap<readonly Asset[], Names>();

function namesIn(assets: readonly Asset[]): Names {
  const { names, counter, one } = chinese;
  const before = patterns.get(assets);
  if (before !== undefined) return before;
  const byName = new Map(
    assets.flatMap((asset) => [asset.symbol.toLowerCase(), ...asset.aliases].map((name) => [name, asset] as const)),
  );
  for (const [name, symbol] of Object.entries(names)) {
    const asset = assets.find((each) => each.symbol === symbol);
    if (asset) byName.set(name, asset);
  }
  // At most two decimals, or a zero before them: elsewhere "1.500" is fifteen hundred.
  const number = '(?<![\\d.,])(0\\.\\d{1,18}|\\d{1,9}(?:\\.\\d{1,2})?)';
  const units = `(?:${number}\\s*(?:(?:${counter})\\s*)?|(?<![a-z])(${one})\\s*)?`;
  const pattern = new RegExp(`${units}(?<![a-z])(${anyOf(byName.keys())})(?:['’]s)?(?![a-z0-9])`, 'g');
  const made = { byName, pattern };
  patterns.set(assets, made);
  return made;
}

const amount = '(?<![\\d.,])(\\d{1,9}(?:\\.\\d{1,2})?)';
const money = new RegExp(
  `(?:\\$\\s*${amount}(?![\\d.,]|[kmb]\\b)|${amount}\\s*(?:${chinese.money})(?![a-z]))(?:\\s*的)?`,
  'g',
);

/** Lower case, without accents and full-width forms. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

function wordsOf(prompt: string, assets: readonly Asset[]): Words {
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
  const plan = take(chinese.plan);
  const guard = take(chinese.guard);

  const sizes: ToolCall['input'][] = [];
  text = text.replace(money, (_, one, two) => {
    sizes.push({ amount_usd: one ?? two });
    return ' ';
  });
  const { byName, pattern: sized } = namesIn(assets);
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
  text = text.replace(phrases, (phrase) => {
    for (const topic of topicsOf.get(phrase) ?? []) topics.add(topic);
    hits += 1;
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

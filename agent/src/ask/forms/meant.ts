import type { Back, Question } from '../question.ts';
import { type Asked, byForm, checkOf, checksOf, largestOf, nearOf, type Read, sides, slotsOf } from './forms.ts';
import { areHarmless } from './harmless.ts';

/** What a question asks if it is understood as a whole, and else why not, with what is near. */
export function readMeant(question: Question): Read {
  const near = nearOf(question);
  const read = unsaid(question) ?? sideless(question) ?? unanswered(question) ?? byForm(question);
  if (!('back' in read)) return read;
  return { ...near, ...read, offered: [...read.offered, ...near.offered] };
}

const no = (back: Back, about?: readonly string[]): Asked => ({ back, offered: [], ...(about && { about }) });

/** Numbers and words that were not understood. */
function unsaid(question: Question): Asked | undefined {
  const { language, unknown, unclear, left, items, trades, topics, moved, percent } = question;
  const isStrange = language === 'en' && unknown.length > 3 && topics.size + items.length + trades.length === 0;
  if (isStrange || unknown.some(isForeign)) return no('unread', unknown);
  if (unclear) {
    const asset = items[0]?.asset ?? trades[0]?.assets[0]?.asset;
    const [first] = unclear.sizes;
    const price = unclear.back === 'price_or_size' && first && 'amount_usd' in first ? first.amount_usd : undefined;
    const checks = asset ? unclear.sizes.map((size) => checkOf({ asset, size }, trades[0]?.side ?? 'buy')) : [];
    const priced = asset && price !== undefined ? [checkOf({ asset }, undefined, { priceUsd: price })] : [];
    return { back: unclear.back, offered: [...priced, ...checks], about: [unclear.written] };
  }
  return /\bC\d/.test(left) && !moved ? no('percent', [percent]) : undefined;
}

/** A leftover word that names a side: its asset is uncertain. */
function sideless(question: Question): Read | undefined {
  const { left, items, trades, amounts, topics, unknown } = question;
  if (!/\b[SP]\b/.test(left)) return undefined;
  const isBoth = /S.*P|P.*S/.test(left);
  const side = left.includes('S') ? 'sell' : 'buy';
  const [item] = items;
  if (items.length + trades.length === 0) {
    const isFixed = (['makePlan', 'stop', 'fee'] as const).some((topic) => topics.has(topic));
    if (isFixed || unknown.length > 0) return undefined;
    return isBoth
      ? no('several')
      : { ...no('asset'), lacking: { tool: 'check_asset', input: { side, ...amounts[0] } } };
  }
  const isLargest = topics.has('largest') && item && !item.size && items.length === 1 && trades.length === 0;
  if (isLargest && !isBoth && (unknown.length === 0 || areHarmless(question)))
    return { calls: [largestOf(item.asset.symbol, side)] };
  const given = amounts.length === 1 && amounts[0] ? { size: amounts[0] } : {};
  // Each asset may be bought or sold, but those of another trade.
  const open = items.length > 0 ? items : trades.flatMap(({ assets }) => assets);
  const checks = open.flatMap((each) => sides.map((of) => checkOf({ ...given, ...each }, of)));
  const others = items.length > 0 ? (checksOf(trades) ?? []) : [];
  return { back: trades.length > 0 || isBoth ? 'both_sides' : 'side', offered: [...others, ...checks] };
}

/** What is understood and not answered, and what is not understood. */
function unanswered(question: Question): Asked | undefined {
  const { items, trades, left, topics, unknown, plans, guards, addresses } = question;
  const assets = [...items, ...trades.flatMap((trade) => trade.assets)].map(({ asset }) => asset);
  const stable = assets.filter(({ class: kind }) => kind === 'stable').length;
  if (trades.length < 2 && new Set(assets).size < assets.length) return no('size');
  const isPair = (left.match(/A\d/g)?.length ?? 0) > 1 || (trades.length > 1 && stable > 0 && stable < assets.length);
  if (isPair) return no('pairs');
  const isOfPrice = plans.length + guards.length + addresses.length === 0;
  const isPermission = (['loan', 'plan', 'guards'] as const).some((topic) => topics.has(topic));
  if (isOfPrice && topics.has('future') && !isPermission) return no('forecast');
  if (items.length > 0 && plans.length === 0 && (topics.has('causes') || topics.has('why'))) return no('causes');
  if (isUnlisted(question)) {
    const tool = topics.has('fair') ? 'check_asset' : 'get_price';
    return { ...no('unlisted', unknown), lacking: { tool, input: {} } };
  }
  if (unknown.length > 0 && !areHarmless(question)) return no('not_understood', unknown);
  if (topics.has('compared') && !question.span) return no(items.length > 1 ? 'pairs' : 'several');
  if (assets.length === 0 || !topics.has('fair')) return undefined;
  if (question.span || topics.has('past')) return no('only_now');
  if (/ M /.test(left)) return no('side');
  return trades.length > 0 && topics.size === 1 && question.isOrder ? no('only_reads') : undefined;
}

const ofPrice = ['price', 'amount', 'fair'];

/** "Is DOGE fair?" */
const isUnlisted = (question: Question): boolean =>
  [1, 2].includes(question.unknown.length) &&
  ofPrice.some((topic) => [...question.topics].some((each) => each === topic)) &&
  [...question.topics].every((topic) => topic === 'status' || ofPrice.includes(topic)) &&
  slotsOf(question).length === 0;

/** Of a language that is not read. */
const isForeign = (word: string): boolean =>
  /[^\p{Script=Latin}\p{Script=Han}\p{N}_'$%]|(?!\p{ASCII})\p{Script=Latin}/u.test(word) || foreignWords.has(word);
const foreignWords = new Set(
  'ist der das und wie wieviel kostet bewertet est le les quel quelle prix combien quanto costa qual hoeveel prijs jest ile kosztuje cuanto cuesta conviene comprar vender precio almak fiyat kadar zaman mi mu por que hola mein kaufen verkaufen acheter vendre bao gia mua ban khong giá harga berapa jual beli mis prestamo bonjour merhaba'.split(
    ' ',
  ),
);

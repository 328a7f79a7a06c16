import type { Asset } from '@bowline/core/domain/assets';
import type { Back, Intent, Language, Question } from '../question.ts';
import { namesOfWords } from '../texts.ts';
import { rewritten } from './english.ts';
import { type Before, beforeOf, completed, following } from './follow.ts';
import { type Asked, byForm, checkOf, checksOf, largestOf, nearOf, type Read, sides, slotsOf } from './forms.ts';
import { areHarmless } from './harmless.ts';
import { readQuestion } from './read-question.ts';
import { readStructured } from './structured.ts';

const asksMeaning =
  /\b(?:wh?at|wtf|whats|how (?:do|does|is)|explain(?:ed)?|define|definition|mean(?:s|ing|t)?|understand)\b|什么|解释|啥|意思|何为|代表|怎么算|怎么计算|含义/;
/** Words that may surround the word that a question asks about. */
const around = new RegExp(
  "\\b(?:hi|hello|hey|please|so|and|ok|sorry|(?:can|could) (?:you|i)|tell me|explain(?:ed)?|to me|i(?: am|'m) new(?: here| to this)?|" +
    "i (?:do not|don'?t) (?:get|know|understand)|do you know|in (?:simple|plain|easy) (?:words|terms|english)|(?:wh?at|wtf)(?:'?s)?|is|are|does|do|how|" +
    'why is it called|define|definition(?: of)?|the|an?|your?|this|that|it|words?|term|meaning(?: of)?|means?|meant by|signify|stands? for|' +
    'works?|made|calculated|computed|here|exactly|for|about|by|with|when|if|says?|of a loan|in (?:a plan|bowline|this context)|of a plan|on bowline|' +
    "like (?:i am|i'm) \\w+)\\b|[\"'“”「」?.,:!？。，]|请问|请|解释一下|解释|什么是|什么叫|何为|是什么意思|是啥意思|啥意思|什么意思|是什么|代表什么|是指什么|" +
    '是啥|是怎么算的|怎么算|怎么计算|指什么|的意思|的含义|这个词|这个概念|呢',
  'g',
);

/** The word whose meaning a question in lower case asks for, and nothing else. */
function meaningOf(text: string): string | undefined {
  const word = text.replace(around, ' ').replace(/\s+/g, ' ').trim();
  return asksMeaning.test(text) ? namesOfWords.find(([, names]) => names.test(word))?.[0] : undefined;
}

/** Questions are shorter, and the time of some forms grows with the square of the length. */
const MAX_CHARS = 600;

const instructed =
  /\b(?:ignore|disregard|forget|override|bypass)\b.*\b(?:instructions?|rules?|prompts?|previous|checks?|guard)\b|\bsystem prompt\b|\bdeveloper mode\b|\bjailbreak|\b(?:seed phrase|mnemonic|password)\b|\b(?:tell|give|show|reveal|print|what is)\b.*(?<!\bmy )private key\b|\bpretend\b|\bno matter what\b|\b(?:set|change|make|mark) the verdict\b|\bact as\b|\b(?:say|answer|reply|respond|output|print)\b.* go\b/;

/**
 * Maps a question to tool calls, to a fixed reply, or to what it lacks. Forms only: no state, no randomness. A word that none of them
 * knows is asked back if it could change the question (harmless.ts).
 */
export function readIntent(prompt: string, assets: readonly Asset[], before?: Before): Intent {
  const structured = readStructured(prompt, assets);
  if (structured === 'unreadable') return { language: 'en', back: 'not_understood', offered: [] };
  if (structured !== undefined && 'calls' in structured) return { language: 'en', readings: [], ...structured };
  const asked = structured?.words ?? prompt;
  if (asked.length > MAX_CHARS) return { language: languageOf(asked), back: 'not_understood', offered: [] };
  const rest = before && following(asked, before, (text) => readQuestion(text, languageOf(text), assets));
  if (rest) return rest;
  const alone = readOne(asked, assets);
  const whole = before === undefined ? alone : completed(alone, before);
  if ('calls' in whole || 'fixed' in whole || instructed.test(asked.toLowerCase())) return whole;
  const parts = partsOf(asked);
  if (parts.length < 2 || parts.length > 4) return whole;
  const read: Intent[] = [];
  // "Should I sell ETH? And BTCB?"
  for (const part of parts) {
    const last = read.at(-1);
    const own = readOne(part, assets);
    const again =
      last && follows.test(part) && !('calls' in own && asks.test(part))
        ? following(part, beforeOf(last), (text) => readQuestion(text, languageOf(text), assets))
        : undefined;
    read.push(again ?? own);
  }
  const answered = read.flatMap((intent) => ('calls' in intent ? [intent] : []));
  const calls = answered.flatMap((intent) => intent.calls);
  if (answered.length < parts.length)
    return answered.length > 0 && whole.back === 'not_understood'
      ? { ...whole, back: 'several', offered: calls }
      : whole;
  const sides = new Set(calls.flatMap(({ tool, input }) => (tool === 'check_asset' ? [input.side] : [])));
  // "Should I sell 2 ETH, and is BTCB fair?" does not name the side of the second verdict.
  if (sides.has('sell') && sides.has(undefined))
    return { ...whole, ...('back' in whole && { back: 'side' as const }), ...('back' in whole && { offered: calls }) };
  const unique = [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
  return { language: whole.language, calls: unique, readings: answered.flatMap(({ readings }) => readings) };
}

const verbs = 'what|is|are|how|should|would|show|tell|which|when|did|does|do|can|give|why|price';
const follows = /^\s*(?:and|or|what about|how about|also)\b/i;
/** A question of its own: "and is BTCB fair?", but not "and BTCB?". */
const asks = new RegExp(`^\\s*(?:and|or|also)\\s+(?:${verbs})\\b`, 'i');
const marker = /(?:^|(?<=\s))(?:\(?\d{1,2}[.)]|[-*•]|(?:first|second|third|fourth)(?:ly)?\s*[:,])\s+/gi;

/** Splits a prompt into independent questions: items of a list, or parts with their own verb. */
function partsOf(prompt: string): string[] {
  const listed = prompt.split(marker).filter((part) => part.trim() !== '');
  const parts =
    listed.length > 1
      ? listed
      : prompt.split(new RegExp(`\\n+|(?<=[?？])\\s*(?=\\S)|,?\\s+(?:and|also|plus)\\s+(?=(?:${verbs})\\b)`, 'i'));
  return parts.filter((part) => /[\p{L}\p{N}]/u.test(part));
}

const languageOf = (text: string): Language =>
  /\p{Script=Han}/u.test(text) && !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)
    ? 'zh'
    : 'en';

function readOne(prompt: string, assets: readonly Asset[]): Intent {
  const plain = prompt.normalize('NFKC').replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
  const folded = plain.replace(/\p{Extended_Pictographic}\uFE0F?/gu, ' ').toLowerCase();
  const language = languageOf(folded);
  if (instructed.test(folded)) return { language, back: 'instructed', offered: [] };
  const about = meaningOf(rewritten(folded));
  if (about !== undefined) return { language, fixed: 'meaning', about };
  const question = readQuestion(folded, language, assets);
  const read = readMeant(question);
  return 'calls' in read ? { language, readings: question.readings, ...read } : { language, ...read };
}

/** What a question asks if it is understood as a whole; otherwise why not, with similar questions. */
function readMeant(question: Question): Read {
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
  // Each asset may be bought or sold, except those of another trade.
  const open = items.length > 0 ? items : trades.flatMap(({ assets }) => assets);
  const checks = open.flatMap((each) => sides.map((of) => checkOf({ ...given, ...each }, of)));
  const others = items.length > 0 ? (checksOf(trades) ?? []) : [];
  return { back: trades.length > 0 || isBoth ? 'both_sides' : 'side', offered: [...others, ...checks] };
}

/** Questions that are understood but not answered, and those that are not understood. */
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

/** Whether a word is from a language that is not read. */
const isForeign = (word: string): boolean =>
  /[^\p{Script=Latin}\p{Script=Han}\p{N}_'$%]|(?!\p{ASCII})\p{Script=Latin}/u.test(word) || foreignWords.has(word);
const foreignWords = new Set(
  'ist der das und wie wieviel kostet bewertet est le les quel quelle prix combien quanto costa qual hoeveel prijs jest ile kosztuje cuanto cuesta conviene comprar vender precio almak fiyat kadar zaman mi mu por que hola mein kaufen verkaufen acheter vendre bao gia mua ban khong giá harga berapa jual beli mis prestamo bonjour merhaba'.split(
    ' ',
  ),
);

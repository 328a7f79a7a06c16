import type { Asset } from '@bowline/core/domain/assets';
import type { Back, Intent, Language, Question, Size, ToolCall } from '../question.ts';
import type { FixedTopic } from '../reply/fixed.ts';
import { inEnglish } from './chinese.ts';
import { idle, phrases, rewrites, type Topic } from './english.ts';
import { type Before, beforeOf, completed, following } from './follow.ts';
import { bare, checkOf, checksOf, forms, largestOf, outlook, type Read, runs, terms } from './forms.ts';
import { meaningOf } from './glossary.ts';
import { hints } from './hints.ts';
import { isMisspelt, takeSlots } from './slots.ts';
import { readStructured } from './structured.ts';
import { takeTrades } from './trades.ts';

const instructed =
  /\b(?:ignore|disregard|forget|override|bypass)\b.*\b(?:instructions?|rules?|prompts?|previous|checks?|guard)\b|\bsystem prompt\b|\bdeveloper mode\b|\bjailbreak|\b(?:seed phrase|mnemonic|password)\b|\b(?:tell|give|show|reveal|print|what is)\b.*\bprivate key\b|\bpretend\b|\bno matter what\b|\b(?:set|change|make|mark) the verdict\b|\bact as\b|\b(?:say|answer|reply|respond|output|print)\b.* go\b/;

/**
 * Maps a question to tool calls, to a fixed reply, or to what it lacks. Forms only: no state, no randomness. Every word must be known
 * to one of them: what is not understood may change the question, and is asked back.
 */
export function readIntent(prompt: string, assets: readonly Asset[], before?: Before): Intent {
  const structured = readStructured(prompt, assets);
  if (structured === 'unreadable') return { language: 'en', back: 'not_understood', offered: [] };
  if (structured !== undefined && 'calls' in structured) return { language: 'en', readings: [], ...structured };
  const asked = structured?.words ?? prompt;
  const rest = before && following(asked, before, (text) => readQuestion(text, languageOf(text), assets));
  if (rest) return rest;
  const read1 = readOne(asked, assets);
  const whole = before === undefined ? read1 : completed(read1, before);
  if ('calls' in whole || 'fixed' in whole || instructed.test(asked.toLowerCase())) return whole;
  const parts = partsOf(asked);
  if (parts.length < 2 || parts.length > 4) return whole;
  const read: Intent[] = [];
  // "Should I sell ETH? And BTCB?"
  for (const part of parts) {
    const last = read.at(-1);
    const again =
      last && /^\s*(?:and|or|what about|how about|also)\b/i.test(part)
        ? following(part, beforeOf(last), (text) => readQuestion(text, languageOf(text), assets))
        : undefined;
    read.push(again ?? readOne(part, assets));
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
const marker = /(?:^|(?<=\s))(?:\(?\d{1,2}[.)]|[-*•]|(?:first|second|third|fourth)(?:ly)?\s*[:,])\s+/gi;

/** Questions that stand by themselves: of a list, or each with its own verb. */
function partsOf(prompt: string): string[] {
  const listed = prompt.split(marker).filter((part) => part.trim() !== '');
  const parts =
    listed.length > 1
      ? listed
      : prompt.split(new RegExp(`\\n+|(?<=[?？])\\s*(?=\\S)|,?\\s+(?:and|also|plus)\\s+(?=(?:${verbs})\\b)`, 'i'));
  return parts.filter((part) => /[\p{L}\p{N}]/u.test(part));
}

const falls =
  '(?:falls?|falling|drops?|dropping|crash(?:es|ed)?|loses?|declines?|dips?|goes down|go down|went down|dropped|fell|tanks?|plunges?|sinks?|dump(?:s|ed)?)';
const rises = '(?:rises?|rising|gains?|jumps?|pumps?|goes up|go up|climbs?|rose|rallies|increases?)';
const subject =
  '(?:(?:the )?(?:prices? |value )?(?:of )?(?:my |the )?(?:A(?<at>\\d+)|prices?|markets?|collateral|crypto|everything|it|coins?|tokens?)(?: prices?)?)';
const by = '(?: by| of| another| a further| further| more| about)*';
const moves = [
  new RegExp(
    ` (?:if |suppose |assuming |after |when |should )?${subject} (?:would |should |were to )?(?:${falls}|(?<up>${rises}))${by} C(?<c>\\d+)(?: (?:down|up|more))?(?! (?:to|of)\\b)`,
  ),
  new RegExp(
    ` (?:if |after |with |in |of )?(?:a |an |another )?C(?<c>\\d+) (?:price )?(?:${falls}|(?<up>${rises}))(?: (?:in|of) (?:the price of )?(?:A(?<at>\\d+)|prices?|(?:the |my )?(?:market|collateral)))?(?! (?:in|of)\\b)`,
  ),
  new RegExp(
    ` (?:if |after |with )?(?:a |an )?(?:${falls}|(?<up>${rises})) of C(?<c>\\d+)(?: (?:in|of) (?:the price of )?(?:A(?<at>\\d+)|prices?|(?:the |my )?(?:market|collateral)))?(?! (?:in|of)\\b)`,
  ),
];
const supposing =
  /\b(?:if|what if|suppose|assuming|what (?:would |will )?happens?(?: to)?|happens|survive|withstand|after|when|case|in case)\b/g;

const languageOf = (text: string): Language =>
  /\p{Script=Han}/u.test(text) && !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)
    ? 'zh'
    : 'en';

function readOne(prompt: string, assets: readonly Asset[]): Intent {
  const folded = prompt
    .normalize('NFKC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\p{Extended_Pictographic}\uFE0F?/gu, ' ')
    .toLowerCase();
  const language = languageOf(folded);
  if (instructed.test(folded)) return { language, back: 'instructed', offered: [] };
  const about = meaningOf(folded);
  if (about !== undefined) return { language, fixed: 'meaning', about };
  const question = readQuestion(folded, language, assets);
  const read = readForms(question);
  if ('calls' in read) return { language, readings: question.readings, ...read };
  return { language, ...read };
}

export function readQuestion(folded: string, language: Language, assets: readonly Asset[]): Question {
  let plain = language === 'zh' ? inEnglish(folded) : folded;
  for (const [pattern, replacement] of rewrites) plain = plain.replace(pattern, replacement);
  const slots = takeSlots(plain.replace(/\n+/g, ' ; '), assets);
  // A plan buys by itself: that is no trade to judge.
  if (slots.plans.length > 0 || /\bplans?\b|\bdca\b|\bnext (?:buy|purchase)\b/.test(slots.text))
    slots.text = slots.text.replace(/\b(?:buy(?:s|ing)?|bought|purchas(?:e[sd]?|ing))\b/g, 'run');
  const traded = takeTrades(slots);
  let { text } = traded;
  let moved: Question['moved'];
  for (const pattern of moves) {
    const found = pattern.exec(text);
    const { at, up, c } = found?.groups ?? {};
    const percent = slots.percents[Number(c)];
    const items = at === undefined ? [] : traded.items;
    if (
      found === null ||
      moved ||
      percent === undefined ||
      /[^\d.]/.test(percent) ||
      (at !== undefined && items.length !== 1) ||
      items[0]?.size
    )
      continue;
    const asset = items[0]?.asset;
    moved = { ...(asset && { asset }), change: `${up === undefined ? '-' : ''}${percent}` };
    text = text.replace(found[0], ' ').replace(supposing, ' ');
  }
  text = text.replace(/\s+/g, ' ').trim();
  const topics = new Set<Topic>();
  for (const [topic, pattern] of phrases) {
    text = text.replace(patternOf(pattern), (...found) => {
      topics.add(topic);
      // Marks inside a phrase stay: they are told apart from its words.
      return ` · ${(found[0].match(/\b[A-Z]\d*\b/g) ?? []).join(' ')} `;
    });
  }
  const dangling =
    /T\d+ (?:for|at|into|to|against|from|in)(?= *(?:[?.,]|$))|(?:T\d+ (?:to|from|by|for)|[SP](?: to| from)?) (?:me|us)\b/.exec(
      text,
    )?.[0];
  for (const pattern of idle) text = text.replace(pattern, ' ');
  const readings = [...traded.readings];
  const words = (text.match(/[\p{L}\p{N}_'$%]+/gu) ?? []).filter((word) => !/^[A-Z]\d*$/.test(word));
  if (dangling) words.push(dangling.replace(/^\w+ /, '').replaceAll(' ', '_'));
  const unknown = [...new Set(words)].filter((word) => {
    const key = keyWords.filter(([each]) => isMisspelt(word, each));
    const [only] = key;
    if (
      only === undefined ||
      new Set(key.map(([, topic]) => topic)).size > 1 ||
      topics.has(only[1]) ||
      notMisspelt.has(word)
    )
      return true;
    topics.add(only[1]);
    readings.push({ written: word, as: only[0] });
    return false;
  });
  const judged = topics.has('fair');
  // A trade is judged, unless something else of it is asked.
  if (
    traded.trades.length > 0 &&
    !(['quote', 'quoted', 'largest', 'makePlan', 'order', 'past'] as const).some((topic) => topics.has(topic))
  )
    topics.add('fair');
  const left = ` ${(text.match(/\b[A-Z]\d*\b/g) ?? []).join('  ')} `;
  const amounts = [...left.matchAll(/[DB](\d+)/g)].flatMap(([, at]) => {
    const size = slots.sizes[Number(at)];
    return size ? [{ size, written: slots.written[Number(at)] ?? '' }] : [];
  });
  return {
    language,
    asks:
      /[?？]/.test(folded) ||
      !/^\W*(?:(?:please|now|just|kindly|go) )*(?:buy|sell|purchase|swap|convert|exchange|dump|grab|offload)\b/.test(
        plain.trim(),
      ),
    left,
    judged,
    percent: `${slots.percents[0] ?? ''}%`,
    hinted: hints.flatMap(([topic, pattern]) => (pattern.test(folded) ? [topic] : [])),
    wantsLargest: /largest|biggest|\bmax|most|how (?:much|many|big|large|deep)|max|最多|最大/.test(folded),
    topics,
    unknown,
    items: moved?.asset ? [] : traded.items,
    trades: traded.trades,
    amounts,
    ...(traded.named && { named: traded.named }),
    ...(moved && { moved }),
    ...(slots.target && { target: slots.target }),
    ...(slots.span && { span: slots.span }),
    ...(slots.count && { count: slots.count }),
    addresses: slots.addresses,
    plans: slots.plans,
    guards: slots.guards,
    readings,
    ...(traded.unclear && { unclear: traded.unclear }),
  };
}

const patterns = new Map<string, RegExp>();
/** In a phrase, A and D stand for any mark of that kind. */
function patternOf(phrase: string): RegExp {
  const known = patterns.get(phrase);
  if (known) return known;
  const made = new RegExp(phrase.replace(/(?<![A-Za-z\\])([ADT])(?![a-z])/g, '$1\\d+'), 'g');
  patterns.set(phrase, made);
  return made;
}

/** Words that are read where they are misspelt. None is a side, a number or a name. */
const keyWords: readonly (readonly [string, Topic])[] = [
  ['price', 'price'],
  ['prices', 'price'],
  ['worth', 'price'],
  ['verdict', 'fair'],
  ['fairly', 'fair'],
  ['fair', 'fair'],
  ['priced', 'price'],
  ['overpriced', 'fair'],
  ['underpriced', 'fair'],
  ['expensive', 'fair'],
  ['cheap', 'fair'],
  ['should', 'fair'],
  ['moment', 'fair'],
  ['health', 'loan'],
  ['loan', 'loan'],
  ['liquidation', 'loan'],
  ['liquidated', 'loan'],
  ['collateral', 'loan'],
  ['guard', 'guards'],
  ['happened', 'runs'],
  ['outlook', 'next'],
  ['history', 'moved'],
  ['assets', 'assets'],
  ['tokens', 'assets'],
] as const;
const notMisspelt = new Set([
  'prime',
  'pride',
  'rice',
  'wealth',
  'prince',
  'fail',
  'flair',
  'air',
  'cheat',
  'should',
  'pricey',
  'mount',
]);

const slotsOf = (question: Question): string[] => {
  const present: readonly (readonly [string, unknown])[] = [
    ['item', question.items.length],
    ['trade', question.trades.length],
    ['amount', question.amounts.length],
    ['named', question.named],
    ['moved', question.moved],
    ['target', question.target],
    ['span', question.span],
    ['count', question.count],
    ['address', question.addresses.length],
    ['plan', question.plans.length],
    ['guard', question.guards.length],
  ];
  return present.flatMap(([slot, is]) => (is ? [slot] : []));
};

/** What a question asks if it is understood as a whole, and else why not, with what is near. */
function readForms(question: Question): Read {
  const { topics, left, unknown, unclear, items, trades } = question;
  const near = nearOf(question);
  const no = (kind: Back, about?: readonly string[]): Read => ({ back: kind, ...near, ...(about && { about }) });
  const foreign = unknown.some((word) => isForeign(word));
  if (
    foreign ||
    (question.language === 'en' && unknown.length > 3 && topics.size === 0 && items.length + trades.length === 0)
  )
    return no('unread', unknown);
  if (unclear) {
    const asset = items[0]?.asset ?? trades[0]?.assets[0]?.asset ?? question.named?.asset;
    const side = trades[0]?.side;
    const sizes =
      unclear.back === 'price_or_size' && asset
        ? [checkOf({ asset }, undefined, { priceUsd: amountIn(unclear.sizes[0]) })]
        : [];
    const each = asset ? unclear.sizes.map((size) => checkOf({ asset, size }, side ?? 'buy')) : [];
    return { ...near, back: unclear.back, offered: [...sizes, ...each, ...near.offered], about: [unclear.written] };
  }
  if (/\bC\d/.test(left) && !question.moved) return no('percent', [question.percent]);
  const sided = /\b[SP]\b/.test(left);
  const [item] = items;
  if (
    unknown.length === 0 &&
    topics.has('largest') &&
    items.length === 1 &&
    item &&
    !item.size &&
    trades.length === 0 &&
    /^[^SP]*[SP][^SP]*$/.test(left)
  )
    return { calls: [largestOf(item.asset.symbol, left.includes('S') ? 'sell' : 'buy')] };
  if (sided && items.length + trades.length > 0) {
    const [amount] = question.amounts;
    const given = amount && question.amounts.length === 1 ? amount.size : undefined;
    // Each asset may be bought or sold, but those of another trade.
    const open = items.length > 0 ? items : trades.flatMap(({ assets }) => assets);
    const both = open.flatMap((item) =>
      (['buy', 'sell'] as const).map((side) => checkOf({ ...(given && { size: given }), ...item }, side)),
    );
    const others = items.length > 0 ? (checksOf(trades) ?? []) : [];
    return {
      ...near,
      back: trades.length > 0 || /S.*P|P.*S/.test(left) ? 'both_sides' : 'side',
      offered: [...others, ...both, ...near.offered],
    };
  }
  const assetsOf = [...items, ...trades.flatMap(({ assets }) => assets)];
  const stable = assetsOf.filter(({ asset }) => asset.class === 'stable').length;
  const isRepeated = trades.length < 2 && new Set(assetsOf.map(({ asset }) => asset)).size < assetsOf.length;
  if (isRepeated) return no('size');
  if ((left.match(/A\d/g)?.length ?? 0) > 1 || (trades.length > 1 && stable > 0 && stable < assetsOf.length))
    return no('pairs');
  const ofPrice = question.plans.length + question.guards.length + question.addresses.length === 0;
  if (ofPrice && topics.has('future') && !topics.has('loan') && !topics.has('plan') && !topics.has('guards'))
    return no('forecast');
  if (items.length > 0 && (topics.has('causes') || topics.has('why')) && question.plans.length === 0)
    return no('causes');
  if (topics.has('compared') && unknown.length === 0) return no(items.length > 1 ? 'pairs' : 'several');
  if (unknown.length > 0) {
    // "Is DOGE fair?"
    const isOfAsset =
      unknown.length < 3 &&
      topics.size > 0 &&
      [...topics].every((topic) => ['price', 'amount', 'fair', 'status'].includes(topic));
    const isUnlisted =
      isOfAsset &&
      (topics.has('price') || topics.has('amount') || topics.has('fair')) &&
      slotsOf(question).length === 0;
    return no(isUnlisted ? 'unlisted' : 'not_understood', unknown);
  }
  const sidesLeft = sided && !topics.has('makePlan') && items.length === 0 && trades.length === 0;
  if (sidesLeft) {
    const side = /S/.test(left) ? 'sell' : 'buy';
    if (/S.*P|P.*S/.test(left)) return no('several');
    return {
      back: 'asset',
      offered: [],
      lacking: { tool: 'check_asset', input: { side, ...question.amounts[0]?.size } },
    };
  }
  const isJudged = items.length + trades.length > 0 && topics.has('fair');
  if (isJudged && (question.span || topics.has('past'))) return no('only_now');
  if (isJudged && / M /.test(left)) return no('side');
  const present = slotsOf(question);
  if (trades.length > 0 && topics.size === 1 && topics.has('fair') && !question.asks && !question.judged)
    return no('only_reads');
  if (topics.size === 0) return bare(question) ?? no('not_understood');
  for (const form of forms) {
    const isMeant =
      [...topics].some((topic) => form.about.has(topic)) && [...topics].every((topic) => form.allowed.has(topic));
    const read = isMeant && present.every((slot) => form.slots.has(slot)) ? form.read(question) : undefined;
    if (read !== undefined)
      return 'back' in read ? { ...near, ...read, offered: [...read.offered, ...near.offered] } : read;
  }
  return no(present.length > 1 || topics.size > 2 ? 'several' : 'not_understood');
}

const amountIn = (size: Question['amounts'][number]['size'] | undefined): string =>
  size && 'amount_usd' in size ? size.amount_usd : '';

/** What the marks and the words that are understood may ask, the likeliest first: offered, never called. */
function nearOf(question: Question): {
  readonly offered: readonly ToolCall[];
  readonly fixedOffered: readonly FixedTopic[];
} {
  const { topics, items, trades, plans, guards, addresses, amounts, moved, hinted, wantsLargest } = question;
  const fixedOffered = [
    ...hinted.filter((topic) => topics.has(topic)),
    ...hinted.filter((topic) => !topics.has(topic)),
  ];
  const offered: ToolCall[] = [];
  for (const plan of plans.slice(0, 2)) {
    const isPast = (['why', 'runs', 'past', 'moved'] as const).some((topic) => topics.has(topic));
    offered.push(
      ...(topics.has('total') ? [runs(plan, 100)] : []),
      ...(isPast ? [runs(plan), outlook(plan)] : [outlook(plan), runs(plan)]),
      terms(plan),
    );
  }
  for (const guard of guards.slice(0, 2)) offered.push({ tool: 'preview_rescue', input: { guard } });
  if (plans.length === 0 && ['plan', 'plans', 'mine', 'next'].some((topic) => topics.has(topic as Topic)))
    offered.push({ tool: 'list_plans', input: {} });
  const [borrower] = addresses;
  if (borrower !== undefined) {
    const health = { tool: 'loan_health', input: { borrower } };
    const lacks = { tool: 'what_if', input: { borrower, ...(question.target && { target_health: question.target }) } };
    const supposed = moved && {
      tool: 'what_if',
      input: { borrower, ...(moved.asset && { asset: moved.asset.symbol }), change_percent: moved.change },
    };
    const theirs = { tool: 'list_plans', input: { owner: borrower } };
    const isPlans = (['plan', 'plans', 'mine', 'next', 'total', 'why'] as const).some((topic) => topics.has(topic));
    offered.push(
      ...(isPlans ? [theirs] : []),
      ...(supposed ? [supposed] : []),
      ...(topics.has('lacks') || question.target ? [lacks, health] : [health, lacks]),
      theirs,
    );
  }
  const [amount] = amounts;
  const size = amounts.length === 1 ? amount?.size : undefined;
  for (const { assets, side, ...own } of [
    ...trades,
    ...items.map((item) => ({ assets: [item], side: undefined, size: undefined })),
  ].slice(0, 3)) {
    for (const item of assets.slice(0, 2)) {
      const asset = item.asset.symbol;
      const sized = {
        asset: item.asset,
        ...((item.size ?? own.size ?? size) && { size: (item.size ?? own.size ?? size) as Size }),
      };
      const sides = side === undefined && sized.size !== undefined ? (['buy', 'sell'] as const) : [side];
      const checks = sides.map((each) => checkOf(sized, each));
      const price = { tool: 'get_price', input: { asset } };
      const vast = sides.map((each) => largestOf(asset, each));
      const history = {
        tool: 'get_history',
        input: { asset, ...(question.span && { interval: question.span.interval, count: question.span.count }) },
      };
      offered.push(
        ...(wantsLargest && !sized.size ? vast : []),
        ...(topics.has('moved') || question.span ? [history] : []),
        ...(topics.has('price') && !topics.has('fair') ? [price, ...checks] : [...checks, price]),
      );
      if ((topics.has('quote') || topics.has('quoted')) && sized.size)
        offered.unshift({
          tool: 'quote_swap',
          input: { asset, side: side ?? ('amount_asset' in sized.size ? 'sell' : 'buy'), ...sized.size },
        });
    }
  }
  return { offered, fixedOffered };
}

/** Of a language that is not read. */
const isForeign = (word: string): boolean =>
  /[^\p{Script=Latin}\p{Script=Han}\p{N}_'$%]|(?!\p{ASCII})\p{Script=Latin}/u.test(word) || foreignWords.has(word);
const foreignWords = new Set(
  'ist der das und wie wieviel kostet bewertet est le les quel quelle prix combien quanto costa qual hoeveel prijs jest ile kosztuje cuanto cuesta conviene comprar vender precio almak fiyat kadar zaman mi mu por que hola mein kaufen verkaufen acheter vendre bao gia mua ban khong giá harga berapa jual beli mis prestamo bonjour merhaba'.split(
    ' ',
  ),
);

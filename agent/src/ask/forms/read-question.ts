import type { Asset } from '@bowline/core/domain/assets';
import type { FixedTopic, Language, Question, Reading, Topic } from '../question.ts';
import { rowsOf } from '../rows.ts';
import { inEnglish } from './chinese.ts';
import { idle, phrases, rewritten } from './english.ts';
import { isMisspelt, type Slots, takeSlots } from './slots.ts';
import { itemsIn, takeTrades, tradesIn } from './trades.ts';

/** Words that hint at the topic of a question that is not understood. Their matches are offered as choices, never answered. */
const hints = rowsOf(String.raw`
stop → cancel|\bany ?more\b|no longer|\bstop|pause|revoke|\bquit|undo|unsubscrib|turn.{0,9}off|delete|remove|\bend\b|取消|停|撤销|退出|关闭|终止
makePlan → recurring|weekly|daily|monthly|\bevery\b|\bdca\b|automat|regular|schedul|creat|set ?-?up|\bnew plan|定投|创建|新建|自动|定期|每[天周月个]
makeGuard → protect|\bguard|(?:avoid|prevent|stop).*liquidat|保护|守护|(?:避免|防止)
fee → \bfees?\b|\bgas\b|commission|percentage|\bcut\b|抽成|费|一次多少钱|\bfree\b|charge|\bcosts?\b.*(?:use|you)|commission|pricing|\bpay (?:you|for)|(?:你|服务|bowline).*费|收费|免费|收钱
custody → \bfunds?\b|\bkeys?\b|trust|custod|steal|hack|scam|\bhold my|(?:my|users?'?) (?:money|coins|wallet)|资金|私钥|托管|保管|偷
working → \bwrong with\b|\bworking\b|\bdown\b|online|alive|broken|outage|operational|正常|在线|故障
who → \bwho\b|\bbehind\b|\byou (?:do|for)\b|\bquestions?\b|哪些问题|功能|about you|yourself|bowline|\bhuman|\bbot\b|谁|介绍
`).map(([topic, pattern]) => [topic as FixedTopic, new RegExp(pattern)] as const);

/** In a phrase, A, D and T stand for any mark of that kind. */
const patterns = phrases.map(
  ([topic, phrase]) => [topic, new RegExp(phrase.replace(/(?<![A-Za-z\\])([ADT])(?![a-z])/g, '$1\\d+'), 'g')] as const,
);
const marks = /\b[A-Z]\d*\b/g;
const order = /^\W*(?:(?:please|now|just|kindly|go) )*(?:buy|sell|purchase|swap|convert|exchange|dump|grab|offload)\b/;
/** A trade that lacks its end ("buy A for?"), or is made with the agent ("sell me A"). */
const dangling =
  /T\d+ (?:for|at|into|to|against|from|in)(?= *(?:[?.,]|$))|(?:T\d+ (?:to|from|by|for)|[SP](?: to| from)?) (?:me|us)\b/;

/** Splits a lower-case question into slots, trades, topics and the remaining words. */
export function readQuestion(folded: string, language: Language, assets: readonly Asset[]): Question {
  let plain = rewritten(language === 'zh' ? inEnglish(folded) : folded);
  plain = plain.replace(
    /(?<![\w.'-])[a-z]{5,}(?![\w.'-])/g,
    (word) => misspelt.find((key) => isMisspelt(word, key)) ?? word,
  );
  const slots = takeSlots(plain.replace(/\n+/g, ' ; '), assets);
  if (slots.assets.length === 1)
    slots.text = slots.text
      .replace(
        /\bif i (?:were to |was to |should |would |now |just |did )?(bought|sold|dumped|offloaded|got rid of)\b/g,
        (_, did) => (did === 'bought' ? 'if i buy' : 'if i sell'),
      )
      .replace(/\bif i sell\s*$/, ' ');
  // A plan's own purchases are not a trade to judge.
  if (slots.plans.length > 0 || /\bplans?\b|\bdca\b|\bnext (?:buy|purchase)\b/.test(slots.text))
    slots.text = slots.text.replace(/\b(?:buy(?:s|ing)?|bought|purchas(?:e[sd]?|ing))\b/g, 'run');
  takeTrades(slots);
  takeMove(slots);
  const { topics, left, unknown, corrected } = takeTopics(slots.text);
  const isJudged = topics.has('fair');
  const [items, trades] = [itemsIn(slots), tradesIn(slots)];
  // A trade is judged unless the question asks something else about it.
  const otherwise: readonly Topic[] = ['quote', 'quoted', 'largest', 'makePlan', 'order', 'past'];
  if (trades.length > 0 && !otherwise.some((topic) => topics.has(topic))) topics.add('fair');
  return {
    ...slots,
    language,
    isOrder: !isJudged && !/[?？]/.test(folded) && order.test(plain.trim()),
    isJudged,
    left,
    percent: `${slots.percents[0] ?? ''}%`,
    hinted: hints.flatMap(([topic, pattern]) => (pattern.test(folded) ? [topic] : [])),
    topics,
    unknown,
    items,
    trades,
    amounts: [...left.matchAll(/[DB](\d+)/g)].flatMap(([, at]) => slots.sizes[Number(at)] ?? []),
    readings: [...slots.readings, ...corrected],
  };
}

/** The topics of a text with marks, the marks that are left, and the words that no phrase has. */
function takeTopics(marked: string) {
  let text = marked.replace(/\s+/g, ' ').trim();
  const topics = new Set<Topic>();
  for (const [topic, pattern] of patterns) {
    text = text.replace(pattern, (phrase) => {
      topics.add(topic);
      // Marks inside a phrase stay: they are kept apart from its words.
      return ` · ${(phrase.match(marks) ?? []).join(' ')} `;
    });
  }
  const loose = dangling.exec(text)?.[0].replace(/^\w+ /, '').replaceAll(' ', '_');
  for (const pattern of idle) text = text.replace(pattern, ' ');
  const words = (text.match(/[\p{L}\p{N}_'$%]+/gu) ?? []).filter((word) => !/^[A-Z]\d*$/.test(word));
  const corrected: Reading[] = [];
  const unknown = [...new Set(loose === undefined ? words : [...words, loose])].filter((word) => {
    const key = keyOf(word);
    if (key === undefined || topics.has(key[1])) return true;
    topics.add(key[1]);
    corrected.push({ written: word, as: key[0] });
    return false;
  });
  return { topics, unknown, corrected, left: ` ${(text.match(marks) ?? []).join('  ')} ` };
}

/** Words that are recognised even when misspelt. None is a side, a number or a name. */
const keyWords = (
  [
    ['price', 'price prices worth priced'],
    ['fair', 'verdict fairly fair overpriced underpriced expensive cheap should moment'],
    ['loan', 'health loan liquidation liquidated collateral'],
    ['guards', 'guard'],
    ['runs', 'happened'],
    ['next', 'outlook'],
    ['moved', 'history'],
    ['assets', 'assets tokens'],
  ] as const
).flatMap(([topic, words]) => words.split(' ').map((word) => [word, topic] as const));
/** Words that only name a topic, also recognised when misspelt. */
const misspelt = 'address guard nothing health wallet borrow checking liquidation quote'.split(' ');
const ordinary = new Set('prime pride rice wealth prince fail flair air cheat pricey mount'.split(' '));

/** The key word that this word misspells, with its topic; undefined if several topics fit. */
function keyOf(word: string): readonly [string, Topic] | undefined {
  const [key, ...others] = ordinary.has(word) ? [] : keyWords.filter(([each]) => isMisspelt(word, each));
  return others.some(([, topic]) => topic !== key?.[1]) ? undefined : key;
}

const falls =
  '(?:falls?|falling|lost|(?:is )?down|drops?|dropping|crash(?:es|ed)?|loses?|declines?|dips?|goes down|go down|went down|dropped|fell|tanks?|plunges?|sinks?|dump(?:s|ed)?)';
const rises = '(?:rises?|rising|gains?|jumps?|pumps?|goes up|go up|climbs?|rose|rallies|increases?)';
const subject =
  '(?:(?:the )?(?:prices? |value )?(?:of )?(?:my |the )?(?:A(?<at>\\d+)|prices?|markets?|collateral|crypto|everything|it|coins?|tokens?)(?: prices?)?)';
const by = '(?: by| of| on| another| a further| further| more| about)*';
/** "A -25%" */
const signed = / A(?<at>\d+) C(?<c>\d+)(?= )/;
const moves = [
  ...String.raw`
 (?:if |suppose |assuming |after |when |should |were )?${subject} (?:would |will |should |were to |to )?(?:${falls}|(?<up>${rises}))${by} C(?<c>\d+)(?: (?:down|up|more))?(?! (?:to|of)\b)
 (?:if |after |with |in |of )?(?:a |an |another )?C(?<c>\d+) (?:price )?(?:${falls}|(?<up>${rises}))(?: (?:in|of) (?:the price of )?(?:A(?<at>\d+)|prices?|(?:the |my )?(?:market|collateral)))?(?! (?:in|of)\b)
 (?:if |after |with )?(?:a |an )?(?:${falls}|(?<up>${rises})) of C(?<c>\d+)(?: (?:in|of) (?:the price of )?(?:A(?<at>\d+)|prices?|(?:the |my )?(?:market|collateral)))?(?! (?:in|of)\b)
`
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => new RegExp(line)),
  signed,
];
const supposing =
  /\b(?:if|what if|suppose|assuming|what (?:would |will )?happens?(?: to)?|happens|survive|withstand|after|when|case|in case)\b/g;

/** Takes a price move in percent: "if A falls by 20 %". Any other order of these words is left in the text. */
function takeMove(slots: Slots): void {
  for (const pattern of moves) {
    const found = pattern.exec(slots.text);
    const { at, up, c } = found?.groups ?? {};
    const percent = slots.percents[Number(c)];
    const [item, ...others] = at === undefined ? [] : itemsIn(slots);
    const isOne = at === undefined || (item !== undefined && item.size === undefined && others.length === 0);
    const isSigned = pattern === signed;
    const isWritten = (isSigned ? /^[-−][\d.]+$/ : /^[\d.]+$/).test(percent ?? '');
    if (found === null || percent === undefined || !isWritten || !isOne) continue;
    const change = isSigned ? percent.replace('−', '-') : `${up === undefined ? '-' : ''}${percent}`;
    slots.moved = { ...(item && { asset: item.asset }), change };
    slots.text = slots.text.replace(found[0], ' ').replace(supposing, ' ');
    return;
  }
}

import type { CommentLeftOut } from '@bowline/core/domain/answer';
import { type Verdict, verdictCodes } from '@bowline/core/domain/verdict';

// Finds what a text states that only a tool can know. In doubt, it counts as a claim.

/** What tools have stated. */
interface Grounds {
  readonly figures: ReadonlySet<string>;
  readonly verdicts: ReadonlySet<string>;
}

type Output = Readonly<Record<string, unknown>>;

/** Everything in these outputs of tools, and in sentences of ours made from them. */
function groundsOf(outputs: readonly Output[], sentences: readonly string[]): Grounds {
  // Not a verdict on record, which an executor claimed then, nor the outcome of a single check.
  const judged = outputs.flatMap(({ verdict, verdict_now }) => leavesOf([verdict, verdict_now]));
  return {
    figures: new Set([...outputs.flatMap(leavesOf), ...sentences].flatMap(figuresOf)),
    verdicts: new Set(judged.map((leaf) => leaf.toUpperCase()).filter((leaf) => Object.hasOwn(verdictCodes, leaf))),
  };
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return value === null || value === undefined ? [] : [String(value)];
}

/** A word with a digit in it, with the signs that stand within numbers, dates and addresses. */
const FIGURE = /[A-Za-z_]*\d(?:[.,:/^-]?[A-Za-z_\d])*/g;
/** Digits with other signs or spaces between them are read as one number: "1 000", "1 0 0". */
const BETWEEN_DIGITS = /(?<=\d)[^\p{L}\p{N}\n.,:/^-]{1,3}(?=\d)/gu;

/** Numbers, addresses, hashes and times, as they are written, except for commas between thousands. */
const figuresOf = (text: string): string[] =>
  (text.replace(BETWEEN_DIGITS, '').match(FIGURE) ?? []).map((figure) =>
    /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(figure) ? figure.replaceAll(',', '') : figure.toLowerCase(),
  );

/** A word whose letters may be set apart: "G O", "g.o", "C-A-U…". */
const spaced = (word: string): string => [...word].join('[^\\p{L}\\p{N}]{0,4}');
const alone = (pattern: string): RegExp => new RegExp(`(?<![a-z])${pattern}(?![a-z])`, 'giu');
const verdictWords: readonly (readonly [Verdict, RegExp])[] = [
  ['NO_GO', alone(`${spaced('no')}[\\s_.·-]{0,3}${spaced('go')}`)],
  ['NO_DATA', alone(`${spaced('no')}[\\s_.·-]{0,3}${spaced('data')}`)],
  ['CAUTION', alone(spaced('caution'))],
  ['GO', alone(spaced('go'))],
];

/** Whether a text has a verdict word that no tool gave. Everyday uses count too: the meaning cannot be told apart. */
function hasVerdict(text: string, { verdicts }: Grounds): boolean {
  let rest = text;
  return verdictWords.some(([verdict, pattern]) => {
    const before = rest;
    rest = rest.replace(pattern, ' ');
    return rest !== before && !verdicts.has(verdict);
  });
}

/** Whether a text has a URL, a host or a mail address, even a disguised one. Tools return none. */
const hasLink = (text: string): boolean =>
  /:\s*\/|\/\/|@|\b(?:https?|hxxps?|ipfs|www)\b|\p{L}[\d-]*\.[\d-]*\p{L}|[a-z\d-](?:[。·]|\s+\.\s*|\s*[[({<]\s*(?:\.|dot|punto|point|punkt)\s*[\])}>]\s*|\s+dot\s+)[a-z]/iu.test(
    text.replace(/\b(?:e\.g|i\.e|a\.m|p\.m|u\.s|z\.b|d\.h)\b/gi, ''),
  );

const SCALES =
  'hundreds?|thousands?|[mb]illion(?:s|en|es)?|trillions?|dozens?|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|\\p{L}*(?:hundert|tausend|zig|dreissig|dreißig)\\p{L}*|' +
  'cien(?:tos?)?|\\p{L}*cientos|quinientos|mil|miles|treinta|\\p{L}{4,6}enta|cents?|milles?|milliers?|milliards?|(?:vingt|trente|\\p{L}{4,6}ante)s?|millon(?:es)?';
/** Tools give no numbers in words: tens and above, and a currency or percent after any word but these. */
const NUMBER_WORDS = new RegExp(
  `(?<![a-z])(?:${SCALES})(?![a-z])|\\d\\s*(?:(?:k|m|bn?|mn|tn?)(?![a-z])|[百千万亿])|[〇零一二三四五六七八九十百千万亿两壹贰叁肆伍陆柒捌玖拾佰仟点]{2,}|` +
    '(?<!\\d[ ]?|以|用)(?:美元|美金)|[百千万亿两一二三四五六七八九十]元|[$€£¥](?![ ]?\\d)|(?<!\\d[ ]?)(?:%|percent|prozent)|' +
    '(?<!\\d[ ]?|(?:^|[^a-z])(?:in|of|to|for|with|from|and|the|us|en|de|y|con|por|mit|und|gegen|von|et|contre|against)[ ])(?<![a-z])(?:us[ -]?dollars?|dollars?|usd[tc]?|dolar(?:es)?|euros?)(?![a-z])',
  'iu',
);

/** Whether it has a figure that no tool gave, or a number in words. */
const hasFigure = (text: string, { figures }: Grounds): boolean =>
  NUMBER_WORDS.test(text) || !figuresOf(text).every((figure) => figures.has(figure));

// Words that judge a price or tell people what to do, in English, German, Spanish, French and Chinese. The verdict judges, so they
// are allowed only next to a verdict that says the same. A closed list misses synonyms; all of a model's words are marked as its own.

const words = (latin: string, han: string): RegExp => new RegExp(`(?<![a-zà-ÿ])(?:${latin})(?![a-zà-ÿ])|${han}`, 'iu');

const GOOD = words(
  'fair(?:ly|e[nrsm]?)?|safe(?:ly)?|cheap(?:ly|er)?|bargain|steal|undervalued|reasonabl[ey]|sensible|sound|healthy|normal\\w*|fine|okay|attractive|worth (?:it|buying)|good|great|right price|price is right|' +
    'green light|thumbs up|all clear|no concerns?|checks? pass|positive|ready|recommend\\w*|trust\\w*|reliable|invest\\w*|go long|entry|get in|load up|accumulate|opportunit\\w*|proceed|worthwhile|generous|solid|lohnt|merece la pena|adelante|vaut le coup|allez-y|sicher|gunstig\\w*|billig\\w*|preiswert|' +
    'unterbewertet|angemessen\\w*|gute?[nrsm]?|schnappchen|empfehl\\w*|empfiehlt|vertrau\\w*|zuverlassig|einst(?:eigen|ieg)|zuschlagen|zugreifen|in ordnung|greifen sie zu|bestanden|justo?s?|justas?|segur[oa]s?|barat[oa]s?|' +
    'ganga|buen[oa]?s?|razonable|fiable|recom\\w*|confi[ae]\\w*|conviene|entr[ae]r?|inviert\\w*|equitable|sûre?s?|raisonnable|bon(?:ne)?s?|honnete|correct\\w*|conseill\\w*|foncez',
  '(?<!不)(?:公平|公道|公允|合理|安全|便宜|划算|值得|可靠|正常)|低估|推荐|建议|放心|信任|确认|很好|不错|没问题|通过|物有所值|时机|入手|入场|上车|抄底|建仓|满仓|加仓|做多|可以操作|入吧',
);
const BUY = words('buy(?:ing)?|purchas(?:e|ing)|kauf(?:e|en|t)?|compr[aeo]\\w*|achet\\w*|achat', '买|购');
const SELL = words('sell(?:ing)?|verkauf\\w*|vend(?:e|er|a|o|an|en|re|ez|ons)|venta|vente', '卖|出售|抛售');
const BAD = words(
  'unfair\\w*|unsafe|insecure|expensive|overpriced|overvalued|overpay\\w*|overheated|too (?:high|much)|rip-?off|risky|dangerous|avoid|scam|bad|unreasonabl[ey]|lose money|take profits?|get out|dump|short it|stay away|abwarten|abzocke|passez|' +
    'hold your|teuer\\w*|uber(?:teuert|bewertet|hoht)|unsicher|gefahrlich|riskant|finger weg|schlecht\\w*|injust[oea]s?|car[oa]s?|demasiado|mal[oa]s?|peligros[oa]s?|insegur[oa]s?|arriesgad[oa]s?|estafa|' +
    'evit\\w*|chers?|cheres?|trop|mauvaise?s?|touchez|dangereu\\w*|arnaque|sobrevalorad[oa]s?|surevaluee?s?|deconseill\\w*|advise against',
  '不公|不合理|不安全|不便宜|不划算|不值得|不可靠|不正常|昂贵|太贵|偏贵|太高|虚高|高估|危险|骗|避免|亏|观望|不要碰|出货|清仓|减仓|做空|快跑|韭菜',
);
/** Orders about money or the checks: refused next to any verdict. */
const ORDER = words(
  'unreliable|approv\\w*|wallets?|send|transfer|deposit|double|guarantee\\w*|ignore|override|private key|seed phrase|sende|senden|uberweis\\w*|verdopp\\w*|garant\\w*|envi[ae]\\w*|transfi\\w*|envoy\\w*|' +
    'cartera|billetera|portefeuille',
  '转账|转到|转入|转给|授权|钱包|加倍|保证|私钥|助记词',
);
/** Subjects on which only a check can say something. */
const JUDGED = words(
  '(?:over|under)?pric(?:es?|ed|ing)|markets?|checks?|verdicts?|preise?s?|markt\\w*|prufung\\w*|urteil\\w*|precios?|mercados?|veredicto|prix|marches?|kurse?s?|cotizacion|cours',
  '价|行情|市场|检查|判定',
);
const NOT = words(
  "no|not|never|\\w+n['’]t|nicht|kein\\w*|nunca|jamas|ne|pas|jamais|sin|ohne|without",
  '不|别|勿|没|未',
);

/** Whether a text judges a price although no check ran, or differently from the only verdict on that side. */
function misjudges(comment: string, unmarked: string, outputs: readonly Readonly<Record<string, unknown>>[]): boolean {
  const has = (pattern: RegExp) => pattern.test(unmarked) || pattern.test(comment);
  if (has(ORDER)) return true;
  const checked = outputs.filter(({ verdict }) => typeof verdict === 'string');
  const verdicts = new Set(checked.map(({ verdict }) => verdict));
  const [good, buy, sell, bad] = [has(GOOD), has(BUY), has(SELL), has(BAD)];
  if (verdicts.size === 0 && has(JUDGED)) return true;
  if (!good && !buy && !sell && !bad) return false;
  if (verdicts.size !== 1 || verdicts.has('NO_DATA')) return true;
  if (!verdicts.has('GO')) return good || buy || sell;
  const isJudged = (side: string) => checked.some((each) => each.side === side);
  return bad || has(NOT) || (buy && !isJudged('buy')) || (sell && !isJudged('sell'));
}

/** A longer text is no addition to an answer. */
const MAX_CHARS = 4_000;

export type Comment = { readonly comment: string } | { readonly leftOut: CommentLeftOut };

/**
 * Keeps a model's text in full or leaves it out in full. With some sentences removed, it says something that nobody
 * wrote, and if it states one thing that no tool gave, the rest is not credible either.
 * @param outputs of the tools that were called.
 * @param sentences our own, made from these outputs.
 */
export function commentOf(
  text: string,
  outputs: readonly Readonly<Record<string, unknown>>[],
  sentences: readonly string[],
): Comment {
  const comment = visible(text);
  if (comment.length > MAX_CHARS) return { leftOut: 'length' };
  const words = comment.normalize('NFD').replace(/\p{M}/gu, '');
  if (HIDDEN.test(text) || !READ.test(comment) || DISGUISED.test(words)) return { leftOut: 'writing' };
  const grounds = groundsOf(outputs, sentences);
  if (hasLink(words)) return { leftOut: 'link' };
  if (hasVerdict(words, grounds) || misjudges(comment, words, outputs)) return { leftOut: 'verdict' };
  return hasFigure(words, grounds) ? { leftOut: 'number' } : { comment };
}

/** The text without invisible characters and with one kind of line break: the form that is checked and shown. */
const visible = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, '')
    .replace(/\p{Cc}/gu, (control) => (control === '\n' ? control : ' '))
    .trim();

/** Characters that hide text, or reverse its direction. */
const HIDDEN = /[\u{e0000}-\u{e007f}\u202d\u202e]/u;
/** Scripts of the languages whose judging words are known. Others could say anything, and can look like these. */
const READ =
  /^[\n -~\u00a0¡¿«»°·×‐-—―‘’“”„…•€£¥→−≈≠≤≥、。《》「」『』【】ÀÂÄÇÈ-ËÌÍÎÏÑÒÓÔÖÙ-ÜßàáâäçèéêëìíîïñòóôöùúûüÿŒœŸÁ\p{Script=Han}]*$/u;
/** Markup; letters that stand for digits (lOO) or Han signs for letters (CAUTI口N, G〇); and runs that only machines read. */
const DISGUISED =
  /<[A-Za-z/!|]|[{}]|(?<![\p{L}'’])(?:[lI|]+O[OolI|]*|[OolI|]*[Oo]{2,}[OolI|]*|[Il|]{3,})(?!\p{L})|[A-Za-z+/=_-]{36,}|[A-Za-z]\p{Script=Han}[A-Za-z]|(?<![A-Za-z])[A-Za-z]\p{Script=Han}|[A-Za-z]〇|〇[A-Za-z]/u;

const why: Readonly<Record<CommentLeftOut, string>> = {
  number: 'name a number, an address or a code that no tool gave',
  verdict: 'name a verdict that no tool gave',
  link: 'name a link that no tool gave',
  writing: 'contain letters or symbols that are not supported',
  length: 'contain more than an answer needs',
};

/** A model's words, each line marked, so that nothing in them can be mistaken for ours; or why they are left out. */
export const told = (given: Comment): string =>
  'comment' in given
    ? `The language model adds, in its own words:\n> ${given.comment.replaceAll('\n', '\n> ')}`
    : `The language model's own words are left out: they ${why[given.leftOut]}.`;

export const NOTHING_READ =
  'No tool gave anything for this answer: nothing in it is a verdict, a price or another fact.';
export const NOTHING_CHECKED = 'No check was run for this answer: nothing in it is a verdict.';

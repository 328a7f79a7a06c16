import type { Side } from '@bowline/core/domain/facts';
import { isWordOf, words } from './vocabulary.ts';

// A traded item: "my 2 @", "$500 of the @".
const item = '(?:(?:on|of|my|our|the|some|all|an?) )*(?:[NDB] (?:(?:worth )?of )?(?:my |the )?)?@';
const out = '(?:get|go|mov|com|step|tak|pull|rotat|swapp?|trad|switch)(?:e|t?ing)? (?:everything |it all )?';
// A position one holds, which may be opened or closed: "my short on @".
const held = '(?:an?|my|our|the|this|that|any)';

// Words that buy or sell. Past trades ("I sold") and traders ("buyers") are no side.
const sale = new RegExp(
  '\\bsell(?:ing)?\\b(?!-[a-z])|\\bsell off(?= (?:my|the|some|all|of|[NDB]|@))|(?<!\\b(?:on|for) )\\bsales?\\b|' +
    "(?<=@ (?:be bought (?:or|and) )?)be sold\\b|\\b(?:as|i am|i'm|im) an? seller\\b|(?<!\\bmy\\b.*)\\bfor (?:an? )?sellers?\\b(?! (?:of|for|who|from)\\b)|\\bdump(?:ing)?\\b|\\b(?:off|un)load(?:s|ed|ing)?\\b|" +
    `\\bget(?:ting)? rid of\\b|\\bditch(?:ing)?\\b|\\btak(?:e|ing) profits? (?:on|in)\\b|\\bcash(?:ing)? out(?: of)?\\b|\\bexit(?:s|ing)?\\b|\\b${out}out of\\b|` +
    `(?<!\\b${held} )\\b(?:go(?:ing)? )?short(?:ing)?(?= ${item})`,
  'g',
);
const purchase = new RegExp(
  '\\bbuy(?:ing)?\\b(?!-[a-z])|\\bpurchas(?:e|es|ed|ing)\\b|\\bacquir(?:e|es|ed|ing)\\b|' +
    "(?<=@ (?:S (?:or|and) )?)be bought\\b|\\b(?:as|i am|i'm|im) an? buyer\\b|(?<!\\bmy\\b.*)\\bfor (?:an? )?buyers?\\b(?! (?:of|for|who|from)\\b)|\\binvest(?:ing|ments?)?(?= (?:in|into) )|\\b(?:invest|spend|put|mov|shift|throw)(?:e|t?ing)?(?= (?:(?:my|some|all) )*[DB] (?:in|into|on) )|" +
    `(?<=^|[,;.:] |\\b(?:i|to|we) )bid(?: for| on)?(?= ${item})|\\baccumulat(?:e|ing)\\b|\\bload(?:ing)? up on\\b|\\bscoop(?:ing)? up\\b|\\bsnag(?:ging)?\\b|(?<=^[DB] )into(?= @)|\\bap(?:e|ing)\\b|\\bgrab(?:s|bing)?\\b|\\bpick(?:ing)? up\\b|\\bent(?:er|ers|ering|ry|ries)\\b|\\b${out}(?:back )?into\\b|\\band (?:back )?into\\b|` +
    `(?<!\\b${held} )\\b(?:go(?:ing)? )?long(?:ing)?(?= ${item})`,
  'g',
);

/** What an asset itself does in the market: "what does @ sell for", "@ is dumping". */
const trades =
  /\b(?:is|are|do|does) @ (?:now |currently )?sell(?:ing)?\b|@ (?:is |are )?(?:now |currently )?sell(?:s|ing) (?:at|for)\b/g;
const falls = /@ (?:(?:is|are|was|keeps?|now|still|just) )*dump(?:s|ed|ing)?\b/g;

/** The text with S for each selling word and P for each buying word, beside the marks of quantities.ts. */
export const markSides = (text: string): string =>
  text
    .replace(trades, (match) => match.replace(/sell(?:s|ing)?/, 'trades'))
    .replace(falls, (match) => match.replace(/dump(?:s|ed|ing)?/, 'falls'))
    .replace(sale, 'S')
    .replace(purchase, 'P');

const paidOut =
  /\b(?:in)?to (?:usd|dollars|stable\w*|cash)\b|\bhow (?:many|much) (?:usd|dollars|stablecoin)\b|\bfor stablecoin\b/;
const paidWith = /\b(?:with|using|from) (?:usd|stablecoin)\b/;

/** Sides named in a marked text, by a trading word or by what is paid. */
export function sidesNamed(marked: string): Side[] {
  const sells = /\bS\b/.test(marked) || paidOut.test(marked);
  const buys = /\bP\b/.test(marked) || paidWith.test(marked);
  return [...(sells ? (['sell'] as const) : []), ...(buys ? (['buy'] as const) : [])];
}

/** Patterns that make a side vague in a marked text. */
const vague = [
  // A trade that is negated or made by others.
  /\b(?:not|never|stop(?:ped)?|avoid|without|instead of|rather than|no longer|don'?t|won'?t) (?:\w+ )?[SP]\b(?<!\b(?:not to|why not|why don'?t (?:i|we)) [SP])/,
  /\b(?:who|people|(?:every|some|any)(?:one|body)|others|they|he|she)\b(?: (?:is|are|has|have|been|now|still|all))* [SP]\b/,
  // The counterparty's side: "sell me 2 @", "buy 2 @ from me", "buy my @"; and reversed directions: "sell into", "buy
  // out of".
  /\bS (?:to )?(?:me|us)\b|\bP (?:my|our)\b|\bP\b.* from (?:me|us)\b|\boffer(?:s|ed|ing)? (?:me|us)\b|\bS into\b|\bP out of\b/,
  // Not the user's own trade: "sell-off", "buyers", "sells".
  /\b(?:buy|sell)(?:-[a-z]|(?:er)?s\b|er\b)|\bdump(?:s|ed)\b|\b(?:sell|S) off\b/,
  /(?<!\b(?:in|how|as|so|very|too) )\b(?:short|long)(?:ing|s)?\b(?! (?:term|answer|summary|version|verdict|reply|ago|time|enough|as|is|are|do|does|did|has|have|and))/,
];
/** Money that is itself sold or bought: "sell $500 for @" buys. */
const moneyTraded =
  /\b(?:buy|sell|dump|purchas)(?:e|s|ing)?\s+(?:my |all |some )*(?:[DB]|stablecoin) (?:for|to|with|using|from|against) /;
const moved = new RegExp(
  '\\b(?:swap\\w*|conver[ts]\\w*|exchang(?:e|ing)|trad(?:e|ing)|rotat\\w*|switch\\w*|turn(?:ing)?|mov(?:e|ing)|clos(?:e|ing)|' +
    `drop(?:ping)?|los(?:e|ing)|leav(?:e|ing)|let(?:ting)? go|giv(?:e|ing)(?: up| away)?|part(?:ing)? with|return(?:ing)?|pay(?:ing)? (?:with|in)|out) (?:out )?${item}`,
);

/** Whether a text names a side but leaves open which trade is meant. */
export function isVague(text: string): boolean {
  const marked = markSides(text);
  return moneyTraded.test(text) || vague.some((pattern) => pattern.test(marked));
}

/** Whether a text names a trade with a word that has no side: "swap 1 @". Swapping dollars for it is a purchase. */
export const isSideless = (text: string): boolean =>
  moved.test(text) && !/\b[DB] (?:for|(?:in)?to|in) (?:(?:N|my|some) )*@/.test(text);

// A verdict is about one side. A word about trading or money may name the side or reverse it: "put 1 @ up", "sell
// dollars for @", "the pool sells". So every word of a verdict question must be accounted for: either by a phrase below
// with a known meaning, or by the list of words that say nothing about the side.

const det =
  '(?:(?:my|our|the|some|all|any|more|little|bit|bunch|lot|of|a|an|one|both|each|either|entire|whole|stack|bag|holdings) )*';
const money = '(?:D|B|stablecoin|usd|dollars|cash)';
const judged = '(?:good|bad|right|wrong|fair|safe|great|fine|nice|decent|smart|wise|the|an?)';

/** Patterns that reverse the side or leave it open, after each item has become an A. */
const open = [
  // Money that is bought or sold: "sell dollars for @".
  new RegExp(`\\b[SP] (?:(?:on|in|into|to|from) )?${det}${money}\\b`),
  // Another trader: "is the pool selling @". "Would you buy @?" asks for advice.
  new RegExp(
    '\\b(?<!would )(?:you|pools?|market|exchange|dex|bowline|agent|bot|guard|venus|binance|pancakeswap|pancake) ' +
      '(?:(?:to|be|is|are|do|does|will|would|can|could|should|want|like|fairly|now|currently|really|just|also|able) )*[SP]\\b',
  ),
  // Not a known trade: "should I price my @ at 500".
  /(?:\bto|\b(?:should|can|could|would) (?:i|we|one)) (?:price|value|cost|show|tell|do|need|like|see|test) (?:(?:my|our|the|some|all|a|an) )*[AD]\b/,
  // A trading word as the object of another: "sell my cash out of @".
  new RegExp(`\\b[SP] ${det}[SP]\\b`),
];

/** Patterns that leave it open after the phrases below are removed. */
const unexplained = [
  // A side and an asset with anything in between: "exit to @", "buy with @".
  /\b[SP] (?!(?:fair(?:ly)? )?(?:and|or) A)(?:[^SPA\s,;.?!:()]+ )+A\b/,
  // A direction that no phrase covers: "with @", "to @".
  /\b(?:with|using|from|against|via|into|in|at|by|to|for|as|than|risk|risking|→) (?:(?:my|our|the|some|all|a|an) )*A\b/,
];

/** Each phrase with its replacement. */
const phrases: readonly (readonly [RegExp, string])[] = (
  [
    // A list is one item.
    ['A(?: (?:and|or|plus|also|then|as well as|[,+/])){1,2} (?:(?:my|the) )?A', 'A'],
    [`\\bP ${det}A (?:for|with|using|from|in) ${det}${money}\\b`, 'P A'],
    [`\\bS ${det}A (?:for|(?:in)?to|in|against) ${det}${money}\\b`, 'S A'],
    [`(?<=\\b${judged} )[SP] for A\\b`, 'A'],
    [`\\b(?:swap|convert|exchang)(?:e|p?ing)? ${det}A (?:for|(?:in)?to) ${det}(?:stablecoin|usd|dollars|cash)\\b`, 'T'],
    [`\\b(?:swap|convert|exchang|trad)(?:e|p?ing)? ${det}${money} (?:for|(?:in)?to) A\\b`, 'T'],
    ['\\b([SP]) A (?:position|investment)\\b', '$1 A'],
    [
      '(?<=(?:^|[,;.?!:] |\\b(?:is|are|would|on|check|swapping) )(?:my )?)A (?:in)?to (?:stablecoin|usd|dollars|cash)\\b',
      'A',
    ],
    ['(?<=(?:^|[,;.?!:] |\\b(?:is|are|would|on|check|swapping) )(?:my )?)A for stablecoin\\b', 'A'],
    ['\\bfrom (?:stablecoin|usd) into A\\b', 'A'],
    ['\\bA / stablecoin\\b', 'A'],
    ['\\bstablecoin A\\b', 'A'],
    ['\\btrust A with [DB]\\b', 'A'],
    ['\\bi have [DB]\\b', ''],
    [
      '\\b(?:verdict|price|check|deal|value|moment|time|much|good|bad|fair|safe|opportunity|wait|idea|depth|liquidity) (?:for|in) A\\b',
      'A',
    ],
    ['\\b(?:go|going) all in on A\\b', 'A'],
    ['\\bis A (?:for|on) sale\\b', 'A'],
    ['(?<=\\b(?:to|should i|can i|could i) )get A\\b', 'T'],
    ['\\b(?:for|of) (?:an? )?[DB](?: worth)? (?=[SP]\\b)', ''],
    ['\\b[DB](?: worth)? (?=[SP]\\b)', ''],
    [`\\b(?<=[SP] )(?:for|with|using) ${det}${money}\\b`, ''],
    ['\\b[DB] (?:fair|enough|ok|okay|good|too much) (?=(?:to|for) P\\b)', ''],
    // A past trade beside the question.
    ['\\bi (?:(?:just|already|have) )*(?:bought|sold)\\b(?=.*\\b[SP]\\b)', ''],
    ['(?<=\\b[SP]\\b.*)\\bi (?:(?:just|already|have) )*(?:bought|sold)\\b', ''],
    ['(?<=\\bP (?:(?:it|them|A) )?)back\\b', ''],
    ['\\b[SP] (?:it|them)\\b', ''],
    // About the verdict itself.
    ['\\bgive (?:me|us)\\b', ''],
    [
      `\\b(?:be )?get(?:ting)? ${judged} ?(?:good|fair|bad|decent|right|better|best)? ?(?:price|deal|rate|value)\\b`,
      '',
    ],
    ['\\b(?:(?:without|am i|be) )?(?:get(?:ting)? )?(?:ripped off|scammed|screwed|rekt|fleeced)\\b', ''],
    ['\\b(?:thoughts|opinion|take|view) on\\b', ''],
    ['\\bat (?:these|this|current) (?:levels?|prices?)\\b', ''],
    ['\\blet me know\\b|\\bmakes? sense\\b', ''],
    ['\\b(?:go or no ?go|no[ _]go|go ahead|go for it|is A a go|is it a go)\\b', ''],
    ['\\b(?:run )?(?:your|the) (?:guard )?(?:checks?|verdict|opinion|view|advice|judge?ment)\\b', ''],
    ['\\b(?:in|of) your (?:opinion|view)\\b', ''],
    ['\\bpass(?:es)?(?= (?:all )?(?:checks?|tests?)?)(?! (?:on|my|A))', ''],
    ['\\bcan the pool take\\b', ''],
    ['\\b(?:too )?(?:big|large|much) an? (?=[SP]\\b)', ''],
    ['\\bwithout (?:moving|pushing|much|high|too much) ?(?:the price|slippage|impact)?\\b', ''],
    ['\\b(?:has|have|is) (?:someone|somebody|anyone|anybody) (?=manipulat|push|tamper)', ''],
    ['\\bis the market (?=treat)', ''],
    ['\\b(?:wrong|fishy|weird|odd|strange|suspicious|shady|off|happening) with (?:the price of )?A\\b', ''],
    [
      '\\b(?:from|against|versus|vs|with|to|than|by) (?:the )?(?:chainlink|venus|oracles?|exchange|binance|references?|market|pool|peg)\\b',
      '',
    ],
    ['\\b(?:off|its|the|at|from) (?:the |its )?(?:dollar )?peg\\b|\\bdollar peg\\b', ''],
    ['\\bworth (?:a|one) dollar\\b', ''],
    ['\\b(?:far )?(?:off|away|out of line)(?= (?:from|peg|the reference|,|\\?|$))', ''],
    [
      '\\b(?:been|being|is it|price) pushed\\b|\\bdo i lose\\b|\\btreating me\\b|\\b(?:a|the|good|fair|bad) deal\\b|\\bexchange (?:price|rate)\\b',
      '',
    ],
    ['\\blook(?:ing)? at A\\b', 'A'],
    ['\\bright away\\b|\\bin (?:short|general|the pool|price|terms)\\b', ''],
    ['\\b(?:rate|judge|check|assess|evaluate) (?:this|my|the) trade\\b', ''],
    ['\\b(?:is|are) A (?:trading|trades)\\b|\\bA trades\\b', 'A'],
  ] as const
).map(([pattern, left]) => [new RegExp(pattern, 'g'), left] as const);

const aPrice =
  /(?:\b(?:at|above|below|over|under|near|than|worth|costs?|price of|is|are|would|(?<!my )A for|[SP] for|[SP] A for|[<>]) |^ ?)(?:(?:about|only|just|around|of|a|an) )*[DB]\b(?: (?:(?:per|each|apiece|for) A|each|apiece))?|\b[DB] (?:per A|each|apiece|price)\b/;

/** Money that is invested in an asset. */
const invested =
  /\b(?:put|invest|spend|ap|mov|shift|throw)(?:e|t?ing)? (?:(?:my|some|all) )*[DB] (?:in|into|on) (?:(?:my|the|some|more) )*@/g;

const investedInIt = /\b(?:put|invest|spend)(?:t?ing)? (?:(?:my|some|all) )*[DB] (?:in|into|on) (?:it|this)\b/g;

const harmless = new Set(
  words(`a an the this that these those it its i i'm i'd im id me my we us our you there here what which when where why how
    whose is are was were be been being am do does did have has will would shall should can could may might must ought not no
    nor and or but so if then than as of on at to for about one any each both either all every much many lot more less enough such only
    just really very quite pretty rather too also even still yet already again else actually honestly basically simply
    exactly roughly anything something because since before after during while until whether though however same own
    not_that bit little please pls plz kindly thanks thank thx cheers hello hi hey yo dear sir mate buddy guys dude bro ok okay k
    yes yeah yep sure well hmm um uh oh tell show say know see look explain describe help question answer wonder want wish
    like love need think thought consider plan idea opinion believe suppose mean advise advice recommend suggest suggestion
    curious quick quickly brief briefly short shortly summary value info information overview status u ur wanna gonna
    gotta due soon sense wise smart appear seem feel interested tempted planning immediately exact
    overpay overpaid thoughts opinion view honest legit solid sane crazy insane level levels premium discount maybe perhaps possibly probably
    somewhat decision autonomous position order clip size portfolio treasury fund funds savings money budget hurry second sec here entry
    slot touch rating altogether instead true false right wrong good bad great fine nice decent alright big small large
    huge tiny major hard easy now today current currently present presently moment atm rn instant time times day week
    month year hour minute late lately recent recently this next ever long often once first point far
    price pricing priced prised cost worth valued valuation rate market level fair fairly fairness fairer
    overprice overvalue underprice undervalue misprice misvalue mis de expensive cheap cheaper cheaply pricey steep safe safely
    unsafe safety reasonable reasonably sensible realistic justified verdict check test judge judgement judgment assess
    assessment evaluate fail guard no_go nogo ahead caution red green light flag manipulate manipulation tamper fishy
    suspicious shady weird odd strange normal abnormal trust trustworthy trusted reliable peg pegged depeg depegged impact slippage depth
    deep liquid liquidity agree agreement disagree consistent avoid risk risky danger dangerous wait ripoff scam stale
    fresh freshness outdated old differ difference different deviate deviation gap oracle chainlink venus
    pancakeswap dex pool chain onchain reference source spot twap high low higher highest lowest
    bargain opportunity hold smart size sized amount coin token asset crypto
    cryptocurrency unit whole single entire stack bag holdings total two overpaying`),
);
const contraction =
  /^(?:(?:is|are|was|do|does|did|has|have|had|ca|can|could|would|should|wo)n'?t|(?:i|we|it|that|what|there|how)'?(?:m|d|ll|ve|re|s))$/;

/**
 * Whether a verdict question may mean a side other than its trading words name.
 * @param question as in a Question; a unit price it names is not a size
 */
export function leavesSideOpen({
  words: asked,
  priceUsd,
}: {
  readonly words: string;
  readonly priceUsd?: string;
}): boolean {
  let text = markSides(
    asked
      .replace(/\b(\w+)(?: \1\b)+/g, '$1')
      .replace(investedInIt, 'P it')
      .replace(invested, 'P @'),
  )
    .replace(/-+>|=+>/g, ' → ')
    .replace(/[^\p{L}\p{N}_@'\s]/gu, ' $& ')
    .replace(/\s+/g, ' ')
    .replace(/(?:\b[NDB](?: worth)?(?: of)? (?:(?:my|our|the|some) )*)?@/g, 'A')
    .replace(/\bP (?:in|into|on) (?=(?:(?:my|the|some|more) )*A)/g, 'P ')
    .replace(/^((?:(?:verdict|check|judge|fair)(?: on)? )?A (?:: )?[SP]) [DB](?= ?\?? ?$)/, '$1')
    .replace(/\bS out of (?=(?:my )?A)/, 'S ')
    .replace(new RegExp(`\\b([SP]) (?:(?:up|now|today|back|on) )?${det}A`, 'g'), '$1 A');
  if (open.some((pattern) => pattern.test(text))) return true;
  for (const [pattern, left] of phrases) text = text.replace(pattern, left).replace(/\s+/g, ' ');
  if (priceUsd !== undefined) text = text.replace(aPrice, 'A ');
  if (unexplained.some((pattern) => pattern.test(text))) return true;
  const left = text.match(/[\p{L}\p{N}_']+|→/gu) ?? [];
  return left.some((word) => !/^[SPAT]$/.test(word) && !contraction.test(word) && !isWordOf(harmless, word));
}

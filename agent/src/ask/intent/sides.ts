import type { Side } from '@bowline/core/domain/facts';

// An item that is traded: "my 2 @", "$500 of the @".
const item = '(?:(?:on|of|my|our|the|some|all|an?) )*(?:[NDB] (?:(?:worth )?of )?(?:my |the )?)?@';
const out = '(?:get|go|mov|com|step|tak|pull|rotat|swapp?|trad|switch)(?:e|t?ing)? (?:everything |it all )?';
// A position that is held, which may be entered or left: "my short on @".
const held = '(?:an?|my|our|the|this|that|any)';

// Words that buy or sell. What happened ("I sold") and who trades ("buyers") is no side.
const sale = new RegExp(
  '\\bsell(?:ing)?\\b(?!-[a-z])|\\bsell off(?= (?:my|the|some|all|of|[NDB]|@))|(?<!\\b(?:on|for) )\\bsales?\\b|' +
    "(?<=@ (?:be bought (?:or|and) )?)be sold\\b|\\b(?:as|i am|i'm|im) an? seller\\b|(?<!\\bmy\\b.*)\\bfor (?:an? )?sellers?\\b(?! (?:of|for|who|from)\\b)|\\bdump(?:ing)?\\b|\\b(?:off|un)load(?:s|ed|ing)?\\b|" +
    `\\bget(?:ting)? rid of\\b|\\bcash(?:ing)? out(?: of)?\\b|\\bexit(?:s|ing)?\\b|\\b${out}out of\\b|` +
    `(?<!\\b${held} )\\b(?:go(?:ing)? )?short(?:ing)?(?= ${item})`,
  'g',
);
const purchase = new RegExp(
  '\\bbuy(?:ing)?\\b(?!-[a-z])|\\bpurchas(?:e|es|ed|ing)\\b|\\bacquir(?:e|es|ed|ing)\\b|' +
    "(?<=@ (?:S (?:or|and) )?)be bought\\b|\\b(?:as|i am|i'm|im) an? buyer\\b|(?<!\\bmy\\b.*)\\bfor (?:an? )?buyers?\\b(?! (?:of|for|who|from)\\b)|\\binvest(?:ing|ments?)?(?= (?:in|into) )|\\b(?:invest|spend|put)(?:t?ing)?(?= (?:(?:my|some|all) )*[DB] (?:in|into|on) )|" +
    `\\bap(?:e|ing)\\b|\\bgrab(?:s|bing)?\\b|\\bpick(?:ing)? up\\b|\\bent(?:er|ers|ering|ry|ries)\\b|\\b${out}(?:back )?into\\b|\\band (?:back )?into\\b|` +
    `(?<!\\b${held} )\\b(?:go(?:ing)? )?long(?:ing)?(?= ${item})`,
  'g',
);

/** What an asset itself does in the market: "what does @ sell for", "@ is dumping". */
const trades =
  /\b(?:is|are|do|does) @ (?:now |currently )?sell(?:ing)?\b|@ (?:is |are )?(?:now |currently )?sell(?:s|ing) (?:at|for)\b/g;
const falls = /@ (?:(?:is|are|was|keeps?|now|still|just) )*dump(?:s|ed|ing)?\b/g;

/** The text with S for each word that sells and P for each that purchases, beside the marks of quantities.ts. */
export const markSides = (text: string): string =>
  text
    .replace(trades, (match) => match.replace(/sell(?:s|ing)?/, 'trades'))
    .replace(falls, (match) => match.replace(/dump(?:s|ed|ing)?/, 'falls'))
    .replace(sale, 'S')
    .replace(purchase, 'P');

const paidOut =
  /\b(?:in)?to (?:usd|dollars|stable\w*|cash)\b|\bhow (?:many|much) (?:usd|dollars|stablecoin)\b|\bfor stablecoin\b/;
const paidWith = /\b(?:with|using|from) (?:usd|stablecoin)\b/;

/** The sides that a marked text names, by a word of trade or by what is paid. */
export function sidesNamed(marked: string): Side[] {
  const sells = /\bS\b/.test(marked) || paidOut.test(marked);
  const buys = /\bP\b/.test(marked) || paidWith.test(marked);
  return [...(sells ? (['sell'] as const) : []), ...(buys ? (['buy'] as const) : [])];
}

/** Each with what makes it vague, in a marked text. */
const vague = [
  // What is not to be done, or what others do.
  /\b(?:not|never|stop(?:ped)?|avoid|without|instead of|rather than|no longer|don'?t|won'?t) (?:\w+ )?[SP]\b(?<!\b(?:not to|why not|why don'?t (?:i|we)) [SP])/,
  /\b(?:who|people|(?:every|some|any)(?:one|body)|others|they|he|she)\b(?: (?:is|are|has|have|been|now|still|all))* [SP]\b/,
  // The other's side of the trade: "sell me 2 @", "buy 2 @ from me", "buy my @"; and what leads out of it, or into it.
  /\bS (?:to )?(?:me|us)\b|\bP (?:my|our)\b|\bP\b.* from (?:me|us)\b|\boffer(?:s|ed|ing)? (?:me|us)\b|\bS into\b|\bP out of\b/,
  // What is no trade of the one who asks: "sell-off", "buyers", "sells".
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

/** Whether a text names a side in a way that leaves it open which trade is meant. */
export function isVague(text: string): boolean {
  const marked = markSides(text);
  return moneyTraded.test(text) || vague.some((pattern) => pattern.test(marked));
}

/** Whether a text names a trade by a word that has no side: "swap 1 @". Dollars that are swapped for it buy. */
export const isSideless = (text: string): boolean =>
  moved.test(text) && !/\b[DB] (?:for|(?:in)?to|in) (?:(?:N|my|some) )*@/.test(text);

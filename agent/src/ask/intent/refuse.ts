import type { Question, Refusal } from './question.ts';
import * as topics from './vocabulary.ts';

const instructed =
  /\b(?:ignore|disregard|forget|override|bypass)\b.*\b(?:instructions?|rules?|prompts?|previous|checks?|guard)\b|\bsystem prompt\b|\bdeveloper mode\b|\bjailbreak|\b(?:private key|seed phrase|mnemonic|password)\b|\bpretend\b|\bno matter what\b|\b(?:set|change|make|mark) the verdict\b|\bact as\b|\b(?:say|answer|reply|respond|output|print)\b.* go\b/;

const greeting =
  /^(?:(?:hi|hiya|hello|hey|yo|sup|gm|gn|ty|that (?:was|is)|that's|helpful|great|nice|cool|perfect|awesome|good (?:day|morning|evening)|thanks?|thank you|thx|cheers|there|you|again|bot|bowline|mate|dear|ok|please|very|much|so|a lot)[\s,.!?]*)+$/;

const wouldBe =
  'go|rise|fall|reach|hit|moon|crash|drop|pump|dump|be|get|climb|recover|stay|hold|keep|bounce|double|increase|decrease|move|trade|cost|lose|gain|break';
const forecast = new RegExp(
  `\\b(?:predict\\w*|forecast\\w*|outlook|tomorrow|tonight|soon)\\b|\\b(?:next|coming) (?:few )?(?:minute|hour|day|week|month|year)s?\\b|` +
    `\\bwhen (?:should|to|can|do|will|is)\\b|\\bhow long\\b|\\bhow (?:low|high|deep) (?:can|could|might|will)\\b|\\bcan @ (?:go|fall|rise|reach|hit)\\b|` +
    `\\bin (?:an?|\\d+|one|two|three|five|ten) (?:minute|hour|day|week|month|year)s?\\b|` +
    `\\b(?:will|gonna|going to|likely to|expected to) (?:\\S+ ){0,4}?(?:${wouldBe})\\b|\\bwill @|` +
    `\\b(?:if|when|once|unless|until|after|in case|suppose|assuming)\\b[^,.;?]*\\b(?:drops?|falls?|rises?|crash\\w*|goes|reach\\w*|hits?|doubles?|gets? to|dips?)\\b`,
);

const how =
  /\bhow (?:do|can|could|to|would) (?:(?:i|we|one|you) )?(?:buy|sell|purchase|swap|trade|create|make|set|cancel|pause|resume|register|protect|guard|borrow|repay|lend|stake|invest|start|stop|open|close)\b|\bwhere (?:do|can|could|should|to)\b.*\b(?:buy|sell|swap|trade|get|purchase)\b/;

const order =
  /^(?:please |kindly |now |just |go |can you |could you |i want you to |i need you to )*(?:transfer|send|withdraw|deposit|approve|revoke|cancel|create|set up|pause|resume|open|close|execute|set|place|add|remove|stop|start|alert|notify|remind|watch|move|borrow|repay|lend|stake|mint|bridge|sign|rescue (?:my|the|this|that|it|0x))\b/;
const trade =
  /^(?:please |kindly |now |just |go |can you |could you |i want you to )*(?:buy|sell|purchase|swap \S+ @)\b/;

const why = /\bwhy\b|\bhow come\b|\bbecause of what\b|\bwhat (?:made|makes|caused|drove)\b/;
// The verdict itself contains its reasons.
const whyVerdict =
  /\bverdict\b|\bno[ _]?go\b|\bcaution\b|\bwhy (?:is|isnt|isn't|was) (?:it |@ )?(?:not )?(?:go|safe|fair)\b/;

const comparison =
  /\bcompar(?:e|ed|ing|ison)\b|\bvs\.?\b|\bversus\b|\bcorrelat\w*|\b(?:better|cheaper|safer|riskier)\b.* (?:than|on|or)\b/;
const comparisonOfTwo = /\b(?:better|cheaper|higher|lower)\b|\b(?:more|less)\b.* than\b/;
/** "BTCB, not ETH" */
const unwanted = /(?:\b(?:but|and)|,) not\b|\bnot (?:interested|about|for|on|in|the)\b|\binstead\b|\brather than\b/;
/** One asset priced or paid in another. */
const pair =
  /@ ?\/ ?@|\bhow (?:much|many) @ (?:is|are|for|in|per) (?:[ND] )?@|@ (?:for|(?:in)?to|against|with|using|→|->|=>) ?(?:(?:N|my|the|some|more) )*@/;

/** Why a question is out of scope, whatever else it contains. */
export function refuse(question: Question, prompt: string): Refusal | undefined {
  const { all, words, assets } = question;
  if (instructed.test(all)) return 'not_instructed';
  if (greeting.test(all)) return 'greeting';
  if (asksForFuture(question)) return 'no_forecast';
  if (how.test(words) || order.test(words)) return 'only_reads';
  if (trade.test(words) && (!prompt.includes('?') || /\bfor me\b/.test(words))) return 'only_reads';
  return assets.length > 0 ? refuseOfAssets(question) : undefined;
}

function asksForFuture({ all, words, assets, address, plan, guard }: Question): boolean {
  if (plan !== undefined || /\bplans?\b/.test(words) || /\bwill (?:i|we) (?:get|have)\b/.test(words)) return false;
  // Negated text, "don't forecast", asks nothing; some words of time are already removed from `words`.
  if (!forecast.test(words.includes('not_that') ? words : all)) return false;
  const named = assets.length > 0 || guard !== undefined || address !== undefined;
  return named || /\b(?:it|they|prices?|market|loan)\b/.test(words);
}

function refuseOfAssets({ words, assets, side, span }: Question): Refusal | undefined {
  if (why.test(words) && !whyVerdict.test(words)) return 'no_causes';
  const several = assets.length > 1;
  if (comparison.test(words) && (several || span === undefined)) return 'no_comparison';
  if (several && comparisonOfTwo.test(words)) return 'no_comparison';
  if (several && pair.test(words)) return 'no_pairs';
  if (several && unwanted.test(words)) return 'too_much_at_once';
  if (/\ball[ -]?time\b|\bever\b|\ball (?:the )?history\b/.test(words)) return 'no_long_history';
  // A past trade has no side of its own: "I bought @, should I sell?" asks about a sale.
  const traded = side === undefined && /(?<!\bbe(?:ing)? )\b(?:bought|sold)\b/.test(words);
  const past = traded || /\b(?:was|were|had|did)\b/.test(words) || span !== undefined;
  return past && topics.verdict.test(words) && !topics.history.test(words) ? 'only_now' : undefined;
}

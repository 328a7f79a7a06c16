import type { Asset } from '@bowline/core/domain/assets';
import { isKnown, isMisspelt, knownWords, words } from './vocabulary.ts';

// Rewrites of one form of words into another of the same meaning, before a question is read. None names a side, an
// asset or a number.
const rewrites: readonly (readonly [RegExp, string])[] = [
  // Abbreviations and common misspellings that are near several words.
  [/\bpx\b/gi, 'price'],
  [/\bch(?:n)?g\b/gi, 'change'],
  [/\bhi(?:gh)?\s*[/&-]?\s*lo(?:w)?\b(?! ?@)/gi, 'high and low'],
  [/\bhf\b/gi, 'health'],
  [/\bwen\b/gi, 'when'],
  [/\bwich\b/gi, 'which'],
  [/\bmutch\b/gi, 'much'],
  [/\bprise\b/gi, 'price'],
  [/\b(?:shud|shld)\b/gi, 'should'],
  [/\bwut\b|\bwat\b/gi, 'what'],
  [/\bb4\b/gi, 'before'],
  [/\bw\/o\b/gi, 'without'],
  [/\bw\/(?=\s|\$|\d)/gi, 'with'],
  [/\bcuz\b/gi, 'because'],
  [/\b(?:double|sanity|quick)[- ]check\b/gi, 'check'],
  [/\bgo\s*(?:\/|or|-)\s*no[ _-]?go\b/gi, 'verdict'],
  [/\byolo(?:ing)?(?= [$\d])/gi, 'put'],
  [/\bdo you (?:reckon|figure|suppose|guess)\b/gi, 'do you think'],
  [
    /\bi(?:'m| am) (?:(?:really|a bit|very|so) )?(?:worried|afraid|scared|nervous|anxious) (?:about|for|of)\b/gi,
    'how safe is',
  ],
  [/\bpln(?= ?#?\d)/gi, 'plan'],
  [
    /\b(?:am|will|would|do) i (?:gonna |going to )?(?:get|be|getting|being) (?:rekt|ripped off|scammed|screwed|fleeced)\b/gi,
    'is it fair',
  ],
  [/\breturn (?=(?:the |a |your )?(?:verdict|price|quote)\b)/gi, 'give me '],
  // Words that add nothing.
  [/\b(?:as|in) (?:valid |plain )?json\b/gi, ' '],
  [/[,\s]+(?:y\/n|yes\/no|yes or no|yay or nay|yea or nay|or (?:not|nah|no))\s*(?=[?.!]*\s*$)/gi, '?'],
  [/\b(?:af|tbh|imo|imho|btw|ngl|lol|lmao|haha|ser|fam|bruh|anon|kinda|sorta|lfg|fwiw)\b(?!\s*=)/gi, ' '],
  [
    /^(?:\s*(?:gm|gn|hey|hi|hello|yo|good (?:morning|afternoon|evening|day))\b(?: (?:there|all|everyone|guys|mate|bot|bowline|again))?\s*[,.!:)]*)+(?=\s*\S)/i,
    ' ',
  ],
  [/(?<![\w])[:;]-?[)D(P](?!\w)/g, ' '],
  // What people say about themselves before they ask.
  [
    /^\s*(?:i am|i'm|im) (?:(?:a|an|very|totally|quite|completely|still|pretty) )*(?:new|newbie|beginner|noob|just starting(?: out)?|learning)(?: (?:to|at|in|with) (?:all )?(?:this|it|crypto|defi|trading))?(?: here)?\s*[.,!;:]\s*/i,
    '',
  ],
  [
    /^\s*as an? (?:(?:autonomous|ai|llm|trading|new|retail|long[- ]term) )*(?:agent|bot|trader|investor|user|beginner|newcomer)\s*,?\s*/i,
    '',
  ],
  [
    /^\s*(?:my|a) (?:brother|sister|friend|mate|dad|mum|mom|boss|uncle|cousin|colleague|wife|husband|partner) (?:(?:told|advised|wants|asked) me to|(?:says|said|thinks) (?:that )?i should|(?:suggested|suggests|recommends) (?:that )?i(?: should)?)\s+/i,
    'i want to ',
  ],
  [/\b(?:verdict|go) decision\b/gi, 'verdict'],
];

/** Words whose misspellings are corrected: they name a topic, and no side, number or asset. */
const keyWords = new Set(
  words(`price prices priced pricing worth value fair fairly overpriced underpriced overvalued undervalued expensive cheap
    verdict check should would could which what when where much many good time moment today right current currently plan
    plans outlook status record records guard guards rescue preview health loan loans debt liquidated liquidation collateral
    assets tokens coins history chart address quote next runs support supported covered protect happened bought deferred
    binance skipped executed active yesterday week hours please tell show about does reasonable safe`),
);

/** Ordinary words one letter away from a key word. */
const ordinary = new Set(
  words(`rice prize pride prime bride wealth stealth heath hair pair lair chair faire fail plain plane plant plank loon lean
    chick cheek cheque cheat cheep chat charm shirt cords addressed wort world hearth heals histories shouldn wouldn couldn
    gourd quota guide guild rescuer actively weeks weak hour moments timed valued valve quotes recorder assess assent
    token coin corns runes rung ruin bonus safer safes shoe shown`),
);

export interface Plain {
  readonly text: string;
  /** Corrections, to be stated in the answer. */
  readonly readings: readonly string[];
}

/**
 * The prompt in plain words: abbreviations written out, small talk before the question left out, a misspelt key word
 * corrected. A word is corrected only if one known word is one letter away, and the question does not have it already: a
 * second "price" is more likely the name of something.
 */
export function plainWords(prompt: string, assets: readonly Asset[]): Plain {
  let text = prompt;
  for (const [pattern, plain] of rewrites) text = text.replace(pattern, plain);
  const present = new Set(text.toLowerCase().match(/[a-z']+/g) ?? []);
  const names = new Set(assets.flatMap(({ symbol, aliases }) => [symbol.toLowerCase(), ...aliases]));
  const readings: string[] = [];
  text = text.replace(/(?<![\p{L}\d_$'.])[a-z]{4,}(?![\p{L}\d_'])/giu, (written) => {
    const word = written.toLowerCase();
    if (isKnown(word) || names.has(word) || ordinary.has(word)) return written;
    const near = [...new Set([...knownWords, ...keyWords, ...sides, ...names])].filter((candidate) =>
      isMisspelt(word, candidate),
    );
    const [key, ...others] = near;
    if (key === undefined || others.length > 0 || !keyWords.has(key) || present.has(key)) return written;
    readings.push(`"${written}" was read as "${key}"`);
    return key;
  });
  return { text, readings };
}

/** So that no word near one of these is corrected to anything else. */
const sides = words('buy sell purchase buying selling swap short long dump grab invest');

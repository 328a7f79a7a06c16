import type { Asset } from '@bowline/core/domain/assets';
import type { Intent, Language } from '../question.ts';
import { namesOfWords } from '../texts.ts';
import { rewritten } from './english.ts';
import { type Before, beforeOf, completed, following } from './follow.ts';
import { readMeant } from './meant.ts';
import { readQuestion } from './read-question.ts';
import { readStructured } from './structured.ts';

const asksMeaning =
  /\b(?:wh?at|wtf|whats|how (?:do|does|is)|explain(?:ed)?|define|definition|mean(?:s|ing|t)?|understand)\b|什么|解释|啥|意思|何为|代表|怎么算|怎么计算|含义/;
/** What a question may have around the word that it asks about. */
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

/** Questions that stand by themselves: of a list, or each with its own verb. */
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

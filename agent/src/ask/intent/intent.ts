import type { Asset } from '@bowline/core/domain/assets';
import { readChinese } from '../languages/read-chinese.ts';
import { askAssets, checkOf } from './ask-assets.ts';
import { askLoans, askPlans } from './ask-permissions.ts';
import { askWhatIf } from './ask-what-if.ts';
import { plainWords } from './plain.ts';
import type { Intent, ToolCall } from './question.ts';
import { type Question, readQuestion } from './question.ts';
import { refuse } from './refuse.ts';
import { readStructured } from './structured.ts';

/**
 * Maps a question to tool calls, to what it lacks, or to a refusal. Rules only: no state, no randomness. A question with
 * a word or number that is not understood is refused rather than answered without it.
 */
export function readIntent(prompt: string, assets: readonly Asset[]): Intent {
  const structured = readStructured(prompt, assets);
  if (structured === 'unreadable') return { refusal: 'not_understood' };
  if (structured !== undefined && 'calls' in structured) return structured;
  const asked = structured?.words ?? prompt;
  const { text, readings } = plainWords(asked, assets);
  const english = readEnglish(text, assets);
  if (!('calls' in english)) return readChinese(asked, assets) ?? english;
  return readings.length === 0 ? english : { ...english, readings: [...readings, ...(english.readings ?? [])] };
}

function readEnglish(prompt: string, assets: readonly Asset[]): Intent {
  const whole = readOne(prompt, assets);
  const items = 'calls' in whole ? [] : itemsOf(prompt);
  const parts = items.length > 1 ? items : partsOf(prompt);
  if (parts.length < 2 || parts.length > MAX_PARTS) return whole;
  const read = parts.map((part) => readOne(part, assets));
  const calls = read.map((intent, index) =>
    'calls' in intent && isWhole(parts[index] ?? '', assets) ? intent : undefined,
  );
  // Independent questions. "I want to sell 2 ETH. Good idea?" is one question.
  if (calls.includes(undefined)) {
    if (items.length < 2) return whole;
    return { refusal: 'too_much_at_once', instead: read.flatMap((intent) => ('calls' in intent ? intent.calls : [])) };
  }
  const checks = calls.flatMap((intent) => intent?.calls ?? []).filter(({ tool }) => tool === 'check_asset');
  const sides = new Set(checks.map(({ input }) => input.side));
  // "Should I sell 2 ETH, and is BTCB fair?" does not name the side of the second verdict.
  if (sides.has('sell') && sides.has(undefined)) return whole;
  const readings = calls.flatMap((intent) => intent?.readings ?? []);
  const unique = new Map(calls.flatMap((intent) => intent?.calls ?? []).map((call) => [JSON.stringify(call), call]));
  return { calls: [...unique.values()], ...(readings.length > 0 && { readings }) };
}

const MAX_PARTS = 4;
const verbs = 'what|is|are|how|should|would|show|tell|which|when|did|does|do|can|give|runs? of';

const marker = /(?:^|(?<=\s))(?:\(?(\d{1,2})[.)]|[-*•]|(?:first|second|third|fourth)(?:ly)?\s*[:,])\s+/gi;

/** The items of a list: "1. … 2. …", a line each, "first: … second: …". Empty if it is none. */
function itemsOf(prompt: string): string[] {
  const text = prompt.trim();
  const marks = [...text.matchAll(marker)];
  const counted = marks.every(([, number], index) => number === undefined || Number(number) === index + 1);
  if (marks[0]?.index !== 0 || !counted) return text.split(/\n+/).filter((line) => line.trim() !== '');
  return marks.map(({ index, 0: mark }, at) => text.slice(index + mark.length, marks[at + 1]?.index).trim());
}

const partsOf = (prompt: string): string[] =>
  prompt
    .split(
      new RegExp(
        `(?<=[?!.;])\\s+|\\s+(?:and|also|plus)\\s+(?=(?:${verbs})\\b)|,\\s*(?:and\\s+)?(?=(?:${verbs})\\b)`,
        'i',
      ),
    )
    .filter((part) => part.trim() !== '');

const statement =
  /^(?:(?:and|or|also|so|then|but|well) )?(?:if|once|after|before|while|since|because|as|until|unless|al?though|given|having|being|with|no|nope|not|sorry|wait|actually|rather|instead)\b/;
const asks = new RegExp(
  '^(?:(?:and|or|also|so|then|but|well|ok|okay|please|now|just|not_that)[, ]+)*' +
    `(?:${verbs}|could|will|may|has|have|was|were|check|judge|quote|say|price|verdict|fair|good|buy|sell|purchase|i (?:want|need|plan|would))\\b`,
);

/**
 * Whether a part is a question by itself. A part that only names an asset repeats the previous question: "And ETH?"; a
 * statement asks nothing: "if I sell my ETH", "BTCB is falling".
 */
function isWhole(part: string, assets: readonly Asset[]): boolean {
  const { words } = readQuestion(part, assets);
  if (!/[a-z]/.test(words.replace(/\b(?:and|what|about|how|also|or|the|same|for|please)\b|not_that/g, '')))
    return false;
  if (statement.test(words)) return false;
  return asks.test(words) || /^@ (?:price|fair|verdict)\b/.test(words) || part.trim().endsWith('?');
}

function readOne(prompt: string, assets: readonly Asset[]): Intent {
  const question = readQuestion(prompt, assets);
  const supposed = askWhatIf(prompt, question);
  if (supposed) return 'missing' in supposed ? { ...supposed, question } : supposed;
  const refused = refuse(question, prompt);
  if (refused) return { refusal: refused, question, instead: instead(question) };
  const intent = understand(question);
  if ('missing' in intent) return { ...intent, question };
  const named = question.assets.length > 0;
  if (question.unclear && named) return { refusal: 'unclear', question };
  if (question.unclear && 'calls' in intent) return { refusal: 'too_much_at_once', question, instead: intent.calls };
  const strange = question.unknown.length > 0 && question.clauses.kind === 'unclear';
  if (strange) return { refusal: 'unknown_words', question, instead: instead(question) };
  // If the question contains nothing we cover, the fault is not a single word.
  if ('refusal' in intent) return { ...intent, question, instead: instead(question) };
  if (question.unknown.length > 0) return { refusal: 'unknown_words', question, instead: intent.calls };
  return question.readings.length > 0 ? { ...intent, readings: question.readings } : intent;
}

const understand = (question: Question): Intent =>
  askLoans(question) ?? askPlans(question) ?? askAssets(question) ?? { refusal: 'not_understood' };

/** Similar questions that can be answered. */
function instead(question: Question): readonly ToolCall[] {
  const asset = question.assets[0];
  if (question.guard !== undefined) return [{ tool: 'preview_rescue', input: { guard: question.guard } }];
  if (question.plan !== undefined) return [{ tool: 'list_runs', input: { plan: question.plan } }];
  if (question.address !== undefined && asset === undefined) {
    return [{ tool: 'loan_health', input: { borrower: question.address } }];
  }
  if (asset === undefined) return [];
  if (question.clauses.kind !== 'alike') return question.clauses.legs.map(checkOf);
  const size = question.sizes.length === 1 ? question.sizes[0]?.amount : undefined;
  const side = question.side && { side: question.side };
  return [{ tool: 'check_asset', input: { asset: asset.symbol, ...side, ...size } }];
}

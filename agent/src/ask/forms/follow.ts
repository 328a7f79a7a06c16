import type { Intent, Question, ToolCall } from '../question.ts';
import { terms } from './forms.ts';

/** What is remembered of the question before: what was called, and what was asked back. */
export interface Before {
  readonly calls: readonly ToolCall[];
  /** A call that only lacked what was asked for. */
  readonly lacking?: ToolCall;
  readonly offered: readonly ToolCall[];
}

const MAX_KEPT = 4;

const unique = (calls: readonly ToolCall[]): ToolCall[] =>
  [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()].slice(0, MAX_KEPT);

export function beforeOf(intent: Intent, last: Before = { calls: [], offered: [] }): Before {
  if ('calls' in intent) return { calls: unique(intent.calls), offered: [] };
  if (!('back' in intent)) return last;
  return { calls: last.calls, offered: unique(intent.offered), ...(intent.lacking && { lacking: intent.lacking }) };
}

const lead =
  /^(?:(?:and|or|but|ok|okay|so|then|now|also|what about|how about|for|with|make it|i mean|sorry|instead|rather|only|the|it is|it's|that is|please|in|of|plan|guard|number|my|address|is|a|an|那|和|如果是|换成|改成|还有|呢)[\s,.:!]*)+/;
const places = ['first', 'second', 'third', 'fourth'];
const ofAsset = ['check_asset', 'get_price', 'get_history', 'quote_swap'];
const ofAddress: Readonly<Record<string, string>> = {
  loan_health: 'borrower',
  what_if: 'borrower',
  list_plans: 'owner',
};

const filled = (call: ToolCall, rest: ToolCall['input']): ToolCall => ({ ...call, input: { ...call.input, ...rest } });

/** A short text as the rest of the question before: "WBNB", "buy", "and for 5,000?", "2", "the first". Undefined if it is none. */
export function following(prompt: string, before: Before, read: (text: string) => Question): Intent | undefined {
  const text = prompt
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replace(/[?？!.。]+$/, '');
  const short = text.replace(lead, '').trim();
  const call = placed(short, before) ?? numbered(short, before) ?? completedBy(short, before, read);
  return call && { language: read(text).language, calls: [call], readings: [] };
}

const placed = (short: string, { offered }: Before): ToolCall | undefined =>
  offered[places.findIndex((word) => new RegExp(`^${word}(?: one)?$`).test(short))];

function numbered(short: string, { lacking }: Before): ToolCall | undefined {
  const number = /^#?\s*(\d{1,18})$/.exec(short)?.[1];
  if (lacking === undefined || number === undefined) return undefined;
  if (lacking.tool === 'preview_rescue') return filled(lacking, { guard: number });
  if (lacking.details?.plan !== undefined) return terms(number);
  return ['plan_outlook', 'list_runs'].includes(lacking.tool) ? filled(lacking, { plan: number }) : undefined;
}

function completedBy(
  short: string,
  { calls, lacking, offered }: Before,
  read: (text: string) => Question,
): ToolCall | undefined {
  const question = read(short);
  const { unknown, topics, plans, guards, span, moved, addresses, left } = question;
  const isMoney = /^(?:us )?(?:dollars?|usd|\$|美元)$/.test(short);
  const isOther =
    (isMoney ? 0 : unknown.length) + plans.length + guards.length > 0 || span !== undefined || moved !== undefined;
  if (isOther || [...topics].some((topic) => topic !== 'fair') || /\b(?:me|us|you|it|that)\b/.test(short))
    return undefined;
  const base = lacking ?? (calls.length === 1 ? calls[0] : undefined);
  const by = base && ofAddress[base.tool];
  if (addresses.length === 1 && left.trim() === 'X')
    return base && by !== undefined ? filled(base, { [by]: addresses[0] }) : undefined;
  const given = isMoney ? {} : partsOf(question, short);
  if (lacking === undefined && offered.length > 0) return chosen(given, isMoney, offered);
  if (given === undefined || Object.keys(given).length === 0 || base === undefined || !ofAsset.includes(base.tool))
    return undefined;
  const isSized = 'amount_usd' in given || 'amount_asset' in given;
  if (['get_price', 'get_history'].includes(base.tool) && (isSized || 'side' in given)) return undefined;
  const { amount_usd: _usd, amount_asset: _units, ...unsized } = base.input;
  const { details, ...rest } = base;
  return { ...rest, ...(details && !isSized && { details }), input: { ...(isSized ? unsized : base.input), ...given } };
}

/** The one that was offered and has all that is given; of two units of a number, the one that is named. */
function chosen(
  given: ToolCall['input'] | undefined,
  isMoney: boolean,
  offered: readonly ToolCall[],
): ToolCall | undefined {
  if (given === undefined) return undefined;
  const matching = offered.filter(({ input }) => Object.entries(given).every(([name, value]) => input[name] === value));
  const sized = matching.filter(({ input }) => (isMoney ? 'amount_usd' : 'amount_asset') in input);
  const [one, ...more] = isMoney || matching.length > 1 ? sized : matching;
  return more.length === 0 && (isMoney || Object.keys(given).length > 0) ? one : undefined;
}

/** An asset, a side, a size; undefined where more is said, or a number may be of two units. */
function partsOf(
  { left, items, trades, amounts, unclear }: Question,
  short: string,
): Readonly<Record<string, string>> | undefined {
  const [trade, ...moreTrades] = trades;
  const [item, ...moreItems] = trade?.assets ?? items;
  const isUnclear = unclear !== undefined || /^\d{1,2}(?:\.\d+)?$/.test(short);
  if (isUnclear || moreTrades.length + moreItems.length > 0 || amounts.length > 1) return undefined;
  const side = trade?.side ?? (/^ *S *$/.test(left) ? 'sell' : /^ *P *$/.test(left) ? 'buy' : undefined);
  if (/[SP]/.test(left) && side === undefined) return undefined;
  return {
    ...(item && { asset: item.asset.symbol }),
    ...(side && { side }),
    ...(item?.size ?? trade?.size ?? amounts[0]),
  };
}

/** Completes a call that lacks what the question before named: "why did it wait?" after a question about plan 3. */
export function completed(intent: Intent, { calls }: Before): Intent {
  if (!('back' in intent) || intent.lacking === undefined || intent.lacking.details?.plan !== undefined) return intent;
  const { lacking, back, language } = intent;
  const last = (...names: string[]): unknown =>
    calls.flatMap(({ input }) => names.map((name) => input[name])).find((value) => value !== undefined);
  const name = back === 'address' ? ofAddress[lacking.tool] : back;
  const value =
    back === 'address' ? last('borrower', 'owner') : ['asset', 'plan', 'guard'].includes(back) ? last(back) : undefined;
  if (name === undefined || value === undefined) return intent;
  return { language, calls: [filled(lacking, { [name]: value })], readings: [] };
}

import type { Intent, Question, ToolCall } from '../question.ts';
import { largestOf, terms } from './forms.ts';

/** What is remembered of the previous question: its calls, and what was asked back. */
export interface Before {
  readonly calls: readonly ToolCall[];
  /** A call that lacked only what we asked back for. */
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
  /^(?:(?:and|or|but|ok|okay|so|then|now|also|what about|how about|what is|for|with|make it|i mean|sorry|instead|rather|only|the|it is|it's|that is|please|in|of|plan|guard|number|my|address|is|a|an|那|和|如果是|换成|改成|还有|呢)[\s,.:!]*)+/;
const places = ['first', 'second', 'third', 'fourth'];
const addressOf: Readonly<Record<string, string>> = {
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
  const placed = before.offered[places.findIndex((word) => new RegExp(`^${word}(?: one)?$`).test(short))];
  const one = placed ?? numbered(short, before);
  const calls = one ? [one] : completedBy(short, before, read(short));
  return calls?.length ? { language: read(text).language, calls, readings: [] } : undefined;
}

function numbered(short: string, { lacking }: Before): ToolCall | undefined {
  const number = /^#?\s*(\d{1,18})$/.exec(short)?.[1];
  if (lacking === undefined || number === undefined) return undefined;
  if (lacking.tool === 'preview_rescue') return filled(lacking, { guard: number });
  if (lacking.details?.plan !== undefined) return terms(number);
  return ['plan_outlook', 'list_runs'].includes(lacking.tool) ? filled(lacking, { plan: number }) : undefined;
}

/** The earlier calls with their asset, side, size or address replaced; or the offered call that has it. */
function completedBy(short: string, { calls, lacking, offered }: Before, question: Question): ToolCall[] | undefined {
  const { unknown, topics, plans, guards, span, moved, named, addresses, left } = question;
  const isMoney = /^(?:us )?(?:dollars?|usd|\$|美元)$/.test(short);
  const isOther = plans.length + guards.length > 0 || span || moved || named || (!isMoney && unknown.length > 0);
  if (isOther || /\b(?:me|us|you|it|that)\b/.test(short)) return undefined;
  const bases = lacking ? [lacking] : calls;
  const isLargest = topics.has('largest');
  if ([...topics].some((topic) => topic !== 'fair' && topic !== 'largest')) return undefined;
  if (addresses.length === 1 && left.trim() === 'X')
    return bases.flatMap((base) => {
      const by = addressOf[base.tool];
      return by === undefined ? [] : [filled(base, { [by]: addresses[0] })];
    });
  const given = isMoney ? {} : partsOf(question, short);
  if (given === undefined) return undefined;
  if (lacking === undefined && offered.length > 0) return chosen(given, isMoney, offered);
  if (Object.keys(given).length === 0 && !isLargest) return undefined;
  const isTrade = isLargest || 'side' in given || 'amount_usd' in given || 'amount_asset' in given;
  const fitting = bases.filter(
    ({ tool }) =>
      ['check_asset', 'quote_swap'].includes(tool) || (!isTrade && ['get_price', 'get_history'].includes(tool)),
  );
  return fitting.length < bases.length ? undefined : unique(fitting.map((base) => replaced(base, given, isLargest)));
}

function replaced(base: ToolCall, given: Readonly<Record<string, string>>, isLargest: boolean): ToolCall {
  const { amount_usd: _usd, amount_asset: _units, ...unsized } = base.input;
  const isSized = 'amount_usd' in given || 'amount_asset' in given;
  const input = { ...(isSized ? unsized : base.input), ...given };
  if (isLargest) return largestOf(String(input.asset), input.side as 'buy' | 'sell' | undefined);
  return { tool: base.tool, input, ...(base.details && !isSized && { details: base.details }) };
}

/** The only offered call with all given values. If a number fits two units, the named unit decides. */
function chosen(given: ToolCall['input'], isMoney: boolean, offered: readonly ToolCall[]): ToolCall[] {
  const matching = offered.filter(({ input }) => Object.entries(given).every(([name, value]) => input[name] === value));
  const sized = matching.filter(({ input }) => (isMoney ? 'amount_usd' : 'amount_asset') in input);
  const found = isMoney || matching.length > 1 ? sized : matching;
  return found.length === 1 && (isMoney || Object.keys(given).length > 0) ? found : [];
}

/** An asset, a side, a size; undefined if the text says more, or a number fits two units. */
function partsOf(question: Question, short: string): Readonly<Record<string, string>> | undefined {
  const { left, items, trades, amounts, unclear } = question;
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

/** Completes a call that lacks what the previous question named: "why did it wait?" after a question about plan 3. */
export function completed(intent: Intent, { calls }: Before): Intent {
  if (!('back' in intent) || intent.lacking === undefined || intent.lacking.details?.plan !== undefined) return intent;
  const { lacking, back, language } = intent;
  const name = back === 'address' ? addressOf[lacking.tool] : ['asset', 'plan', 'guard'].find((each) => each === back);
  const names = back === 'address' ? ['borrower', 'owner'] : [back];
  const value = calls.flatMap(({ input }) => names.flatMap((each) => input[each] ?? []))[0];
  if (name === undefined || value === undefined) return intent;
  return { language, calls: [filled(lacking, { [name]: value })], readings: [] };
}

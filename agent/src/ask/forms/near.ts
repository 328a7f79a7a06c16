import type { Item, Question, ToolCall, Trade } from '../question.ts';
import type { Topic } from './english.ts';
import type { Asked } from './forms.ts';
import { checkOf, isOfPast, largestOf, outlook, runs, terms } from './forms.ts';

/** What the marks and the words that are understood may ask, the likeliest first: offered, never called. */
export function nearOf(question: Question): Required<Pick<Asked, 'offered' | 'fixedOffered'>> {
  const { topics, hinted, plans, guards } = question;
  const isNamed = (topic: string) => topics.has(topic as Topic);
  const fixedOffered = [...hinted.filter(isNamed), ...hinted.filter((topic) => !isNamed(topic))];
  const isPlans = plans.length === 0 && ['plan', 'plans', 'mine', 'next'].some(isNamed);
  const offered = [
    ...plans.slice(0, 2).flatMap((plan) => ofPlan(plan, question)),
    ...guards.slice(0, 2).map((guard) => ({ tool: 'preview_rescue', input: { guard } })),
    ...ofBorrower(question),
    ...(isPlans ? [{ tool: 'list_plans', input: {} }] : []),
    ...ofAssets(question),
  ];
  return { offered, fixedOffered };
}

function ofPlan(plan: string, { topics }: Question): ToolCall[] {
  const both = isOfPast(topics) ? [runs(plan), outlook(plan)] : [outlook(plan), runs(plan)];
  return [...(topics.has('total') ? [runs(plan, 100)] : []), ...both, terms(plan)];
}

function ofBorrower({ addresses: [borrower], topics, target, moved }: Question): ToolCall[] {
  if (borrower === undefined) return [];
  const health = { tool: 'loan_health', input: { borrower } };
  const lacks = { tool: 'what_if', input: { borrower, ...(target && { target_health: target }) } };
  const plans = { tool: 'list_plans', input: { owner: borrower } };
  const asset = moved?.asset && { asset: moved.asset.symbol };
  const supposed = moved ? [{ tool: 'what_if', input: { borrower, ...asset, change_percent: moved.change } }] : [];
  const isOfPlans = (['plan', 'plans', 'mine', 'next', 'total', 'why'] as const).some((topic) => topics.has(topic));
  const loan = topics.has('lacks') || target ? [lacks, health] : [health, lacks];
  return isOfPlans ? [plans, ...supposed, ...loan] : [...supposed, ...loan, plans];
}

function ofAssets({ trades, items, amounts, topics, span }: Question): ToolCall[] {
  const [given, ...more] = amounts;
  const size = more.length === 0 ? given : undefined;
  const all: readonly Trade[] = [...trades, ...items.map((item) => ({ assets: [item] }))];
  const calls = ({ asset, ...own }: Item, { side, size: shared }: Trade): ToolCall[] => {
    const of = own.size ?? shared ?? size;
    const sized = { asset, ...(of && { size: of }) };
    const sides = side === undefined && of !== undefined ? (['buy', 'sell'] as const) : [side];
    const checks = sides.map((each) => checkOf(sized, each));
    const { symbol } = asset;
    const price = { tool: 'get_price', input: { asset: symbol } };
    const candles = span && { interval: span.interval, count: span.count };
    const quoted = { asset: symbol, side: side ?? (of && 'amount_asset' in of ? 'sell' : 'buy'), ...of };
    return [
      ...(of && (topics.has('quote') || topics.has('quoted')) ? [{ tool: 'quote_swap', input: quoted }] : []),
      ...(!of && (topics.has('largest') || topics.has('amount')) ? sides.map((each) => largestOf(symbol, each)) : []),
      ...(topics.has('moved') || span ? [{ tool: 'get_history', input: { asset: symbol, ...candles } }] : []),
      ...(topics.has('price') && !topics.has('fair') ? [price, ...checks] : [...checks, price]),
    ];
  };
  return all.slice(0, 3).flatMap((trade) => trade.assets.slice(0, 2).flatMap((item) => calls(item, trade)));
}

import { isTraded } from '@bowline/core/domain/assets';
import type { Back, FixedTopic, Intent, Item, Question, Size, ToolCall, Trade } from '../question.ts';
import type { Topic } from './english.ts';

type Answered = { readonly calls: readonly ToolCall[] } | { readonly fixed: FixedTopic };
export type Asked = Omit<Extract<Intent, { back: unknown }>, 'language'>;
export type Read = Answered | Asked;

/** One kind of question: it is meant if a topic of `about` is named, and neither topics nor slots beside those allowed. */
interface Form {
  readonly about: ReadonlySet<string>;
  readonly allowed: ReadonlySet<string>;
  readonly slots: ReadonlySet<string>;
  readonly read: (question: Question) => Read | undefined;
}

const call = (tool: string, input: ToolCall['input'] = {}, details?: ToolCall['details']): ToolCall => ({
  tool,
  input,
  ...(details && { details }),
});
const back = (kind: Back, offered: readonly ToolCall[] = [], lacking?: ToolCall): Asked => ({
  back: kind,
  offered,
  ...(lacking && { lacking }),
});
const fixed = (topic: FixedTopic) => (): Read => ({ fixed: topic });

export const checkOf = ({ asset, size }: Item, side?: Trade['side'], details?: ToolCall['details']): ToolCall =>
  call('check_asset', { asset: asset.symbol, ...(side && { side }), ...size }, details);

/** One check for each asset, of its own size or the shared one; undefined where some have a size and others none. */
export function checksOf(trades: readonly Trade[], details?: ToolCall['details']): ToolCall[] | undefined {
  const legs = trades.flatMap(({ assets, side, size }) =>
    assets.map((item) => ({
      side,
      item: { asset: item.asset, ...((item.size ?? size) && { size: (item.size ?? size) as Size }) },
    })),
  );
  const sizes = legs.filter(({ item }) => item.size !== undefined).length;
  if (sizes !== 0 && sizes !== legs.length) return undefined;
  return legs.map(({ item, side }) => checkOf(item, side, details));
}

function ofLoan({ addresses }: Question, tool: string, rest: ToolCall['input'] = {}): Read {
  const calls = addresses.map((borrower) => call(tool, { borrower, ...rest }));
  if (calls.length > 1) return back('several', calls);
  return calls.length === 0 ? back('address', [], call(tool, rest)) : { calls };
}

const ofPlan =
  (calls: (plan: string, question: Question) => readonly ToolCall[]) =>
  (question: Question): Read => {
    const [plan, ...others] = question.plans;
    if (others.length > 0)
      return back(
        'several',
        question.plans.flatMap((each) => calls(each, question).slice(0, 1)),
      );
    if (plan !== undefined)
      return question.addresses.length > 0 ? back('several', calls(plan, question)) : { calls: calls(plan, question) };
    const [address] = question.addresses;
    if (address !== undefined) return { calls: [call('list_plans', { owner: address })] };
    return back('plan', [], calls('', question)[0]);
  };

export const outlook = (plan: string): ToolCall => call('plan_outlook', { plan });
export const runs = (plan: string, count?: number): ToolCall => call('list_runs', { plan, ...(count && { count }) });
/** The newest plan below the next number. */
export const terms = (plan: string): ToolCall =>
  call('list_plans', { count: 1, ...(plan !== '' && { before: (BigInt(plan) + 1n).toString() }) }, { plan });

const named: readonly (readonly [Topic, string])[] = [
  ['slip', 'all_in_cost'],
  ['peg', 'stablecoin_peg'],
];

function check(question: Question): Read | undefined {
  const { trades, items, topics, named: price, amounts } = question;
  const checked = named.find(([topic]) => topics.has(topic))?.[1];
  const details =
    checked || price ? { ...(checked && { check: checked }), ...(price && { priceUsd: price.priceUsd }) } : undefined;
  const count = items.length + trades.flatMap(({ assets }) => assets).length;
  if (price && (count > 1 || amounts.length > 0))
    return back('several', [checkOf({ asset: price.asset }, undefined, details)]);
  if (trades.length > 0) {
    const calls = checksOf(trades, details);
    if (items.length + amounts.length > 0) return back('several', calls ?? []);
    return calls === undefined ? back('size') : { calls };
  }
  if (items.length === 0) return back('asset', [], call('check_asset', { ...amounts[0] }, details));
  const all = checksOf([{ assets: items }], details) ?? [];
  if (amounts.length > 0) return back('several', all);
  // A size without a side may be of a purchase or of a sale.
  if (items.some(({ size }) => size !== undefined) && !items.every(({ size }) => size && 'amount_usd' in size))
    return back(
      'side',
      items.flatMap((item) => (['buy', 'sell'] as const).map((side) => checkOf(item, side))),
    );
  return { calls: all };
}

function price({ items, named: compared, trades }: Question): Read | undefined {
  if (trades.length > 0) return undefined;
  if (compared && items.length === 1)
    return { calls: [call('get_price', { asset: compared.asset.symbol }, { priceUsd: compared.priceUsd })] };
  if (items.length === 0) return back('asset', [], call('get_price'));
  if (items.some(({ size }) => size && 'amount_usd' in size)) return undefined;
  return {
    calls: items.map(({ asset, size }) => {
      const units = size && 'amount_asset' in size && size.amount_asset !== '1' ? size.amount_asset : undefined;
      return call('get_price', { asset: asset.symbol }, units === undefined ? undefined : { units });
    }),
  };
}

function quote({ items, trades, amounts, left, topics }: Question): Read | undefined {
  const quoted = ({ asset, size }: Item, side: Trade['side'], given: Size | undefined): Read => {
    const amount = size ?? given;
    if (!isTraded(asset)) return { calls: [call('get_price', { asset: asset.symbol })] };
    const input = { asset: asset.symbol, ...(side && { side }) };
    return amount === undefined
      ? back('size', [], call('quote_swap', input))
      : { calls: [call('quote_swap', { ...input, ...amount })] };
  };
  const [trade, ...moreTrades] = trades;
  if (trade !== undefined) {
    const [item, ...others] = trade.assets;
    if (item === undefined || others.length + moreTrades.length + items.length + amounts.length > 0) return undefined;
    return quoted(item, trade.side, trade.size);
  }
  const [item, ...others] = items;
  if (item === undefined) return back('asset', [], call('quote_swap', { ...amounts[0] }));
  if (others.length > 0 || amounts.length > 1) return undefined;
  if (item.size === undefined)
    return amounts.length === 1 || !/ M /.test(left) ? quoted(item, 'buy', amounts[0]) : undefined;
  if (amounts.length > 0) return undefined;
  const pays = / M /.test(left);
  const { asset, size } = item;
  // A quote of 2 ETH may be of a purchase or of a sale: both are given.
  if (!pays && !topics.has('quote') && 'amount_asset' in size && isTraded(asset))
    return {
      calls: (['sell', 'buy'] as const).map((side) => call('quote_swap', { asset: asset.symbol, side, ...size })),
    };
  return pays || 'amount_asset' in size ? quoted(item, 'sell', undefined) : quoted(item, 'buy', undefined);
}

/** A size that no pool takes: the verdict then says up to which size it would be GO. */
const VAST = { amount_usd: '10000000' } as const;

export const largestOf = (asset: string, side?: Trade['side']): ToolCall =>
  call('check_asset', { asset, ...(side && { side }), ...VAST }, { largest: true });

function largest({ trades, items, amounts }: Question): Read {
  const listed = trades.length > 0 ? trades : [{ assets: items }];
  const calls = listed.flatMap(({ assets, side }) => assets.map(({ asset }) => largestOf(asset.symbol, side)));
  if (calls.length === 0) return back('asset', [], call('check_asset', VAST, { largest: true }));
  return calls.length > 1 ||
    amounts.length > 0 ||
    listed.some(({ assets, ...each }) => each.size || assets.some(({ size }) => size))
    ? back('several', calls)
    : { calls };
}

/** Topics that are meant, topics that may be beside them, slots that may be there; each separated by spaces. */
const form = (about: string, also: string, slots: string, read: Form['read']): Form => ({
  about: new Set(about.split(' ')),
  allowed: new Set(`${about} ${also}`.split(' ')),
  slots: new Set(slots.split(' ')),
  read,
});

/** The first that fits is meant. */
export const forms: readonly Form[] = [
  form('hello', '', '', fixed('hello')),
  form('stop', 'plans plan guards runs status order', 'plan guard', fixed('stop')),
  form('makePlan', 'plan order status runs next', 'item amount trade', fixed('makePlan')),
  form('makeGuard', 'guards loan order status', '', fixed('makeGuard')),
  form('fee', 'price amount status plan runs plans', '', fixed('fee')),
  form('custody', 'who status runs', '', fixed('custody')),
  form('who', 'status hello assets', '', fixed('who')),
  form('working', 'hello status', '', fixed('working')),
  form('assets', 'hello status', '', () => ({ calls: [call('list_assets')] })),

  form('rescue covered guards status', 'amount next loan future terms funded fair lacks', 'guard', ofGuard),
  form('loan limit lacks status fair', 'amount guards future runs price', 'address moved', (question) => {
    const { moved, topics, addresses } = question;
    if (!moved || (!topics.has('loan') && addresses.length === 0)) return undefined;
    return supposed(question);
  }),
  form('lacks', 'amount loan fair status guards next runs future', 'address target', (question) =>
    ofLoan(question, 'what_if', question.target === undefined ? {} : { target_health: question.target }),
  ),
  form('limit', 'amount loan price status future', 'address item', (question) => ofLoan(question, 'loan_health')),
  form('loan guards', 'amount status fair limit price past future rescue terms runs', 'address', (question) =>
    ofLoan(question, 'loan_health'),
  ),

  form('plans mine', 'status plan terms runs past next', 'address', ({ addresses: [owner], topics }) =>
    owner === undefined && topics.has('mine')
      ? back('address', [], call('list_plans'))
      : { calls: [call('list_plans', owner === undefined ? {} : { owner })] },
  ),
  form(
    'total',
    'amount runs past status plan guards price terms plans',
    'plan address item',
    ofPlan((plan) => [runs(plan, 100)]),
  ),
  form(
    'why',
    'runs past status plan price next rescue moved funded',
    'plan address span item',
    ofPlan((plan) => [runs(plan), outlook(plan)]),
  ),
  form(
    'funded',
    'plan status terms future next price',
    'plan',
    ofPlan((plan) => [outlook(plan)]),
  ),
  form(
    'next',
    'plan status future runs makePlan terms rescue',
    'plan address',
    ofPlan((plan) => [outlook(plan)]),
  ),
  form(
    'terms',
    'plan status price runs',
    'plan',
    ofPlan((plan) => [terms(plan)]),
  ),
  form('plan status runs past moved future fair', 'amount price', 'plan count span address', (question) => {
    const { topics, plans, count } = question;
    const isPast = isOfPast(topics);
    if (plans.length === 0 && !topics.has('plan') && !(isPast && count)) return undefined;
    if (topics.has('future')) return ofPlan((plan) => [outlook(plan)])(question);
    return ofPlan((plan) => (isPast ? [runs(plan, count)] : [terms(plan), runs(plan)]))(question);
  }),

  form('order', 'plan guards loan fair price status', 'item trade amount plan guard address', ({ trades, items }) =>
    back('only_reads', checksOf(trades.length > 0 ? trades : [{ assets: items }]) ?? []),
  ),
  form('largest', 'amount fair price slip status moved quote', 'item trade', (question) => {
    // "The highest price" is of its history.
    const { topics, trades } = question;
    const isOfPrice = trades.length === 0 && !topics.has('fair') && (topics.has('moved') || topics.has('price'));
    return isOfPrice ? undefined : largest(question);
  }),
  form('moved status price runs past', 'amount largest compared', 'item span', (question) =>
    question.topics.has('moved') || question.span ? history(question) : undefined,
  ),
  form('quote quoted', 'amount price status runs past', 'item trade amount', quote),
  form('fair slip peg', 'price status working', 'item trade named amount', check),
  form('price amount status', 'runs', 'item named', (question) =>
    question.topics.has('price') || question.topics.has('amount') || question.items.length > 0
      ? price(question)
      : undefined,
  ),
];

export function supposed(question: Question): Read {
  const { asset, change = '' } = question.moved ?? {};
  return ofLoan(question, 'what_if', { ...(asset && { asset: asset.symbol }), change_percent: change });
}

export const isOfPast = (topics: ReadonlySet<string>): boolean =>
  ['runs', 'past', 'moved', 'why'].some((topic) => topics.has(topic));

function ofGuard({ guards, topics }: Question): Read | undefined {
  const [guard, ...others] = guards;
  const calls = guards.map((each) => call('preview_rescue', { guard: each }));
  if (others.length > 0) return back('several', calls);
  if (guard !== undefined) return { calls };
  const isGuard = topics.has('rescue') || topics.has('covered') || (topics.has('guards') && !topics.has('loan'));
  return isGuard ? back('guard', [], call('preview_rescue')) : undefined;
}

function history({ items, span }: Question): Read | undefined {
  const { yesterday, ...candles } = span ?? {};
  if (items.length === 0) return back('asset', [], call('get_history', candles));
  if (items.some(({ size }) => size !== undefined)) return undefined;
  const details = yesterday && { yesterday };
  return { calls: items.map(({ asset }) => call('get_history', { asset: asset.symbol, ...candles }, details)) };
}

/** What a question without a topic asks: a name for a price, a number for what it is of. */
export function bare(question: Question): Read | undefined {
  const { items, guards, plans, addresses, span, amounts, moved } = question;
  if (moved) return guards.length + plans.length > 0 || addresses.length === 0 ? undefined : supposed(question);
  if (guards.length > 0) return ofGuard(question);
  if (plans.length > 0) return ofPlan((plan) => [terms(plan), runs(plan)])(question);
  if (addresses.length > 0) return undefined;
  if (span) return items.length > 0 ? history(question) : undefined;
  const isName = items.length > 0 && amounts.length === 0 && items.every(({ size }) => size === undefined);
  return isName ? price(question) : undefined;
}

import { isTraded } from '@bowline/core/domain/assets';
import type { Back, FixedTopic, Intent, Item, Question, ToolCall, Topic, Trade } from '../question.ts';

export type Asked = Omit<Extract<Intent, { back: unknown }>, 'language'>;
export type Read = { readonly calls: readonly ToolCall[] } | { readonly fixed: FixedTopic } | Asked;

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
export const sides = ['buy', 'sell'] as const;

export const checkOf = ({ asset, size }: Item, side?: Trade['side'], details?: ToolCall['details']): ToolCall =>
  call('check_asset', { asset: asset.symbol, ...(side && { side }), ...size }, details);

/** One check per asset, with its own size or the shared one; undefined if only some have a size. */
export function checksOf(trades: readonly Trade[], details?: ToolCall['details']): ToolCall[] | undefined {
  const checks = trades.flatMap(({ assets, side, size }) =>
    assets.map((item) => checkOf({ ...(size && { size }), ...item }, side, details)),
  );
  const sizes = checks.filter(({ input }) => 'amount_usd' in input || 'amount_asset' in input).length;
  return sizes === 0 || sizes === checks.length ? checks : undefined;
}

/** A size that no pool takes: the verdict then says up to which size it would be GO. */
const VAST = { amount_usd: '10000000' } as const;
export const largestOf = (asset: string, side?: Trade['side']): ToolCall =>
  call('check_asset', { asset, ...(side && { side }), ...VAST }, { largest: true });

const outlook = (plan: string): ToolCall => call('plan_outlook', { plan });
const runs = (plan: string, count?: number): ToolCall => call('list_runs', { plan, ...(count && { count }) });
/** The newest plan below the next number. */
export const terms = (plan: string): ToolCall =>
  call('list_plans', { count: 1, ...(plan !== '' && { before: (BigInt(plan) + 1n).toString() }) }, { plan });

const has = ({ topics }: Question, ...names: readonly Topic[]): boolean => names.some((topic) => topics.has(topic));

/** What to answer about a plan, guard or loan, by its first topic. */
function ofPlan(plan: string, question: Question): ToolCall[] {
  // A word that is not understood may ask for any of these.
  const isOpen = question.unknown.length > 0 && !has(question, 'why', 'total', 'funded', 'next');
  if (isOpen) return [terms(plan), runs(plan, question.count), outlook(plan)];
  if (has(question, 'why')) return [runs(plan), outlook(plan)];
  if (has(question, 'total')) return [runs(plan, 100)];
  if (has(question, 'funded', 'covered', 'next', 'future')) return [outlook(plan)];
  if (has(question, 'terms')) return [terms(plan)];
  if (has(question, 'runs', 'past', 'moved')) return [runs(plan, question.count)];
  return has(question, 'price', 'amount') ? [terms(plan)] : [terms(plan), runs(plan)];
}

function ofBorrower(borrower: string | undefined, question: Question): ToolCall[] {
  const { moved, target } = question;
  const of = borrower === undefined ? {} : { borrower };
  if (moved) {
    const asset = moved.asset && { asset: moved.asset.symbol };
    return [call('what_if', { ...of, ...asset, change_percent: moved.change })];
  }
  if (target || has(question, 'lacks')) return [call('what_if', { ...of, ...(target && { target_health: target }) })];
  if (has(question, 'loan', 'limit', 'guards')) return [call('loan_health', of)];
  return [call('list_plans', borrower === undefined ? {} : { owner: borrower })];
}

const ofGuard = (guard?: string): ToolCall[] => [call('preview_rescue', guard === undefined ? {} : { guard })];

const topicsOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));
/** The topics that each may be combined with. With any other, the question is not understood. */
const told = {
  plan: topicsOf('plan plans mine why total next funded covered terms runs past moved future status amount price'),
  guard: topicsOf(
    'rescue covered guards loan status amount next future terms funded fair lacks why moved runs price limit',
  ),
  address: topicsOf(
    'loan guards limit lacks rescue plan plans mine next why total runs terms status amount price moved past future fair',
  ),
};

/** All of one plan, guard or loan; or a question back for its number or address. */
function ofId(question: Question): Read | undefined {
  const { plans, guards, addresses, trades, items, amounts, topics, moved, target, span, left } = question;
  const isTold = (allowed: ReadonlySet<string>) => [...topics].every((topic) => allowed.has(topic));
  const others = trades.length + amounts.length + (/[SPM]/.test(left) ? 1 : 0);
  const ofItem =
    items.length === 0 || has(question, 'total', 'why', 'limit', 'loan') || (plans.length > 0 && has(question, 'runs'));
  if (others > 0 || !ofItem) return undefined;
  const [plan, guard, address] = [plans[0], guards[0], addresses[0]];
  const several = (calls: readonly ToolCall[]): Read | undefined =>
    plans.length + guards.length + addresses.length > 1 ? back('several', calls) : { calls };
  if (plan !== undefined)
    return isTold(told.plan) && !moved && !(has(question, 'why') && has(question, 'terms'))
      ? several(plans.flatMap((each) => ofPlan(each, question)))
      : undefined;
  if (guard !== undefined) return isTold(told.guard) ? several(guards.flatMap((each) => ofGuard(each))) : undefined;
  const isOfLoan = has(question, 'loan', 'limit', 'lacks', 'guards') || moved !== undefined || target !== undefined;
  const isOfPlans =
    has(question, 'plan', 'plans', 'mine') ||
    (has(question, 'next', 'terms', 'runs') && !has(question, 'fair', 'rescue'));
  if (address !== undefined)
    return isTold(told.address) && !(span && isOfLoan) && (isOfLoan || isOfPlans)
      ? several(addresses.flatMap((each) => ofBorrower(each, question)))
      : undefined;
  if (has(question, 'rescue', 'covered') || (has(question, 'guards') && !has(question, 'loan')))
    return isTold(told.guard) ? back('guard', [], ofGuard()[0]) : undefined;
  if (has(question, 'loan', 'limit', 'lacks'))
    return isTold(told.address) ? back('address', [], ofBorrower(undefined, question)[0]) : undefined;
  if (!isTold(told.plan) || moved || (items.length > 0 && !has(question, 'total', 'why'))) return undefined;
  if (has(question, 'plans')) return { calls: [call('list_plans')] };
  if (has(question, 'mine')) return back('address', [], call('list_plans'));
  const isOfPlan = has(question, 'plan', 'total', 'why', 'funded', 'next', 'terms') || question.count !== undefined;
  return isOfPlan && !span ? back('plan', [], ofPlan('', question)[0]) : undefined;
}

const named = { slip: 'all_in_cost', peg: 'stablecoin_peg' } as const;

function check(question: Question): Read {
  const { trades, items, topics, named: price, amounts } = question;
  const checked = (['slip', 'peg'] as const).find((topic) => topics.has(topic));
  const details =
    checked || price
      ? { ...(checked && { check: named[checked] }), ...(price && { priceUsd: price.priceUsd }) }
      : undefined;
  const calls = checksOf(trades.length > 0 ? trades : [{ assets: items }], details);
  if (calls?.length === 0) return back('asset', [], call('check_asset', { ...amounts[0] }, details));
  const more = amounts.length + (trades.length > 0 ? items.length : 0);
  if (more > 0 || (price && calls?.length !== 1)) return back('several', calls ?? []);
  if (calls === undefined) return back('size');
  // A size without a side may be of a purchase or of a sale.
  if (trades.length === 0 && items.some(({ size }) => size && 'amount_asset' in size))
    return back(
      'side',
      items.flatMap((item) => sides.map((side) => checkOf(item, side))),
    );
  return { calls };
}

function price({ items, named: compared, trades }: Question): Read | undefined {
  if (trades.length > 0 || items.some(({ size }) => size && 'amount_usd' in size)) return undefined;
  if (items.length === 0) return back('asset', [], call('get_price'));
  return {
    calls: items.map(({ asset, size }) => {
      const units = size && 'amount_asset' in size && size.amount_asset !== '1' ? size.amount_asset : undefined;
      const details = compared ? { priceUsd: compared.priceUsd } : units ? { units } : undefined;
      return call('get_price', { asset: asset.symbol }, details);
    }),
  };
}

function quote({ items, trades, amounts, left, topics }: Question): Read | undefined {
  const [trade, ...moreTrades] = trades;
  const [item, ...others] = trade?.assets ?? items;
  const pays = / M /.test(left);
  const [size, ...moreSizes] = [...(item?.size ? [item.size] : trade?.size ? [trade.size] : []), ...amounts];
  if (item === undefined) return back('asset', [], call('quote_swap', { ...size }));
  const more = others.length + moreTrades.length + (trade ? items.length + amounts.length : moreSizes.length);
  if (more > 0 || (!trade && size === undefined && pays)) return undefined;
  const { asset } = item;
  const of = (side?: Trade['side']) => call('quote_swap', { asset: asset.symbol, ...(side && { side }), ...size });
  if (!isTraded(asset)) return { calls: [call('get_price', { asset: asset.symbol })] };
  if (size === undefined) return back('size', [], of(trade?.side ?? 'buy'));
  if (trade) return { calls: [of(trade.side)] };
  // A quote of 2 ETH may be of a purchase or of a sale: both are given.
  if (!pays && !topics.has('quote') && 'amount_asset' in size) return { calls: [of('sell'), of('buy')] };
  return { calls: [of(item.size && (pays || 'amount_asset' in size) ? 'sell' : 'buy')] };
}

function largest({ trades, items, amounts, topics }: Question): Read | undefined {
  // "The highest price" asks for the history.
  if (trades.length === 0 && !topics.has('fair') && (topics.has('moved') || topics.has('price'))) return undefined;
  const listed = trades.length > 0 ? trades : [{ assets: items }];
  const calls = listed.flatMap(({ assets, side }) => assets.map(({ asset }) => largestOf(asset.symbol, side)));
  if (calls.length === 0) return back('asset', [], call('check_asset', VAST, { largest: true }));
  const isSized = listed.some(({ assets, size }) => size || assets.some((item) => item.size));
  return calls.length > 1 || amounts.length > 0 || isSized ? back('several', calls) : { calls };
}

function history({ items, span, topics }: Question): Read | undefined {
  if ((!topics.has('moved') && !span) || items.some(({ size }) => size !== undefined)) return undefined;
  const { yesterday, ...candles } = span ?? {};
  if (items.length === 0) return back('asset', [], call('get_history', candles));
  const details = yesterday && { yesterday };
  return { calls: items.map(({ asset }) => call('get_history', { asset: asset.symbol, ...candles }, details)) };
}

const only = ({ trades, items }: Question): Read =>
  back('only_reads', checksOf(trades.length > 0 ? trades : [{ assets: items }]) ?? []);

/** One required topic, further topics and slots that are allowed, and the reader. The first row that fits wins. */
type Row = readonly [about: string, beside: string, slots: string, read: (question: Question) => Read | undefined];

const replies = [
  ['hello', '', ''],
  ['stop', 'plans plan guards runs status order', 'plan guard'],
  ['makePlan', 'plan order status runs next', 'item amount trade'],
  ['makeGuard', 'guards loan order status', ''],
  ['fee', 'price amount status plan runs plans', ''],
  ['custody', 'who status runs', ''],
  ['who', 'status hello assets', ''],
  ['working', 'hello status', ''],
] as const;

const forms = (
  [
    ...replies.map(([topic, beside, slots]) => [topic, beside, slots, () => ({ fixed: topic })] as const),
    ['assets', 'hello status', '', () => ({ calls: [call('list_assets')] })],
    [
      Object.values(told)
        .flatMap((topics) => [...topics])
        .join(' '),
      '',
      'plan guard address moved target span count item',
      ofId,
    ],
    ['order', 'plan guards loan fair price status', 'item trade amount plan guard address', only],
    ['largest', 'amount fair price slip status moved quote', 'item trade', largest],
    ['moved status price runs past', 'amount largest compared', 'item span', history],
    ['quote quoted', 'amount price status runs past', 'item trade amount', quote],
    ['fair slip peg', 'price status working', 'item trade named amount', check],
    ['price amount status', 'runs quoted', 'item named', price],
  ] as readonly Row[]
).map(([about, beside, slots, read]) => ({
  about: topicsOf(about),
  allowed: topicsOf(`${about} ${beside}`),
  slots: topicsOf(slots),
  read,
}));

export function byForm(question: Question): Read {
  const topics = [...question.topics];
  const slots = slotsOf(question);
  if (topics.length === 0) return bare(question) ?? back('not_understood');
  for (const { about, allowed, slots: taken, read } of forms) {
    const isMeant = topics.some((topic) => about.has(topic)) && topics.every((topic) => allowed.has(topic));
    const meant = isMeant && slots.every((slot) => taken.has(slot)) ? read(question) : undefined;
    if (meant !== undefined) return meant;
  }
  return back(slots.length > 1 || topics.length > 2 ? 'several' : 'not_understood');
}

/** The meaning of a question without a topic: an ID asks for its plan or guard, an asset for its price or history. */
function bare(question: Question): Read | undefined {
  const { items, plans, guards, addresses, span, amounts, moved } = question;
  const ids = plans.length + guards.length;
  if (ids > 0 || (moved && addresses.length > 0)) return ids > 0 && moved ? undefined : ofId(question);
  if (moved || addresses.length > 0 || items.length === 0) return undefined;
  if (span) return history(question);
  return amounts.length === 0 && items.every(({ size }) => size === undefined) ? price(question) : undefined;
}

export function slotsOf({ items, trades, amounts, addresses, plans, guards, ...rest }: Question): string[] {
  const lists = { item: items, trade: trades, amount: amounts, address: addresses, plan: plans, guard: guards };
  const single = (['named', 'moved', 'target', 'span', 'count'] as const).filter((slot) => rest[slot] !== undefined);
  return [...Object.entries(lists).flatMap(([slot, { length }]) => (length > 0 ? [slot] : [])), ...single];
}

/** What the understood marks and words may ask for, the likeliest first: offered, never called. */
export function nearOf(question: Question): Required<Pick<Asked, 'offered' | 'fixedOffered'>> {
  const { topics, hinted, plans, guards, addresses, trades, items } = question;
  const isNamed = (topic: string) => topics.has(topic as Topic);
  const fixedOffered = [...hinted.filter(isNamed), ...hinted.filter((topic) => !isNamed(topic))];
  const [borrower] = addresses;
  const isPlans = plans.length === 0 && has(question, 'plan', 'plans', 'mine', 'next');
  const ofLoan =
    borrower === undefined
      ? []
      : [call('loan_health', { borrower }), call('what_if', { borrower }), call('list_plans', { owner: borrower })];
  const all: readonly Trade[] = [...trades, ...items.map((item) => ({ assets: [item] }))];
  const offered = [
    ...plans.slice(0, 2).flatMap((plan) => [...ofPlan(plan, question), outlook(plan), runs(plan), terms(plan)]),
    ...guards.slice(0, 2).flatMap((guard) => ofGuard(guard)),
    ...(borrower === undefined ? [] : [...ofBorrower(borrower, question), ...ofLoan]),
    ...(isPlans ? [call('list_plans')] : []),
    ...all.slice(0, 3).flatMap((trade) => trade.assets.slice(0, 2).flatMap((item) => ofAsset(item, trade, question))),
  ];
  return { offered, fixedOffered };
}

function ofAsset({ asset, ...own }: Item, { side, size: shared }: Trade, question: Question): ToolCall[] {
  const { amounts, span } = question;
  const size = own.size ?? shared ?? (amounts.length === 1 ? amounts[0] : undefined);
  const { symbol } = asset;
  const open = side === undefined && size !== undefined ? sides : [side];
  const checks = open.map((each) => checkOf({ asset, ...(size && { size }) }, each));
  const price = call('get_price', { asset: symbol });
  const quoted = { asset: symbol, side: side ?? (size && 'amount_asset' in size ? 'sell' : 'buy'), ...size };
  const candles = span && { interval: span.interval, count: span.count };
  return [
    ...(size && has(question, 'quote', 'quoted') ? [call('quote_swap', quoted)] : []),
    ...(!size && has(question, 'largest', 'amount') ? open.map((each) => largestOf(symbol, each)) : []),
    ...(span || has(question, 'moved') ? [call('get_history', { asset: symbol, ...candles })] : []),
    ...(has(question, 'price') && !has(question, 'fair') ? [price, ...checks] : [...checks, price]),
  ];
}

import type { Choice, Reply } from '@bowline/core/domain/answer';
import type { Asset } from '@bowline/core/domain/assets';
import { GUARD_TARGET_HEALTH } from '@bowline/core/domain/defaults';
import { grouped, shortAddress } from '@bowline/core/domain/readable';
import { spaced } from '@bowline/core/texts/words';
import type { Back, Intent, Language, ToolCall } from '../question.ts';
import { backText, choiceTexts, fixedTexts, withLists } from '../texts.ts';

type Given = Readonly<Record<string, string | undefined>>;

/** A tool call as a button: a few words, and a question that is read back as the same call. */
export function choiceOf(call: ToolCall, language: Language): Choice {
  const fields = fieldsOf(call);
  const [label = '', prompt = ''] = choiceTexts(keyOf(call), language).map((text) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => fields[name] ?? ''),
  );
  return { label, prompt };
}

/** The row of the table of choices. */
function keyOf({ tool, input, details }: ToolCall): string {
  const isSized = input.amount_usd !== undefined || input.amount_asset !== undefined;
  const first = (...kinds: readonly (readonly [string, unknown])[]) => kinds.find(([, is]) => is)?.[0];
  const kind = {
    check_asset: first(
      ['largest', details?.largest],
      ['at', details?.priceUsd && (input.side || isSized)],
      ['price', details?.priceUsd],
      ['size', isSized],
      ['side', input.side],
    ),
    quote_swap: first(['sell', input.side === 'sell'], ['usd', input.amount_usd]),
    what_if: first(['moved', input.change_percent]),
    get_history: first(['count', input.count]),
    list_runs: first(['total', input.count === 100], ['count', input.count]),
    list_plans: first(['plan', details?.plan], ['owner', input.owner]),
  }[tool];
  return kind === undefined ? tool : `${tool} ${kind}`;
}

function fieldsOf({ input, details = {} }: ToolCall): Given {
  const given = { side: 'buy', target_health: GUARD_TARGET_HEALTH, ...input } as Given;
  const {
    side,
    asset = '',
    amount_usd: usd = '',
    amount_asset: units = '',
    interval = '1h',
    change_percent = '',
  } = given;
  const isFall = change_percent.startsWith('-');
  const isSale = side === 'sell';
  return {
    ...given,
    ...(details.plan && { plan: details.plan }),
    size: units ? `${grouped(units)} ${asset}` : usd ? `$${grouped(usd)} of ${asset}` : asset,
    sizeZh: units ? `${units} 个 ${asset}` : usd ? `${usd} 美元的 ${asset}` : asset,
    usd: usd && `$${grouped(usd)}`,
    price: `$${grouped(details.priceUsd ?? '')}`,
    does: isSale ? '卖' : '买',
    trade: isSale ? 'sale' : 'purchase',
    candles: { '1h': 'hourly', '1d': 'daily' }[interval] ?? interval,
    short: shortAddress(given.borrower ?? given.owner ?? ''),
    percent: change_percent.replace('-', ''),
    moved: asset || 'its collateral',
    movedZh: asset || '价格',
    moves: isFall ? 'falls' : 'rises',
    movesZh: isFall ? '下跌' : '上涨',
  };
}

type NoCalls = Extract<Intent, { readonly back: unknown }>;

const MAX_CHOICES = 4;

/** Says what is missing or why nothing is answered, always with questions that are. */
export function askBack(intent: NoCalls, assets: readonly Asset[]): Pick<Reply, 'text' | 'choices'> {
  const { back, language, about = [], offered, fixedOffered = [] } = intent;
  const asked = offered.map((call) => choiceOf(call, language));
  const told = fixedOffered.map((topic) => {
    const [prompt = ''] = fixedTexts(topic, language);
    return { label: prompt, prompt };
  });
  const [filled, menu] = [filledIn(intent, assets), menuOf(assets, back)].map((calls) =>
    calls.map((call) => choiceOf(call, language)),
  );
  // Both kinds have a place among the first four.
  const near = [...asked.slice(0, 2), ...told.slice(0, asked.length > 0 ? 2 : 4), ...asked.slice(2), ...told.slice(2)];
  const all = [...(filled ?? []), ...near, ...(menu ?? [])].map((choice) => [choice.prompt, choice] as const);
  const choices = [...new Map(all).values()].slice(0, MAX_CHOICES);
  const quoted = (text: string) => (language === 'zh' ? `“${text}”` : `"${text}"`);
  const words = about.filter((each) => each !== '').map((each) => quoted(spaced(each.slice(0, 40))));
  const named = words.slice(0, 3).join(', ') || (language === 'zh' ? '' : 'that');
  const text = backText(back, language).replace('{about}', () => named);
  const examples = choices.map(({ prompt }) => quoted(prompt));
  const asks = language === 'zh' ? `例如：${examples.join(' ')}` : ` Ask, for example: ${examples.join(' or ')}`;
  return { text: withLists(text, language, assets) + asks, choices };
}

/** Possible completions of the incomplete call. */
function filledIn({ back, lacking }: Pick<NoCalls, 'back' | 'lacking'>, assets: readonly Asset[]): ToolCall[] {
  if (lacking === undefined) return [];
  if (back === 'plan' && lacking.details?.plan !== undefined) return [{ tool: 'list_runs', input: { plan: '1' } }];
  const listed = assets.flatMap(({ class: kind, symbol }) => (kind === 'stable' ? [] : [{ asset: symbol }]));
  const sizes = [
    { side: 'buy', amount_usd: '500' },
    { side: 'sell', amount_asset: '2' },
  ].filter(({ side }) => (lacking.input.side ?? side) === side);
  const values: Partial<Record<Back, readonly ToolCall['input'][]>> = {
    asset: listed,
    unlisted: listed,
    plan: [{ plan: '1' }],
    guard: [{ guard: '1' }],
    size: sizes,
  };
  return (values[back] ?? []).map((value) => ({ ...lacking, input: { ...lacking.input, ...value } }));
}

function menuOf(assets: readonly Asset[], back: Back): ToolCall[] {
  const input = { asset: assets[0]?.symbol };
  const plans: ToolCall = { tool: 'list_plans', input: {} };
  const rescue: ToolCall = { tool: 'preview_rescue', input: { guard: '1' } };
  if (back === 'plan') return [...['plan_outlook', 'list_runs'].map((tool) => ({ tool, input: { plan: '1' } })), plans];
  if (back === 'guard' || back === 'address') return [rescue, plans];
  return [{ tool: 'check_asset', input }, { tool: 'get_price', input }, plans, rescue];
}

import type { Asset } from '@bowline/core/domain/assets';
import type { Intent, Question, ToolCall } from '../question.ts';
import { outlook, runs } from './forms.ts';

/** What is remembered of the question before: what was called, and what was asked back. */
export interface Before {
  readonly calls: readonly ToolCall[];
  /** A call that only lacked what was asked for. */
  readonly lacking?: ToolCall;
  readonly offered: readonly ToolCall[];
}

const MAX_KEPT = 4;

export const beforeOf = (intent: Intent, last?: Before): Before =>
  'calls' in intent
    ? { calls: intent.calls.slice(0, MAX_KEPT), offered: [] }
    : 'back' in intent
      ? {
          calls: last?.calls ?? [],
          offered: intent.offered.slice(0, MAX_KEPT),
          ...(intent.lacking && { lacking: intent.lacking }),
        }
      : (last ?? { calls: [], offered: [] });

const lead =
  /^(?:(?:and|or|but|ok|okay|so|then|now|also|what about|how about|for|with|make it|i mean|no|yes|sorry|instead|rather|only|the|it is|it's|that is|please|in|of|plan|guard|number|my|address|is|a|an|那|和|如果是|换成|改成|还有|呢)[\s,.:!]*)+/;
const ofAsset = ['check_asset', 'get_price', 'get_history', 'quote_swap'];
const key: Readonly<Record<string, string>> = { loan_health: 'borrower', what_if: 'borrower', list_plans: 'owner' };

/** A short text as the rest of the question before: "WBNB", "buy", "and for 5,000?", "2", "the first". Undefined if it is none. */
export function following(prompt: string, before: Before, read: (text: string) => Question): Intent | undefined {
  const text = prompt
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replace(/[?？!.。]+$/, '');
  const short = text.replace(lead, '').trim();
  const place = ['first', 'second', 'third', 'fourth'].findIndex((word, index) =>
    new RegExp(`^(?:the )?(?:${word}|option ${index + 1})(?: one)?$`).test(short),
  );
  const picked = before.offered[place];
  const done = (...calls: ToolCall[]): Intent => ({ language: read(text).language, calls, readings: [] });
  if (picked) return done(picked);
  const base = before.lacking ?? (before.calls.length === 1 ? before.calls[0] : undefined);
  const number = /^#?\s*(\d{1,18})$/.exec(short)?.[1];
  if (before.lacking && number !== undefined) {
    const plans: Readonly<Record<string, (plan: string) => ToolCall>> = {
      plan_outlook: outlook,
      list_runs: (plan) => ({ ...runs(plan), input: { ...before.lacking?.input, plan } }),
    };
    const named = plans[before.lacking.tool]?.(number);
    if (named) return done(named);
    if (before.lacking.tool === 'preview_rescue') return done({ tool: 'preview_rescue', input: { guard: number } });
  }
  const question = read(short);
  if (
    question.unknown.length > 0 ||
    question.plans.length + question.guards.length > 0 ||
    question.span ||
    question.moved
  )
    return undefined;
  if ([...question.topics].some((topic) => !['fair', 'status'].includes(topic))) return undefined;
  const unit = /^(?:us )?(?:dollars?|usd|\$|美元)$/.test(short) ? 'amount_usd' : 'amount_asset';
  const [fragment, asset] = fragmentOf(question, short);
  const ofUnit = before.offered.filter(
    ({ input }) => unit in input && (asset === undefined || input.asset === asset.symbol),
  );
  if (
    unit === 'amount_usd' ||
    (asset !== undefined &&
      before.lacking === undefined &&
      before.offered.some(({ input }) => 'amount_usd' in input && input.asset === asset.symbol))
  ) {
    const [one, ...more] = ofUnit;
    if (one && more.length === 0) return done(one);
  }
  if (Object.keys(fragment).length === 0) return undefined;
  if (fragment.address !== undefined) {
    const by = base && key[base.tool];
    return by === undefined || base === undefined
      ? undefined
      : done({ ...base, input: { ...base.input, [by]: fragment.address } });
  }
  const matching = before.offered.filter(
    ({ tool, input }) =>
      ofAsset.includes(tool) && Object.entries(fragment).every(([name, value]) => input[name] === value),
  );
  if (before.lacking === undefined && before.offered.length > 0)
    return matching.length === 1 && matching[0] ? done(matching[0]) : undefined;
  if (base === undefined || !ofAsset.includes(base.tool)) return undefined;
  const hasSize = 'amount_usd' in fragment || 'amount_asset' in fragment;
  if (['get_price', 'get_history'].includes(base.tool) && (hasSize || 'side' in fragment)) return undefined;
  const { amount_usd: _, amount_asset: __, ...unsized } = base.input;
  const { details, ...rest } = base;
  return done({
    ...rest,
    ...(details && !hasSize && { details }),
    input: {
      ...(hasSize || base.details?.largest ? unsized : base.input),
      ...(base.details?.largest && !hasSize && { amount_usd: base.input.amount_usd }),
      ...fragment,
    },
  });
}

type Fragment = Readonly<Record<string, string>>;

/** Exactly one thing, or a side with its asset. */
function fragmentOf(
  { left, items, trades, amounts, addresses, unclear }: Question,
  short: string,
): readonly [Fragment, Asset | undefined] {
  if (addresses.length === 1 && left.trim() === 'X') return [{ address: addresses[0] ?? '' }, undefined];
  const [trade, ...more] = trades;
  const [item, ...others] = trade?.assets ?? items;
  if (more.length + others.length > 0 || (unclear && unclear.back !== 'unit')) return [{}, undefined];
  const size = item?.size ?? trade?.size ?? amounts[0]?.size;
  // "5" may be of dollars or of the asset.
  if (unclear || (amounts.length === 1 && /^\d{1,2}(?:\.\d+)?$/.test(short))) return [{}, undefined];
  const side = trade?.side ?? (/^ *S *$/.test(left) ? 'sell' : /^ *P *$/.test(left) ? 'buy' : undefined);
  if (amounts.length > 1 || (/[SP]/.test(left) && side === undefined)) return [{}, undefined];
  const fragment: Record<string, string> = {
    ...(item && { asset: item.asset.symbol }),
    ...(side && { side }),
    ...size,
  };
  return [fragment, item?.asset];
}

/** Completes a call that lacks what the question before named: "why did it wait?" after a question about plan 3. */
export function completed(intent: Intent, before: Before): Intent {
  if (!('back' in intent) || intent.lacking === undefined) return intent;
  const { lacking, back, language } = intent;
  const last = (name: string): unknown =>
    before.calls.map(({ input }) => input[name]).find((value) => value !== undefined);
  const [name, value] =
    back === 'asset'
      ? (['asset', last('asset')] as const)
      : back === 'plan'
        ? (['plan', last('plan')] as const)
        : back === 'guard'
          ? (['guard', last('guard')] as const)
          : back === 'address'
            ? ([key[lacking.tool] ?? '', last('borrower') ?? last('owner')] as const)
            : (['', undefined] as const);
  if (value === undefined || lacking.details?.plan !== undefined) return intent;
  return { language, calls: [{ ...lacking, input: { ...lacking.input, [name]: value } }], readings: [] };
}

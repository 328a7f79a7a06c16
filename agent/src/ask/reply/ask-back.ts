import type { Reply } from '@bowline/core/domain/answer';
import type { Asset } from '@bowline/core/domain/assets';
import { spaced } from '@bowline/core/texts/words';
import type { Back, Intent, ToolCall } from '../question.ts';
import { backText, fixedTexts, withLists } from '../texts.ts';
import { choiceOf } from './as-question.ts';

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

/** What the lacking call may be once it is complete. */
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

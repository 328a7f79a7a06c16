import type { Choice } from '@bowline/core/domain/answer';
import type { Asset } from '@bowline/core/domain/assets';
import { spaced } from '@bowline/core/texts/words';
import type { Back, Intent, ToolCall } from '../question.ts';
import { backText, fixedTexts, withLists } from '../texts.ts';
import { choiceOf } from './as-question.ts';

/** A reply that asks back. */
export interface AskedBack {
  readonly text: string;
  /** At least one. */
  readonly choices: readonly Choice[];
}

type NoCalls = Extract<Intent, { readonly back: unknown }>;

const MAX_CHOICES = 4;

/** Says what is missing or why nothing is answered, always with questions that are. */
export function askBack(intent: NoCalls, assets: readonly Asset[]): AskedBack {
  const { back, language, about = [], offered, fixedOffered = [] } = intent;
  const asked = offered.map((call) => choiceOf(call, language));
  const told = fixedOffered.map((topic) => {
    const [prompt = ''] = fixedTexts(topic, language);
    return { label: prompt, prompt };
  });
  const filled = filledIn(intent, assets).map((call) => choiceOf(call, language));
  const menu = menuOf(assets, back).map((call) => choiceOf(call, language));
  // Both kinds have a place among the first four.
  const near =
    asked.length > 0 ? [...asked.slice(0, 2), ...told.slice(0, 2), ...asked.slice(2), ...told.slice(2)] : told;
  const choices = uniqueOf([...filled, ...near, ...menu]).slice(0, MAX_CHOICES);
  const written = about
    .filter((each) => each !== '')
    .slice(0, 3)
    .map((each) => (language === 'zh' ? `“${each.slice(0, 40)}”` : `"${spaced(each.slice(0, 40))}"`));
  const named = written.join(', ') || (language === 'zh' ? '' : 'that');
  const said = withLists(
    backText(back, language).replace('{about}', () => named),
    language,
    assets,
  );
  const examples = choices.map(({ prompt }) => (language === 'zh' ? `“${prompt}”` : `"${prompt}"`));
  return {
    text:
      language === 'zh' ? `${said}例如：${examples.join(' ')}` : `${said} Ask, for example: ${examples.join(' or ')}`,
    choices,
  };
}

const uniqueOf = (choices: readonly Choice[]): Choice[] => [
  ...new Map(choices.map((choice) => [choice.prompt, choice])).values(),
];

/** What the lacking call may be once it is complete. */
function filledIn({ back, lacking }: Pick<NoCalls, 'back' | 'lacking'>, assets: readonly Asset[]): ToolCall[] {
  if (lacking === undefined) return [];
  const fill = (values: readonly ToolCall['input'][]): ToolCall[] =>
    values.map((value) => ({ ...lacking, input: { ...lacking.input, ...value } }));
  switch (back) {
    case 'asset':
    case 'unlisted':
      return fill(assets.filter(({ class: kind }) => kind !== 'stable').map(({ symbol }) => ({ asset: symbol })));
    case 'plan':
      return lacking.details?.plan === undefined
        ? fill([{ plan: '1' }])
        : [{ tool: 'list_runs', input: { plan: '1' } }];
    case 'guard':
      return fill([{ guard: '1' }]);
    case 'size':
      return fill(
        lacking.input.side === 'sell'
          ? [{ amount_asset: '2' }]
          : lacking.input.side === 'buy'
            ? [{ amount_usd: '500' }]
            : [
                { side: 'buy', amount_usd: '500' },
                { side: 'sell', amount_asset: '2' },
              ],
      );
    default:
      return [];
  }
}

function menuOf(assets: readonly Asset[], back: Back): ToolCall[] {
  const asset = assets[0]?.symbol ?? 'BTCB';
  const plans: ToolCall = { tool: 'list_plans', input: {} };
  if (back === 'plan')
    return [{ tool: 'plan_outlook', input: { plan: '1' } }, { tool: 'list_runs', input: { plan: '1' } }, plans];
  if (back === 'guard' || back === 'address') return [{ tool: 'preview_rescue', input: { guard: '1' } }, plans];
  return [
    { tool: 'check_asset', input: { asset } },
    { tool: 'get_price', input: { asset } },
    plans,
    { tool: 'preview_rescue', input: { guard: '1' } },
  ];
}

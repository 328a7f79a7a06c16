import type { Choice } from '@bowline/core/domain/answer';
import type { Asset } from '@bowline/core/domain/assets';
import { spaced } from '@bowline/core/texts/words';
import type { Back, Intent, Language, ToolCall } from '../question.ts';
import { choiceOf } from './as-question.ts';
import { capabilitiesIn, fixedChoice } from './fixed.ts';

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
  const told = fixedOffered.map((topic) => fixedChoice(topic, language));
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
  const listed = assets.map(({ symbol }) => symbol).join(', ');
  const said = words[language][back]
    .replace('{about}', written.join(', ') || (language === 'zh' ? '' : 'that'))
    .replace('{assets}', listed)
    .replace('{menu}', capabilitiesIn(language));
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

const words: Readonly<Record<Language, Readonly<Record<Back, string>>>> = {
  en: {
    asset: 'Which asset do you mean? I cover {assets}.',
    unlisted: 'I do not know {about}. I cover {assets}.',
    side: 'I am not sure whether you mean a purchase or a sale.',
    size: 'For which size? Give US dollars or an amount of the asset, one for each asset.',
    address: 'Which address? I do not know yours. Write it out: 0x and 40 hexadecimal digits.',
    plan: 'Which plan? Give its number, or the address of its owner.',
    guard: 'Which guard? Give its number.',
    number: '{about} can be read in two ways. Use a point for decimals and commas or nothing for thousands.',
    unit: '{about} of what? US dollars, or units of the asset?',
    price_or_size: 'Is {about} the price of one unit, or how much you would spend?',
    percent: '{about} of what? I do not know what you hold. Give an amount.',
    currency: 'I work in US dollars or in units of the asset, not in {about}.',
    not_understood: 'I did not understand {about}, and I do not guess. {menu}',
    several: 'I cannot answer all of that at once and will not leave parts out silently. Ask one thing at a time.',
    both_sides: 'That names more than one trade. Ask about one at a time.',
    pairs: 'I do not compare assets: each is judged by itself, and prices are in US dollars.',
    only_reads: 'I only answer questions: I sign, send and change nothing. Your own wallet does that.',
    forecast: 'I do not forecast: I cannot say what a price will be. {menu}',
    only_now: 'A verdict is about now: I cannot say whether a price was fair at another time.',
    causes: 'I cannot say why a price moved or is what it is.',
    instructed: 'A verdict comes from its checks, and no request changes how I work. {menu}',
    unread: 'I read English and Chinese (我读英文和中文). {menu}',
  },
  zh: {
    asset: '哪一种资产？我支持 {assets}。',
    unlisted: '我不认识{about}。我支持 {assets}。',
    side: '我不确定您是要买还是要卖。',
    size: '多少？请写美元金额或资产数量，每种资产一个。',
    address: '哪一个地址？我不知道您的地址。请写全：0x 加 40 位十六进制数字。',
    plan: '哪一个计划？请写编号，或其所有者的地址。',
    guard: '哪一个守护？请写编号。',
    number: '{about} 有两种读法。小数用点，千位用逗号或不写。',
    unit: '{about} 是美元，还是资产的数量？',
    price_or_size: '{about} 是一个单位的价格，还是您要花的金额？',
    percent: '{about} 的多少？我不知道您持有多少，请写数量。',
    currency: '我只用美元或资产数量计算，不用 {about}。',
    not_understood: '我没有看懂{about}，也不会猜。{menu}',
    several: '我不能一次回答全部，也不会悄悄略去一部分。请一次问一件事。',
    both_sides: '这里有不止一笔交易。请一次问一笔。',
    pairs: '我不比较资产：每种资产单独评估，价格以美元计。',
    only_reads: '我只回答问题，不签署、不发送、不改变任何东西。这要由您自己的钱包来做。',
    forecast: '我不做预测：我不能说价格将会怎样。{menu}',
    only_now: '评估只说现在：我不能说过去某时的价格是否公平。',
    causes: '我不能说价格为什么变动。',
    instructed: '评估来自检查，任何要求都不能改变我的工作方式。{menu}',
    unread: '我读英文和中文。{menu}',
  },
};

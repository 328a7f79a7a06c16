import type { Asset } from '@bowline/core/domain/assets';
import { spaced } from '@bowline/core/texts/words';
import type { Intent, Missing, Question, Refusal, ToolCall } from '../intent/question.ts';
import { verdict } from '../intent/vocabulary.ts';
import { choiceOf } from './as-question.ts';
import type { AskedBack, Refused, Told } from './asked-back.ts';
import { replyInChinese } from './in-chinese.ts';
import { capabilities } from './sentences.ts';
import { unclear } from './unclear.ts';

type NoCalls = Exclude<Intent, { readonly calls: unknown }>;

const MAX_CHOICES = 4;

/** Reply when no tool is called: what is missing or why not, always with questions that are answered. */
export function replyWithoutCalls(intent: NoCalls, assets: readonly Asset[]): AskedBack {
  if (intent.language !== undefined) return replyInChinese(intent, assets);
  const { question } = intent;
  const [say, calls] =
    'missing' in intent
      ? asking[intent.missing](assets, question)
      : refusals[intent.refusal]({ question, instead: intent.instead ?? [], assets });
  const choices = [...new Map(calls.map(choiceOf).map((choice) => [choice.prompt, choice])).values()].slice(
    0,
    MAX_CHOICES,
  );
  const examples = choices.map(({ prompt }) => `"${prompt}"`).join(' or ');
  return { text: say.replace('{}', () => `for example: ${examples}`), choices };
}

const call = (tool: string, input: ToolCall['input'] = {}): ToolCall => ({ tool, input });
const check = (asset: string, rest: ToolCall['input'] = {}) => call('check_asset', { asset, ...rest });

const firstOf = (assets: readonly Asset[]): string => assets[0]?.symbol ?? 'BTCB';
const subjectOf = (question: Question | undefined, assets: readonly Asset[]): string =>
  question?.assets[0]?.symbol ?? firstOf(assets);

/** One question of each kind. */
const menu = (asset: string): ToolCall[] => [
  check(asset),
  call('get_price', { asset }),
  call('list_plans'),
  call('preview_rescue', { guard: '1' }),
];

const quoted = (words: readonly string[]): string =>
  words
    .slice(0, 3)
    .map((word) => `"${spaced(word.slice(0, 40))}"`)
    .join(', ');

const sideOf = (question: Question | undefined) => question?.side && { side: question.side };
const sizeOf = (question: Question | undefined) =>
  question?.sizes.length === 1 ? question.sizes[0]?.amount : undefined;

const asking: Record<Missing, (assets: readonly Asset[], question?: Question) => Told> = {
  asset: (assets, question) => {
    const listed = assets.map(({ symbol }) => symbol).join(', ');
    const judged = question !== undefined && (question.side !== undefined || verdict.test(question.words));
    const dollars = sizeOf(question);
    const size = dollars && 'amount_usd' in dollars ? dollars : {};
    const calls = assets.map(({ symbol }) =>
      judged ? check(symbol, { ...sideOf(question), ...size }) : call('get_price', { asset: symbol }),
    );
    return question && question.unknown.length > 0
      ? [`I do not know ${quoted(question.unknown)}. I cover ${listed}. Ask, {}`, calls]
      : [`Which asset do you mean? I cover ${listed}. Ask, {}`, calls];
  },
  amount: (assets, question) => {
    const asset = subjectOf(question, assets);
    const [bought, sold] = [
      call('quote_swap', { asset, side: 'buy', amount_usd: '500' }),
      call('quote_swap', { asset, side: 'sell', amount_asset: '2' }),
    ];
    const calls = question?.side === 'sell' ? [sold] : question?.side === 'buy' ? [bought] : [bought, sold];
    return ['For how much? Name US dollars or an amount of the asset, {}', calls];
  },
  address: (_, question) => [
    'Which address? I do not know yours. Write it out, 0x and 40 hexadecimal digits ("Health of 0x…", "Plans of 0x…"), or give the ' +
      'number of a plan or guard, {}',
    /\bplans?\b/.test(question?.words ?? '')
      ? [call('list_plans'), call('plan_outlook', { plan: '1' }), call('list_runs', { plan: '1' })]
      : [call('preview_rescue', { guard: '1' }), call('list_plans')],
  ],
  plan: () => [
    'Which plan? Give its number, {}',
    [call('plan_outlook', { plan: '1' }), call('list_runs', { plan: '1' }), call('list_plans')],
  ],
  guard: () => ['Which guard? Give its number, {}', [call('preview_rescue', { guard: '1' })]],
  'one asset': (assets, question) => {
    const named = question && question.assets.length > 0 ? question.assets : assets.slice(0, 1);
    return [
      'I quote one asset against its stablecoin, and prices in US dollars. Ask, {}',
      [
        ...named.slice(0, 2).map(({ symbol }) => call('get_price', { asset: symbol })),
        ...named.slice(0, 2).map(({ symbol }) => call('quote_swap', { asset: symbol, side: 'buy', amount_usd: '500' })),
      ],
    ];
  },
  side: (assets, question) => {
    const asset = subjectOf(question, assets);
    return [
      `I am not sure whether you mean a purchase or a sale of ${asset}. Ask, {}`,
      (['buy', 'sell'] as const).map((side) => check(asset, { side, ...sizeOf(question) })),
    ];
  },
  'one size': (assets, question) => {
    const named = question && question.assets.length > 0 ? question.assets : assets.slice(0, 1);
    const sizes = question?.sizes.map(({ amount }) => amount) ?? [];
    const calls = named.flatMap(({ symbol }) =>
      (sizes.length > 0 ? sizes : [{ amount_asset: '0.1' }]).map((size) =>
        check(symbol, { ...sideOf(question), ...size }),
      ),
    );
    return ['Which size do you mean? Give one for each asset, {}', calls];
  },
};

/** The similar questions, or a verdict where there is none. */
const similar = ({ instead, assets }: Refused): readonly ToolCall[] =>
  instead.length > 0 ? instead : [check(firstOf(assets))];

const menuOf = ({ question, assets }: Refused): readonly ToolCall[] => menu(subjectOf(question, assets));

// Words by which other languages are known: no English question has them.
const foreign =
  /[^\p{Script=Latin}\p{P}\p{S}\p{N}\p{Z}\p{Cc}\p{Emoji}]|[ñışğ]|\b(?:ist|der|das|und|wie|wieviel|kostet|est|le|les|quel|quelle|prix|combien|quanto|costa|qual|preço|hoeveel|prijs|jest|ile|kosztuje|cuánto|cuanto|cuándo|cuesta|cómo|conviene|comprar|vender|precio|almak|fiyat|kadar|zaman)\b/u;

/** Not said to a question in English. */
const languagesRead = (question: Question | undefined): string =>
  question?.unknown.some((word) => foreign.test(word)) ? 'I read English, and common questions in Chinese. ' : '';

const refusals: Record<Refusal, (refused: Refused) => Told> = {
  not_understood: (refused) => [
    `I did not understand that. ${languagesRead(refused.question)}${capabilities}`,
    [...refused.instead, ...menuOf(refused)],
  ],
  greeting: (refused) => [`Hello. I am Bowline's agent on BNB Chain. ${capabilities}`, menuOf(refused)],
  only_reads: (refused) => {
    const only = 'I only answer questions: I sign, send and change nothing. Your own wallet does that.';
    return refused.question?.assets.length
      ? [`${only} I can say whether a trade is fair, {}`, similar(refused)]
      : [`${only} ${capabilities}`, [...refused.instead, ...menuOf(refused)]];
  },
  no_forecast: (refused) => [
    `I do not forecast: I cannot say what will happen, or what would happen if a price moved. ${capabilities}`,
    [...refused.instead, ...menuOf(refused)],
  ],
  not_instructed: (refused) => [
    `A verdict comes from its checks, and no request changes how I work. ${capabilities}`,
    menuOf(refused),
  ],
  only_now: (refused) => [
    'A verdict is about now: I cannot say whether a price was fair at another time. Ask about now, {}',
    similar(refused),
  ],
  no_causes: (refused) => [
    'I cannot say why a price moved or is what it is. Ask whether it is fair, {}',
    [...similar(refused), call('get_history', { asset: subjectOf(refused.question, refused.assets) })],
  ],
  no_comparison: (refused) => [
    'I do not compare assets: each is judged by itself. Ask for prices ("price of BTCB and ETH"), or for verdicts, {}',
    (refused.question?.assets.length ?? 0) > 1
      ? (refused.question?.assets.map(({ symbol }) => check(symbol)) ?? [])
      : similar(refused),
  ],
  no_pairs: (refused) => {
    const { question, assets } = refused;
    const halves = new Set(question?.clauses.legs.map(({ side }) => side)).size > 1;
    const none =
      'Prices are in US dollars, and each asset trades against a stablecoin: I have no price of one asset in another.';
    return halves
      ? [`${none} A swap is a sale and a purchase: ask about each, {}`, similar(refused)]
      : [
          `${none} Ask, {}`,
          [
            call('quote_swap', { asset: subjectOf(question, assets), side: 'sell', amount_asset: '1' }),
            ...(question?.assets ?? []).map(({ symbol }) => call('get_price', { asset: symbol })),
          ],
        ];
  },
  both_sides: (refused) => ['That names both a purchase and a sale. Ask about one at a time, {}', similar(refused)],
  no_rescue_record: ({ question }) => [
    'I cannot say what a guard has repaid in the past. I can say what it would do now, {}',
    [call('preview_rescue', { guard: question?.guard ?? '1' })],
  ],
  no_loan_detail: ({ question }) => [
    'For a loan I can give the total debt of an address, its collateral, its health and its guards as they are now ("Health of 0x…"). ' +
      'Ask, {}',
    [
      question?.address === undefined
        ? call('preview_rescue', { guard: question?.guard ?? '1' })
        : call('loan_health', { borrower: question.address }),
    ],
  ],
  no_plans_by_asset: () => [
    'I can list all plans or those of an address, but not those of an asset. Ask, {}',
    [call('list_plans')],
  ],
  no_long_history: ({ question, assets }) => [
    'I have candles of the last hours, days or weeks, but not the whole history. Ask, {}',
    [call('get_history', { asset: subjectOf(question, assets), interval: '1d', count: 30 })],
  ],
  too_much_at_once: (refused) => [
    'I cannot answer all of that at once and will not leave parts out silently. Ask one thing at a time, {}',
    similar(refused),
  ],
  unknown_words: (refused) => [
    `I do not understand ${quoted(refused.question?.unknown ?? [])} here and do not guess. ${languagesRead(refused.question)}Ask, {}`,
    similar(refused),
  ],
  unclear: (refused) => unclear(refused, subjectOf(refused.question, refused.assets)),
};

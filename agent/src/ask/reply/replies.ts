import type { Asset } from '@bowline/core/domain/assets';
import { spaced } from '@bowline/core/texts/words';
import type { Intent, Missing, Question, Refusal, ToolCall } from '../intent/question.ts';
import { capabilities } from './sentences.ts';
import { grouped } from './words.ts';

type NoCalls = Exclude<Intent, { readonly calls: unknown }>;

/** Reply when no tool is called: what is missing or why not, always with an example of what to ask. */
export function replyWithoutCalls(intent: NoCalls, assets: readonly Asset[]): string {
  const { question } = intent;
  if ('missing' in intent) return asking[intent.missing](assets.map(({ symbol }) => symbol).join(', '), question);
  return refusals[intent.refusal]({ question, example: exampleOf(intent.instead ?? [], assets) });
}

const MAX_EXAMPLES = 4;

function exampleOf(calls: readonly ToolCall[], assets: readonly Asset[]): string {
  const some = calls.length > 0 ? calls : [{ tool: 'check_asset', input: { asset: assets[0]?.symbol } }];
  const questions = new Set(some.map((call) => `"${asQuestion(call)}"`));
  return `for example: ${[...questions].slice(0, MAX_EXAMPLES).join(' or ')}`;
}

const quoted = (words: readonly string[]): string =>
  words
    .slice(0, 3)
    .map((word) => `"${spaced(word.slice(0, 40))}"`)
    .join(', ');

const asking: Record<Missing, (listed: string, question?: Question) => string> = {
  asset: (listed, question) =>
    question && question.unknown.length > 0
      ? `I do not know ${quoted(question.unknown)}. I cover ${listed}. Ask, for example: "Is ${listed.split(',')[0]} fairly priced?"`
      : `Which asset do you mean? I cover ${listed}. Ask, for example: "Is ${listed.split(',')[0]} fairly priced?"`,
  amount: () =>
    'For how much? Name US dollars or an amount of the asset: "How much BTCB would I get for $500?", "quote 2 ETH".',
  address: () => 'Which address? Write it out: 0x and 40 hexadecimal digits. I do not know your address.',
  plan: () => 'Which plan? Give its ID, for example "runs of plan 1".',
  guard: () => 'Which guard? Give its ID, for example "would guard 1 rescue?"',
  'one asset': () =>
    'I quote one asset against its stablecoin, and prices in US dollars, such as "How much ETH would I get for $500?"',
  side: (listed, question) => {
    const asset = question?.assets[0]?.symbol ?? listed.split(',')[0] ?? '';
    const size = question?.sizes.length === 1 ? question.sizes[0]?.amount : undefined;
    const [buy, sell] = (['buy', 'sell'] as const).map((side) =>
      asQuestion({ tool: 'check_asset', input: { asset, side, ...size } }),
    );
    return `I am not sure whether you mean a purchase or a sale of ${asset}. Ask, for example: "${buy}" or "${sell}"`;
  },
  'one size': () => 'Which size do you mean? Give one for each asset, for example: "Is it fair to buy 0.1 BTCB?"',
};

interface Refused {
  readonly question: Question | undefined;
  /** "for example: …" */
  readonly example: string;
}

const refusals: Record<Refusal, (refused: Refused) => string> = {
  not_understood: () => `I did not understand that. I can only answer in English. ${capabilities}`,
  greeting: () => `Hello. I am Bowline's agent on BNB Chain. ${capabilities}`,
  only_reads: ({ question, example }) =>
    'I only answer questions: I sign, send and change nothing. Your own wallet does that. ' +
    (question?.assets.length ? `I can say whether a trade is fair, ${example}` : capabilities),
  no_forecast: () =>
    `I do not forecast: I cannot say what will happen, or what would happen if a price moved. ${capabilities}`,
  not_instructed: () => `A verdict comes from its checks, and no request changes how I work. ${capabilities}`,
  only_now: ({ example }) =>
    `A verdict is about now: I cannot say whether a price was fair at another time. Ask about now, ${example}`,
  no_causes: ({ example }) => `I cannot say why a price moved or is what it is. Ask whether it is fair, ${example}`,
  no_comparison: ({ example }) =>
    `I do not compare assets: each is judged by itself. Ask for prices ("price of BTCB and ETH"), or for verdicts, ${example}`,
  no_pairs: ({ question, example }) => {
    const halves = new Set(question?.clauses.legs.map(({ side }) => side)).size > 1;
    return (
      'Prices are in US dollars, and each asset trades against a stablecoin: I have no price of one asset in another. ' +
      (halves
        ? `A swap is a sale and a purchase: ask about each, ${example}`
        : `Ask, for example: "How much would I get for selling 1 ${question?.assets[0]?.symbol ?? 'BTCB'}?"`)
    );
  },
  both_sides: ({ example }) => `That names both a purchase and a sale. Ask about one at a time, ${example}`,
  no_rescue_record: ({ question }) =>
    'I cannot say what a guard has repaid in the past. I can say what it would do now, for example: ' +
    `"Would guard ${question?.guard ?? '1'} rescue?"`,
  no_loan_detail: ({ question }) =>
    'For a loan I can give the total debt of an address, its collateral, its health and its guards as they are now. ' +
    `Ask, for example: "Health of ${question?.address ?? '0x…'}"`,
  no_plans_by_asset: () =>
    'I can list all plans or those of an address, but not those of an asset. Ask, for example: "What plans are there?"',
  no_long_history: ({ question }) =>
    'I have candles of the last hours, days or weeks, but not the whole history. Ask, for example: ' +
    `"How has ${question?.assets[0]?.symbol ?? 'BTCB'} done over the last 30 days?"`,
  too_much_at_once: ({ example }) =>
    `I cannot answer all of that at once and will not leave parts out silently. Ask one thing at a time, ${example}`,
  unknown_words: ({ question, example }) =>
    `I do not understand ${quoted(question?.unknown ?? [])} here and do not guess. I can only answer in English. Ask, ${example}`,
  unclear: (refused) => unclear(refused),
};

function unclear({ question, example }: Refused): string {
  const asset = question?.assets[0]?.symbol ?? 'BTCB';
  const written = question?.unclear?.written ?? '';
  switch (question?.unclear?.kind) {
    case 'currency':
      return `I work in US dollars or in units of the asset, not in "${written}". Ask, for example: "Is it fair to buy $500 of ${asset}?"`;
    case 'percent':
      return `"${written}" of what? I do not know what you hold. Give an amount, for example: "Is it fair to sell 0.5 ${asset}?"`;
    case 'number':
      return `"${written}" can be read in two ways. Use a point for decimals and commas or nothing for thousands, for example: "Is it fair to buy 2.5 ${asset}?"`;
    case 'times':
      return `Please ask about one period at a time, for example: "How has ${asset} done over the last 7 days?"`;
    case 'thousands': {
      const { amount } = question.unclear;
      const input = { asset, side: question.side ?? 'buy' };
      const units = asQuestion({ tool: 'check_asset', input: { ...input, amount_asset: amount } });
      const dollars = asQuestion({ tool: 'check_asset', input: { ...input, amount_usd: amount } });
      return `Is "${written}" an amount of ${asset}, or of US dollars? Ask "${units}" or "${dollars}"`;
    }
    case 'unit':
      return `"${written}" of what? Say "$${written} of ${asset}" or "${written} ${asset}".`;
    case 'price_or_size':
      return `Is ${written.replace(/\s*(?:usd|dollars?)$/, '')} USD the price of one ${asset}, or how much you would spend? Ask "Is $${written} a fair price for ${asset}?" or "Is it fair to buy $${written} of ${asset}?"`;
    default:
      return `I am not sure what you asked. Ask, ${example}`;
  }
}

const intervals: Readonly<Record<string, string>> = { '1h': 'hourly', '1d': 'daily' };

/** Renders a tool call as a question that the rules read back as the same call. */
export function asQuestion({ tool, input }: ToolCall): string {
  const given = input as Readonly<Record<string, string | undefined>>;
  const { asset = '', side, amount_usd, amount_asset } = given;
  const size =
    amount_asset !== undefined
      ? `${grouped(amount_asset)} ${asset}`
      : amount_usd !== undefined
        ? `$${grouped(amount_usd)} of ${asset}`
        : undefined;
  switch (tool) {
    case 'check_asset':
      if (size !== undefined) return `Is it fair to ${side ?? 'buy'} ${size}?`;
      return `Is ${asset} fairly priced${side ? ` to ${side}` : ''}?`;
    case 'get_price':
      return `What is the price of ${asset}?`;
    case 'get_history': {
      const { interval = '1h' } = given;
      return input.count === undefined
        ? `How has ${asset} done?`
        : `Show the last ${input.count} ${intervals[interval] ?? interval} candles of ${asset}`;
    }
    case 'quote_swap':
      return side === 'buy' && amount_asset !== undefined
        ? `What would it cost to buy ${size}?`
        : side === 'sell'
          ? `How much would I get for selling ${size}?`
          : `How much ${asset} would I get for $${grouped(amount_usd ?? '')}?`;
    case 'list_runs':
      return input.count === undefined
        ? `What happened to plan ${given.plan}?`
        : `Show the last ${input.count} runs of plan ${given.plan}`;
    case 'plan_outlook':
      return `When does plan ${given.plan} run next?`;
    case 'list_plans':
      return given.owner ? `Plans of ${given.owner}` : 'What plans are there?';
    case 'loan_health':
      return `Health of ${given.borrower}`;
    case 'preview_rescue':
      return `Would guard ${given.guard} rescue?`;
    default:
      return 'What can you do?';
  }
}

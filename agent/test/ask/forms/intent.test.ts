import { describe, expect, test } from 'vitest';
import { readIntent } from '../../../src/ask/forms/read.ts';
import type { Intent, ToolCall } from '../../../src/ask/question.ts';
import { askBack, choiceOf } from '../../../src/ask/reply/ask-back.ts';
import { verdictRequest } from '../../../src/ask/verdict-request.ts';
import { tools } from '../../../src/tools/index.ts';
import { assets } from '../assets.ts';
import corpus from '../corpus.json' with { type: 'json' };

type Call = [tool: string, input: object, details?: object];

interface Phrasing {
  readonly prompt: string;
  readonly calls?: Call[];
  readonly ask?: string;
  /** A reply that needs no tool. */
  readonly fixed?: string;
  /** No tool is called: it asks back or says that it cannot. */
  readonly declined?: boolean;
}

const parts = [
  'tuned',
  'held_out',
  'blind',
  'tricky',
  'sides',
  'sides_blind',
  'plain',
  'turned',
  'turned_blind',
] as const;
const phrasings = (part: (typeof parts)[number]) => corpus[part] as Phrasing[];
const all = parts.flatMap(phrasings);

/** Equal for every way of writing the same call: "250.50" and "250.5", an explicit side and the default one. */
function meaning(tool: string, input: unknown, details: ToolCall['details'] = {}): string {
  const parsed = tools.find(({ name }) => name === tool)?.input.parse(input);
  const { priceUsd, units, yesterday } = details;
  const shown = {
    ...(parsed as object),
    ...(priceUsd && { priceUsd }),
    ...(units && { units }),
    ...(yesterday && { yesterday }),
  };
  return `${tool} ${JSON.stringify(shown, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))}`;
}

const expected = ({ calls, fixed }: Phrasing): string =>
  fixed ?? calls?.map((call) => meaning(...call)).join(' + ') ?? 'asks back';

/** Why a plan waited is its record and its outlook, so these two count as its record. */
const understood = (intent: Intent): string =>
  'calls' in intent
    ? intent.calls
        .filter(({ tool }, index) => tool !== 'plan_outlook' || intent.calls[index - 1]?.tool !== 'list_runs')
        .map(({ tool, input, details }) => meaning(tool, input, details))
        .join(' + ')
    : 'fixed' in intent && intent.fixed === 'who'
      ? intent.fixed
      : 'asks back';

type Outcome = 'right' | 'choice' | 'useless' | 'wrong';

/** Right at first, right after one of its own choices, asked back without a right one, or another question answered. */
function outcomeOf(phrasing: Phrasing): Outcome {
  const intent = readIntent(phrasing.prompt, assets);
  const wanted = expected(phrasing);
  if (understood(intent) === wanted) return 'right';
  if (!('back' in intent)) return 'wrong';
  const isOffered = askBack(intent, assets).choices.some(
    ({ prompt }) => understood(readIntent(prompt, assets)) === wanted,
  );
  return isOffered ? 'choice' : 'useless';
}

const outcomes = new Map(all.map((phrasing) => [phrasing.prompt, outcomeOf(phrasing)]));
const rate = (asked: readonly Phrasing[], ...of: readonly Outcome[]): number =>
  asked.filter(({ prompt }) => of.includes(outcomes.get(prompt) ?? 'wrong')).length / asked.length;

describe('AG-5, AG-24: the corpus', () => {
  test.each(parts)('%s: 65 in 100 are right at first, and 85 after one choice', (part) => {
    const asked = phrasings(part);
    console.log(
      `${part}: ${asked.length}, right ${rate(asked, 'right').toFixed(2)}, by choice ${rate(asked, 'right', 'choice').toFixed(2)}`,
    );
    expect(rate(asked, 'right')).toBeGreaterThanOrEqual(0.65);
    expect(rate(asked, 'right', 'choice')).toBeGreaterThanOrEqual(0.85);
  });

  test.each([
    ...tools.filter(({ effect, name }) => effect === 'read' && name !== 'about').map(({ name }) => name),
    'none',
  ])('%s: 65 in 100 of its phrasings are right at first, and 85 after one choice', (tool) => {
    const asked = all.filter(({ calls }) => (calls?.[0]?.[0] ?? 'none') === tool);
    expect(asked.length).toBeGreaterThanOrEqual(8);
    expect(rate(asked, 'right')).toBeGreaterThanOrEqual(0.65);
    expect(rate(asked, 'right', 'choice')).toBeGreaterThanOrEqual(0.85);
  });

  test('all of it: what is reached may only rise', () => {
    expect(rate(all, 'right')).toBeGreaterThanOrEqual(0.95);
    expect(rate(all, 'right', 'choice')).toBeGreaterThanOrEqual(0.95);
  });

  test('what is not understood is asked back: no other question is answered, not one', () => {
    expect(all.filter(({ prompt }) => outcomes.get(prompt) === 'wrong')).toEqual([]);
  });

  test.each(['en', 'zh'] as const)('%s: a call, worded as a question, is read as that call', (language) => {
    const calls = all.flatMap(({ prompt }) => {
      const intent = readIntent(prompt, assets);
      return 'calls' in intent ? intent.calls : [];
    });
    expect(calls.length).toBeGreaterThan(100);
    for (const { tool, input, details } of calls) {
      // Choices omit what a question adds to a price or a history; Chinese ones omit quotes too.
      if (language === 'zh' && ['quote_swap', 'get_history'].includes(tool)) continue;
      if (language === 'zh' && (details?.priceUsd || input.count)) continue;
      const call = { tool, input, ...(details && !['get_price', 'get_history'].includes(tool) && { details }) };
      const { prompt } = choiceOf(call, language);
      expect(understood(readIntent(prompt, assets)), prompt).toBe(meaning(tool, input, call.details));
    }
  });

  test('an example that is given back is read', () => {
    const offered = [...all, ...trips].flatMap(({ prompt }) => {
      const intent = readIntent(prompt, assets);
      if (!('back' in intent)) return [];
      const { choices } = askBack(intent, assets);
      expect(choices.length, prompt).toBeGreaterThan(0);
      return choices.map((choice) => ({ prompt, choice }));
    });
    expect(offered.length).toBeGreaterThan(150);
    for (const { prompt, choice } of offered) {
      const read = readIntent(choice.prompt, assets);
      expect('back' in read, `${prompt} → ${choice.prompt}`).toBe(false);
    }
  });
});

/** Each names more than one verdict, or none for certain. */
const trips = [
  'sell 1 btc, buy 3 eth, fair?',
  'Is it fair to sell 1 BTCB? Is it fair to buy 3 ETH?',
  'Should I buy or sell 1 BTCB?',
  'Is it fair to buy and sell 1 BTCB?',
  'BTCB: buy, sell?',
  'is btcb a buy or a sell?',
  'Is it fair to swap 1 BTCB for ETH?',
  'Is it fair to sell $500 for BTCB?',
  'if I sell my ETH, is it fair to buy 1 BTCB?',
  'I sold BTCB, was that fair?',
  'Is 40k BTCB a fair buy?',
  'should I swap 1 BTCB?',
  'is it fair to buy eth with btc?',
  'btc is dumping, should I buy eth?',
].map((prompt) => ({ prompt }));

test('AG-24: a report is sold on one asset and one side that its task names', () => {
  const turned = [...corpus.turned, ...corpus.turned_blind].filter((phrasing) => 'declined' in phrasing);
  expect(turned.length).toBeGreaterThan(130);
  for (const { prompt } of [...trips, ...turned]) expect(verdictRequest(prompt, assets), prompt).toBeUndefined();
  expect(verdictRequest('Is it fair to sell 1 BTCB?', assets)).toEqual({
    asset: 'BTCB',
    side: 'sell',
    amount_asset: '1',
  });
  expect(verdictRequest('Is BTCB fairly priced to buy for 5,000 USD?', assets)).toMatchObject({ side: 'buy' });
});

test('AG-24: no text of any length holds up the process', () => {
  const units = [
    ...[
      'sell all of the some ',
      'eth is it fair to should i ',
      'eth and ',
      'how much eth can i buy for ',
      'list all show all every ',
    ],
    ...[
      'if eth falls by by ',
      'do you hold my ',
      'cancel my the this ',
      'health of to at is ',
      'plan 1 ',
      '跌到',
      '最多',
      'verdic ',
      '会不会',
      '想要',
    ],
  ];
  // Short texts first: an exponential-time pattern would never finish on the long ones.
  for (const unit of units)
    for (const chars of [48, 60, 84, 600, 4_000]) {
      const text = unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars);
      const begun = performance.now();
      readIntent(text, assets);
      expect(performance.now() - begun, unit).toBeLessThan(1_500);
    }
});

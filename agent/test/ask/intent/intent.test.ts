import { describe, expect, test } from 'vitest';
import { readIntent } from '../../../src/ask/intent/intent.ts';
import type { Intent, ToolCall } from '../../../src/ask/intent/question.ts';
import { verdictRequest } from '../../../src/ask/intent/verdict-request.ts';
import { asQuestion } from '../../../src/ask/reply/as-question.ts';
import { replyWithoutCalls } from '../../../src/ask/reply/replies.ts';
import { tools } from '../../../src/tools/index.ts';
import { assets } from '../assets.ts';
import corpus from '../corpus.json' with { type: 'json' };

type Call = [tool: string, input: object, details?: object];

interface Phrasing {
  readonly prompt: string;
  readonly calls?: Call[];
  readonly ask?: string;
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

/** The same for every way of writing the same call: "250.50" and "250.5", a side that is said and one that is the default. */
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

function expected({ calls, ask }: Phrasing): string {
  if (calls) return calls.map((call) => meaning(...call)).join(' + ');
  return ask ? `which ${ask}?` : 'declined';
}

function understood(intent: Intent): string {
  if ('calls' in intent)
    return intent.calls.map(({ tool, input, details }) => meaning(tool, input, details)).join(' + ');
  return 'missing' in intent ? `which ${intent.missing}?` : 'declined';
}

const silent = /^(?:declined|which .*\?)$/;

const missesOf = (asked: readonly Phrasing[]) =>
  asked
    .map((phrasing) => ({ phrasing, wanted: expected(phrasing), got: understood(readIntent(phrasing.prompt, assets)) }))
    .filter(({ phrasing, wanted, got }) => (phrasing.declined ? !silent.test(got) : wanted !== got));

describe('AG-5, AG-24: the corpus', () => {
  test.each(parts)('%s: at least 95 in 100 are understood', (part) => {
    const misses = missesOf(phrasings(part));
    for (const { phrasing, wanted, got } of misses)
      console.log(`${phrasing.prompt}\n  wanted ${wanted}\n  got    ${got}`);
    const asked = phrasings(part).length;
    console.log(`${part}: ${asked - misses.length} of ${asked}`);
    expect((asked - misses.length) / asked).toBeGreaterThanOrEqual(0.95);
  });

  test.each([
    ...tools.filter(({ effect, name }) => effect === 'read' && name !== 'about').map(({ name }) => name),
    'none',
  ])('%s: at least 95 in 100 of its phrasings', (tool) => {
    const asked = all.filter(({ calls }) => (calls?.[0]?.[0] ?? 'none') === tool);
    expect(asked.length).toBeGreaterThanOrEqual(8);
    expect((asked.length - missesOf(asked).length) / asked.length).toBeGreaterThanOrEqual(0.95);
  });

  test('what is not understood is asked back or declined: no other question is answered, not one', () => {
    const answered = missesOf(all).filter(({ phrasing }) => 'calls' in readIntent(phrasing.prompt, assets));
    expect(answered).toEqual([]);
  });

  test('a call, worded as a question, is read as that call', () => {
    const calls = all.flatMap(({ prompt }) => {
      const intent = readIntent(prompt, assets);
      return 'calls' in intent ? intent.calls.filter(({ details }) => details?.plan === undefined) : [];
    });
    expect(calls.length).toBeGreaterThan(100);
    for (const { tool, input } of calls) {
      expect(understood(readIntent(asQuestion({ tool, input }), assets)), asQuestion({ tool, input })).toBe(
        meaning(tool, input),
      );
    }
  });

  test('an example that is given back is read', () => {
    const offered = [...all, ...trips].flatMap(({ prompt }) => {
      const intent = readIntent(prompt, assets);
      if ('calls' in intent) return [];
      const { choices } = replyWithoutCalls(intent, assets);
      expect(choices.length, prompt).toBeGreaterThan(0);
      return choices.map((choice) => ({ prompt, choice }));
    });
    expect(offered.length).toBeGreaterThan(150);
    for (const { prompt, choice } of offered)
      expect(readIntent(choice.prompt, assets), `${prompt} → ${choice.prompt}`).toHaveProperty('calls');
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

test('AG-24, SL-3: a report is sold on one asset and one side that its task names', () => {
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

import { describe, expect, test, vi } from 'vitest';
import { createAnswer } from '../../src/ask/answer.ts';
import { readIntent } from '../../src/ask/forms/read.ts';
import type { Back } from '../../src/ask/question.ts';
import { askBack } from '../../src/ask/reply/ask-back.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import { keepLog } from '../api/log.ts';
import { world } from '../tools/world.ts';
import { assets } from './assets.ts';
import corpus from './corpus.json' with { type: 'json' };
import firstSight from './first-sight.json' with { type: 'json' };

const { about: _, ...parts } = corpus;
const { about: __, ...halves } = firstSight;
const prompts = [
  ...Object.values(parts).flatMap((part) => part.map(({ prompt }) => prompt)),
  ...Object.values(halves).flatMap((half) => half.map(([, prompt = '']) => prompt)),
  'Is $60,000 ok for BTCB at 50,000?',
  'last 3 days and last 2 weeks of btcb',
  'loan of mine',
  '我的贷款',
];

/** Every way of asking back; the compiler reports a missing one. */
const places: Record<Back | 'in zh', true> = {
  asset: true,
  unlisted: true,
  side: true,
  size: true,
  address: true,
  plan: true,
  guard: true,
  number: true,
  unit: true,
  price_or_size: true,
  percent: true,
  currency: true,
  not_understood: true,
  several: true,
  both_sides: true,
  pairs: true,
  only_reads: true,
  forecast: true,
  only_now: true,
  causes: true,
  instructed: true,
  unread: true,
  'in zh': true,
};

const asked = prompts.flatMap((prompt) => {
  const intent = readIntent(prompt, assets);
  if (!('back' in intent)) return [];
  return [{ prompt, kinds: [intent.back, `in ${intent.language}`], reply: askBack(intent, assets) }];
});

describe('AG-24: whatever asks back offers choices', () => {
  test('every place that asks back is reached by the questions of this test', () => {
    const reached = new Set(asked.flatMap(({ kinds }) => kinds));
    expect(Object.keys(places).filter((place) => !reached.has(place))).toEqual([]);
  });

  test('each has a label and a prompt of its own', () => {
    for (const { prompt, reply } of asked) {
      const { choices } = reply;
      expect(choices.length, prompt).toBeGreaterThan(0);
      expect(choices.length, prompt).toBeLessThanOrEqual(4);
      expect(new Set(choices.map((choice) => choice.prompt)).size, prompt).toBe(choices.length);
      for (const { label } of choices) expect(label, prompt).toMatch(/^.{4,60}$/);
    }
  });

  test('each prompt, sent next, is answered and not asked back', async () => {
    const call = callTool(tools, { ...world, assets }, vi.fn());
    const answer = createAnswer({ tools, call, assets, timeoutMs: 20_000, log: keepLog() });
    const offered = new Set(asked.flatMap(({ reply }) => reply.choices.map(({ prompt }) => prompt)));
    expect(offered.size).toBeGreaterThan(60);
    for (const prompt of offered) {
      const answered = await answer(prompt);
      expect(answered, prompt).toMatchObject({ ok: true, value: { choices: [], answeredBy: 'embedded' } });
      const isFixed = 'fixed' in readIntent(prompt, assets);
      expect(answered.ok && answered.value.tools.length > 0, prompt).toBe(!isFixed);
    }
  });

  test('a question in English is not answered in another language', () => {
    const english = Object.values(parts).flatMap((part) => part.map(({ prompt }) => prompt));
    const mistaken = [...english, 'should my son buy eth for his van, pro or con?', 'ask al and la rue: eth ok?']
      .filter((prompt) => /^[\x20-\x7e]*$/.test(prompt))
      .filter((prompt) => readIntent(prompt, assets).language !== 'en');
    expect(mistaken).toEqual([]);
  });

  test('a question in English is never told that only English is read', () => {
    const english = asked.filter(({ prompt, kinds }) => /^[\x20-\x7e\n]*$/.test(prompt) && !kinds.includes('in zh'));
    expect(english.length).toBeGreaterThan(200);
    const told = english.filter(({ reply }) => /I read English/.test(reply.text)).map(({ prompt }) => prompt);
    expect(
      told.filter(
        (prompt) =>
          !/\b(?:ist|est|le|quel|prix|wie|wieviel|combien|kostet|precio|cuanto|fiyat|merhaba|bana)\b/i.test(prompt),
      ),
    ).toEqual([]);
  });
});

import { Unready } from '@bowline/core/domain/readiness';
import { expect, test } from 'vitest';
import { createLanguageModel } from '../../src/ask/language-model.ts';
import { watchModel } from '../../src/ask/model-watch.ts';
import { keepLog } from '../api/log.ts';
import { type Step, scriptedModel } from './scripted-model.ts';

/** A watched model over HTTP, and a clock that the test sets. */
async function watched(...script: [Step, ...Step[]]) {
  const { baseUrl, requests } = await scriptedModel(...script);
  const model = createLanguageModel({ apiKey: 'sk', baseUrl, model: 'scripted', timeoutMs: 300, maxRetries: 0 });
  const clock = { now: 0 };
  const log = keepLog();
  const watch = watchModel(model, { now: () => clock.now, log });
  const ask = (signal?: AbortSignal) =>
    watch.respond([{ role: 'user', text: '?' }], [], signal).then(
      ({ text }) => text,
      ({ code }) => code,
    );
  return { watch, ask, clock, requests, log };
}

const DOWN = 'model_unavailable';
const bad = { status: 500 } as const;

test('after three failures in a row the model is not asked for a minute, then once, and again when it answers', async () => {
  const { watch, ask, clock, requests } = await watched(bad, bad, bad, bad, { say: 'Back.' });
  for (let at = 1; at <= 3; at++) {
    expect(watch.isPaused()).toBe(false);
    expect(await ask()).toBe(DOWN);
  }
  expect(watch.isPaused()).toBe(true);
  for (let at = 0; at < 5; at++) expect(await ask()).toBe(DOWN);
  expect(requests).toHaveLength(3);
  await expect(watch.look.look()).rejects.toMatchObject({ reason: DOWN, constructor: Unready });

  // Of several concurrent calls, one is let through, and it fails.
  clock.now = 60_000;
  expect(watch.isPaused()).toBe(false);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([DOWN, DOWN, DOWN]);
  expect(requests).toHaveLength(4);
  clock.now = 119_999;
  expect(await ask()).toBe(DOWN);
  expect(requests).toHaveLength(4);
  await expect(watch.look.look()).rejects.toMatchObject({ reason: DOWN });

  clock.now = 120_000;
  expect(await ask()).toBe('Back.');
  expect(await Promise.all([ask(), ask()])).toEqual(['Back.', 'Back.']);
  expect(watch.isPaused()).toBe(false);
  expect(await watch.look.look()).toBe('No outage of the language model has been seen.');
});

test('failures with an answer between them are not in a row', async () => {
  const { watch, ask, requests } = await watched(bad, bad, { say: 'Ok.' }, bad, bad, { say: 'Ok.' });
  for (let at = 0; at < 6; at++) await ask();
  expect(watch.isPaused()).toBe(false);
  expect(requests).toHaveLength(6);
});

test('silence counts, whoever stops waiting; what is said of one conversation does not', async () => {
  const silent = await watched('hang');
  for (let at = 0; at < 3; at++) expect(await silent.ask(AbortSignal.timeout(50))).toBe(DOWN);
  expect(silent.watch.isPaused()).toBe(true);

  const refusing = await watched({ status: 400 });
  for (let at = 0; at < 5; at++) expect(await refusing.ask()).toBe(DOWN);
  expect(refusing.watch.isPaused()).toBe(false);
  expect(refusing.requests).toHaveLength(5);
});

test('the log says when the model is down and when it is back, without what it sent', async () => {
  const { ask, clock, log } = await watched(bad, bad, bad, { say: 'Back.' });
  for (let at = 0; at < 3; at++) await ask();
  clock.now = 60_000;
  await ask();
  expect(log.lines.map((line) => JSON.parse(line).event)).toEqual([
    'model.failed',
    'model.failed',
    'model.failed',
    'model.down',
    'model.up',
  ]);
  expect(String(log.lines)).not.toContain('sk-leaked');
});

import { expect, test, vi } from 'vitest';
import { createLanguageModel } from '../../src/ask/language-model.ts';
import { scriptedModel } from './scripted-model.ts';

const connect = (baseUrl: string, changes: { timeoutMs?: number; maxRetries?: number } = {}) =>
  createLanguageModel({ apiKey: 'sk-test', baseUrl, model: 'scripted', timeoutMs: 2_000, maxRetries: 0, ...changes });

const question = [{ role: 'user', text: 'How much is BTCB?' }] as const;
const tool = { name: 'get_price', description: 'Price.', parameters: { type: 'object', properties: {} } };

test('asks the configured model with the configured key, and offers the tools', async () => {
  const { baseUrl, requests, headers } = await scriptedModel({ say: 'Much.' });
  vi.stubEnv('OPENAI_ORG_ID', 'org-of-somebody');
  vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/');
  expect(await connect(baseUrl).respond(question, [tool])).toEqual({ text: 'Much.', calls: [] });
  vi.unstubAllEnvs();
  expect(requests).toEqual([
    {
      model: 'scripted',
      messages: [{ role: 'user', content: 'How much is BTCB?' }],
      tools: [{ type: 'function', function: tool }],
    },
  ]);
  expect(headers[0]).toMatchObject({ authorization: 'Bearer sk-test' });
  expect(headers[0]).not.toHaveProperty('openai-organization');
});

test('no tools are offered as none, not as an empty list', async () => {
  const { baseUrl, requests } = await scriptedModel({ say: 'Much.' });
  await connect(baseUrl).respond(question, []);
  expect(requests[0]).not.toHaveProperty('tools');
});

test('calls come out as the model wrote them, and a whole conversation goes in', async () => {
  const { baseUrl, requests } = await scriptedModel(
    { say: '', calls: [['get_price', '{"asset": oops']] },
    { say: 'Done.' },
  );
  const model = connect(baseUrl);
  const { text, calls } = await model.respond(question, [tool]);
  expect(calls).toEqual([{ id: 'call_1_0', tool: 'get_price', argumentsJson: '{"asset": oops' }]);
  await model.respond(
    [...question, { role: 'assistant', text, calls }, { role: 'tool', callId: 'call_1_0', text: '{"usd":"1"}' }],
    [tool],
  );
  expect(requests[1]?.messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'call_1_0', type: 'function', function: { name: 'get_price', arguments: '{"asset": oops' } }],
    },
    { role: 'tool', tool_call_id: 'call_1_0', content: '{"usd":"1"}' },
  ]);
});

const unavailable = { name: 'BowlineError', code: 'model_unavailable', retryable: true };

test.for([
  ['an error of the server', { status: 500 }],
  ['a wrong key', { status: 401 }],
  ['a limit', { status: 429 }],
  ['an answer without choices', { status: 200, body: '{"choices":[]}' }],
  ['an answer that is no completion', { status: 200, body: '[]' }],
  ['an answer that is no JSON', { status: 200, body: '<html>' }],
  ['silence', 'hang'],
] as const)('%s is a model that is not available, in our words', async ([, step]) => {
  const { baseUrl, requests } = await scriptedModel(step);
  const error = await connect(baseUrl, { timeoutMs: 300 })
    .respond(question, [])
    .then(String, (thrown) => thrown);
  expect(error).toMatchObject(unavailable);
  expect(error.message).toMatch(/^The language model .*\.$/);
  expect(requests).toHaveLength(1);
});

test('nobody there', async () => {
  await expect(connect('http://127.0.0.1:1/v1').respond(question, [])).rejects.toMatchObject(unavailable);
});

test('an error that may pass is tried again, as often as configured', async () => {
  const mended = await scriptedModel({ status: 500 }, { say: 'Now.' });
  expect(await connect(mended.baseUrl, { maxRetries: 1 }).respond(question, [])).toMatchObject({ text: 'Now.' });
  const broken = await scriptedModel({ status: 500 });
  await expect(connect(broken.baseUrl, { maxRetries: 1 }).respond(question, [])).rejects.toMatchObject(unavailable);
  expect(broken.requests).toHaveLength(2);
});

test('whoever has stopped waiting ends the request', async () => {
  const { baseUrl } = await scriptedModel('hang');
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  const started = performance.now();
  await expect(connect(baseUrl).respond(question, [], stop.signal)).rejects.toMatchObject(unavailable);
  expect(performance.now() - started).toBeLessThan(1_000);
});

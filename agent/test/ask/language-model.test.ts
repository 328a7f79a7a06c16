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

const get = { name: 'get_price', arguments: '{"asset":"BTCB"}' };
const called = [expect.objectContaining({ tool: 'get_price', argumentsJson: '{"asset":"BTCB"}' })];
const inText = '{"name":"get_price","arguments":{"asset":"BTCB"}}';

test.for<[string, unknown, unknown]>([
  [
    'arguments as an object',
    { tool_calls: [{ id: 'a', type: 'function', function: { ...get, arguments: { asset: 'BTCB' } } }] },
    { text: '', calls: called },
  ],
  ['no type', { content: null, tool_calls: [{ id: 'a', function: get }] }, { text: '', calls: called }],
  ['no id', { content: null, tool_calls: [{ type: 'function', function: get }] }, { text: '', calls: called }],
  [
    'no arguments',
    { tool_calls: [{ function: { name: 'list_assets' } }] },
    { text: '', calls: [expect.objectContaining({ tool: 'list_assets', argumentsJson: '{}' })] },
  ],
  [
    'a call that is none',
    { content: 'Much.', tool_calls: [null, {}, { function: {} }, { type: 'custom', custom: {} }] },
    { text: 'Much.', calls: [] },
  ],
  ['calls that are no list', { content: 'Much.', tool_calls: {} }, { text: 'Much.', calls: [] }],
  ['the older function_call', { content: null, function_call: get }, { text: '', calls: called }],
  [
    'content in parts',
    { content: [{ type: 'thinking', thinking: [{ text: 'NO_GO' }] }, { type: 'text', text: 'Much ' }, 'more.'] },
    { text: 'Much more.', calls: [] },
  ],
  ['content of another kind', { content: { text: 5 } }, { text: '', calls: [] }],
  ['thoughts', { content: '<think>\nNO_GO? 5 USD?\n</think>\n\nMuch.' }, { text: 'Much.', calls: [] }],
  ['thoughts that a template began', { content: 'NO_GO?</think>Much.' }, { text: 'Much.', calls: [] }],
  ['thoughts without an end', { content: 'Much.<think>But NO_GO' }, { text: 'Much.', calls: [] }],
  ['a call in tags', { content: `I look.\n<tool_call>\n${inText}\n</tool_call>` }, { text: 'I look.', calls: called }],
  ['a call in tags without an end', { content: `<tool_call>${inText}` }, { text: '', calls: called }],
  [
    'two calls in tags',
    { content: `<tool_call>${inText}</tool_call><tool_call>${inText}</tool_call>` },
    { text: '', calls: [...called, ...called] },
  ],
  [
    'a call in tags beside one in its place',
    { content: `<tool_call>{"name":"other"}</tool_call>`, tool_calls: [{ function: get }] },
    { text: '', calls: called },
  ],
  [
    'a call alone',
    { content: '```json\n{"name":"get_price","parameters":{"asset":"BTCB"}}\n```' },
    { text: '', calls: called },
  ],
  [
    'a call in a thought',
    { content: `<think><tool_call>${inText}</tool_call></think>Much.` },
    { text: 'Much.', calls: [] },
  ],
  [
    'a call that cannot be read',
    { content: 'Much.<tool_call>{"name": oops</tool_call>' },
    { text: 'Much.', calls: [] },
  ],
  [
    'a call in the words of another model',
    { content: 'Much.[TOOL_CALLS][{"name":"get_price"}]' },
    { text: 'Much.', calls: [] },
  ],
  ['a call with other marks', { content: 'Much.<|python_tag|>get_price.call()' }, { text: 'Much.', calls: [] }],
  [
    'a call as a function',
    { content: 'Much.<function=get_price>{"asset":"BTCB"}</function>' },
    { text: 'Much.', calls: [] },
  ],
])('what providers do with the format is understood: %s', async ([, message, reply]) => {
  const { baseUrl } = await scriptedModel({ message });
  expect(await connect(baseUrl).respond(question, [tool])).toEqual(reply);
});

test('no message takes long to read', async () => {
  for (const part of ['<think>', '</think>', '<tool_call>{', '<tool_call>', '{"name":', '<|', '[TOOL_CALLS]', '```']) {
    const { baseUrl } = await scriptedModel({ message: { content: part.repeat(1_000_000 / part.length) } });
    const started = process.cpuUsage();
    await connect(baseUrl).respond(question, [tool]);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000, part).toBeLessThan(1_000);
  }
});

const unavailable = { name: 'BowlineError', code: 'model_unavailable', retryable: true };

test.for([
  ['an error of the server', { status: 500 }],
  ['a wrong key', { status: 401 }],
  ['a limit', { status: 429 }],
  ['an answer without choices', { status: 200, body: '{"choices":[]}' }],
  ['an answer that is no completion', { status: 200, body: '[]' }],
  ['an answer that is no JSON', { status: 200, body: '<html>' }],
  ['an answer that is null', { status: 200, body: 'null' }],
  ['a message that is none', { message: 'Much.' }],
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

test('a question that the model refuses is no sign that it is down', async () => {
  for (const status of [400, 413, 422]) {
    const { baseUrl } = await scriptedModel({ status });
    await expect(connect(baseUrl).respond(question, [])).rejects.toMatchObject({ ...unavailable, retryable: false });
  }
});

test('whoever has stopped waiting ends the request', async () => {
  const { baseUrl } = await scriptedModel('hang');
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  const started = performance.now();
  await expect(connect(baseUrl).respond(question, [], stop.signal)).rejects.toMatchObject(unavailable);
  expect(performance.now() - started).toBeLessThan(1_000);
});

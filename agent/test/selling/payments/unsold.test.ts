import { expect, test, vi } from 'vitest';
import { createAnswer } from '../../../src/ask/answer.ts';
import { createLanguageModel } from '../../../src/ask/language-model.ts';
import { unsold } from '../../../src/selling/payments/unsold.ts';
import { callTool } from '../../../src/tools/call.ts';
import { tools } from '../../../src/tools/index.ts';
import { keepLog } from '../../api/log.ts';
import { type Step, scriptedModel } from '../../ask/scripted-model.ts';
import { world } from '../../tools/world.ts';

/** What is sold of an answer when the model follows this script. */
async function sold(prompt: string, ...script: [Step, ...Step[]]) {
  const { baseUrl } = await scriptedModel(...script);
  const model = createLanguageModel({ apiKey: 'sk', baseUrl, model: 'scripted', maxRetries: 0 });
  const call = callTool(tools, world, vi.fn());
  const result = await createAnswer({ tools, call, assets: world.assets, model, log: keepLog() })(prompt);
  if (!result.ok) throw new Error(result.code);
  return unsold({ ...result.value })?.code ?? 'sold';
}

const check: Step = { say: '', calls: [['check_asset', '{"asset":"BTCB"}']] };
const price: Step = { say: '', calls: [['get_price', '{"asset":"BTCB"}']] };
const DOWN = 'model_unavailable';

test('PY-24: nobody pays for a model that failed, and everybody for a verdict or its words', async () => {
  const bad = { status: 500 } as const;
  expect(await sold('What do you make of all this?', bad)).toBe(DOWN);
  expect(await sold('What do you make of all this?', { say: ' ' })).toBe(DOWN);
  expect(await sold('What do you make of all this?', price, bad)).toBe(DOWN);
  expect(await sold('What do you make of all this?', price, { say: '' })).toBe(DOWN);

  expect(await sold('How is BTCB?', price, { say: 'It stands where it stood.' })).toBe('sold');
  expect(await sold('How is BTCB?', price, { say: 'It is at 5 USD.' })).toBe('sold');
  expect(await sold('What do you make of all this?', { say: 'Little.' })).toBe('sold');
  expect(await sold('Is BTCB fair?', check, bad)).toBe('sold');
  expect(await sold('Is BTCB fair?', bad)).toBe('sold');
});

test('PY-24: nobody pays for a draft that the node did not simulate, and everybody for one that a verdict withholds', () => {
  const draft = (withheld: string) => unsold({ verdict: 'GO', calls: null, withheld });
  expect(draft('simulation_unavailable')).toMatchObject({ code: 'chain_unavailable', retryable: true });
  expect(draft('caution_not_acknowledged')).toBeUndefined();
});

import type { Deliverable } from '@bowline/core/domain/jobs';
import { BTCB, USDT } from '@bowline/core/test/verdict/proposals';
import { expect, test, vi } from 'vitest';
import { type DeliverDeps, deliverableOf } from '../../../src/selling/jobs/deliver.ts';
import { callTool } from '../../../src/tools/call.ts';
import { tools } from '../../../src/tools/index.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';
import { withoutQuote, world } from '../../tools/world.ts';
import { offer, terms } from './jobs.ts';

/** A delivery's dependencies, in memory. `asked` counts the verdicts; `kept` has what was made, the newest last. */
function delivery(question: Record<string, unknown>, context: ToolContext = world) {
  const kept: Deliverable[] = [];
  const call = callTool(tools, context, vi.fn());
  let asked = 0;
  const deps: DeliverDeps = {
    call: (name, input) => {
      asked += 1;
      return call(name, input);
    },
    interpret: () => question,
    store: {
      put: async (made) => void kept.push(made),
      byHash: async () => undefined,
      byOffer: async () => kept,
    },
    chainId: 31_337,
    contracts: terms.contracts,
  };
  return { deps, kept, asked: () => asked };
}

// SL-2, SL-7
test('what was made for a job is kept for it, and is not delivered for another one of the same offer', async () => {
  const { deps, kept, asked } = delivery({ asset: 'BTCB' });
  const first = await deliverableOf(3n, offer, deps);
  expect(await deliverableOf(3n, offer, deps)).toBe(first);
  expect(asked()).toBe(1);
  const second = await deliverableOf(7n, offer, deps);
  expect([first, second].map(({ manifest }) => manifest.job_id)).toEqual([3, 7]);
  expect(kept).toEqual([first, second]);
});

test.for<[string, Record<string, unknown>, string]>([
  ['a purchase in units of the asset', { asset: 'BTCB', amount_asset: '2' }, '# NO_DATA: buy BTCB, of unknown worth'],
  [
    'a sale in units of the asset',
    { asset: 'BTCB', side: 'sell', amount_asset: '2' },
    '# NO_DATA: sell BTCB, of unknown worth',
  ],
  ['a size in US dollars', { asset: 'BTCB', amount_usd: '500' }, '# NO_DATA: buy BTCB for 500 USD'],
])('a NO_DATA verdict is sold without a null: %s', async ([, question, title]) => {
  const { deps } = delivery(question, withoutQuote);
  const { manifest } = await deliverableOf(3n, offer, deps);
  const { content } = manifest.response as { content: string };
  const [people = '', json = ''] = content.split('## The same as JSON');
  expect(people.split('\n')[0]).toBe(title);
  expect(people).not.toContain('null');
  expect(people).toContain('- pool: none\n');
  expect(JSON.parse(json.replaceAll('```json', '').replaceAll('```', ''))).toMatchObject({
    verdict: 'NO_DATA',
    pay: null,
  });
});

test('where only the worth is unknown, the swap that was judged stands in the title', async () => {
  const { quoteToken: _, ...facts } = await world.chain.facts(BTCB, USDT, 'buy', { asset: 1n });
  const unpriced = { ...world, chain: { ...world.chain, facts: async () => facts } };
  const { deps } = delivery({ asset: 'BTCB', amount_asset: '0.009995' }, unpriced);
  const { manifest } = await deliverableOf(3n, offer, deps);
  const { content } = manifest.response as { content: string };
  expect(content.split('\n')[0]).toBe('# NO_DATA: buy BTCB, 1000 USDT for 0.009995 BTCB');
});

test('SL-2: no manifest is made for a job whose number a JSON number would change', async () => {
  const { deps, kept } = delivery({ asset: 'BTCB' });
  const made = await deliverableOf(2n ** 53n - 1n, offer, deps);
  expect(made.manifest.job_id).toBe(9_007_199_254_740_991);
  await expect(deliverableOf(2n ** 53n, offer, deps)).rejects.toMatchObject({ code: 'invalid_input' });
  expect(kept).toEqual([made]);
});

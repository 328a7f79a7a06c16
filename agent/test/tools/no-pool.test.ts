import { fairProposal } from '@bowline/core/test/verdict/proposals';
import { expect, it } from 'vitest';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import { OWNER, withUntraded, world } from './world.ts';

// An asset without a pool has a price, and is not traded.

const context = { ...world, assets: withUntraded };
const call = callTool(tools, context, (error) => {
  throw error;
});

it('its price is that of its references', async () => {
  const answer = await call('get_price', { asset: 'gold' });
  expect(answer).toMatchObject({
    ok: true,
    value: {
      asset: 'GOLD',
      usd: '100000',
      pool_usd: null,
      stale: false,
      references: [{ source: 'chainlink' }, { source: 'venus' }],
    },
  });
});

it('its price is old when its feed is', async () => {
  const { block, chainlink } = fairProposal().chain;
  if (chainlink === undefined) throw new Error('unfair');
  const price = async () => ({ block, chainlink: { ...chainlink, updatedAt: 0n } });
  const stale = callTool(tools, { ...context, chain: { ...context.chain, price } }, () => {});
  expect(await stale('get_price', { asset: 'GOLD' })).toMatchObject({ ok: true, value: { stale: true } });
});

it('it is listed as traded against nothing', async () => {
  const answer = await call('list_assets', {});
  expect(answer).toMatchObject({
    value: { assets: [{ symbol: 'BTCB', traded_against: 'USDT' }, {}, { traded_against: null }] },
  });
});

it.each([
  ['check_asset', { asset: 'GOLD' }],
  ['quote_swap', { asset: 'GOLD', amount_usd: '10' }],
  ['draft_swap', { asset: 'GOLD', side: 'buy', amount_usd: '10', owner: OWNER }],
])('%s says that it cannot be traded, and what can be asked', async (tool, input) => {
  expect(await call(tool, input)).toEqual({
    ok: false,
    code: 'no_pool',
    message: 'GOLD has no pool here to trade it in. Ask for its price instead (get_price).',
    retryable: false,
  });
});

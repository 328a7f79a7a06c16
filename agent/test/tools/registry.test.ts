import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tools } from '../../src/tools/index.ts';
import { at, permissions, usdtMarket } from './permissions.ts';
import { ask, OWNER, world } from './world.ts';

test('names are unique', () => {
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
});

const examples: Record<string, unknown> = {
  about: {},
  list_assets: {},
  get_price: { asset: 'btc' },
  get_history: { asset: 'BTCB' },
  check_asset: { asset: 'bitcoin' },
  quote_swap: { asset: 'BTCB', amount_usd: '1000' },
  list_plans: {},
  list_runs: { plan: '1' },
  plan_outlook: { plan: '1' },
  draft_swap: { asset: 'BTCB', side: 'buy', amount_usd: '1000', owner: `0x${'11'.repeat(20)}` },
  draft_plan: { owner: OWNER, pay: 'USDT', buy: 'BTCB', amount: '10', every: 'day', runs: 3 },
  draft_guard: {
    borrower: OWNER,
    market: usdtMarket,
    repay: 'USDT',
    trigger_health: '1.1',
    target_health: '1.2',
    cap_per_rescue: '1',
    cap_per_day: '1',
    min_repay: '1',
    budget: '1',
  },
  draft_collateral_guard: {
    borrower: OWNER,
    market: usdtMarket,
    collateral_market: at('8'),
    repay: 'USDT',
    trigger_health: '1.01',
    pool_fee: 500,
    cap_per_rescue: '1',
    cap_per_day: '1',
    min_repay: '1',
    sell_at_most: '1',
  },
  draft_revoke: { what: 'plan', id: 1 },
  loan_health: { borrower: `0x${'11'.repeat(20)}` },
  what_if: { borrower: OWNER, change_percent: '-20' },
  preview_rescue: { guard: 1 },
};

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  test('says what a caller and a model need to know', () => {
    if (name !== 'about') expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(name.length).toBeLessThanOrEqual(64);
    expect(tool.title.length).toBeGreaterThan(3);
    expect(tool.description.length).toBeGreaterThan(60);
    expect(tool.description.length).toBeLessThan(400);
    expect(tool.effect).toBe(name.startsWith('draft_') ? 'draft' : 'read');
  });

  test('has schemas that can be written as JSON schema', () => {
    expect(z.toJSONSchema(tool.input, { io: 'input' })).toMatchObject({ type: 'object' });
    expect(z.toJSONSchema(tool.output, { io: 'input' })).toMatchObject({ type: 'object' });
  });

  test('answers in JSON that loses nothing', async () => {
    const output = await ask(name, examples[name], { ...world, permissions });
    expect(JSON.parse(JSON.stringify(output))).toEqual(output);
  });
});

import { expect, test } from 'vitest';
import { z } from 'zod';
import { tools } from '../../src/tools/index.ts';
import { programsAmount, readInput } from '../../src/tools/read-input.ts';

// What weak clients and language models send. Each call is either understood, or its refusal says how to send it right: the test
// sends that, with what the caller must know itself in place of each "<…>", and it must be taken at once.

const OWNER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
type Json = Record<string, unknown>;
type Call = readonly [tool: string, input: Json];

const trade = { asset: 'BTCB', side: 'buy' };
const plan = { owner: OWNER, pay: 'USDT', buy: 'BTCB', amount: '25', every: 'day', runs: 30 };
const guard = {
  borrower: OWNER,
  market: OWNER,
  repay: 'USDT',
  trigger_health: '1.1',
  target_health: '1.25',
  cap_per_rescue: '1000',
  cap_per_day: '2000',
  min_repay: '10',
  budget: '5000',
};

/** Understood at once, as the call on the right. */
const understood: readonly (readonly [Call, Json])[] = [
  [['check_asset', { ...trade, amount_usd: 250 }], { ...trade, amount_usd: '250' }],
  [['check_asset', { ...trade, amount_usd: '1,000' }], { ...trade, amount_usd: '1000' }],
  [['check_asset', { ...trade, amount_usd: '$2,500.50' }], { ...trade, amount_usd: '2500.50' }],
  [['check_asset', { ...trade, amount_usd: '1 000 000' }], { ...trade, amount_usd: '1000000' }],
  [['check_asset', { ...trade, amount_usd: '1_000' }], { ...trade, amount_usd: '1000' }],
  [['check_asset', { ...trade, amount_usd: ' 250 ' }], { ...trade, amount_usd: '250' }],
  [['check_asset', { ...trade, amount_usd: null, amount_asset: 0.5 }], { ...trade, amount_asset: '0.5' }],
  [['check_asset', { asset: 'BTCB', side: 'BUY' }], trade],
  [['check_asset', { asset: ' btcb ', side: 'Sell ' }], { asset: 'btcb', side: 'sell' }],
  [['check_asset', { asset: 'BTCB', side: null }], { asset: 'BTCB' }],
  [['get_history', { asset: 'BTCB', count: '48' }], { asset: 'BTCB', count: 48 }],
  [['get_history', { asset: 'BTCB', interval: '1H' }], { asset: 'BTCB', interval: '1h' }],
  [['plan_outlook', { plan: 1 }], { plan: '1' }],
  [['plan_outlook', { plan: '#1' }], { plan: '1' }],
  [['plan_outlook', { plan: 'plan 1' }], { plan: '1' }],
  [['plan_outlook', { plan: 'Plan #12' }], { plan: '12' }],
  [['preview_rescue', { guard: 'guard 3' }], { guard: '3' }],
  [['preview_rescue', { guard: 'Collateral-3' }], { guard: 'collateral-3' }],
  [['list_runs', { plan: '1', count: '5' }], { plan: '1', count: 5 }],
  [['list_plans', { owner: null, count: '10' }], { count: 10 }],
  [['loan_health', { borrower: OWNER.toLowerCase() }], { borrower: OWNER }],
  [['loan_health', { borrower: ` ${OWNER} ` }], { borrower: OWNER }],
  [['draft_plan', { ...plan, amount: 25 }], plan],
  [['draft_plan', { ...plan, runs: '30' }], plan],
  [['draft_plan', { ...plan, every: 'Day' }], plan],
  [['draft_plan', { ...plan, max_slippage_bps: '1%' }], { ...plan, max_slippage_bps: 100 }],
  [['draft_plan', { ...plan, max_slippage_bps: '50' }], { ...plan, max_slippage_bps: 50 }],
  [['draft_plan', { ...plan, limit_price: '105,000' }], { ...plan, limit_price: '105000' }],
  [['draft_guard', { ...guard, trigger_health: 1.1, days: '90' }], { ...guard, days: 90 }],
  [
    ['draft_swap', { ...trade, amount_usd: 5, owner: OWNER, acknowledge_caution: 'true' }],
    { ...trade, amount_usd: '5', owner: OWNER, acknowledge_caution: true },
  ],
  [['draft_revoke', { what: 'Plan', id: 3 }], { what: 'plan', id: '3' }],
];

/** Refused, and right in one more turn. */
const refused: readonly Call[] = [
  ['preview_rescue', { guard_id: 1 }],
  ['plan_outlook', { plan_id: 'plan 2' }],
  ['plan_outlook', { id: 2 }],
  ['list_runs', { planId: '2' }],
  ['get_price', { symbol: 'BTCB' }],
  ['check_asset', { ...trade, amount_usd: '', amount_asset: '0.5' }],
  ['get_history', { asset: 'BTCB', count: 24, interval: '' }],
  ['get_price', { token: 'btc' }],
  ['check_asset', { symbol: 'BTCB', side: 'buy', amount: 100 }],
  ['check_asset', { asset: 'BTCB', side: 'purchase', amount_usd: '1,5' }],
  ['check_asset', { asset: 'BTCB', amount_usd: -5 }],
  ['check_asset', { asset: 'BTCB', amount_usd: '2k' }],
  ['quote_swap', { from: 'USDT', to: 'BTCB', amount: '100' }],
  ['loan_health', { address: OWNER }],
  ['loan_health', { borrower: OWNER.replace('F79b', 'f79B') }],
  ['list_plans', { address: OWNER }],
  ['draft_plan', {}],
  ['draft_plan', { from: 'USDT', to: 'BTCB', wallet: OWNER, amount: 25, frequency: 'daily', runs: 30 }],
  ['draft_guard', { borrower: OWNER, trigger: '1.1' }],
  ['draft_swap', { asset: 'BTCB', side: 'BUY', amount: 5, owner: OWNER }],
  ['draft_revoke', { type: 'guard', guard_id: 'guard 3' }],
  ['get_history', { asset: 'BTCB', count: 1000, interval: '2h' }],
];

/** What the caller knows, whoever it is. */
const known: Json = {
  ...plan,
  ...guard,
  ...trade,
  plan: '2',
  guard: '1',
  what: 'guard',
  id: '3',
  count: 24,
  interval: '1h',
  amount_usd: '100',
};

const inputOf = (name: string) => tools.find((tool) => tool.name === name)?.input ?? expect.fail(name);

/** The call that a refusal names, completed by what the caller knows. */
function repaired(message: string): Json {
  const [, sent = '{}'] = /Send (\{.*\})\.$/.exec(message) ?? [];
  const entries = Object.entries(JSON.parse(sent) as Json);
  return Object.fromEntries(entries.map(([name, value]) => [name, /^<.*>$/.test(String(value)) ? known[name] : value]));
}

test.each(understood)('AG-209: %j is understood', ([name, input], meant) => {
  const read = readInput(inputOf(name), input);
  expect(read).toEqual(readInput(inputOf(name), meant));
  expect(read.ok).toBe(true);
});

test.each(refused)('AG-209: %s %j is refused, and right in one more turn', (name, input) => {
  const first = readInput(inputOf(name), input);
  if (first.ok) return expect.fail('taken');
  expect(readInput(inputOf(name), repaired(first.message)).ok, first.message).toBe(true);
});

test('AG-209: a refusal names every mistake, and invents nothing', () => {
  const refusal = (name: string, input: Json) => {
    const read = readInput(inputOf(name), input);
    return read.ok ? expect.fail('taken') : read.message;
  };
  expect(refusal('check_asset', { symbol: 'BTCB', side: 'give', amount_usd: '1,5' })).toMatchInlineSnapshot(
    `"asset is required. side must be one of buy, sell. amount_usd must be an amount of US dollars above 0 and up to 100000000. There is no input "symbol"; valid inputs are: asset, side, amount_usd, amount_asset. Send {"asset":"BTCB","side":"<buy or sell>","amount_usd":"<US dollars: 250.50>"}."`,
  );
  expect(refusal('preview_rescue', { guard_id: 'guard 1' })).toMatchInlineSnapshot(
    `"guard is required. There is no input "guard_id"; valid inputs are: guard. Send {"guard":"1"}."`,
  );
  expect(refusal('draft_plan', {})).toMatchInlineSnapshot(
    `"owner is required. pay is required. buy is required. amount is required. every is required. runs is required. Send {"owner":"<Who pays and receives>","pay":"<Symbol or address>","buy":"<Symbol or address>","amount":"<Paid each run, in whole units of pay>","every":"<hour or day or week>","runs":"<whole number>"}."`,
  );
});

test.each(['1,5', '1.000,5', '1e3', '12,34', '--5', '5 USD', '٣', '1,0000', '+1', '0x10'])(
  'AG-209: %s has no one meaning',
  (amount_usd) => {
    expect(readInput(inputOf('check_asset'), { asset: 'BTCB', amount_usd })).toMatchObject({ code: 'invalid_amount' });
  },
);

test('AG-209: a field with one value is sent with it', () => {
  const read = readInput(z.strictObject({ side: z.literal('sell'), amount: z.string() }), { side: 'buy', amount: '5' });
  expect(read).toMatchObject({ message: expect.stringContaining('Send {"side":"sell","amount":"5"}.') });
});

test.each([
  ['1250.5', '1250.5'],
  ['1,250', '1250'],
  ['1,250.5', '1250.5'],
  ['1,250,000', '1250000'],
  ['1.250,5', '1.250,5'],
  ['1 250.5', '1250.5'],
  ['1 250,5', '1 250,5'],
  ['1,25', '1,25'],
  ['12,34,567', '12,34,567'],
  ['$1,000', '1000'],
  ['1_000', '1000'],
  ['1e3', '1e3'],
])('AG-209: a program’s amount %s', (text, read) => {
  expect(programsAmount(text)).toBe(read);
});

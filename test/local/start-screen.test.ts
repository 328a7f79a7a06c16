import { expect, it } from 'vitest';
import { createReader, plain } from '../../script/local/start/screen.ts';

const readable = (line: string) => createReader(() => 0)(line);

// A time of day in whatever zone this runs in.
const time = new Date(2026, 0, 2, 3, 4, 5).toISOString();
const show = (fields: Record<string, unknown>) => readable(JSON.stringify({ level: 'info', time, ...fields }));

it('shows a run with the owner’s balances before and after', () => {
  const run = {
    event: 'run.executed',
    planId: '1',
    asset: 'BTCB',
    paid: '100 USDT',
    received: '0.000999450000749 BTCB',
    floor: '0.00098995 BTCB',
    ownerBefore: { USDT: '2028410.182948', BTCB: '0' },
    ownerAfter: { USDT: '2028310.182948', BTCB: '0.00099945' },
    hash: '0x12',
  };
  expect(show(run)).toBe(`03:04:05  run of plan 1
          paid 100 USDT, received 0.00099945 BTCB, at least 0.00098995 BTCB
          owner: USDT 2,028,410.18 → 2,028,310.18, BTCB 0 → 0.00099945`);
});

it('shows a deferral with its reason', () => {
  const deferral = {
    event: 'run.deferred',
    planId: 2,
    asset: 'WBNB',
    verdict: 'NO_GO',
    reason: 'price_impact_high',
    detail: 'A swap of 500000 USDT pays 606.765754041727904968 WBNB; at the spot price, less the fee, 624.7.',
  };
  expect(show(deferral)).toBe(`03:04:05  plan 2 deferred
          NO_GO, price_impact_high
          A swap of 500,000 USDT pays 606.76575404 WBNB; at the spot price, less
          the fee, 624.7.`);
});

it('shows a rescue with health before and after', () => {
  const health = { healthBefore: '1.081604938271604938', healthAfter: '1.25' };
  const borrower = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
  const rescue = { event: 'rescue.done', policyId: '1', borrower, repaid: '3821.25 USDT', ...health };
  expect(show(rescue)).toBe(`03:04:05  rescue by guard 1
          the loan of 0x90F79bf6EB2c4f870365E785982E1f101E93b906
          repaid 3,821.25 USDT
          health 1.0816 → 1.25`);
});

it('leaves out what is absent', () => {
  expect(readable('{"event":"rescue.done","policyId":"1"}')).toBe('rescue by guard 1');
  expect(show({ event: 'run.executed', planId: '1', paid: '5 USDT', healthAfter: null })).toBe(
    '03:04:05  run of plan 1\n          paid 5 USDT',
  );
});

it.each([
  ['other events', '{"event":"tick.end"}'],
  ['lines without an event', '{"msg":"hello"}'],
  ['text', 'Warning: something'],
  ['JSON that is no object', 'null'],
])('shows nothing of %s', (_, line) => {
  expect(readable(line)).toBeUndefined();
});

it('shows a complaint in short, and the same one once a minute', () => {
  let now = 0;
  const read = createReader(() => now);
  const stuck = { level: 'warn', time, event: 'sender.stuck', nonce: 5, error: { name: 'X', message: 'no answer' } };
  const line = JSON.stringify(stuck);
  expect(read(line)).toBe('03:04:05  warning: sender.stuck (nonce 5, error no answer)');
  now = 59_999;
  expect(read(line)).toBeUndefined();
  expect(read(JSON.stringify({ ...stuck, nonce: 6 }))).toContain('nonce 6');
  now = 60_000;
  expect(read(line)).toContain('nonce 5');
  expect(read(JSON.stringify({ level: 'error', time, event: 'tick.failed' }))).toBe('03:04:05  error: tick.failed');
});

it('tells of what was said last in words, not in JSON', () => {
  expect(plain('{"level":"error","time":"now","event":"http.internal","path":"/x402"}')).toBe(
    'error: http.internal (path /x402)',
  );
  expect(plain('Port 4020 is taken.')).toBe('Port 4020 is taken.');
});

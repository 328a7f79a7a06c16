import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { entryOf, type FeedOptions } from '../../lab/world/start/feed.ts';
import { withoutRepeats } from '../../lab/world/start/repeats.ts';
import { createScreen, type Entry } from '../../lab/world/start/screen.ts';

const borrower = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const options: FeedOptions = { names: new Map([[borrower.toLowerCase(), 'the demo owner']]), everything: false };
// A local time of day, whatever the time zone.
const at = new Date(2026, 0, 2, 3, 4, 5);
const line = (fields: object) => JSON.stringify({ level: 'info', time: at.toISOString(), ...fields });

/** The screen's text for a line of the agent. */
function shown(text: string, how = options): string | undefined {
  const entry = entryOf(text, how);
  if (entry === undefined) return undefined;
  const out = new PassThrough();
  const screen = createScreen(out);
  screen.release();
  screen.show(entry);
  return stripVTControlCharacters(String(out.read())).trimEnd();
}

it('shows a run with the owner’s balances before and after', () => {
  const run = {
    event: 'run.executed',
    planId: '1',
    paid: '100 USDT',
    received: '0.000999450000749 BTCB',
    floor: '0.00098995 BTCB',
    ownerBefore: { USDT: '2028410.182948', BTCB: '0' },
    ownerAfter: { USDT: '2028310.182948', BTCB: '0.00099945' },
  };
  expect(shown(line(run))).toBe(`03:04:05  run of plan 1
          paid 100 USDT, received 0.00099945 BTCB, at least 0.00098995 BTCB
          owner: USDT 2,028,410.18 → 2,028,310.18, BTCB 0 → 0.00099945`);
});

it('shows a deferral with its reason', () => {
  const detail = 'A swap of 500000 USDT pays 606.765754041727904968 WBNB; at the spot price, less the fee, 624.7.';
  const deferral = { event: 'run.deferred', planId: 2, verdict: 'NO_GO', reason: 'cost_high', detail };
  expect(shown(line(deferral))).toBe(`03:04:05  plan 2 deferred: NO_GO, cost_high
          A swap of 500,000 USDT pays 606.76575404 WBNB; at the spot price, less
          the fee, 624.7.`);
});

it('shows a rescue with health and balances before and after, and whose loan it is', () => {
  const rescue = {
    event: 'rescue.done',
    guardId: '1',
    borrower,
    repaid: '3821.25 USDT',
    healthBefore: '1.081604938271604938',
    healthAfter: '1.25',
    funderBefore: { USDT: '70000' },
    funderAfter: { USDT: '66178.75' },
  };
  expect(shown(line(rescue))).toBe(`03:04:05  guard 1 rescued a loan of the demo owner
          health 1.0816 → 1.25, repaid 3,821.25 USDT
          funder: USDT 70,000 → 66,178.75`);
  expect(shown(line({ ...rescue, borrower: `0x${'1'.repeat(40)}` }))).toContain('a loan of 0x1111…1111');
});

it('leaves out what is absent', () => {
  expect(shown(line({ event: 'rescue.done', guardId: '1' }))).toBe('03:04:05  guard 1 rescued a loan');
  expect(shown(line({ event: 'run.executed', planId: '1', paid: '5 USDT' }))).toBe(
    '03:04:05  run of plan 1\n          paid 5 USDT',
  );
});

it('shows other events only when everything is asked for, and traces of errors never', () => {
  const other = line({ event: 'tick.end', due: 3 });
  expect(shown(other)).toBeUndefined();
  expect(shown(other, { ...options, everything: true })).toBe('03:04:05  agent: tick end (due 3)');
  expect(shown('    at run (file:///agent/src/main.ts:1:2)')).toBeUndefined();
  expect(shown('Killed')).toContain('agent: Killed');
});

it('shows what the agent warns of, in words and short', () => {
  const error = { name: 'X', message: 'no answer' };
  const hash = `0x${'ab'.repeat(32)}`;
  expect(shown(line({ level: 'warn', event: 'sender.stuck', hash, error }))).toBe(
    '03:04:05  agent warning: sender stuck (hash 0xabab…abab): no answer',
  );
  expect(shown(line({ level: 'error', event: 'tick.failed' }))).toBe('03:04:05  agent error: tick failed');
});

it('shows the same trouble once a minute, and how often it came', () => {
  const told: string[] = [];
  let now = 0;
  const show = withoutRepeats(
    ({ title }: Entry) => void told.push(title),
    () => now,
  );
  show({ title: 'nonce 5 is stuck', isTrouble: true });
  now = 59_999;
  show({ title: 'nonce 6 is stuck', isTrouble: true });
  show({ title: 'a run' });
  show({ title: 'a run' });
  now = 60_000;
  show({ title: 'nonce 7 is stuck', isTrouble: true });
  expect(told).toEqual(['nonce 5 is stuck', 'a run', 'a run', 'nonce 7 is stuck (and 1 more like it)']);
});

it('keeps what comes before its release, and ends a line that a step has begun', async () => {
  const out = new PassThrough();
  const screen = createScreen(out);
  await screen.step('One', async () => screen.say('between'));
  screen.show({ at, title: 'kept' });
  screen.say('welcome');
  screen.release();
  expect(stripVTControlCharacters(String(out.read()))).toMatch(/^ {2}One … \nbetween\nwelcome\n03:04:05 {2}kept\n$/);
});

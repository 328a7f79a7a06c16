import { expect, it } from 'vitest';
import { slotsOfBars } from '../../bench/backtest/bars.ts';
import { slotsOfCrypto } from '../../bench/backtest/crypto.ts';
import { type Slot, scorecard } from '../../bench/backtest/scorecard.ts';

// `npm run bench:backtest` takes twenty years of an index, and 20,000 hours.

const go = (price: number, loss = 0): Slot => ({ verdict: 'GO', price, loss });
const deferred = (price: number, loss = 0): Slot => ({ verdict: 'NO_GO', reason: 'pool_off_reference', price, loss });

it('GD-3: what a deferral saves and loses is what its dollars bring later and would have brought at once', () => {
  // 100 USD at 50 are 2 units; at the later price of 40, at which they are bought instead, these are worth 80: 20
  // saved.
  expect(scorecard([go(50), deferred(50), go(40)], 100)).toEqual({
    bought: 2,
    rows: [{ reason: 'pool_off_reference', deferrals: 1, saved: 20, lost: 0 }],
  });
  // In the opposite case 25 are lost, less what an attacker would have taken at once.
  const lost = scorecard([deferred(40), deferred(40, 0.5), go(50)], 100);
  expect(lost.rows).toEqual([{ reason: 'pool_off_reference', deferrals: 2, saved: 37.5, lost: 25 }]);
});

it('leaves out what is still waiting at the end', () => {
  expect(scorecard([go(50), deferred(50)], 100)).toEqual({ bought: 1, rows: [] });
});

it('GD-3: a fall like that of 1987 is waited out', () => {
  const calm = Array.from({ length: 60 }, (_, day) => ({ date: `${day}`, close: 1_000 * 1.005 ** (day % 2) }));
  expect(slotsOfBars(calm, 3).every(({ verdict }) => verdict === 'GO')).toBe(true);
  const crash = slotsOfBars([...calm, { date: 'Monday', close: 790 }], 3);
  expect(crash.at(-1)).toMatchObject({ verdict: 'NO_GO', reason: 'price_unusual', price: 790 });
});

it('GD-3: attacks cost those more who do not wait', () => {
  const net = (slots: Slot[]) => scorecard(slots, 100).rows.reduce((sum, { saved, lost }) => sum + saved - lost, 0);
  const quiet = slotsOfCrypto(2_000, 0, 5);
  const attacked = slotsOfCrypto(2_000, 0.05, 5);
  expect(quiet.filter(({ verdict }) => verdict === 'GO').length / quiet.length).toBeGreaterThan(0.98);
  expect(net(attacked)).toBeGreaterThan(100);
  expect(slotsOfCrypto(2_000, 0.05, 5)).toEqual(attacked);
});

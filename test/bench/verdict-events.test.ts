import { describe, expect, it } from 'vitest';
import { gaps, usualBps } from '../../lab/bench/gaps.ts';
import { pack, readHours, unpack } from '../../lab/bench/prices/prices.ts';
import { events, meet } from '../../lab/bench/verdict-quality/events.ts';
import { fittedTo, measuresOf } from '../../lab/bench/verdict-quality/fit.ts';
import { secondOf, symbols, wasOut } from '../../lab/bench/verdict-quality/history.ts';
import { judgeScene as judge } from '../../lab/bench/verdict-quality/judge.ts';
import { type Slot, scorecard } from '../../lab/bench/verdict-quality/scorecard.ts';
import registered from '../../packages/core/registry/gaps.json' with { type: 'json' };
import limits from '../../packages/core/registry/limits.json' with { type: 'json' };

const scenesOf = (name: string) => events.find((event) => event.name.startsWith(name))?.scenes() ?? [];
const met = (name: string, side?: 'buy' | 'sell') => {
  const found = events.filter((event) => event.name.includes(name) && (side === undefined || event.side === side));
  expect(found.length).toBeGreaterThan(0);
  return found.map((event) => meet(event, judge));
};

// At past prices, with every source at the hour's close.
describe('real hours', () => {
  it.each([
    ['2020-03-12', 9],
    ['2021-05-19', 4],
    ['LUNA falls', 4],
    ['2024-08-05', 2],
    ['2025-10-10', 2],
  ])('%s is waited out within %i hours', (name, most) => {
    for (const { symbol, longestWait, hours } of met(name, 'buy')) {
      expect(longestWait, symbol).toBeLessThanOrEqual(most);
      expect(hours.GO, symbol).toBeGreaterThan(24);
    }
  });

  it('in the crash of March 2020 no sale is GO in the hours of the fall, and buys hardly wait', () => {
    for (const { symbol, hours } of met('2020-03-12', 'sell')) expect(hours.NO_GO, symbol).toBeGreaterThanOrEqual(2);
    for (const { symbol, longestWait } of met('2020-03-12', 'buy')) expect(longestWait, symbol).toBeLessThanOrEqual(4);
  });

  it('GD-2: UST is never GO for whoever receives it below 0.98', () => {
    const scenes = scenesOf('UST received');
    const below = scenes.filter(({ usd }) => usd < 0.98);
    expect(below.length).toBeGreaterThan(60);
    expect(below.map((scene) => judge(scene).verdict)).not.toContain('GO');
    // It was GO before it fell.
    expect(scenes.slice(0, 1).map((scene) => judge(scene).verdict)).toEqual(['GO']);
  });

  it('GD-2: USDC in March 2023 is not GO below 0.99 for whoever receives it', () => {
    const below = scenesOf('USDC received').filter(({ usd }) => usd < 0.99);
    expect(below.length).toBeGreaterThan(10);
    expect(below.map((scene) => judge(scene).verdict)).not.toContain('GO');
  });

  it('GD-2: BTC paid with USDT above a dollar is GO', () => {
    const [{ hours, longestWait } = { hours: { GO: 0 }, longestWait: 0 }] = met('USDT at 1.01');
    expect(hours.GO).toBeGreaterThan(90);
    expect(longestWait).toBeLessThanOrEqual(2);
  });

  it('GD-2: LUNA is never GO while it falls by half within hours', () => {
    const late = scenesOf('LUNA itself').filter(({ blockAt }) => blockAt >= secondOf('2022-05-11'));
    expect(late.length).toBeGreaterThan(40);
    expect(late.map((scene) => judge(scene).verdict)).not.toContain('GO');
  });
});

describe('published figures', () => {
  it.each([['LUNA below its pinned feed'], ['Moonwell'], ['Mango']])('GD-2: %s is never GO', (name) => {
    for (const { hours } of met(name)) {
      expect(hours.GO).toBe(0);
      expect(hours.CAUTION + hours.NO_GO + hours.NO_DATA).toBe(24);
    }
  });
});

describe('limits fitted to history', () => {
  it('those of the registry are what `npm run lab -- fit` computes', () => {
    expect(Object.keys(limits)).toEqual(symbols);
    for (const symbol of symbols) {
      const measures = measuresOf(symbol, secondOf('2020-01-01'), Number.POSITIVE_INFINITY);
      expect(limits[symbol]).toMatchObject({ ...fittedTo(measures), hours: measures.hours });
      expect(limits[symbol].fitted).toBe(new Date(measures.last * 1_000).toISOString().slice(0, 10));
    }
  });

  it('follow the hours that they are fitted to', () => {
    const calm = fittedTo(measuresOf('BTCB', secondOf('2023-01-01'), secondOf('2024-01-01')));
    const all = fittedTo(measuresOf('BTCB', secondOf('2020-01-01'), secondOf('2024-01-01')));
    expect(calm.moveBps.caution).toBeLessThan(all.moveBps.caution);
    expect(calm.volatilityBps.noGo).toBeLessThan(all.volatilityBps.noGo);
  });
});

describe('usual moves', () => {
  it('those of the registry are what `npm run lab -- fit` computes', () => {
    expect(registered).toEqual(gaps());
  });

  it('one is below the largest of a thousand hours, and rounded up', () => {
    const moves = Array.from({ length: 2_001 }, (_, at) => at / 10);
    expect(usualBps(moves)).toBe(200);
    expect(usualBps(moves.toReversed().map((move) => move + 0.11))).toBe(200);
    expect(usualBps([-5, -3])).toBe(0);
  });
});

describe('packed prices', () => {
  it('are exact, and a missing hour stays missing', () => {
    const hours = [
      { at: 7_200, high: 1.5, low: 0.001, close: 1 },
      { at: 10_800, high: 70_000.01, low: 1, close: 69_999.99 },
      { at: 36_000, high: 3, low: 0.2, close: 0.2 },
    ];
    expect(unpack(pack(hours, 3))).toEqual(hours);
  });

  it('the exchange was out in 2021, and was not the day after', () => {
    const gap = Date.parse('2021-08-13T03:00:00Z') / 1_000;
    expect(wasOut(gap)).toBe(true);
    expect(wasOut(gap + 86_400)).toBe(false);
    const usdc = readHours('usdc').map(({ at }) => at);
    expect(usdc).not.toContain(gap);
    expect(usdc).toContain(gap + 86_400);
  });
});

describe('what waiting costs', () => {
  const go = (price: number, loss = 0): Slot => ({ verdict: 'GO', price, loss });
  const deferred = (price: number, loss = 0): Slot => ({ verdict: 'NO_GO', reason: 'cost_high', price, loss });

  it('GD-1: what a deferral saves and loses is what its dollars bring later and would have brought at once', () => {
    // 100 USD buy 2 units at 50. At the later price of 40, at which they are bought instead, 2 units are worth 80:
    // 20 saved.
    expect(scorecard([go(50), deferred(50), go(40)], 100)).toEqual({
      bought: 2,
      rows: [{ reason: 'cost_high', deferrals: 1, saved: 20, lost: 0 }],
    });
    // In the opposite case 25 are lost, less what an attacker would have taken at once.
    const lost = scorecard([deferred(40), deferred(40, 0.5), go(50)], 100);
    expect(lost.rows).toEqual([{ reason: 'cost_high', deferrals: 2, saved: 37.5, lost: 25 }]);
  });

  it('leaves out what is still waiting at the end', () => {
    expect(scorecard([go(50), deferred(50)], 100)).toEqual({ bought: 1, rows: [] });
  });
});

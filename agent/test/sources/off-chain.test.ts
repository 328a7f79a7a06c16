import type { Candle } from '@bowline/core/domain/facts';
import { BowlineError } from '@bowline/core/domain/result';
import { WAD } from '@bowline/core/domain/units';
import { BTCB, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import { limitsOf } from '@bowline/core/verdict/limits';
import { describe, expect, it } from 'vitest';
import { askOffChain, offChainFacts } from '../../src/sources/propose.ts';

const limits = limitsOf.crypto;
const price = 100_000n * WAD;
const ticker = { bidWad: price, askWad: price, answeredAt: NOW };
const candle = (openedAt: bigint, closeWad: bigint): Candle => ({
  openedAt,
  openWad: closeWad,
  highWad: closeWad,
  lowWad: closeWad,
  closeWad,
  volumeWad: 1n,
});
const candles = [candle(NOW - 3_600n, price), candle(NOW, price)];
const past = { candles, answeredAt: NOW };
const pyth = { source: 'pyth', usdWad: price, updatedAt: NOW } as const;

const market = { bookTicker: async () => ticker, candles: async () => past };
const silent = () => Promise.reject(new BowlineError('market_unavailable', 'Silent.'));

describe('who is asked', () => {
  const id = '0x12' as const;

  it('nobody who is not configured, and not for what they do not have', async () => {
    const off = { exchange: 'off', past: 'off', pyth: 'off', quotePyth: 'off' } as const;
    expect(await askOffChain({}, { ...BTCB, pythId: id }, USDT)).toEqual(off);
    const never = { bookTicker: silent, candles: silent };
    expect(await askOffChain({ exchange: never, pyth: { price: silent } }, USDT, USDT)).toEqual(off);
    expect(offChainFacts(off, NOW, limits)).toEqual({
      exchange: 'off',
      history: 'off',
      pyth: 'off',
      quotePyth: 'off',
    });
  });

  it('the exchange for a week by the hour, Pyth by the ids of the asset and of what it is quoted in', async () => {
    const asked: unknown[] = [];
    const exchange = {
      ...market,
      candles: async (...question: unknown[]) => {
        asked.push(question);
        return past;
      },
    };
    const answers = await askOffChain(
      {
        exchange,
        pyth: {
          price: async (wanted) => {
            asked.push(wanted);
            return pyth;
          },
        },
      },
      { ...BTCB, pythId: id },
      { ...USDT, pythId: '0x34' },
    );
    expect(answers).toEqual({ exchange: ticker, past, pyth, quotePyth: pyth });
    expect(asked).toEqual([['BTCUSDT', '1h', 168], id, '0x34']);
  });

  it('a mistake of our own is no silence', async () => {
    const exchange = { ...market, candles: () => Promise.reject(new TypeError('ours')) };
    await expect(askOffChain({ exchange }, BTCB, USDT)).rejects.toThrow('ours');
  });

  it('who is silent is no fact', async () => {
    const nobody = { exchange: { bookTicker: silent, candles: silent }, pyth: { price: silent } };
    const answers = await askOffChain(nobody, { ...BTCB, pythId: id }, { ...USDT, pythId: id });
    expect(answers).toEqual({ past: undefined });
    expect(offChainFacts(answers, NOW, limits)).toEqual({});
  });
});

describe('what is a fact', () => {
  const facts = (changes: Partial<Parameters<typeof offChainFacts>[0]>, readAt = NOW) =>
    offChainFacts({ exchange: ticker, past, pyth, quotePyth: 'off', ...changes }, readAt, limits);
  const history = { intervalSeconds: 3_600n, closesWad: [price, price] };

  it('all of it, when it is of now and of one pair', () => {
    expect(facts({})).toEqual({ exchange: ticker, history, pyth, quotePyth: 'off' });
  });

  it.each([
    [-30n, true],
    [30n, true],
    [-31n, false],
    [31n, false],
  ])('candles of this hour in an answer that is dated %i s from the clock: %s', (seconds, isFact) => {
    expect('history' in facts({ past: { candles, answeredAt: NOW - seconds } })).toBe(isFact);
  });

  // The exchange may open the next hour before our clock does, and the answer may cross the hour on its way.
  it.each([
    [-31n, false],
    [-30n, true],
    [0n, true],
    [3_599n, true],
    [3_630n, true],
    [3_631n, false],
  ])('candles read %i s after the last has opened: %s', (seconds, isFact) => {
    expect('history' in facts({ past: { candles, answeredAt: NOW + seconds } }, NOW + seconds)).toBe(isFact);
  });

  it('the price of now is the ticker’s, however far the candle of this hour is from it', () => {
    const fallen = (price * 86n) / 100n;
    const moved = { ...ticker, bidWad: fallen - 2n, askWad: fallen + 2n };
    expect(facts({ exchange: moved })).toMatchObject({ history: { closesWad: [price, fallen] } });
    const { exchange: _, ...tickerless } = { exchange: ticker, past, pyth };
    expect(offChainFacts(tickerless, NOW, limits)).toMatchObject({ history: { closesWad: [price, price] } });
  });

  it('candles that are off by a factor are of another pair', () => {
    const [at, beyond] = [(price * 13n) / 10n, (price * 13n) / 10n + WAD];
    const of = (nowWad: bigint) => facts({ exchange: { ...ticker, bidWad: nowWad, askWad: nowWad } });
    expect(of(at)).toHaveProperty('history');
    expect(of(beyond)).not.toHaveProperty('history');
  });

  // GD-5
  describe('of candles the closes of every hour since the newest that is missing', () => {
    /** Candles by age in hours: 0 is the current hour. Each has a close of its own. */
    const hours = (ago: readonly number[]) => ago.map((hour) => candle(NOW - 3_600n * BigInt(hour), closeOf(hour)));
    const closeOf = (hour: number) => price - BigInt(hour);
    const week = Array.from({ length: 168 }, (_, at) => 167 - at);
    const without = (...missing: number[]) => week.filter((hour) => !missing.includes(hour));
    const used = (ago: readonly number[]) => {
      const { history: found } = facts({ past: { ...past, candles: hours(ago) } });
      return found === undefined || found === 'off' ? found : found.closesWad.map((close) => Number(price - close));
    };
    it('nothing is missing: all of them', () => {
      expect(used(week)).toEqual(week);
    });

    it.each([1, 2, 24, 25, 48, 80, 166])('the one of %i hours ago is missing: those after it', (missing) => {
      expect(used(without(missing))).toEqual(week.filter((hour) => hour < missing));
    });

    it('more than one is missing: those after the newest', () => {
      expect(used(without(60, 61, 120))).toEqual(week.filter((hour) => hour < 60));
      expect(used(without(20, 90))).toEqual(week.filter((hour) => hour < 20));
    });

    it.each<[string, readonly number[]]>([
      ['one is there twice', week.flatMap((hour) => (hour === 70 ? [70, 70] : [hour]))],
      ['one of the newest is there twice', week.flatMap((hour) => (hour === 3 ? [3, 3] : [hour]))],
      ['two of the newest are out of order', week.map((hour) => ({ 8: 7, 7: 8 })[hour] ?? hour)],
      ['two are out of order', week.map((hour) => ({ 70: 69, 69: 70 })[hour] ?? hour)],
    ])('%s: none', (_, ago) => {
      expect(used(ago)).toBeUndefined();
    });

    it('the newest is missing: none, but while the hour turns', () => {
      const candles = hours(without(0));
      const read = (seconds: bigint) => facts({ past: { candles, answeredAt: NOW + seconds } }, NOW + seconds).history;
      expect(read(31n)).toBeUndefined();
      expect(read(30n)).toHaveProperty('closesWad.length', 167);
    });

    it('newest first are none', () => {
      expect(used(week.toReversed())).toBeUndefined();
    });

    it('one that opens off the hour: none', () => {
      const candles = hours(week).map((each, at) => (at === 100 ? { ...each, openedAt: each.openedAt + 1n } : each));
      expect(facts({ past: { ...past, candles } })).not.toHaveProperty('history');
    });
  });

  it('no candles are none', () => {
    expect(facts({ past: { ...past, candles: [] } })).not.toHaveProperty('history');
  });
});

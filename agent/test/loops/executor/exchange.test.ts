import { expect, test } from 'vitest';
import type { MarketData } from '../../../src/domain/ports.ts';
import { sparing } from '../../../src/loops/executor/exchange.ts';

/** Answers with the number of the question, and says when it was asked. */
function counting() {
  const asked: string[] = [];
  const at = { now: 1_000n };
  const exchange: MarketData = {
    bookTicker: async (pair) => {
      asked.push(pair);
      if (pair === 'DOWN') throw new Error(`try ${asked.length}`);
      const wad = BigInt(asked.length);
      return { bidWad: wad, askWad: wad, answeredAt: at.now };
    },
    candles: async (pair) => {
      asked.push(`candles of ${pair}`);
      return [];
    },
  };
  return { asked, at, exchange: sparing(exchange, () => at.now) };
}

// AG-12
test('is asked once for a pair, however many want to know, and says truly when', async () => {
  const { asked, at, exchange } = counting();
  const together = [exchange.bookTicker('BTCUSDT'), exchange.bookTicker('BTCUSDT'), exchange.bookTicker('ETHUSDT')];
  const [first] = await Promise.all(together);
  at.now += 4n;
  expect(await exchange.bookTicker('BTCUSDT')).toEqual(first);
  expect(first?.answeredAt).toBe(1_000n);
  expect(asked).toEqual(['BTCUSDT', 'ETHUSDT']);
});

test('is asked again before the answer is old', async () => {
  const { asked, at, exchange } = counting();
  await exchange.bookTicker('BTCUSDT');
  at.now += 5n;
  expect((await exchange.bookTicker('BTCUSDT')).answeredAt).toBe(1_005n);
  // A clock that was put back says nothing about the age.
  at.now -= 100n;
  expect((await exchange.bookTicker('BTCUSDT')).answeredAt).toBe(905n);
  expect(asked).toHaveLength(3);
});

test('that does not answer is not waited for by every plan', async () => {
  const { at, exchange } = counting();
  await expect(exchange.bookTicker('DOWN')).rejects.toThrow('try 1');
  await expect(exchange.bookTicker('DOWN')).rejects.toThrow('try 1');
  at.now += 5n;
  await expect(exchange.bookTicker('DOWN')).rejects.toThrow('try 2');
});

test('is asked for candles every time', async () => {
  const { asked, exchange } = counting();
  await exchange.candles('BTCUSDT', '1m', 5);
  await exchange.candles('BTCUSDT', '1m', 5);
  expect(asked).toHaveLength(2);
});

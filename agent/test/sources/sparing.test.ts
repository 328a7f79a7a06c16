import type { MarketData, PythPrices } from '@bowline/core/domain/market-data';
import { expect, test } from 'vitest';
import { type OffChainSources, sparing } from '../../src/sources/propose.ts';

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
    candles: async (pair, interval, count) => {
      asked.push(`${count} candles of ${pair} by ${interval}`);
      return { candles: [], answeredAt: at.now };
    },
  };
  const pyth: PythPrices = {
    price: async (id) => {
      asked.push(`price of ${id}`);
      return { source: 'pyth', usdWad: 1n };
    },
  };
  const spared = sparing({ exchange, pyth }, () => at.now) as Required<OffChainSources>;
  return { asked, at, ...spared };
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

test('is spared with every question, and each question is one of its own', async () => {
  const { asked, exchange, pyth } = counting();
  for (let plan = 0; plan < 2; plan += 1) {
    await exchange.bookTicker('BTCUSDT');
    await exchange.bookTicker('ETHUSDT');
    await exchange.candles('BTCUSDT', '1h', 168);
    await exchange.candles('BTCUSDT', '1h', 24);
    await pyth.price('0x01');
    await pyth.price('0x02');
  }
  expect(asked).toEqual([
    'BTCUSDT',
    'ETHUSDT',
    '168 candles of BTCUSDT by 1h',
    '24 candles of BTCUSDT by 1h',
    'price of 0x01',
    'price of 0x02',
  ]);
});

test('what is old is not kept, whatever else is asked', async () => {
  const { asked, at, exchange } = counting();
  await exchange.candles('BTCUSDT', '1h', 168);
  at.now += 5n;
  await exchange.candles('BTCUSDT', '1h', 24);
  at.now -= 5n;
  // The first answer would be of this very second again, but it is gone.
  await exchange.candles('BTCUSDT', '1h', 168);
  expect(asked).toHaveLength(3);
});

test('what is not configured stays so', () => {
  expect(sparing({}, () => 0n)).toEqual({});
});

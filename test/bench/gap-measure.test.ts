import { expect, test } from 'vitest';
import { candlesOf, movesOf, usualBps } from '../../lab/bench/gaps/measure.ts';

// AG-89

const heading = 'unix_seconds,high,low,close';
const lines = (...candles: readonly string[]) => candlesOf([heading, ...candles].join('\n'));

test('a move is that from a close to the next hour’s low or high, and none over a missing hour', () => {
  const { falls, rises } = movesOf(lines('3600,101,99,100', '7200,110,95,96', '14400,200,1,100', '18000,100,98,99'));
  expect(falls.map(Math.round)).toEqual([500, 200]);
  expect(rises.map(Math.round)).toEqual([1_000, 0]);
});

test('the usual move is below the largest one of a thousand hours, and rounded up', () => {
  const moves = Array.from({ length: 2_001 }, (_, at) => at / 10);
  expect(usualBps(moves)).toBe(200);
  expect(usualBps([...moves].reverse())).toBe(200);
  expect(usualBps(moves.map((move) => move + 0.11))).toBe(200);
  expect(usualBps([-5, -3])).toBe(0);
  expect(() => usualBps([])).toThrow('no two hours in a row');
});

test('what is no candle is refused', () => {
  for (const line of ['3600,99,101,100', '3600,101,99', '0,101,99,100', '3600,101,99,102', '3600,x,99,100']) {
    expect(() => lines(line), line).toThrow('no candle');
  }
});

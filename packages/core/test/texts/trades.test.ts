import { expect, test } from 'vitest';
import { isSaleOf, sidedOf, tradedOf } from '../../domain/sided.ts';
import { averageText, perAsset } from '../../texts/amounts.ts';
import { BTCB, USDT } from '../verdict/proposals.ts';

const usdt = { symbol: 'USDT', decimals: 18 };
const doge = { symbol: 'DOGE', decimals: 8 };
const [money, coins] = [30n * 10n ** 18n, 200n * 10n ** 8n];

test('an average price is of one whole asset, bought or sold, whatever its tokens’ decimals', () => {
  const [purchase, sale] = [sidedOf(false, usdt, doge), sidedOf(true, doge, usdt)];
  expect(averageText(money, coins, purchase)).toBe('0.15 USDT');
  expect(averageText(coins, money, sale)).toBe('0.15 USDT');
  expect(perAsset(averageText(coins, money, sale), sale)).toBe('0.15 USDT/DOGE');
  // A quote token with few decimals hides no digits.
  expect(averageText(1n, coins, sidedOf(false, { symbol: 'CENT', decimals: 2 }, doge))).toBe('0.00005 CENT');
  expect(perAsset(averageText(0n, 0n, sale), sale)).toBe('–');
});

test('it is rounded against its owner: up for what was paid, down for what was got', () => {
  const third = 3n * 10n ** 8n;
  expect(averageText(10n ** 18n, third, sidedOf(false, usdt, doge))).toBe('0.333334 USDT');
  expect(averageText(third, 10n ** 18n, sidedOf(true, doge, usdt))).toBe('0.333333 USDT');
});

test('a plan sells what is quoted in what it gets, and what is not traded here is told as a purchase', () => {
  const isSale = (tokenIn: string, tokenOut: string) =>
    isSaleOf([BTCB, USDT], { tokenIn, tokenOut } as Parameters<typeof isSaleOf>[1]);
  expect(isSale(USDT.address, BTCB.address)).toBe(false);
  expect(isSale(BTCB.address, USDT.address)).toBe(true);
  expect(isSale(BTCB.address, `0x${'1'.repeat(40)}`)).toBe(false);
  for (const sold of [true, false]) expect(tradedOf(sidedOf(sold, doge, usdt))).toEqual({ pay: doge, buy: usdt });
});

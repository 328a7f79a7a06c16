import { expect, test } from 'vitest';
import { leftByFees, pairingOf } from '../../domain/route.ts';
import { BTCB, USDT } from '../verdict/proposals.ts';

const assets = [BTCB, USDT];
const btcb = '7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c';
const usdt = '55d398326f99059ff775485246999027b3197955';

test('is a buy of what the pool prices', () => {
  expect(pairingOf(assets, USDT.address, BTCB.address)).toEqual({
    asset: BTCB,
    quoteAsset: USDT,
    side: 'buy',
  });
});

test('is a sale the other way round, through the same pool', () => {
  expect(pairingOf(assets, BTCB.address, USDT.address)).toEqual({
    asset: BTCB,
    quoteAsset: USDT,
    side: 'sell',
  });
});

test('knows addresses in any case', () => {
  expect(pairingOf(assets, `0x${usdt}`, `0x${btcb}`)?.asset).toBe(BTCB);
});

test('is none between assets without a pool of the two, and none of a stranger', () => {
  const other = { ...BTCB, symbol: 'ETH', address: '0x2170Ed0880ac9A755fd29B2688956BD959F933F8' as const };
  expect(pairingOf([...assets, other], BTCB.address, other.address)).toBeUndefined();
  expect(pairingOf(assets, USDT.address, other.address)).toBeUndefined();
});

test('every pool of a route takes its fee of what the one before it left', () => {
  const hop = (feeMillionths: number) => ({ pool: BTCB.address, feeMillionths, tokenOut: BTCB.address });
  const { numerator, denominator } = leftByFees({ route: [hop(500), hop(2_500)] }, BTCB);
  expect((1_000_000_000n * numerator) / denominator).toBe(997_001_250n);
});

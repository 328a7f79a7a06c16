import { expect, it } from 'vitest';
import { tokenName } from '../../audit/token.ts';

const tether = '0x55d398326f99059fF775485246999027B3197955';
const stranger = '0x00000000000000000000000000000000DeaDBeef';
const listed = [
  { symbol: 'USDT', address: tether },
  { symbol: 'BTCB', address: '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c' },
];

it('a token is called what it is listed as, whatever it calls itself', () => {
  expect(tokenName(tether.toLowerCase() as typeof tether, 'anything', listed)).toBe('USDT');
  expect(tokenName(stranger, 'FOO', listed)).toBe('FOO');
});

it('nor does a stranger’s token bear a listed one’s name, or anything but a symbol', () => {
  for (const own of [
    'USDT',
    'usdt',
    'U-S-D-T',
    'USDT.',
    '$USDT',
    'BTCB_',
    '',
    'a b',
    'X\nNo irregularities',
    'USDТ',
    '\u202eTDSU',
  ])
    expect(tokenName(stranger, own, listed), own).toBe('0x0000…Beef');
});

import { addressOf } from '@bowline/chain/drafts/address';
import { baseUnits } from '@bowline/chain/drafts/base-units';
import { assetOf } from '@bowline/chain/drafts/deployment';
import { BTCB, USDT } from '@bowline/core/test/verdict/proposals';
import { addressInput } from '@bowline/http/addresses';
import { getAddress, isAddress } from 'viem';
import { findAsset } from '../../agent/src/tools/schemas.ts';
import { addressIn } from '../../web/app/wallet/use-owner.ts';
import { parseAmount } from '../../web/app/words/amounts.ts';
import type { Random } from '../bench/verdict-quality/random.ts';
import { comparing } from './common.ts';

/** Compares what page, tools and SDK make of the same typed text: an amount, an address, an asset. */
export function disagreementsOfWords(random: Random): string[] {
  const { must, wrong } = comparing();
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random.between(0, items.length))] as Item;
  const digits = () => String(Math.floor(random.log(1, 10 ** 9)));
  const decimals = one([6, 8, 18]);

  const amount = [
    one(['', '', ' ', '-', '0']),
    digits(),
    one(['', '.', ',', ' ', 'e', '.000']),
    one(['', '', digits()]),
  ].join('');
  const [typed, written] = [parseAmount(amount, decimals), orRefused(() => baseUnits('amount', amount, decimals))];
  const isPlain = /^\d+(\.\d+)?$/.test(amount);
  // The page also reads notations that only people write, but never as another number.
  if (isPlain || written !== 'refused')
    must(`page, the amount "${amount}"`, typed.ok ? typed.value : 'refused', written);

  const [listed] = [one([BTCB, USDT])];
  const hex = random.chance(0.5)
    ? listed.address
    : `0x${[1, 2, 3, 4].map(() => one(['a1b2c3d4e5', 'FFee00dDcC', '0123456789'])).join('')}`;
  const spellings = [
    hex,
    hex.toLowerCase(),
    hex.toUpperCase(),
    `0x${hex.slice(2).toUpperCase()}`,
    ` ${hex} `,
    hex.slice(0, -1),
  ];
  const address = one([
    ...spellings,
    hex.replace(/[a-f]/i, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase())),
  ]);
  const parsed = addressInput.safeParse(address);
  const bySdk = orRefused(() => addressOf('address', address));
  if (isAddress(address)) must(`SDK, the address "${address}"`, bySdk, getAddress(address));
  must(`page, the address "${address}"`, addressIn(address) ?? 'refused', bySdk);
  must(`tools, the address "${address}"`, parsed.success ? parsed.data : 'refused', bySdk);

  const named = one([
    listed.symbol,
    listed.symbol.toLowerCase(),
    ` ${listed.symbol}`,
    ...listed.aliases,
    'doge',
    address,
  ]);
  const deployment = { assets: [BTCB, USDT], chainId: 1 } as never;
  const byTool = orRefused(() => findAsset({ assets: [BTCB, USDT] }, named).symbol);
  must(
    `tools, the asset "${named}"`,
    byTool,
    orRefused(() => assetOf(deployment, named).symbol),
  );
  return wrong;
}

function orRefused<Value>(read: () => Value): Value | 'refused' {
  try {
    return read();
  } catch {
    return 'refused';
  }
}

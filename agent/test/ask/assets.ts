import type { Asset } from '@bowline/core/domain/assets';
import { BTCB, USDT } from '@bowline/core/test/verdict/proposals';

const like = (asset: Asset, symbol: string, name: string, aliases: string[]): Asset => ({
  ...asset,
  symbol,
  name,
  aliases,
});

/** Assets as people would ask for them. */
export const assets: readonly Asset[] = [
  BTCB,
  like(BTCB, 'ETH', 'Binance-Peg Ethereum', ['ethereum', 'ether']),
  like(BTCB, 'WBNB', 'Wrapped BNB', ['bnb', 'binance coin', 'wrapped bnb']),
  USDT,
  like(USDT, 'USDC', 'Binance-Peg USD Coin', ['usd coin']),
];

import type { feeds } from './addresses.ts';

/** Price of one whole token on the replica, USD with 8 decimals. Pools and feeds both start from it. */
export const priceUsd8: Record<keyof typeof feeds, bigint> = {
  USDT: 1_00000000n,
  USDC: 1_00000000n,
  VAI: 1_00000000n,
  BTCB: 100_000_00000000n,
  ETH: 4_000_00000000n,
  WBNB: 800_00000000n,
};

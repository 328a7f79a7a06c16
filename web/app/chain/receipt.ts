import { type Address, type Hex, slice } from 'viem';

/** What stands for a deposit in a market: the token whose address the market is. */
export const receiptOf = (market: Hex): Address => slice(market, 12);

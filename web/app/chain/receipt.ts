import { type Address, type Hex, slice } from 'viem';

/** What stands for a deposit in a market of Venus: its vToken, whose address the market is. */
export const receiptOf = (market: Hex): Address => slice(market, 12);

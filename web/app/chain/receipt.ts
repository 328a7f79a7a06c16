import type { Guard } from '@bowline/core/domain/permissions';
import { type Address, type Hex, slice } from 'viem';

/** What stands for a deposit in a market: the token whose address the market is. */
export const receiptOf = (market: Hex): Address => slice(market, 12);

/** What a guard takes of its funder. */
export const paidToken = ({ sale, repayToken }: Pick<Guard, 'sale' | 'repayToken'>): Address =>
  sale ? receiptOf(sale.collateralMarket) : repayToken;

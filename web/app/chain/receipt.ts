import type { Guard } from '@bowline/core/domain/permissions';
import { type Address, type Hex, slice } from 'viem';

/** The receipt token of a deposit in a market: the market's id is the token's address. */
export const receiptOf = (market: Hex): Address => slice(market, 12);

/** The token that a guard takes from its funder. */
export const paidToken = ({ sale, repayToken }: Pick<Guard, 'sale' | 'repayToken'>): Address =>
  sale ? receiptOf(sale.collateralMarket) : repayToken;

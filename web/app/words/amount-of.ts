import { shortAddress } from '@bowline/core/domain/readable';
import type { Address } from 'viem';
import { assetAt, type Settings } from '../api/settings.ts';
import { shortAmount } from './amounts.ts';
import { words } from './en/frame.ts';

/** An amount with its token: "25 USDT". @param base base units. */
export function amountOf(settings: Settings, token: Address, base: bigint): string {
  const asset = assetAt(settings, token);
  return asset
    ? `${shortAmount(base, asset.decimals)} ${asset.symbol}`
    : words.frame.unitsOf(base, shortAddress(token));
}

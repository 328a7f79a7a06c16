import { shortAddress } from '@bowline/core/domain/readable';
import type { Address } from 'viem';
import { assetAt, type Settings } from '../api/settings.ts';
import { shortAmount, shortCost } from './amounts.ts';
import { words } from './en/frame.ts';

/** An amount with its token: "25 USDT". @param base base units. */
export const amountOf = (settings: Settings, token: Address, base: bigint): string =>
  written(settings, token, base, shortAmount);

/** The same of what somebody needs to have, rounded up. */
export const costOf = (settings: Settings, token: Address, base: bigint): string =>
  written(settings, token, base, shortCost);

function written(settings: Settings, token: Address, base: bigint, short: typeof shortAmount): string {
  const asset = assetAt(settings, token);
  return asset ? `${short(base, asset.decimals)} ${asset.symbol}` : words.frame.unitsOf(base, shortAddress(token));
}

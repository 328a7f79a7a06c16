import { shortAddress } from '@bowline/core/domain/readable';
import type { Address } from 'viem';
import { assetAt, type Settings } from '../api/settings.ts';
import { exactAmount, shortAmount, shortCost } from './amounts.ts';
import { words } from './en/frame.ts';

/** An amount with its token: "25 USDT". @param base base units. */
export const amountOf = (settings: Settings, token: Address, base: bigint): string =>
  written(settings, token, base, shortAmount);

/** The same of what somebody needs to have, rounded up. */
export const costOf = (settings: Settings, token: Address, base: bigint): string =>
  written(settings, token, base, shortCost);

/** The same to the unit, as a signature has it. */
export const exactOf = (settings: Settings, token: Address, base: bigint): string =>
  written(settings, token, base, exactAmount);

function written(settings: Settings, token: Address, base: bigint, text: typeof exactAmount): string {
  const asset = assetAt(settings, token);
  return asset ? `${text(base, asset.decimals)} ${asset.symbol}` : words.frame.unitsOf(base, shortAddress(token));
}

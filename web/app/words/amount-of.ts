import type { Token } from '@bowline/core/audit/history';
import { shortAddress } from '@bowline/core/domain/readable';
import { listedAt } from '@bowline/core/domain/same-address';
import type { Address } from 'viem';
import { type Asset, assetAt, type Settings } from '../api/settings.ts';
import { exactAmount, shortAmount, shortCost } from './amounts.ts';
import { words } from './en/frame.ts';
import { partWords } from './en/parts.ts';

/** An amount with its token: "25 USDT". @param base base units. */
export const amountOf = (settings: Settings, token: Address, base: bigint): string =>
  written(settings, token, base, shortAmount);

/** The same for an amount that somebody must have, rounded up. */
export const costOf = (settings: Settings, token: Address, base: bigint): string =>
  written(settings, token, base, shortCost);

/** The same without rounding, as it is signed. */
export const exactOf = (settings: Settings, token: Address, base: bigint): string =>
  written(settings, token, base, exactAmount);

function written(settings: Settings, token: Address, base: bigint, text: typeof exactAmount): string {
  const asset = assetAt(settings, token);
  return asset ? `${text(base, asset.decimals)} ${asset.symbol}` : words.frame.unitsOf(base, shortAddress(token));
}

/** A token with its whole address, and whether it is listed: any contract may use any symbol. */
export function namedToken(assets: readonly Asset[], { symbol }: Token, address: Address): string {
  const isListed = listedAt(assets, address) !== undefined;
  return (isListed ? partWords.listedToken : partWords.unlistedToken)(symbol, address);
}

import type { Token } from '@bowline/core/audit/history';
import { listedAt } from '@bowline/core/domain/same-address';
import type { Address } from 'viem';
import type { Asset } from '../api/settings.ts';
import { partWords } from './en/parts.ts';

/** A token with its whole address, and that it is not listed: any contract may call itself something. */
export function namedToken(assets: readonly Asset[], { symbol }: Token, address: Address): string {
  const isListed = listedAt(assets, address) !== undefined;
  return (isListed ? partWords.listedToken : partWords.unlistedToken)(symbol, address);
}

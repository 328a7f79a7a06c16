import type { Token } from '@bowline/core/audit/history';
import type { Address } from 'viem';
import type { Asset } from '../api/settings.ts';
import { auditWords } from '../words/en/audit.ts';

/** A token with its whole address, and that it is not listed: any contract may call itself something. */
export function namedToken(assets: readonly Asset[], { symbol }: Token, address: Address): string {
  const isListed = assets.some((each) => each.address.toLowerCase() === address.toLowerCase());
  return (isListed ? auditWords.listedToken : auditWords.unlistedToken)(symbol, address);
}

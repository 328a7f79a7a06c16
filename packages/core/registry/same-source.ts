import type { Asset } from '../domain/assets.ts';
import type { Address } from '../domain/units.ts';
import feedsBySymbol from './same-source.json' with { type: 'json' };

/**
 * Another feed of the operator of the asset's own feed: the two are one source. On BNB Chain Venus reads Chainlink by
 * proxies for which the right to update first is for sale (VIP-586, VIP-642). A feed that is neither the asset's own nor
 * listed here has an unknown operator, and proves nothing beside the asset's own.
 */
export const sameSourceFeed = ({ symbol }: Pick<Asset, 'symbol'>): Address | undefined =>
  (feedsBySymbol as Partial<Record<string, Address>>)[symbol];

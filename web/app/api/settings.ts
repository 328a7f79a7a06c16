import type { Address } from 'viem';
import { type PageConfig, pageConfig } from '../../wire.ts';
import { getJson } from './request.ts';

/** What the server tells the page once: which chain, which contracts, which assets. */
export type Settings = PageConfig;
export type Asset = PageConfig['assets'][number];

/** @throws ApiError when the server is not there or says something else. */
export const loadSettings = (): Promise<Settings> => getJson('/config.json', pageConfig);

export const assetAt = ({ assets }: Settings, address: Address): Asset | undefined =>
  assets.find((asset) => asset.address.toLowerCase() === address.toLowerCase());

/** What an asset's pool is quoted in, and so what it is bought with. */
export const payTokenOf = (assets: readonly Asset[], symbol: string): Asset | undefined => {
  const quote = assets.find((asset) => asset.symbol === symbol)?.quote;
  return assets.find((asset) => asset.symbol === quote);
};

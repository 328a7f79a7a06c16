import type { Address } from 'viem';
import { type PageConfig, pageConfig } from '../../wire.ts';
import { agreedSettings } from './pinned.ts';
import { getJson } from './request.ts';

/** Which chain, which node, which contracts, which assets: as the build pinned them. */
export type Settings = PageConfig;
export type Asset = PageConfig['assets'][number];

/** Written into the page by its build; null where that knew no contracts. */
declare const BOWLINE_PINNED: PageConfig | null;

/**
 * @throws ApiError when the server is not there or says something else.
 * @throws SettingsRefused when it names other contracts than the build, or the build knew none.
 */
export const loadSettings = async (): Promise<Settings> =>
  agreedSettings(await getJson('/config.json', pageConfig), BOWLINE_PINNED);

export const assetAt = ({ assets }: Settings, address: Address): Asset | undefined =>
  assets.find((asset) => asset.address.toLowerCase() === address.toLowerCase());

/** What an asset's pool is quoted in, and so what it is bought with. */
export const payTokenOf = (assets: readonly Asset[], symbol: string): Asset | undefined => {
  const quote = assets.find((asset) => asset.symbol === symbol)?.quote;
  return assets.find((asset) => asset.symbol === quote);
};

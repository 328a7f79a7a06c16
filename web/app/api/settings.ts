import type { Address } from 'viem';
import { type PageConfig, pageConfig } from '../../wire.ts';
import { agreedSettings, SettingsRefused } from './pinned.ts';
import { ApiError, getJson } from './request.ts';

/** Which chain, which node, which contracts, which assets: as the build pinned them. */
export type Settings = PageConfig;
export type Asset = PageConfig['assets'][number];

/** Written into the page by its build; null where that knew no contracts. */
declare const BOWLINE_PINNED: PageConfig | null;

/** All that the frame works with. The server has no say in it. */
export const pinnedSettings = (): Settings | null => BOWLINE_PINNED;

/** How long the server may take to say which settings it has. */
const ANSWER_MS = 10_000;

/**
 * The pinned settings, with those assets that the server lists.
 * @throws SettingsRefused when the server is not there, or says something else than the build.
 */
export async function loadSettings(pinned: Settings): Promise<Settings> {
  const told = await getJson('/config.json', pageConfig, ANSWER_MS).catch((error: unknown) => {
    throw new SettingsRefused(reasonOf(error));
  });
  return agreedSettings(told, pinned);
}

/** An answer that is an error is just that, whatever code the server gives it. */
function reasonOf(error: unknown): SettingsRefused['reason'] {
  const code = error instanceof ApiError && error.status === undefined ? error.code : undefined;
  return code === 'server_unavailable' || code === 'answer_malformed' ? code : 'server_error';
}

export const assetAt = ({ assets }: Settings, address: Address): Asset | undefined =>
  assets.find((asset) => asset.address.toLowerCase() === address.toLowerCase());

/** What an asset's pool is quoted in, and so what it is bought with. */
export const payTokenOf = (assets: readonly Asset[], symbol: string): Asset | undefined => {
  const quote = assets.find((asset) => asset.symbol === symbol)?.quote;
  return assets.find((asset) => asset.symbol === quote);
};

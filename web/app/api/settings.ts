import type { Asset as CoreAsset, TradedAsset } from '@bowline/core/domain/assets';

import { pairingOf } from '@bowline/core/domain/route';
import { listedAt } from '@bowline/core/domain/same-address';
import type { Address } from 'viem';
import { type PageConfig, pageConfig } from '../../wire.ts';
import { agreedSettings, SettingsRefused } from './pinned.ts';
import { ApiError, getJson } from './request.ts';

/** The chain, node, contracts and assets that the build pinned. */
export type Settings = PageConfig;
export type Asset = PageConfig['assets'][number];
export type Lending = PageConfig['lending'][number];

/** Inserted by the build; null if the build knew no contracts. */
declare const BOWLINE_PINNED: PageConfig | null;

/** All that the frame needs. The server has no influence on it. */
export const pinnedSettings = (): Settings | null => BOWLINE_PINNED;

/** Timeout of the server's answer with its settings. */
const ANSWER_MS = 10_000;

/**
 * The pinned settings, with the assets that the server lists.
 * @throws SettingsRefused if the server does not answer, or its settings differ from the build's.
 */
export async function loadSettings(pinned: Settings): Promise<Settings> {
  const told = await getJson('/config.json', pageConfig, ANSWER_MS).catch((error: unknown) => {
    throw new SettingsRefused(reasonOf(error));
  });
  return agreedSettings(told, pinned);
}

/** An error response is `server_error`, whatever code the server gives it. */
function reasonOf(error: unknown): SettingsRefused['reason'] {
  const code = error instanceof ApiError && error.status === undefined ? error.code : undefined;
  return code === 'server_unavailable' || code === 'answer_malformed' ? code : 'server_error';
}

export const assetAt = ({ assets }: Settings, address: Address): Asset | undefined => listedAt(assets, address);

/** Which of two tokens is the asset that is traded for the other; undefined if neither is. */
export function tradedOf(
  { assets }: Pick<Settings, 'assets'>,
  tokenIn: Address,
  tokenOut: Address,
): TradedAsset | undefined {
  const listed = assets.map(({ quote, poolFeeMillionths: fee, ...asset }) => {
    return { ...asset, pool: { quote, ...(fee !== null && { feeMillionths: fee }) } };
  });
  // A pairing depends on what the page knows of an asset alone.
  return pairingOf(listed as unknown as readonly CoreAsset[], tokenIn, tokenOut)?.asset;
}

/** Fee of the pool in which two tokens are traded, in millionths; undefined if it is not known. */
export const poolFee = (settings: Pick<Settings, 'assets'>, tokenIn: Address, tokenOut: Address): number | undefined =>
  tradedOf(settings, tokenIn, tokenOut)?.pool.feeMillionths;

/** What is offered to buy: not a stablecoin for another one, which is no purchase but an exchange of the same dollar. */
export const buyable = (assets: readonly Asset[]): readonly Asset[] =>
  assets.filter((asset) => !(asset.class === 'stable' && payTokenOf(assets, asset.symbol)?.class === 'stable'));

/** The quote token of an asset's pool, which is what the asset is bought with. */
export const payTokenOf = (assets: readonly Asset[], symbol: string): Asset | undefined => {
  const quote = assets.find((asset) => asset.symbol === symbol)?.quote;
  return assets.find((asset) => asset.symbol === quote);
};

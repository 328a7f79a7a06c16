import { listedAt } from '@bowline/core/domain/same-address';
import { isSaleOf, type Sided, sidedOf } from '@bowline/core/domain/sided';
import { queryOptions, useQuery } from '@tanstack/react-query';
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

/** The only settings that the frame needs. The server cannot influence them. */
export const pinnedSettings = (): Settings | null => BOWLINE_PINNED;

/** Timeout for the server to answer with its settings. */
const ANSWER_MS = 10_000;

/**
 * The pinned settings, with the assets that the server lists.
 * @throws SettingsRefused if the server does not answer, or its settings differ from the build's.
 */
async function loadSettings(pinned: Settings): Promise<Settings> {
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

interface Listed {
  readonly assets: readonly Asset[];
}

/** The assets with their pools, as core has them. */
export const pooled = ({ assets }: Listed) =>
  assets.map(({ quote, poolFeeMillionths: fee, ...asset }) => {
    return { ...asset, pool: { quote, ...(fee !== null && { feeMillionths: fee }) } };
  });

type Traded = Parameters<typeof isSaleOf>[1];

export const isSale = (settings: Listed, plan: Traded): boolean => isSaleOf(pooled(settings), plan);

/** A plan's trade; undefined if one of its tokens is not listed. */
export function sidedAt(settings: Listed, plan: Traded): Sided<Asset> | undefined {
  const [pay, buy] = [listedAt(settings.assets, plan.tokenIn), listedAt(settings.assets, plan.tokenOut)];
  return pay && buy && sidedOf(isSale(settings, plan), pay, buy);
}

/** Assets offered to buy. Excludes a stablecoin paid with another: that is no purchase, just the same dollar. */
export const buyable = (assets: readonly Asset[]): readonly Asset[] =>
  assets.filter((asset) => !(asset.class === 'stable' && payTokenOf(assets, asset.symbol)?.class === 'stable'));

/** Each traded pair once: of two assets quoted in each other, only the first. */
export const traded = (assets: readonly Asset[]): readonly Asset[] =>
  assets.filter(({ symbol, quote }, at) => {
    const isOther = (each: Asset) => each.symbol === quote && each.quote === symbol;
    return payTokenOf(assets, symbol) !== undefined && !assets.slice(0, at).some(isOther);
  });

/** The quote token of an asset's pool: the token that pays for the asset. */
export const payTokenOf = (assets: readonly Asset[], symbol: string): Asset | undefined => {
  const quote = assets.find((asset) => asset.symbol === symbol)?.quote;
  return assets.find((asset) => asset.symbol === quote);
};

/**
 * The settings that server and build agree on, or why the server's are refused; undefined until either is known.
 * Requested once.
 */
export const useAgreed = (pinned: Settings) => useQuery(agreedQuery(pinned));

export const agreedQuery = (pinned: Settings) =>
  queryOptions({
    queryKey: ['agreed'],
    queryFn: () =>
      loadSettings(pinned).catch((error: unknown) => {
        if (error instanceof SettingsRefused) return error;
        return new SettingsRefused('answer_malformed');
      }),
    staleTime: Number.POSITIVE_INFINITY,
    // The server may be on this machine.
    networkMode: 'always',
  });

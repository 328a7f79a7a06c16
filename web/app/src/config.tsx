import { createContext, type ReactNode, useContext } from 'react';
import type { PageConfig } from '../../wire.ts';

const Context = createContext<PageConfig | undefined>(undefined);

export const ConfigProvider = ({ value, children }: { value: PageConfig; children: ReactNode }) => (
  <Context value={value}>{children}</Context>
);

export function useConfig(): PageConfig {
  const config = useContext(Context);
  if (config === undefined) throw new Error('There is no configuration here.');
  return config;
}

export type ListedAsset = PageConfig['assets'][number];

/** The listed asset at that address; for others a stand-in that shows the address. */
export function assetAt({ assets }: PageConfig, address: string): Pick<ListedAsset, 'symbol' | 'decimals'> {
  const found = assets.find((asset) => asset.address.toLowerCase() === address.toLowerCase());
  return found ?? { symbol: `${address.slice(0, 6)}…${address.slice(-4)}`, decimals: 18 };
}

/** @throws when it is not listed. */
export function assetOf({ assets }: PageConfig, symbol: string): ListedAsset {
  const found = assets.find((asset) => asset.symbol === symbol);
  if (found === undefined) throw new Error(`${symbol} is not listed.`);
  return found;
}

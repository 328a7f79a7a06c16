import { type Address, getAddress, isAddress, isAddressEqual } from 'viem';
import { useConnection } from 'wagmi';
import { useSearch } from 'wouter';

/** What a link's search says it by. */
export const WATCHED = 'address';

/** The address that a link or a person asked to look at, whatever wallet is connected. */
export function useWatched(): Address | undefined {
  const text = new URLSearchParams(useSearch()).get(WATCHED) ?? '';
  return isAddress(text, { strict: false }) ? getAddress(text) : undefined;
}

/** Whose plans, guards and balances are shown: the watched address, or else the connected account. */
export function useOwner(): { readonly owner: Address | undefined; readonly isOwn: boolean } {
  const watched = useWatched();
  const { address } = useConnection();
  const owner = watched ?? address;
  return { owner, isOwn: owner !== undefined && address !== undefined && isAddressEqual(owner, address) };
}

/** A path of the page with an address to look at. */
export const forAddress = (path: string, address: string): string => `${path}?${WATCHED}=${address}`;

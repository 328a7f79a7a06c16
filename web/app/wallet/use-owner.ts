import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from 'viem';
import { useConnection } from 'wagmi';
import { useSearch } from 'wouter';
import { addressIn } from './address.ts';

/** What a link's search says it by. */
export const WATCHED = 'address';

/** What a link or a person asked to look at, as it is written; undefined if nothing. */
export const useAsked = (): string | undefined => new URLSearchParams(useSearch()).get(WATCHED) ?? undefined;

/** The address that a link or a person asked to look at, whatever wallet is connected. */
export function useWatched(): Address | undefined {
  const asked = useAsked();
  return asked === undefined ? undefined : addressIn(asked);
}

/** Whose plans, guards and balances are shown: the watched address, or else the connected account. */
export function useOwner(): { readonly owner: Address | undefined; readonly isOwn: boolean } {
  const watched = useWatched();
  const { address } = useConnection();
  const owner = watched ?? address;
  return { owner, isOwn: owner !== undefined && address !== undefined && sameAddress(owner, address) };
}

/** A path of the page with an address to look at. */
export const forAddress = (path: string, address: string): string => `${path}?${WATCHED}=${address}`;

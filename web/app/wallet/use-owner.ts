import { addressPattern, readAddress } from '@bowline/core/domain/address';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, keccak256, stringToBytes } from 'viem';
import { useConnection } from 'wagmi';
import { useSearch } from 'wouter';
import { words } from '../words/en/frame.ts';

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

/** The address in a text that a person typed or a link has; undefined if it is none. */
export function addressIn(text: string): Address | undefined {
  const read = readAddress(text, (digits) => keccak256(stringToBytes(digits)));
  return read.ok ? read.value : undefined;
}

/** What is wrong with a text that is no address. */
export const whyNoAddress = (text: string): string =>
  addressPattern.test(text.trim()) ? words.wallet.wrongChecksum : words.wallet.notAnAddress;

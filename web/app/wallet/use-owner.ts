import { addressPattern, readAddress } from '@bowline/core/domain/address';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, keccak256, stringToBytes } from 'viem';
import { useConnection } from 'wagmi';
import { useSearch } from 'wouter';
import { words } from '../words/en/frame.ts';

/** The query parameter of a link that names the watched address. */
export const WATCHED = 'address';

/** The address that a link or the user asked to watch, as written; undefined if none. */
export const useAsked = (): string | undefined => new URLSearchParams(useSearch()).get(WATCHED) ?? undefined;

/** The valid address that a link or the user asked to watch, whatever wallet is connected. */
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

/** A path of the page with an address to watch. */
export const forAddress = (path: string, address: string): string => `${path}?${WATCHED}=${address}`;

/** The address in a text from the user or a link; undefined if it is not one. */
export function addressIn(text: string): Address | undefined {
  const read = readAddress(text, (digits) => keccak256(stringToBytes(digits)));
  return read.ok ? read.value : undefined;
}

/** What is wrong with a text that is not an address. */
export const whyNoAddress = (text: string): string =>
  addressPattern.test(text.trim()) ? words.wallet.wrongChecksum : words.wallet.notAnAddress;

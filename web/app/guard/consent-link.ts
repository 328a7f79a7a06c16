import type { Hex } from 'viem';

declare const location: { readonly origin: string };

/** What a link's search says it by. */
const CONSENT = 'consent';

/** The link with which a borrower uses another account's consent. @param data the borrower's call. */
export const consentLink = (data: Hex): string => `${location.origin}/loans?${CONSENT}=${data}`;

/** What stands in a link's search; undefined if nothing. */
export const consentIn = (search: string): string | undefined => new URLSearchParams(search).get(CONSENT) ?? undefined;

import type { Hex } from 'viem';

declare const location: { readonly origin: string };

/** Name of the parameter in a link's search. */
const CONSENT = 'consent';

/** The link with which a borrower uses another account's consent. @param data the borrower's call. */
export const consentLink = (data: Hex): string => `${location.origin}/loans?${CONSENT}=${data}`;

/** The consent in a link's search; undefined if absent. */
export const consentIn = (search: string): string | undefined => new URLSearchParams(search).get(CONSENT) ?? undefined;

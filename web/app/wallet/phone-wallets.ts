/** BNB Chain among Trust Wallet's coins (SLIP-44). */
const BNB_CHAIN = '20000714';

/**
 * Links that open a page inside a phone's wallet. Binance's app has none any more: links from outside no longer open its
 * browser (its change log of 2026-10-30), so the address has to be pasted there.
 */
export function phoneWallets(page: URL): readonly { readonly name: string; readonly href: string }[] {
  const trust = new URL('https://link.trustwallet.com/open_url');
  trust.searchParams.set('coin_id', BNB_CHAIN);
  trust.searchParams.set('url', page.href);
  return [
    { name: 'MetaMask', href: `https://link.metamask.io/dapp/${page.host}${page.pathname}${page.search}` },
    { name: 'Trust Wallet', href: trust.href },
  ];
}

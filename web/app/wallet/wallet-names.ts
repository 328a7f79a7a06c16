import type { Connector } from 'wagmi';
import { DEMO_TYPE } from './demo.ts';
import { SAFE, WALLET_CONNECT } from './other-connectors.ts';

// Wallets announce name, icon and identifier (rdns) themselves and may announce anything. The page shows only one line
// of visible letters, a picture contained in the announcement, and the identifier if the name alone says too little.

export interface ShownWallet {
  readonly connector: Connector;
  /** Undefined if it has no name that can be shown. */
  readonly name: string | undefined;
  /** Set only if the name could be another wallet's; empty if there is no identifier that can be shown. */
  readonly rdns: string | undefined;
  /** A `data:` URL. */
  readonly icon: string | undefined;
}

const MAX_NAME = 48;
/** In characters. Real icons have up to about 50,000. */
const MAX_ICON = 131_072;

/** @param hasDemo whether the page has a demo wallet: then no other wallet is shown with a name like it. */
export function shownWallets(wallets: readonly Connector[], hasDemo: boolean): readonly ShownWallet[] {
  const isDemo = (text: string) => hasDemo && demoNames.some((each) => likenessOf(text).includes(each));
  const named = wallets.map((connector) => {
    const name = nameOf(connector.name);
    return { connector, likeness: likenessOf(name), name: name === '' || isDemo(name) ? undefined : name };
  });
  return named.map(({ connector, name, likeness }) => {
    const isAlone = named.filter((other) => other.likeness === likeness).length === 1;
    const isClear = name !== undefined && isAlone && /^[ -~]*$/.test(likeness);
    const rdns = rdnsOf(connector.id);
    return {
      connector,
      name,
      rdns: isClear ? undefined : isDemo(rdns) ? '' : rdns,
      icon: iconOf(connector.icon),
    };
  });
}

/** Removes controls, direction marks and invisible letters; U+2800 is an empty braille pattern. */
function nameOf(name: unknown): string {
  if (typeof name !== 'string') return '';
  const seen = name
    .slice(0, 1_000)
    .replace(/\s+/g, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, '');
  return [...seen.trim()].slice(0, MAX_NAME).join('').trim();
}

const rdnsOf = (id: unknown): string => (typeof id === 'string' && /^[!-~]{1,100}$/.test(id) ? id : '');

/** A `data:` image only: in <img>, it runs no script and loads nothing. */
function iconOf(icon: unknown): string | undefined {
  if (typeof icon !== 'string' || icon.length > MAX_ICON) return undefined;
  const trimmed = icon.trim();
  return /^data:image\/[a-z+.-]+[;,]/i.test(trimmed) ? trimmed : undefined;
}

/** Letters and digits that look like a Latin letter. */
const passingFor = {
  ...{ a: 'аɑα', b: 'вьβ', c: 'с', d: 'ԁ', e: 'еε', g: 'ɡ', h: 'нһη', j: 'ј', k: 'кκ', l: '1iı|іι', m: 'мμ' },
  ...{ o: '0оοσ', p: 'рρ', s: 'ѕ5', t: 'тτ', v: 'ν', w: 'ԝω', x: 'хχ', y: 'уυγ', z: 'ζ' },
};
const latin = new Map(Object.entries(passingFor).flatMap(([letter, all]) => [...all].map((each) => [each, letter])));

/** The same text for names that look alike at a glance, regardless of case, spaces and symbols. */
const likenessOf = (name: string): string =>
  [...name.normalize('NFKD').toLowerCase()]
    .map((letter) => latin.get(letter) ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

/** In the page's languages. */
const demoNames = ['demo', '演示'].map(likenessOf);

/**
 * Wallets that announced themselves (EIP-6963); window.ethereum only if none did. The page's own connectors are
 * separate: they are recognised by what the page itself set, because an extension can announce any id and name.
 */
export function walletsOf(
  connectors: readonly Connector[],
  hasInjected: boolean,
): {
  readonly wallets: readonly Connector[];
  readonly demo: Connector | undefined;
  readonly relayed: Connector | undefined;
} {
  const ofType = (sought: string) => connectors.find(({ type }) => type === sought);
  const own = { demo: ofType(DEMO_TYPE), relayed: ofType(WALLET_CONNECT) };
  const others = connectors.filter(({ type }) => ![DEMO_TYPE, WALLET_CONNECT, SAFE].includes(type));
  const announced = others.filter(({ id }) => id !== 'injected');
  if (announced.length > 0) return { wallets: announced, ...own };
  return { wallets: hasInjected ? others : [], ...own };
}

/** BNB Chain among Trust Wallet's coins (SLIP-44). */
const BNB_CHAIN = '20000714';

/**
 * Links that open a page inside a phone's wallet. Binance's app no longer has one: external links no longer open its
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

import type { Connector } from 'wagmi';
import { DEMO_TYPE } from './demo.ts';
import { SAFE, WALLET_CONNECT } from './other-connectors.ts';

/**
 * Wallets that announced themselves (EIP-6963); window.ethereum only if none did. The page's own connectors stand apart:
 * they are known by what the page itself set, because an extension announces whatever id and name it likes.
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

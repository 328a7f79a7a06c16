import type { Connector } from 'wagmi';
import { DEMO_TYPE } from './demo.ts';

/**
 * Wallets that announced themselves (EIP-6963); window.ethereum only if none did. The demo wallet stands apart: it is
 * known by what the page itself set, because an extension announces whatever id and name it likes.
 */
export function walletsOf(
  connectors: readonly Connector[],
  hasInjected: boolean,
): { readonly wallets: readonly Connector[]; readonly demo: Connector | undefined } {
  const demo = connectors.find(({ type }) => type === DEMO_TYPE);
  const others = connectors.filter((connector) => connector !== demo);
  const announced = others.filter(({ id }) => id !== 'injected');
  if (announced.length > 0) return { wallets: announced, demo };
  return { wallets: hasInjected ? others : [], demo };
}

import { expect, test, vi } from 'vitest';
import { createConfig, http } from 'wagmi';
import { injected } from 'wagmi/connectors/injected';
import { demoConnectors } from '../app/wallet/demo.ts';
import { walletsOf } from '../app/wallet/wallets.ts';

// Which of the wallets that a browser has are offered, and as what.

function connectors(hasDemo: boolean, ...announced: readonly string[]) {
  vi.stubGlobal('BOWLINE_HAS_DEMO_WALLET', hasDemo);
  const chain = { id: 1, name: 'any', nativeCurrency: { name: 'any', symbol: 'ANY', decimals: 18 } };
  const config = createConfig({
    chains: [{ ...chain, rpcUrls: { default: { http: ['http://127.0.0.1:1'] } } }],
    connectors: [injected(), ...demoConnectors('http://127.0.0.1:1')],
    transports: { 1: http('http://127.0.0.1:1') },
  });
  const { setup, providerDetailToConnector } = config._internal.connectors;
  const found = announced.map((rdns) => {
    const info = { rdns, name: 'Demo wallet', uuid: rdns, icon: 'data:,' };
    return setup(providerDetailToConnector({ info, provider: {} } as never));
  });
  return { own: config.connectors, found, all: [...found, ...config.connectors] };
}

test('WB-94: an extension that announces itself as the demo wallet is a wallet like any other', () => {
  const { own, found, all } = connectors(true, 'demo', 'bowline-demo');
  const { wallets, demo } = walletsOf(all, true);
  expect(demo).toBe(own[1]);
  expect(wallets).toEqual(found);
  // Nor does it become one where the page has none.
  const without = connectors(false, 'demo');
  expect(walletsOf(without.all, true)).toEqual({ wallets: without.found, demo: undefined });
  expect(walletsOf(without.own, true).wallets.map(({ id }) => id)).toEqual(['injected']);
  expect(walletsOf(without.own, false).wallets).toEqual([]);
});

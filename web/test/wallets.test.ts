import { expect, test, vi } from 'vitest';
import { createConfig, http } from 'wagmi';
import { injected } from 'wagmi/connectors/injected';
import { mock } from 'wagmi/connectors/mock';
import { demoConnectors } from '../app/wallet/demo.ts';
import { lateConnector, otherConnectors } from '../app/wallet/other-connectors.ts';
import { shownWallets, walletsOf } from '../app/wallet/wallet-names.ts';

// Which of a browser's wallets are offered, and under which name.

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
  return { config, own: config.connectors, found, all: [...found, ...config.connectors] };
}

test('an extension that announces itself as the demo wallet is a wallet like any other', () => {
  const { own, found, all } = connectors(true, 'demo', 'bowline-demo');
  const { wallets, demo } = walletsOf(all, true);
  expect(demo).toBe(own[1]);
  expect(wallets).toEqual(found);
  // It does not become the demo wallet either where the page has none.
  const without = connectors(false, 'demo');
  expect(walletsOf(without.all, true)).toEqual({ wallets: without.found, demo: undefined, relayed: undefined });
  expect(walletsOf(without.own, true).wallets.map(({ id }) => id)).toEqual(['injected']);
  expect(walletsOf(without.own, false).wallets).toEqual([]);
});

test('WB-320: a connector’s code is loaded when it is used, and again if it did not arrive', async () => {
  const loads: string[] = [];
  let holds = false;
  const create = lateConnector({
    ...{ id: 'late', name: 'Late' },
    async load() {
      loads.push(loads.length === 0 ? 'lost' : 'arrived');
      if (loads.length === 1) throw new Error('offline');
      return mock({ accounts: ['0x00000000000000000000000000000000000a11ce'] });
    },
    mayHold: async () => holds,
  });
  const { config } = connectors(false);
  const late = config._internal.connectors.setup(create);
  expect([await late.getProvider(), await late.isAuthorized(), loads]).toEqual([undefined, undefined, []]);
  holds = true;
  await expect(late.getProvider()).rejects.toThrow('offline');
  expect((await late.connect()).accounts).toHaveLength(1);
  expect(await late.getProvider()).toBeDefined();
  await late.disconnect();
  expect(loads).toEqual(['lost', 'arrived']);
  // It does not count among the wallets that announced themselves.
  const own = otherConnectors({ walletConnect: { projectId: 'any', relay: 'wss://any' } } as never);
  const relayed = own.map((each) => config._internal.connectors.setup(each));
  expect(walletsOf([...config.connectors, ...relayed], false)).toMatchObject({
    wallets: [],
    relayed: { id: 'walletConnect' },
  });
});

/** How wallets of these names are shown: name and identifier. */
function shown(hasDemo: boolean, ...names: readonly unknown[]) {
  const all = names.map((name, at) => ({ name, id: `id.${at}`, icon: undefined }));
  return shownWallets(all as never, hasDemo).map(({ name, rdns }) => [name, rdns]);
}

test('names that look alike have their identifiers beside them, and others do not', () => {
  const alone = ['Rabby', 'OKX Wallet', 'Trust Wallet', 'Coinbase Wallet', 'Wallet 1', 'Wallet 2'];
  expect(shown(true, ...alone)).toEqual(alone.map((name) => [name, undefined]));
  for (const other of [
    'metamask',
    'Meta Mask',
    'META-MASK.',
    'MetaMa\u0455k',
    'ΜetaMask',
    'MétaMask',
    'Meta\u00adMask',
    'ＭetaMask',
  ])
    expect(
      shown(true, 'MetaMask', 'Rabby', other).map(([, rdns]) => rdns),
      other,
    ).toEqual(['id.0', undefined, 'id.2']);
  for (const [one, other] of [
    ['Trust', 'Tru5t'],
    ['Comet', 'Cornet'],
    ['Wallet', 'Wa11et'],
    ['Phantom', 'Phant0m'],
  ])
    expect(shown(true, one, other)).toEqual([
      [one, 'id.0'],
      [other, 'id.1'],
    ]);
  // Names with other than Latin letters are shown with their identifier.
  expect(shown(true, '币安钱包')).toEqual([['币安钱包', 'id.0']]);
  for (const nothing of [undefined, 7, {}, '', ' \n', '\u200b\u2060', '\u{e0041}'])
    expect(shown(true, nothing)).toEqual([[undefined, 'id.0']]);
});

test('no other wallet is called like the demo wallet where there is one', () => {
  for (const name of [
    'Demo wallet',
    'USE THE DEMO WALLET',
    'D\u0435m\u043e',
    'D e m o',
    'Derno wallet',
    'De\u200bmo',
    '演示',
  ])
    expect(shown(true, name), name).toEqual([[undefined, 'id.0']]);
  expect(shown(false, 'Demo wallet')).toEqual([['Demo wallet', undefined]]);
});

test('an icon is a picture in the announcement, of a size that a picture has', () => {
  const iconOf = (icon: unknown) => shownWallets([{ name: 'Any', id: 'id', icon }] as never, true)[0]?.icon;
  for (const icon of ['data:image/png;base64,AAAA', 'data:image/svg+xml,%3Csvg/%3E', 'DATA:image/webp;base64,AAAA'])
    expect(iconOf(` ${icon}\n`)).toBe(icon);
  const others = [
    'https://evil.example/a.png',
    '/assets/icon.svg',
    'data:text/html,x',
    'data:,',
    'javascript:alert(1)',
    {},
    7,
  ];
  for (const other of [...others, `data:image/png;base64,${'A'.repeat(200_000)}`])
    expect(iconOf(other)).toBeUndefined();
});

import { QueryClientProvider } from '@tanstack/react-query';
import pixelmatch from 'pixelmatch';
import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { custom, defineChain, HttpRequestError, numberToHex } from 'viem';
import { createConfig, WagmiProvider } from 'wagmi';
import { connect } from 'wagmi/actions';
import { injected } from 'wagmi/connectors/injected';
import { Router } from 'wouter';
import { App } from '../../web/app/app.tsx';
import { createLine } from '../../web/app/chain/line.ts';
import { LineProvider } from '../../web/app/chain/use-line.tsx';
import { keepFocus } from '../../web/app/keep-focus.ts';
import { sections as paths } from '../../web/app/routes.tsx';
import { SettingsProvider } from '../../web/app/settings.tsx';
import { keep } from '../../web/app/transactions/kept.ts';
import { TransactionsProvider } from '../../web/app/transactions/use-transactions.tsx';
import { ConnectingProvider } from '../../web/app/wallet/connecting.tsx';
import { waiting } from './facts.ts';
import { FixtureClient } from './fixture-client.ts';
import { type Doing, type Scene, type State, states } from './scene.ts';
import { owner, settings } from './scenes/basics.ts';
import { type SectionName, scenes } from './scenes/scenes.ts';
import '../../web/app/styles.ts';
import './gallery.css';

// The whole page, with its readings answered from fixtures: no chain, no server, and a stopped clock.

performance.now = () => 1_000;
// Timers of a second or more never fire, so that a slow machine shows the same.
const setTimer = globalThis.setTimeout;
globalThis.setTimeout = ((act: () => void, ms = 0, ...rest: []) =>
  ms < 1_000 ? setTimer(act, ms, ...rest) : 0) as typeof setTimeout;
globalThis.setInterval = (() => 0) as unknown as typeof setInterval;

keepFocus();

const never = () => new Promise<never>(() => {});
const place = document.getElementById('root') as HTMLElement;
let root: Root | undefined;

/** Shows a scene; the caller performs the scene's actions. */
async function show(section: SectionName, state: State): Promise<readonly Doing[] | string> {
  const scene: Scene | { readonly impossible: string } = scenes[section][state];
  if ('impossible' in scene) return scene.impossible;
  root?.unmount();
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', scene.path);
  keep(sessionStorage, settings.chainId, owner, scene.transactions);
  serve(scene);
  const line = createLine();
  const chain = defineChain({
    ...{ id: settings.chainId, name: settings.chainName, rpcUrls: { default: { http: [settings.rpcUrl] } } },
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
  });
  const transport = line.watch(custom({ request: nodeOf(scene) }, { retryCount: 0 }));
  const provider = walletOf(scene) as never;
  const config = createConfig({
    chains: [chain],
    connectors: [injected({ target: () => ({ id: 'gallery', name: 'Test wallet', provider }) })],
    multiInjectedProviderDiscovery: false,
    storage: null,
    transports: { [chain.id]: transport },
  });
  if (scene.node !== 'waiting') {
    await transport({ chain, retryCount: 0 } as never)
      .request({ method: 'eth_blockNumber' })
      .catch(() => undefined);
  }
  const [connector] = config.connectors;
  if (scene.wallet !== 'none' && scene.wallet !== 'declines' && connector) await connect(config, { connector });
  root = createRoot(place);
  root.render(
    <StrictMode>
      <WagmiProvider config={config} reconnectOnMount={false}>
        <QueryClientProvider client={new FixtureClient(scene.answers)}>
          <SettingsProvider value={settings}>
            <LineProvider value={line}>
              <ConnectingProvider>
                <Router>
                  <TransactionsProvider>
                    <App />
                  </TransactionsProvider>
                </Router>
              </ConnectingProvider>
            </LineProvider>
          </SettingsProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  );
  return scene.doing;
}

/** The chain's node, for calls other than readings: a step is simulated before the wallet is asked, then looked up. */
const nodeOf =
  ({ node }: Scene) =>
  async ({ method }: { readonly method: string }): Promise<unknown> => {
    if (node === 'silent') throw new HttpRequestError({ url: settings.rpcUrl });
    if (method === 'eth_call') return '0x';
    if (method === 'eth_blockNumber') return numberToHex(1_000_000);
    if (method === 'eth_chainId') return numberToHex(settings.chainId);
    if (method.startsWith('eth_getTransaction')) return null;
    return never();
  };

const walletOf = ({ wallet }: Scene) => ({
  async request({ method }: { readonly method: string }): Promise<unknown> {
    if (method === 'eth_chainId') return numberToHex(wallet === 'elsewhere' ? 1 : settings.chainId);
    if (method === 'eth_accounts') return wallet === 'declines' ? [] : [owner];
    if (method === 'eth_requestAccounts' || method === 'wallet_requestPermissions') {
      if (wallet === 'declines') throw Object.assign(new Error('declined'), { code: 4001 });
      return method === 'eth_requestAccounts' ? [owner] : [];
    }
    // It does not support call batches.
    if (method === 'wallet_getCapabilities') throw Object.assign(new Error('unknown'), { code: -32_601 });
    if (method === 'eth_sendTransaction' && wallet === 'refuses') {
      throw Object.assign(new Error('declined'), { code: 4001 });
    }
    return never();
  },
  on() {},
  removeListener() {},
});

/** The page's server, for requests that a person makes. */
function serve({ buy, agent }: Scene): void {
  const real = globalThis.location.origin;
  globalThis.fetch = (asked: RequestInfo | URL) => {
    const { pathname, origin } = new URL(String(asked), real);
    const answer = pathname === '/api/buy' ? buy : pathname === '/api/agent' ? agent : undefined;
    if (answer === waiting) return never();
    if (origin !== real || answer === undefined) return Promise.reject(new Error(`nothing serves ${pathname}`));
    return Promise.resolve(Response.json(answer, { status: 'code' in answer ? 503 : 200 }));
  };
}

/** Resolves when the page has not changed for this long. */
const settled = (quietMs: number) =>
  new Promise<void>((resolve) => {
    const end = () => {
      watcher.disconnect();
      resolve();
    };
    let timer = setTimer(end, quietMs);
    const watcher = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimer(end, quietMs);
    });
    watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });

/** How many pixels of two pictures differ; undefined if their sizes differ. */
async function difference(one: string, other: string): Promise<number | undefined> {
  const [a, b] = await Promise.all([pixelsOf(one), pixelsOf(other)]);
  if (a.width !== b.width || a.height !== b.height) return undefined;
  return pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.15 });
}

/** @param picture the file in base64. */
async function pixelsOf(picture: string): Promise<ImageData> {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, width, height);
}

/** Interface that the gallery's own program calls. */
export interface Gallery {
  readonly sections: readonly SectionName[];
  readonly states: readonly State[];
  readonly show: typeof show;
  readonly settled: typeof settled;
  readonly difference: typeof difference;
}

// Loads all code first, so that no picture shows a section that is still loading.
await Promise.all([
  ...paths.map((section) => section.load()),
  import('../../web/app/home/own-home.tsx'),
  import('../../web/app/portfolio/plot.tsx'),
  document.fonts.load('16px Gallery'),
  document.fonts.load('700 16px Gallery'),
]);
Object.assign(globalThis, {
  bowlineGallery: {
    ...{ sections: Object.keys(scenes) as SectionName[], states, show, settled, difference },
  } satisfies Gallery,
});

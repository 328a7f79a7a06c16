import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { localChainId } from '@bowline/core/domain/chains';
import { readAddressBook } from '@bowline/http/address-book';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { docsPlugin } from './docs/build.ts';
import { firstLoad } from './first-load.ts';
import { loadConfig } from './server/config.ts';
import { pageOf } from './server/page.ts';
import type { PageConfig } from './wire.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The chain, node, contracts and tokens that the page works with, from the web server's settings. Null if they are not
 * known yet, as before the first deployment: the page then builds but refuses to work.
 */
function pinned(): PageConfig | null {
  try {
    const config = loadConfig();
    return pageOf(readAddressBook(config.chainId, config.deployments), config);
  } catch (error) {
    console.warn(`The page is built without contracts and will refuse to work. ${(error as Error).message}`);
    return null;
  }
}

// Overrides a shell or test runner: React's development version is slow and contains this machine's paths.
process.env.NODE_ENV = 'production';

/**
 * Every start of the local chain builds the page, and the best compression takes three times as long for 2 % less. Only
 * large files, which most visitors receive, get it.
 */
const brotliOf = ({ length }: Buffer) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: length > 20_000 ? 11 : 10 },
});

/** Writes a compressed copy next to every text file, so that the server need not compress it at each request. */
const compressedCopies: Plugin = {
  name: 'compressed-copies',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const copy = async (made: (typeof bundle)[string]) => {
        const content = Buffer.from(made.type === 'chunk' ? made.code : made.source);
        if (content.length < 1_000 || !/\.(js|css|html|svg|json)$/.test(made.fileName)) return;
        const [br, gz] = await Promise.all([
          promisify(brotliCompress)(content, brotliOf(content)),
          promisify(gzip)(content, { level: 9 }),
        ]);
        this.emitFile({ type: 'asset', fileName: `${made.fileName}.br`, source: br });
        this.emitFile({ type: 'asset', fileName: `${made.fileName}.gz`, source: gz });
      };
      await Promise.all(Object.values(bundle).map(copy));
    },
  },
};

const settings = pinned();

/** Inserts the contract that stops everything into the message of a page that does not start. */
const stopContract: Plugin = {
  name: 'stop-contract',
  transformIndexHtml(html) {
    const named = settings === null ? '' : `${settings.contracts.revocations} (${settings.chainName})`;
    return html.replaceAll('REVOCATIONS_CONTRACT', named);
  },
};

/** What Safe's web app shows about the page next to its frame. */
const safeManifest: Plugin = {
  name: 'safe-manifest',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const iconPath = Object.keys(bundle).find((name) => /^assets\/icon-[^/]+\.svg$/.test(name));
      const description = 'Buy on a schedule and keep your loan from being liquidated, on BNB Chain.';
      const source = JSON.stringify({ name: 'Bowline', description, iconPath });
      this.emitFile({ type: 'asset', fileName: 'manifest.json', source });
    },
  },
};

/**
 * Keeps code that only connectors use out of the first load: WalletConnect gets its own copy of the hash functions, and
 * Safe's provider takes its one list of states from Safe's gateway SDK, instead of an SDK with all of viem.
 */
const ofConnectors: Plugin = {
  name: 'of-connectors',
  enforce: 'pre',
  async resolveId(source, importer = '', options) {
    if (source === '@safe-global/safe-apps-sdk' && importer.includes('/safe-apps-provider/'))
      return this.resolve('@safe-global/safe-gateway-typescript-sdk', importer, options);
    const isAsked = source.startsWith('@noble/') && importer.includes('/@walletconnect/');
    if (!isAsked && !importer.endsWith('?own')) return null;
    const found = await this.resolve(source, importer.replace(/\?own$/, ''), options);
    return found && { ...found, id: `${found.id}?own` };
  },
};

/** Replaces Vite's helper for dynamic imports with fetchedImport. */
const fetchedImports: Plugin = {
  name: 'fetched-imports',
  enforce: 'pre',
  load: {
    filter: { id: /vite\/preload-helper\.js$/ },
    handler: () => `export { fetchedImport as __vitePreload } from ${JSON.stringify(at('./app/fetched-import.ts'))}`,
  },
};

export default defineConfig({
  root: at('./app/'),
  plugins: [
    react(),
    docsPlugin,
    stopContract,
    safeManifest,
    ofConnectors,
    fetchedImports,
    firstLoad('home'),
    compressedCopies,
  ],
  // An unused prefix, so that no environment variable gets into the page.
  envPrefix: 'BOWLINE_PAGE_HAS_NO_SETTINGS_',
  define: {
    BOWLINE_PINNED: JSON.stringify(settings),
    // A publicly known key must not be in any other build.
    BOWLINE_HAS_DEMO_WALLET: String(settings?.chainId === localChainId),
  },
  build: {
    outDir: at('./dist'),
    emptyOutDir: true,
    target: 'es2022',
    // Nesting and light-dark() are compiled for browsers without them.
    cssTarget: ['chrome111', 'firefox114', 'safari16.4'],
    cssMinify: 'lightningcss',
    // One file, named by the HTML: fetchedImport adds no styles.
    cssCodeSplit: false,
    // The page's policy allows no inline code and no data URLs as code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    // Each file costs a request and a kilobyte of headers. So the frame is one file, with the smallest of the code that
    // two sections share, and code that more sections share is another.
    rolldownOptions: {
      // WalletConnect's own window, which the page never opens (overrides in package.json).
      external: ['@reown/appkit/core'],
      output: {
        codeSplitting: {
          groups: [
            { name: 'index', test: /\/web\/app\/(?:main|parts\/asset-mark)\.tsx?$/ },
            { name: 'shared', test: /\/(?:web\/app|packages|abis)\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
});

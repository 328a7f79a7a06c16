import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

process.env.NODE_ENV = 'production';

/** Builds the page with readings answered from fixtures (main.tsx). Nothing here is part of the product's page. */
export default defineConfig({
  root: at('.'),
  plugins: [react()],
  define: { BOWLINE_PINNED: 'null', BOWLINE_HAS_DEMO_WALLET: 'false' },
  build: {
    outDir: at('../../.cache/gallery'),
    emptyOutDir: true,
    target: 'es2022',
    cssMinify: 'esbuild',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_000,
    // As in the page's own build.
    rolldownOptions: { external: ['@reown/appkit/core'] },
  },
});

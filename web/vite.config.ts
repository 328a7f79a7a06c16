import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Whatever a shell or a test runner says: the development version of React is slow, and tells of this machine's folders.
process.env.NODE_ENV = 'production';

export default defineConfig({
  root: at('./app/'),
  plugins: [react()],
  // Nothing of the environment goes into the page.
  envPrefix: 'BOWLINE_PAGE_HAS_NO_SETTINGS_',
  build: {
    outDir: at('./dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy allows no inline code and no data as code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
  },
});

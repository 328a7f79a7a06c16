import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import * as tar from 'tar';

// Serves the built gallery and the fonts of the browser's package: this machine's fonts would change the pictures.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const built = `${root}.cache/gallery`;
const fonts = `${root}.cache/gallery-fonts`;
const types: Readonly<Record<string, string>> = {
  ...{ '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' },
  ...{ '.svg': 'image/svg+xml', '.ttf': 'font/ttf' },
};

export async function serveGallery(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  await unpackFonts();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const file = pathname.startsWith('/fonts/') ? fonts + pathname : built + pathname;
    const isFile = extname(pathname) in types && !pathname.includes('..') && existsSync(file);
    // The page handles any other path itself.
    const sent = isFile ? file : `${built}/index.html`;
    response.writeHead(200, { 'content-type': types[extname(sent)] ?? 'text/plain' });
    createReadStream(sent).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function unpackFonts(): Promise<void> {
  mkdirSync(fonts, { recursive: true });
  const packed = createReadStream(`${root}node_modules/@sparticuz/chromium/bin/fonts.tar.br`);
  await pipeline(packed, createBrotliDecompress(), tar.extract({ cwd: fonts }));
}

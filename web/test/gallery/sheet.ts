import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Browser } from 'playwright-core';

const widths = { phone: 240, desktop: 480 } as const;

/** Combines pictures, side by side with their names, into one sheet per size and theme. For viewing only. */
export async function writeSheet(
  browser: Browser,
  path: string,
  pictures: readonly { readonly name: string; readonly bytes: Buffer }[],
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const page = await browser.newPage({ viewport: { width: 2_000, height: 800 } });
  for (const [size, width] of Object.entries(widths)) {
    for (const theme of ['light', 'dark']) {
      const shown = pictures
        .filter(({ name }) => name.endsWith(`-${size}-${theme}.webp`))
        .map(({ name, bytes }) => {
          const source = `data:image/webp;base64,${bytes.toString('base64')}`;
          return `<figure><figcaption>${name}</figcaption><img width="${width}" src="${source}"></figure>`;
        });
      const style = 'figure { margin: 6px; display: inline-block; vertical-align: top; font: 12px sans-serif }';
      await page.setContent(`<style>body { background: #888; margin: 0 } ${style}</style>${shown.join('')}`);
      const file = await page.screenshot({ fullPage: true, timeout: 120_000 });
      writeFileSync(`${path}-${size}-${theme}.png`, file);
    }
  }
  await page.close();
}

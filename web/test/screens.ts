import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { freePort } from '../../test/local/free-port.ts';
import { connectWallet, launchBrowser, openPage, sizes } from './browser.ts';

// `npm run lab -- screens`: starts everything as `npm start` does, on separate ports, and waits for something to show.
// Then writes a picture of every section at both sizes: to docs/screens/, one screen high, if a page shows it;
// otherwise to .cache/screens/, as high as its content.

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What README shows next to its first lines, without scrolling. */
const shown = new Set(['home-desktop']);
const SHOWN_HEIGHT = 780;
/** The demo owner's key. It is public, like every key of a local chain. */
const key = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';

const [rpc, market, bundler, agent, web] = [
  await freePort(),
  await freePort(),
  await freePort(),
  await freePort(),
  await freePort(),
];
const ports = [
  '--rpc-port',
  rpc,
  '--market-port',
  market,
  '--bundler-port',
  bundler,
  '--agent-port',
  agent,
  '--web-port',
  web,
];
const child = spawn(
  process.execPath,
  ['lab/world/start.ts', ...ports.map(String), '--deployments', '.cache/deployments/screens'],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
);
let printed = '';
child.stdout.on('data', (text) => (printed += text));
const said = async (what: RegExp) => {
  while (!what.test(printed)) {
    if (child.exitCode !== null) throw new Error(`npm start has ended:\n${printed}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

try {
  await said(/Ready after/);
  // A run, a deferral and a rescue must be on the screen.
  await said(/rescued a loan/);
  const browser = await launchBrowser();
  for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
    const options = { url: `http://127.0.0.1:${web}`, rpcUrl: `http://127.0.0.1:${rpc}`, size, key } as const;
    const { page } = await openPage(browser, options);
    await connectWallet(page);
    for (const section of ['home', 'portfolio', 'plans', 'loans', 'trade', 'ask'])
      await picture(page, options.url, section, size);
    await page.close();
  }
  await browser.close();
} finally {
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('close', resolve));
}

async function picture(page: Page, url: string, section: string, size: keyof typeof sizes): Promise<void> {
  await page.goto(`${url}/${section}`);
  await page.waitForTimeout(1_500);
  if (section === 'trade') {
    await page.getByLabel('Amount').fill('1000');
    await page.getByRole('button', { name: 'Get verdict' }).click();
    await page.getByText('Balance changes').waitFor();
  }
  if (section === 'portfolio') {
    await page.getByRole('button', { name: 'Price chart of BTCB' }).click();
    await page.locator('.plot canvas').waitFor();
  }
  if (section === 'ask') {
    await page.getByRole('button', { name: 'Is BTCB fairly priced right now?' }).click();
    await page.getByText('Answered by').waitFor();
  }
  const name = `${section}-${size}`;
  const path = `${shown.has(name) ? 'docs' : '.cache'}/screens/${name}.png`;
  const { width, height } = sizes[size];
  const whole = Number(await page.evaluate('document.documentElement.scrollHeight'));
  // As tall as the content: otherwise elements fixed to the window's edge would appear in the middle of the picture.
  await page.setViewportSize({ width, height: shown.has(name) ? SHOWN_HEIGHT : Math.max(height, whole) });
  // The machine that draws these rarely has a Chinese font, and would draw boxes.
  await page.evaluate('document.querySelector("footer [lang=zh-CN]")?.remove()');
  await page.screenshot({ path: `${root}${path}` });
  await page.setViewportSize({ width, height });
  process.stdout.write(`${path}\n`);
}

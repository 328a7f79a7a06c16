import { parseArgs } from 'node:util';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { type Hex, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { createPlan } from '../../packages/chain/test/deployed-chain.ts';
import { makePlans, stranger } from '../../packages/chain/test/many-plans.ts';
import { approve, give } from '../../test/local/accounts.ts';
import { freePort } from '../../test/local/free-port.ts';
import { connectWallet, launchBrowser, openPage } from '../../web/test/browser.ts';
import { startPage } from '../world/start/page.ts';
import { figure, record } from './record.ts';
import { startWorld } from './scale/agent.ts';

// `npm run lab -- bench:web`: what the page costs a visitor. First load and its largest paint on a slow phone, then the chain
// calls and server requests of each section a minute, and the heap. Real chain with a new block each second, real
// server and browser; no agent and no exchange. Exits with 1 if a limit is passed.

const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } });
/** Plans of strangers. */
const plans = 200;
const secondsInSection = 30;
const minutesOfHeap = 1;
const limits = {
  firstLoad: 230_000,
  largestPaintMs: 2_500,
  callsAMinute: 15,
  heapGrowth: 2_000_000,
} as const;
const sections = ['home', 'portfolio', 'plans', 'loans', 'trade', 'ask'];
/** Anvil's sixth account; its key is public. */
const key: Hex = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba';
/** Chrome's own figures for a slow 4G line. */
const slow4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
} as const;
const folder = '.cache/deployments/bench-web';

const world = await startWorld(folder, 1);
let web: Awaited<ReturnType<typeof startPage>> | undefined;
let browser: Browser | undefined;
const failures: string[] = [];
const table: string[][] = [['what a visitor pays', 'measured', 'aim']];
const hold = (name: string, value: number, limit: number) => {
  if (value > limit) failures.push(`${name}: ${value} is above ${limit}`);
};

try {
  await setUp();
  browser = await launchBrowser();
  await firstLoad(browser);
  await traffic(browser);
  record(values.record, 'web', table);
} finally {
  await browser?.close();
  await web?.stop();
  await world.stop();
}
for (const failure of failures) console.log(`FAILED ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

async function setUp(): Promise<void> {
  const { chain, book } = world;
  const dead = `http://127.0.0.1:${await freePort()}`;
  web = await startPage({
    ...{ port: await freePort(), agentUrl: dead, marketUrl: dead },
    ...{ rpcUrl: world.url, deployments: folder },
  });
  const user = privateKeyToAddress(key);
  await give(chain, user, 'USDT', '900');
  await createPlan(world, { owner: user, recipient: user, amountPerRun: parseEther('25'), maxRuns: 4 });
  await approve(chain, user, 'USDT', book.own.planRegistry, parseEther('100'));
  await makePlans(world, stranger(1), plans);
}

/** Transferred bytes with headers, and the largest paint, as a phone without a cache sees them. */
async function firstLoad(on: Browser): Promise<void> {
  const { page } = await openPage(on, { url: 'about:blank', rpcUrl: world.url, size: 'phone' });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', slow4G);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  let sent = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (sent += encodedDataLength));
  await page.addInitScript(
    `new PerformanceObserver((list) => {
       globalThis.bowlineLargestPaint = list.getEntries().at(-1).startTime;
     }).observe({ type: 'largest-contentful-paint', buffered: true });`,
  );
  await page.goto(`${web?.url}/`);
  await page.getByText('None in these blocks.').first().waitFor();
  const first = sent;
  await page.waitForTimeout(8_000);
  const paint = Number(await page.evaluate('globalThis.bowlineLargestPaint'));
  table.push(['first load, sent until the rows are shown', kilo(first), kilo(limits.firstLoad)]);
  table.push(['with every section loaded ahead', kilo(sent), '']);
  table.push(['largest paint, slow 4G, CPU ÷ 4', `${figure(paint)} ms`, `${figure(limits.largestPaintMs)} ms`]);
  hold('first load', first, limits.firstLoad);
  hold('largest paint', paint, limits.largestPaintMs);
  await page.close();
}

async function traffic(on: Browser): Promise<void> {
  const { page } = await openPage(on, { url: `${web?.url}/portfolio`, rpcUrl: world.url, key });
  await connectWallet(page);
  const count = { chain: 0, server: 0 };
  page.on('request', (request) => {
    if (request.url().startsWith(world.url) && request.method() === 'POST') count.chain++;
    if (request.url().includes('/api/')) count.server++;
  });
  for (const section of sections) {
    await page.evaluate(`history.pushState(null, '', '/${section}')`);
    // The first read of a section searches everybody's plans once.
    await page.waitForTimeout(6_000);
    Object.assign(count, { chain: 0, server: 0 });
    await page.waitForTimeout(secondsInSection * 1_000);
    const [chain, server] = [count.chain, count.server].map((each) => Math.round((each * 60) / secondsInSection));
    const asked = `${chain} calls to the chain, ${server} requests to the server`;
    table.push([`${section}, a minute, with ${plans} plans of strangers`, asked, `${limits.callsAMinute} calls`]);
    hold(`chain calls a minute, ${section}`, chain ?? 0, limits.callsAMinute);
  }
  await heap(page);
}

async function heap(page: Page): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/plans')`);
  await page.waitForTimeout(5_000);
  const devtools = await page.context().newCDPSession(page);
  const before = await used(devtools);
  await page.waitForTimeout(minutesOfHeap * 60_000);
  const after = await used(devtools);
  table.push([`heap in Plans, and after ${minutesOfHeap} min`, `${kilo(before)}, ${kilo(after)}`, 'flat']);
  hold('heap growth', after - before, limits.heapGrowth);
}

/** Bytes in use after a garbage collection. */
async function used(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await devtools.send('Runtime.getHeapUsage')) as { readonly usedSize: number };
  return usedSize;
}

function kilo(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}

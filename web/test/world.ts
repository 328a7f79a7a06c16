import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { readAddressBook } from '@bowline/http/address-book';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { type Contracts, deployContracts } from '../../lab/world/start/contracts.ts';
import { buildPage, type Page, type PagePlan, servePage } from '../../lab/world/start/page.ts';
import { freePort } from '../../test/local/free-port.ts';
import { launchBrowser } from './browser.ts';
import { keepAlive } from './heartbeat.ts';

// Shared by browser tests of the page: a fork with the contracts, the page's server and a browser. Each test file has
// its own.

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Its URL is the same in all files of a worker, so they share one build of the page, which pins the URL. */
export let local: LocalChain;
/** The node of `local`, without the front. */
export let node: string;
export let chain: Chain;
export let contracts: Contracts;
/** Folder of the deployment record, relative to the project's folder. */
export let folder: string;
export let book: AddressBook;
export let web: Page;
export let browser: Browser;

/** Where the front connects: the node, unless a test puts another in between. */
let behindFront: string;
let front: Promise<string> | undefined;

/**
 * Starts a chain for the tests of a file.
 * @param name of the record's folder.
 * @param blockSeconds absent: transactions and a heartbeat make blocks; null: no heartbeat.
 */
export function withChain(name: string, blockSeconds?: number | null): void {
  let stopBlocks: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const own = await startLocalChain(typeof blockSeconds === 'number' ? { blockSeconds } : {});
    node = own.url;
    front ??= startFront();
    readThrough(node);
    local = { ...own, url: await front };
    chain = connect(node);
    stopBlocks = blockSeconds === undefined ? keepAlive(chain) : undefined;
    folder = `.cache/deployments/${name}`;
    contracts = await deployContracts(node, folder, new AbortController().signal);
    book = readAddressBook(localChainId, pathToFileURL(`${root}${folder}/`));
  });
  afterAll(async () => {
    await stopBlocks?.();
    await local?.stop();
  });
}

/** Launches a browser. Its windows are closed after each test. */
export function withBrowser(): void {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(() => Promise.all((browser?.contexts() ?? []).map((context) => context.close())));
  afterAll(() => browser?.close());
}

/** Serves the page. No agent and no exchange answer, unless `more` provides them. */
export function withPage(more: () => Promise<Partial<PagePlan>> = async () => ({})): void {
  beforeAll(async () => {
    const dead = `http://127.0.0.1:${await freePort()}`;
    const usual = { port: await freePort(), agentUrl: dead, marketUrl: dead, rpcUrl: local.url };
    const plan = { ...usual, deployments: folder, ...(await more()) };
    web = await servePage(plan, await built(plan));
  });
  afterAll(() => web?.stop());
}

/** Puts the node at that URL between the page and `node`. */
export function readThrough(url: string): void {
  behindFront = url;
}

/** Folders of the built files, keyed by what is pinned in them. */
const builds = new Map<string, Promise<string>>();

/** The build for a plan. It is removed when the worker ends. */
function built(plan: PagePlan): Promise<string> {
  const { rpcUrl, auditNodes, safeApps, walletConnect } = plan;
  const record = readFileSync(`${root}${plan.deployments}/${localChainId}.json`, 'utf8');
  const pinned = JSON.stringify({ rpcUrl, auditNodes, safeApps, walletConnect, record });
  const known = builds.get(pinned);
  if (known !== undefined) return known;
  const files = `${root}.cache/pages/${randomUUID()}`;
  process.once('exit', () => rmSync(files, { recursive: true, force: true }));
  const building = buildPage(plan, files).then(() => files);
  builds.set(pinned, building);
  return building;
}

async function startFront(): Promise<string> {
  const server = createServer((client) => {
    const { hostname, port } = new URL(behindFront);
    const there = createConnection(Number(port), hostname);
    // Either side closes the other: without its node, the front drops the page's connections.
    pipeline(client, there, client, () => {});
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

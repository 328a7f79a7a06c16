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

// What tests of the page in a browser have in common: a fork with the contracts, the page's server and a browser. They are those of
// the file that runs.

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Its URL is the same in all files of a worker, so that one build of the page, which pins the URL, does for them. */
export let local: LocalChain;
/** The node of `local`, without what stands before it. */
export let node: string;
export let chain: Chain;
export let contracts: Contracts;
/** Folder of their record, from the project's own. */
export let folder: string;
export let book: AddressBook;
export let web: Page;
export let browser: Browser;

/** Where the front leads: the node, unless a test puts another before it. */
let behindFront: string;
let front: Promise<string> | undefined;

/**
 * For the tests of a file.
 * @param name of the folder of the record.
 * @param blockSeconds absent: a transaction makes a block, and so does a heartbeat; null: there is no heartbeat.
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

/** A browser, whose windows are closed after each test. */
export function withBrowser(): void {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(() => Promise.all((browser?.contexts() ?? []).map((context) => context.close())));
  afterAll(() => browser?.close());
}

/** The page. Nothing answers in its agent's or its exchange's place, unless `more` gives them. */
export function withPage(more: () => Promise<Partial<PagePlan>> = async () => ({})): void {
  beforeAll(async () => {
    const dead = `http://127.0.0.1:${await freePort()}`;
    const usual = { port: await freePort(), agentUrl: dead, marketUrl: dead, rpcUrl: local.url };
    const plan = { ...usual, deployments: folder, ...(await more()) };
    web = await servePage(plan, await built(plan));
  });
  afterAll(() => web?.stop());
}

/** Puts a node of that URL between the page and `node`. */
export function readThrough(url: string): void {
  behindFront = url;
}

/** The folder of the files, by what is pinned in them. */
const builds = new Map<string, Promise<string>>();

/** Such a build, which is removed when the worker ends. */
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
    // Either side ends the other: a node that is gone refuses the page.
    pipeline(client, there, client, () => {});
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, chromium as launcher, type Page } from 'playwright-core';
import { createWalletClient, type Hex, http, numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import manifest from '../../package.json' with { type: 'json' };
import { type Batching, createBatches } from './batching.ts';

// A real Chromium from npm, with a test wallet: a provider that announces itself (EIP-6963), whose key stays in the
// test process.

export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Replaces the package's arguments: those disable the web's cross-origin rules, under which the page must work. */
const browserArguments = ['--no-sandbox', '--no-zygote', '--disable-gpu'];

export async function launchBrowser(): Promise<Browser> {
  return launcher.launch({ executablePath: await unpacked(), args: browserArguments, headless: true });
}

/**
 * The browser's path. The package treats any file in the temporary folder as unpacked, even one that another process is
 * still writing. So each process unpacks to its own folder, then renames it atomically.
 */
async function unpacked(): Promise<string> {
  const folder = `${root}.cache/chromium-${manifest.devDependencies['@sparticuz/chromium']}`;
  if (!existsSync(folder)) {
    const own = `${folder}.${randomUUID()}`;
    mkdirSync(own, { recursive: true });
    const before = process.env.TMPDIR;
    process.env.TMPDIR = own;
    await chromium.executablePath();
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    try {
      renameSync(own, folder);
    } catch (error) {
      // Another process was first, with the same content.
      if (!existsSync(folder)) throw error;
      rmSync(own, { recursive: true });
    }
  }
  return `${folder}/chromium`;
}

export interface TestWallet {
  readonly address: Hex;
  /** Every method that the page has called, in order. */
  readonly methods: string[];
  /** Every transaction that the wallet was asked to sign, in order. */
  readonly sent: { readonly to: Hex; readonly data: Hex }[];
  /** The chain that the wallet reports. */
  chainId: number;
  /** Whether the owner declines. */
  declines: boolean;
  /** Returns the transaction that it sends instead, or undefined to decline; absent for an honest wallet. */
  instead?: (asked: { readonly to: Hex; readonly data: Hex }) => { readonly to: Hex; readonly data: Hex } | undefined;
  /** Whether the account's own code makes the call, so that the transaction is another one (EIP-7702). */
  wraps?: boolean;
  /** The transaction whose hash it returns, whatever was requested; it then sends nothing. */
  names?: () => Promise<Hex>;
  /** The owner signs once this resolves. */
  holds?: Promise<void>;
  /** How it makes several calls as one; absent: it cannot. */
  batching?: Batching;
  /** Every list of calls that it was asked to make as one, in order. */
  readonly lists: (readonly { readonly to: Hex; readonly data: Hex }[])[];
}

export interface PageOptions {
  readonly url: string;
  readonly size?: keyof typeof sizes;
  readonly colours?: 'light' | 'dark';
  readonly rpcUrl: string;
  /** A well-known development key. */
  readonly key?: Hex;
  /** The browser's own language. */
  readonly locale?: string;
}

/** Opens the page, with a wallet if a key is given. */
export async function openPage(
  browser: Browser,
  { url, size = 'desktop', colours = 'light', rpcUrl, key, locale = 'en-GB' }: PageOptions,
): Promise<{ page: Page; wallet: TestWallet | undefined; complaints: string[] }> {
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: colours,
    reducedMotion: 'reduce',
    locale,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
  const wallet = key === undefined ? undefined : await addWallet(page, rpcUrl, key);
  await page.goto(url);
  return { page, wallet, complaints };
}

async function addWallet(page: Page, rpcUrl: string, key: Hex): Promise<TestWallet> {
  const account = privateKeyToAccount(key);
  const client = createWalletClient({ account, transport: http(rpcUrl) });
  const chainId = await client.getChainId();
  const batches = createBatches(account, rpcUrl);
  const wallet: TestWallet = { address: account.address, methods: [], sent: [], lists: [], chainId, declines: false };
  let isKnown = false;
  const declined = { code: 4001, message: 'declined' };
  await page.exposeFunction('bowlineTestWallet', async (method: string, params: unknown[]): Promise<unknown> => {
    wallet.methods.push(method);
    switch (method) {
      case 'eth_accounts':
        return isKnown ? [account.address] : [];
      case 'eth_requestAccounts':
        if (wallet.declines) return declined;
        isKnown = true;
        return [account.address];
      case 'eth_chainId':
        return numberToHex(wallet.chainId);
      case 'wallet_switchEthereumChain':
        wallet.chainId = Number((params[0] as { chainId: Hex }).chainId);
        return null;
      case 'eth_sendTransaction': {
        await wallet.holds;
        if (wallet.declines) return declined;
        const { value, ...asked } = params[0] as { to: Hex; data: Hex; value?: Hex };
        const call = wallet.instead ? wallet.instead(asked) : asked;
        if (call === undefined) return declined;
        const { to, data } = call;
        wallet.sent.push({ to, data });
        if (wallet.names) return wallet.names();
        if (wallet.wraps) return batches.together([{ to, data, ...(value && { value }) }]);
        return client.sendTransaction({ chain: null, to, data, value: BigInt(value ?? 0) });
      }
      case 'wallet_getCapabilities':
      case 'wallet_sendCalls':
      case 'wallet_getCallsStatus': {
        if (wallet.batching === undefined) return { code: 4200, message: 'unsupported' };
        if (method === 'wallet_sendCalls') {
          if (wallet.declines) return declined;
          const [{ calls }] = params as [{ calls: { to: Hex; data: Hex }[] }];
          wallet.lists.push(calls.map(({ to, data }) => ({ to, data })));
        }
        return batches.answer(method, params, wallet.batching);
      }
      default:
        return client.request({ method, params } as never);
    }
  });
  await page.addInitScript({ path: fileURLToPath(new URL('injected-wallet.js', import.meta.url)) });
  return wallet;
}

export async function connectWallet(page: Page): Promise<void> {
  const header = page.getByRole('banner');
  await header.getByRole('button', { name: 'Connect wallet' }).click();
  await header.getByText('Account').waitFor({ state: 'attached' });
}

/** Presses "Stop everything" in the frame, and again in the panel that it opens. */
export async function stopEverything(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Stop everything' });
  await button.click();
  await page.getByRole('heading', { name: 'Stop everything', exact: true }).waitFor();
  await button.click();
}

/** The wallet methods needed to connect and send one transaction. */
const stopMethods = [
  'eth_accounts',
  'eth_chainId',
  'eth_requestAccounts',
  'eth_sendTransaction',
  'wallet_requestPermissions',
];

/** The other wallet methods called. */
export const otherMethods = ({ methods }: TestWallet): string[] =>
  methods.filter((method) => !stopMethods.includes(method));

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly unknown[] }[];
}

/** Accessibility problems found by axe in the current page, one line each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Evaluated from the test: the page's own policy allows no foreign script.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

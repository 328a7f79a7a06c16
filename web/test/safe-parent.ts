import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Browser } from 'playwright-core';
import { createPublicClient, type Hex, http, keccak256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createBatches } from './batching.ts';

// Safe's web app on loopback, as a page in its frame sees it: the messages of Safe's SDK. The Safe itself is an account
// of a local chain whose code runs lists of calls (EIP-7702).

interface Call {
  readonly to: Hex;
  readonly data: Hex;
}

/** A server for the frame around `page`, and the Safe behind it. */
export async function startSafeParent(port: number, page: string, rpcUrl: string, key: Hex) {
  const account = privateKeyToAccount(key);
  const chain = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 });
  const chainId = await chain.getChainId();
  const { together } = createBatches(account, rpcUrl);
  const proposed = new Map<Hex, { readonly txs: readonly Call[]; txHash?: Hex; isCancelled?: boolean }>();
  const safe = { address: account.address, declines: false };

  const statusOf = async (hash: Hex) => {
    const found = proposed.get(hash);
    if (found === undefined) throw new Error('Not found');
    const { txHash, isCancelled } = found;
    if (isCancelled) return { txStatus: 'CANCELLED' };
    return txHash === undefined ? { txStatus: 'AWAITING_CONFIRMATIONS' } : { txStatus: 'SUCCESS', txHash };
  };
  async function answer(method: string, params: never): Promise<unknown> {
    switch (method) {
      case 'getSafeInfo':
        return { safeAddress: account.address, chainId, threshold: 2, owners: [], isReadOnly: false };
      case 'sendTransactions': {
        if (safe.declines) throw new Error('Transaction was rejected');
        const safeTxHash = keccak256(toHex(`${proposed.size}`));
        proposed.set(safeTxHash, { txs: (params as { txs: Call[] }).txs });
        return { safeTxHash };
      }
      case 'getTxBySafeTxHash':
        return statusOf((params as { safeTxHash: Hex }).safeTxHash);
      case 'rpcCall': {
        const { call, params: asked } = params as { call: string; params: unknown[] };
        return chain.request({ method: call, params: asked } as never);
      }
      default:
        throw new Error(`Not of this Safe: ${method}`);
    }
  }

  const script = `
    addEventListener('message', async ({ data, source, origin }) => {
      if (source !== document.querySelector('iframe').contentWindow || !data?.method) return;
      const answer = await bowlineSafe(data.method, data.params);
      source.postMessage({ id: data.id, version: '9.1.0', ...answer }, origin);
    });`;
  const style = 'position:fixed;inset:0;width:100%;height:100%;border:0';
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>Safe</title><script>${script}</script><iframe src="${page}" style="${style}"></iframe>`,
    );
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');

  return {
    safe,
    /** What was proposed, in order. */
    lists: () => [...proposed.values()].map(({ txs }) => txs.map(({ to, data }) => ({ to, data }))),
    /** The last missing owner signs the newest proposal, and it is sent. */
    async execute() {
      const [newest] = [...proposed.values()].slice(-1);
      if (newest) newest.txHash = await together(newest.txs);
    },
    /** The owners replace the newest proposal with another transaction of the same nonce. */
    cancel() {
      const [newest] = [...proposed.values()].slice(-1);
      if (newest) newest.isCancelled = true;
    },
    async open(browser: Browser) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
      const parent = await context.newPage();
      const complaints: string[] = [];
      parent.on('pageerror', ({ message }) => complaints.push(message));
      parent.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
      await parent.exposeFunction('bowlineSafe', (method: string, params: never) =>
        answer(method, params).then(
          (data) => ({ success: true, data }),
          (error: Error) => ({ success: false, error: error.message }),
        ),
      );
      await parent.goto(`http://127.0.0.1:${port}`);
      return { parent, page: parent.frameLocator('iframe'), complaints };
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { hostOf } from '../../cli/host.ts';
import { chainOption } from '../../cli/values.ts';
import { run } from './commands.ts';
import { freePort } from './free-port.ts';

// A command that only reads uses the node and the record that the agent of this host uses.

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'bowline-host-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test('without settings it is the local chain; an unknown CHAIN is refused', () => {
  expect(hostOf({})).toMatchObject({ chainId: 31_337, record: 'script/deployments/31337.json' });
  expect(hostOf({}).rpcUrls()).toEqual(['http://127.0.0.1:8545']);
  expect(() => hostOf({ CHAIN: 'bsc' }).rpcUrls()).toThrow('RPC_URL is required when CHAIN is bsc.');
  expect(() => hostOf({ CHAIN: 'eth' })).toThrow('CHAIN must be one of local, bsc, bsc-testnet.');
});

test('a chain is named by its name or its number', () => {
  expect(['local', 'bsc', '56', '97'].map(chainOption)).toEqual([31_337, 56, 56, 97]);
  for (const text of ['eth', '57', 'toString', ''])
    expect(() => chainOption(text)).toThrow('--chain must be local, bsc');
});

test('a node is named as the agent takes it: alone, several, or by a file', () => {
  const file = join(folder(), 'rpc');
  writeFileSync(file, 'https://three.example\n', { mode: 0o600 });
  const urls = (environment: Record<string, string>) => hostOf(environment).rpcUrls();
  expect(urls({ RPC_URL: 'https://one.example' })).toEqual(['https://one.example']);
  expect(urls({ RPC_URL: 'wss://zero.example,https://one.example, https://two.example' })).toEqual([
    'https://one.example',
    'https://two.example',
  ]);
  expect(urls({ RPC_URL_FILE: file })).toEqual(['https://three.example']);
  const other = join(folder(), 'rpc');
  writeFileSync(other, 'https://four.example\n', { mode: 0o600 });
  expect(urls({ RPC_URL_FILE: `${file},${other}` })).toHaveLength(2);
  expect(() => urls({ RPC_URL: 'wss://zero.example' })).toThrow('RPC_URL must have an http or https URL.');
  expect(() => urls({ RPC_URL_FILE: '/nowhere' })).toThrow('RPC_URL_FILE names a file that does not exist.');
});

/** A node of BNB Chain that knows nothing but its chain. Returns its URL and the requests that it got. */
async function poorNode() {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    asked.push(body);
    const of = ({ id, method }: { id: number; method: string }) =>
      method === 'eth_chainId'
        ? { jsonrpc: '2.0', id, result: '0x38' }
        : { jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } };
    const calls = JSON.parse(body);
    const answer = Array.isArray(calls) ? calls.map(of) : of(calls);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, asked };
}

const own = 'revocations venusMarket loanGuard venusPriceSource chainlinkPriceSource planRegistry swapExecutor'.split(
  ' ',
);

test.each([
  ['show', ['plan', '1']],
  ['show', ['payments']],
  ['check', []],
])(
  '%s looks at the node of RPC_URL, and at the contracts of CHAIN in DEPLOYMENTS_DIR',
  {
    timeout: 120_000,
  },
  async (script, words) => {
    const records = folder();
    const address = `0x${'a'.repeat(40)}`;
    const record = { chainId: 56, ...Object.fromEntries(own.map((name) => [name, address])) };
    writeFileSync(join(records, '56.json'), JSON.stringify(record));
    const [node, agent] = [await poorNode(), await freePort()];
    const env = {
      ...{ CHAIN: 'bsc', RPC_URL: node.url, DEPLOYMENTS_DIR: records, MARKET_DATA_URL: 'off', PYTH_URL: 'off' },
      PORT: `${agent}`,
    };
    const { printed, exit } = run('../../cli/main.ts', [script, ...words], env);
    expect(await exit).not.toBe(0);
    expect(node.asked, `${printed.out}${printed.err}`).not.toEqual([]);
    // The ledger needs the contracts only for sales, and there is no seller. The audit asks for the newest block first.
    if (script !== 'show') expect(node.asked.join('\n')).toContain('a'.repeat(40));
    expect(`${printed.out}${printed.err}`).not.toMatch(/31337/);
  },
);

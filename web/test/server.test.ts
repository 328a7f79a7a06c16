import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bscChainId, localChainId } from '@bowline/core/domain/chains';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { isAddress } from 'viem';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';

import { createQuotes } from '../server/quote.ts';

// The web server as a separate process, with a node that records its requests.

const names = [
  ...['revocations', 'venusMarket', 'loanGuard', 'venusPriceSource'],
  ...['chainlinkPriceSource', 'planRegistry', 'swapExecutor'],
];
const place = '0x0000000000000000000000000000000000000001';

let folder: string;
let node: Server;
let asked: string[];
let child: ChildProcess | undefined;
/** The web server's port. */
let port: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'web-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  for (const chainId of [bscChainId, localChainId]) {
    const own = Object.fromEntries(names.map((name) => [name, place]));
    writeFileSync(join(folder, `${chainId}.json`), JSON.stringify({ chainId, ...own }));
  }
  asked = [];
  node = createServer(async (request, response) => {
    const { id, method } = JSON.parse((await request.setEncoding('utf8').toArray()).join(''));
    asked.push(method);
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x' }));
  }).listen(0, '127.0.0.1');
  await once(node, 'listening');
});
afterEach(() => {
  child?.kill('SIGKILL');
  node.closeAllConnections();
  node.close();
  rmSync(folder, { recursive: true });
});

/** The assets that the page receives, or the server's output if it does not start. */
async function told(
  chain: 'local' | 'bsc',
  rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`,
  more: Record<string, string> = {},
) {
  const main = fileURLToPath(new URL('../server/main.ts', import.meta.url));
  const settings = { CHAIN: chain, WEB_PORT: '0', WEB_RPC_URL: rpcUrl, DEPLOYMENTS_DIR: folder };
  const server = spawn(process.execPath, [main, folder], {
    env: { ...process.env, ...settings, ...more },
    cwd: folder,
  });
  child = server;
  let complaint = '';
  server.stderr.on('data', (text) => (complaint += text));
  const ready = once(createInterface({ input: server.stdout }), 'line');
  const first = await Promise.race([ready, once(server, 'close').then(() => undefined)]);
  if (first === undefined) return complaint;
  port = JSON.parse(first[0]).port;
  const response = await fetch(`http://127.0.0.1:${port}/config.json`);
  const { assets } = (await response.json()) as { assets: { symbol: string }[] };
  return assets.map(({ symbol }) => symbol);
}

const real = readAssetRegistry(bscChainId, isAddress).map(({ symbol }) => symbol);

// AG-10
it.each(['local', 'bsc'] as const)(
  'on %s tells the page of the registry’s assets, and asks the node nothing',
  async (chain) => {
    expect(await told(chain)).toEqual(real);
    expect(asked).toEqual([]);
  },
);

it('starts and serves the page, its stop section and the documents while nothing answers at its node', async () => {
  const at = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  node.close();
  await once(node, 'close');
  for (const [path, text] of Object.entries({ sections: 'stop.html', docs: 'index.html' })) {
    mkdirSync(join(folder, path));
    writeFileSync(join(folder, path, text), `<!doctype html>${path}`);
  }
  expect(await told('local', at)).toEqual(real);
  const read = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } });
    return [response.status, await response.text()];
  };
  expect(await read('/')).toEqual([200, '<!doctype html>']);
  expect(await read('/stop')).toEqual([200, '<!doctype html>sections']);
  expect(await read('/docs/')).toEqual([200, '<!doctype html>docs']);
  expect(await read('/config.json')).toEqual([200, expect.stringContaining(at)]);
});

it('WB-321: Safe’s web app may read what the page is called, and its icon, where it may frame the page', async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'manifest.json'), '{}');
  writeFileSync(join(folder, 'assets/icon-1.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const allowed = async (path: string) => {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`);
    return [status, headers.get('access-control-allow-origin'), headers.get('cross-origin-resource-policy')];
  };
  await told('local', undefined, { SAFE_APPS: 'https://app.safe.global' });
  expect(await allowed('/manifest.json')).toEqual([200, '*', 'cross-origin']);
  expect(await allowed('/assets/icon-1.svg')).toEqual([200, '*', 'cross-origin']);
  expect(await allowed('/config.json')).toEqual([200, null, 'same-origin']);
  child?.kill('SIGKILL');
  await told('local');
  expect(await allowed('/manifest.json')).toEqual([200, null, 'same-origin']);
});

// AG-10
it('does not start with a wrong setting, and says so in one line', async () => {
  expect(await told('local', undefined, { WEB_PORT: '99999' })).toBe(
    'WEB_PORT must be a whole number from 0 to 65535.\n',
  );
});

// AG-10
it('says why it does not start without a secret that the reason quotes', async () => {
  const hidden = { MARKET_DATA_KEY: 'hidden-key', DEPLOYMENTS_DIR: join(folder, 'hidden-key') };
  const complaint = await told('local', undefined, hidden);
  expect(complaint).toMatch(/^[^\n]*\[secret\]\/31337\.json is missing\. [^\n]*\n$/);
  expect(complaint).not.toContain('hidden-key');
});

it('reads .env in its working directory, over which the environment wins', async () => {
  writeFileSync(join(folder, '.env'), 'WEB_PORT=99999\nAGENT_URL=none\n');
  expect(await told('local')).toBe('AGENT_URL must be an http or https URL.\n');
});

it('tells who calls by another name which setting allows it', async () => {
  await told('local', undefined, { ALLOWED_HOSTS: 'page.example' });
  const answerTo = async (host: string) => {
    const [response] = await once(get({ port, path: '/config.json', headers: { host } }), 'response');
    return JSON.parse((await response.setEncoding('utf8').toArray()).join(''));
  };
  expect(await answerTo('page.example')).toMatchObject({ chainId: localChainId });
  expect(await answerTo('other.example')).toMatchObject({
    code: 'host_not_allowed',
    detail: 'This host name is not allowed. Add it to ALLOWED_HOSTS.',
  });
});

it('lets the page reach the other nodes that the operator names, and no other text into its policy', async () => {
  await told('local', undefined, { WEB_AUDIT_NODES: 'https://bsc.example, https:' });
  const [response] = await once(get({ port, path: '/config.json' }), 'response');
  response.resume();
  expect(response.headers['content-security-policy']).toMatch(/connect-src 'self' \S+ https:\/\/bsc.example https:;/);
  child?.kill('SIGKILL');
  const wrong = { WEB_AUDIT_NODES: 'https://bsc.example; script-src *' };
  expect(await told('local', undefined, wrong)).toMatch(/^WEB_AUDIT_NODES must be origins/);
});

it('WB-320: lets the page reach the relay and the verification frame of WalletConnect if it is set', async () => {
  const policyOf = async () => {
    const [response] = await once(get({ port, path: '/config.json' }), 'response');
    response.resume();
    return String(response.headers['content-security-policy']);
  };
  await told('local', undefined, { WALLETCONNECT_PROJECT_ID: '0123456789abcdef'.repeat(2) });
  expect(await policyOf()).toMatch(/connect-src 'self' \S+ wss:\/\/relay.walletconnect.org; /);
  expect(await policyOf()).toContain('; frame-src https://verify.walletconnect.org; ');
  child?.kill('SIGKILL');
  await told('local', undefined, { WALLETCONNECT_RELAY: 'wss://relay.example' });
  expect(await policyOf()).not.toMatch(/relay|frame-src/);
});

it.each([
  [{ WALLETCONNECT_PROJECT_ID: 'x' }, /^WALLETCONNECT_PROJECT_ID must be 32 hexadecimal digits/],
  [{ WALLETCONNECT_RELAY: 'wss://relay.example; script-src *' }, /^WALLETCONNECT_RELAY must be an origin/],
  [{ WALLETCONNECT_RELAY: 'https://relay.example' }, /^WALLETCONNECT_RELAY must be an origin/],
  [{ SAFE_APPS: 'https://app.safe.global, *' }, /^SAFE_APPS must be origins/],
])('WB-320, WB-321: no other text gets into the policy: %j', async (environment, line) => {
  expect(await told('local', undefined, environment)).toMatch(line);
});

it('WB-321: lets Safe’s web app alone frame the page, if the operator names it', async () => {
  await told('local', undefined, { SAFE_APPS: 'https://app.safe.global, https://safe.example' });
  const [response] = await once(get({ port, path: '/config.json' }), 'response');
  response.resume();
  expect(response.headers['content-security-policy']).toMatch(
    /; frame-ancestors https:\/\/app.safe.global https:\/\/safe.example$/,
  );
  expect(response.headers['x-frame-options']).toBeUndefined();
});

it('tells browsers with every answer what the page may use, and that nobody may frame it', async () => {
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  const answerTo = async (path: string, headers: Record<string, string> = {}) => {
    const [response] = await once(get({ port, path, headers: { accept: 'text/html', ...headers } }), 'response');
    response.resume();
    return { status: response.statusCode, headers: response.headers };
  };
  const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  const policy = [
    ...["default-src 'none'", "script-src 'self'", "worker-src 'self'", "style-src 'self'", "img-src 'self' data:"],
    ...[`connect-src 'self' ${rpcUrl}`, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ];
  await told('local', rpcUrl);
  const paths = {
    '/': 200,
    '/plans/3': 200,
    '/icon.svg': 200,
    '/config.json': 200,
    '/api/nothing': 404,
    '/api/buy': 405,
  };
  for (const [path, status] of Object.entries(paths)) {
    const answer = await answerTo(path);
    expect(answer.status, path).toBe(status);
    expect(answer.headers, path).toMatchObject({
      'content-security-policy': policy.join('; '),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers, path).not.toHaveProperty('x-powered-by');
    const allowed = String(answer.headers['permissions-policy']).split(', ');
    for (const feature of ['camera', 'geolocation', 'hid', 'microphone', 'payment', 'serial', 'usb'])
      expect(allowed, path).toContain(`${feature}=()`);
    expect(allowed.filter((each) => !each.endsWith('=()'))).toEqual([]);
  }
  // Browsers are told to stay on https only if their connection to the trusted proxy uses it.
  const https = { 'x-forwarded-proto': 'https' };
  const kept = async (headers: Record<string, string>) =>
    (await answerTo('/', headers)).headers['strict-transport-security'];
  expect([await kept({}), await kept(https)]).toEqual([undefined, undefined]);
  child?.kill('SIGKILL');
  await told('local', rpcUrl, { TRUSTED_PROXIES: '1' });
  expect([await kept({}), await kept({ 'x-forwarded-proto': 'http' })]).toEqual([undefined, undefined]);
  expect(await kept(https)).toBe('max-age=31536000');
});

it('a request that cannot be read is told what is wrong with it, and is no fault of the server', async () => {
  await told('local');
  const reported: string[] = [];
  child?.stdout?.on('data', (chunk) => reported.push(String(chunk)));
  const url = `http://127.0.0.1:${port}`;
  const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];
  expect(await codeOf(await fetch(`${url}/api/quote/%ZZ`))).toEqual([404, 'not_found']);
  expect(await codeOf(await fetch(`${url}/api/evidence/%ZZ`))).toEqual([404, 'not_found']);
  const post = (type: string, body: string) =>
    fetch(`${url}/api/agent`, { method: 'POST', headers: { 'content-type': type }, body });
  expect(await codeOf(await post('application/json; charset=latin1', '{}'))).toEqual([415, 'unsupported_media_type']);
  expect(await codeOf(await post('application/json', '{'))).toEqual([400, 'invalid_json']);
  expect(await codeOf(await post('application/json', JSON.stringify('x'.repeat(70_000))))).toEqual([
    413,
    'body_too_large',
  ]);
  expect(await codeOf(await fetch(url, { headers: { long: 'x'.repeat(20_000) } }))).toEqual([431, 'headers_too_large']);
  expect(reported).toEqual([]);
});

it('shows the agent the secret of the page, and nobody who asks', async () => {
  const shown: unknown[] = [];
  const agent = createServer((request, response) => {
    shown.push([request.method, request.headers['x-bowline-page']]);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(request.headers));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    agent.closeAllConnections();
    agent.close();
  });
  await once(agent, 'listening');
  const secret = 'only-the-page-and-its-agent-know-it';
  const AGENT_URL = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  await told('local', undefined, { AGENT_URL, PAGE_SECRET: secret, MARKET_DATA_URL: 'off' });
  const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"prompt":"hi"}' };
  for (const [path, init] of [['api/quote'], ['api/agent', body]] as const) {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, init);
    expect((await response.text()) + JSON.stringify([...response.headers])).not.toContain(secret);
  }
  expect(new Set(shown.map((each) => JSON.stringify(each)))).toEqual(
    new Set([JSON.stringify(['GET', secret]), JSON.stringify(['POST', secret])]),
  );
});

// AG-162
it('takes no visitor’s requests for another’s, and reads X-Forwarded-For from its own proxy alone', async () => {
  const AGENT_URL = 'http://127.0.0.1:9';
  const statusOf = async (localAddress: string, forwarded?: string) => {
    const headers = { 'content-type': 'application/json', ...(forwarded && { 'x-forwarded-for': forwarded }) };
    const sent = request({ port, host: '127.0.0.1', localAddress, path: '/api/agent', method: 'POST', headers });
    const [response] = await once(sent.end('{"prompt":"hi"}'), 'response');
    response.resume();
    return response.statusCode;
  };
  const statusesOf = async (times: number, from: (index: number) => Parameters<typeof statusOf>) => {
    const statuses = [];
    for (let index = 0; index < times; index++) statuses.push(await statusOf(...from(index)));
    return statuses.filter((status) => status === 429).length;
  };
  await told('local', undefined, { AGENT_URL, MARKET_DATA_URL: 'off' });
  expect(await statusesOf(30, (index) => ['127.0.0.2', `192.0.2.${index}`])).toBeGreaterThan(5);
  expect(await statusOf('127.0.0.3')).toBe(502);
  child?.kill('SIGKILL');
  await told('local', undefined, { AGENT_URL, MARKET_DATA_URL: 'off', TRUSTED_PROXIES: '1' });
  expect(await statusesOf(30, (index) => ['127.0.0.2', `10.0.0.${index}, 192.0.2.1`])).toBeGreaterThan(5);
  expect(await statusOf('127.0.0.2', '192.0.2.2')).toBe(502);
});

it('WB-36: tells whether the agent says that it can rescue, and why it says not', async () => {
  const dependency = (ok: boolean, reason?: string) => ({ ok, needed: true, detail: '', ...(reason && { reason }) });
  const good = { chain: dependency(true), gas: dependency(true), operations: dependency(true) };
  const told = async (ready: () => Promise<unknown>) => {
    const agent = { get: async () => ({}), post: async () => ({}), ready, statement: async () => ({}) };
    return (await createQuotes(agent, [], undefined, () => 0)()).rescues;
  };
  const states = (changes: object) => async () => ({
    status: 'NOT_READY',
    dependencies: { ...good, 'loan-guard': dependency(true), executor: dependency(false), ...changes },
  });
  expect(await told(states({}))).toEqual({ ok: true, reason: null });
  const late = { 'loan-guard': dependency(false, 'loop_late') };
  expect(await told(states(late))).toEqual({ ok: false, reason: 'loop_late' });
  expect(await told(states({ gas: dependency(false, 'rescue_unpayable') }))).toMatchObject({ ok: false });
  expect(await told(states({ 'loan-guard': undefined }))).toBeNull();
  expect(await told(async () => Promise.reject(new Error('no answer')))).toBeNull();
});

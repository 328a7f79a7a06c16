import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commerceAbi } from '@bowline/chain/job-reader';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { extract } from 'tar';
import { type Address, createPublicClient, http } from 'viem';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../lab/world/compile.ts';
import { bundledBytes, limits } from '../../packages/sdk/test/bundled.ts';
import { launchBrowser } from '../../web/test/browser.ts';
import { until } from './commands.ts';
import { freePort } from './free-port.ts';

// SD-9: the examples, run by somebody with the packed SDK, a node and the entry of a running `npm start` that charges.

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bowline-integrator-'));
const examples = join(folder, 'examples');
const deployments = `.cache/deployments/examples-${process.pid}`;
const compiler = join(root, 'node_modules/typescript-native/bin/tsc');

/** Where the agent of this checkout looks for its entry. An entry of somebody's own `npm start` is put back. */
const entryFile = join(root, 'data/deliverables/registration.json');
const entryBefore = existsSync(entryFile) ? readFileSync(entryFile) : undefined;

let agentUrl: string;
let environment: NodeJS.ProcessEnv;
let started: ChildProcess;

beforeAll(async () => {
  install();
  const ports = [await freePort(), await freePort(), await freePort(), await freePort(), await freePort()];
  const names = ['--rpc-port', '--market-port', '--bundler-port', '--web-port', '--agent-port'];
  const words = names.flatMap((name, at) => [name, String(ports[at])]);
  const start = join(root, 'lab/world/start.ts');
  const arguments_ = [start, ...words, '--deployments', deployments];
  const env = { ...process.env, PRICE_USD: '0.02' };
  started = spawn(process.execPath, arguments_, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  started.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  await until(() => printed.includes('Ctrl-C'));
  agentUrl = `http://127.0.0.1:${ports[4]}`;
  const rpcUrl = `http://127.0.0.1:${ports[0]}`;
  const { REGISTRY, AGENT_ID } = register(rpcUrl);
  environment = { ...process.env, RPC_URL: rpcUrl, REGISTRY, AGENT_ID };
}, 300_000);
afterAll(async () => {
  if (started !== undefined) {
    const closed = once(started, 'close');
    started.kill('SIGINT');
    await closed;
  }
  rmSync(folder, { recursive: true, force: true });
  if (entryBefore === undefined) rmSync(entryFile, { force: true });
  else writeFileSync(entryFile, entryBefore);
});

/** Registers as the operator does. @returns all that the integrator is told, besides a node. */
function register(rpcUrl: string) {
  const script = join(root, 'cli/main.ts');
  const named = { agent: agentUrl, rpc: rpcUrl, deployments };
  const options = Object.entries(named).flatMap(([name, value]) => [`--${name}`, value]);
  const said = execFileSync(process.execPath, [script, 'register', ...options], { cwd: root }).toString();
  const [, AGENT_ID, REGISTRY] = /egistered (?:before )?as agent (\d+) of eip155:31337:(0x\w{40})\.$/m.exec(said) ?? [];
  return { AGENT_ID, REGISTRY };
}

/** Installs the packed SDK, its dependencies and what the examples say they need; nothing of the checkout. */
function install(): void {
  const env = { ...process.env, npm_config_loglevel: 'error' };
  const packed = execFileSync('npm', ['pack', '-w', '@bowline/sdk', '--pack-destination', folder], { cwd: root, env });
  const name = packed.toString().trim().split('\n').at(-1) ?? '';
  const sdk = join(folder, 'node_modules/@bowline/sdk');
  mkdirSync(sdk, { recursive: true });
  extract({ file: join(folder, name), cwd: sdk, strip: 1, sync: true });
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'));
  const others = ['@bnbagent/sdk', '@openzeppelin/contracts', '@types/node'];
  for (const each of [...Object.keys({ ...dependencies, ...peerDependencies }), ...others]) {
    const place = join(folder, 'node_modules', each);
    mkdirSync(join(place, '..'), { recursive: true });
    symlinkSync(join(root, 'node_modules', each), place);
  }
  // As its README says.
  cpSync(join(sdk, 'dist/examples'), examples, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'integrator', type: 'module' }));
}

const example = (file: string, ...words: string[]) => run(process.execPath, join(examples, file), ...words);

async function run(program: string, ...words: string[]): Promise<string> {
  const child = spawn(program, words, { env: environment, cwd: folder });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${words.join(' ')} failed: ${printed}`);
  return printed;
}

/** Node of a reader without a checkout: the machine's own, of any version, or else this checkout's. */
const readersNode =
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((place) => !place.includes('node_modules'))
    .map((place) => join(place, 'node'))
    .find((path) => existsSync(path)) ?? process.execPath;

describe('SD-9: the examples', { tags: 'long' }, () => {
  it('are typed by the packed SDK alone', () => {
    const config = {
      compilerOptions: {
        target: 'es2024',
        lib: ['es2024', 'dom', 'dom.iterable'],
        module: 'esnext',
        moduleResolution: 'bundler',
        types: ['node'],
        strict: true,
        noEmit: true,
        resolveJsonModule: true,
        allowImportingTsExtensions: true,
      },
      include: ['examples/**/*.ts', 'node_modules/@bowline/sdk/dist/**/*.d.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    execFileSync(process.execPath, [compiler, '-p', folder], { stdio: 'pipe' });
  });

  it('the SDK carries no code of the agent', () => {
    const dist = join(folder, 'node_modules/@bowline/sdk/dist');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
    expect(files).toContain('packages/sdk/index.js');
    const code = files.map((name) => readFileSync(join(dist, name), 'utf8')).join('\n');
    expect(code).not.toMatch(/agent\/src|process\.env|from "(node:|@bowline)/);
  });

  it.each([
    ...limits,
    ['a replay', "export { replayAnswer } from '@bowline/sdk/replay'", 70_000],
    ['a client of the agent', "export { connectAgent } from '@bowline/sdk'", 42_000],
  ] as const)('SD-9: %s is small', (_name, entry, bytes) => {
    expect(bundledBytes(entry, folder)).toBeLessThanOrEqual(bytes);
  });

  it('pay-for-verdict.ts pays and checks what it gets', async () => {
    expect(await example('pay-for-verdict.ts')).toMatch(
      /^(GO|CAUTION|NO_GO|NO_DATA), signed by 0x\w{40}, and it follows from its evidence\.\n$/,
    );
  });

  it('an older Node runs them by tsx', async () => {
    const tsx = import.meta.resolve('tsx');
    expect(await run(readersNode, '--import', tsx, join(examples, 'pay-for-verdict.ts'))).toContain(', signed by 0x');
  });

  it('create-plan.ts creates a plan', async () => {
    expect(await example('create-plan.ts')).toMatch(
      /^Plan 3 buys BTCB for 0x90F79bf6EB2c4f870365E785982E1f101E93b906, from now on\.\n$/,
    );
  });

  it('buy-job.ts buys a report', async () => {
    expect(await example('buy-job.ts')).toContain('BTCB');
    // SL-2
    const address = JSON.parse(readFileSync(join(root, deployments, '31337.json'), 'utf8')).escrow.commerce as Address;
    const kernel = { address, abi: commerceAbi } as const;
    const chain = createPublicClient({ transport: http(environment.RPC_URL) });
    const id = await chain.readContract({ ...kernel, functionName: 'jobCounter' });
    const { client, description } = await chain.readContract({ ...kernel, functionName: 'getJob', args: [id] });
    expect(description).toContain(`for client ${client} only`);
  });

  it('ticket-gate: a contract buys with a ticket', async () => {
    const artifact = await compile(new URL(`file://${examples}/ticket-gate/FairBuyer.sol`));
    writeFileSync(join(folder, 'FairBuyer.json'), JSON.stringify(artifact));
    expect(await example('ticket-gate/buy-with-ticket.ts', join(folder, 'FairBuyer.json'))).toMatch(
      / bought \d+ base units of BTCB /,
    );
  });

  it('mcp.json leads an MCP client to the tools', async () => {
    const { bowline } = JSON.parse(readFileSync(join(examples, 'mcp.json'), 'utf8')).mcpServers;
    expect(bowline).toEqual({ type: 'http', url: 'http://127.0.0.1:4020/mcp' });
    const client = new Client({ name: 'integrator', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${agentUrl}/mcp`)) as never);
    const { content } = await client.callTool({ name: 'get_price', arguments: { asset: 'BTCB' } });
    expect(JSON.stringify(content)).toContain('BTCB');
    await client.close();
  });

  it('replay-in-browser judges a verdict in a browser', async () => {
    const outDir = join(folder, 'page');
    await build({
      root: join(examples, 'replay-in-browser'),
      base: './',
      logLevel: 'error',
      build: { outDir, emptyOutDir: true },
    });
    await example('pay-for-verdict.ts', join(folder, 'answer.json'));
    const answer = JSON.parse(readFileSync(join(folder, 'answer.json'), 'utf8'));
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const html = readFileSync(join(outDir, 'index.html'), 'utf8');
      await page.route('http://integrator.test/**', (route) => {
        const path = new URL(route.request().url()).pathname;
        const body = path === '/' ? html : readFileSync(join(outDir, path), 'utf8');
        return route.fulfill({ body, contentType: path === '/' ? 'text/html' : 'text/javascript' });
      });
      await page.goto('http://integrator.test/');
      await page.fill('textarea', JSON.stringify(answer));
      await page.getByText('The verdict follows from its evidence.').waitFor();
      await page.fill('textarea', JSON.stringify({ ...answer, reason: 'price_jumped' }));
      await page.getByText('It differs: reason of the answer.').waitFor();
    } finally {
      await browser.close();
    }
  });
});

import { execFile, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { parseEther, zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { planRegistryAbi } from '../../abis/index.ts';
import { erc20Abi, faucetAbi } from '../../lab/world/abis.ts';
import { tokens } from '../../lab/world/addresses.ts';
import { connect } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { mineEvery } from '../../lab/world/miner.ts';
import { deployContracts } from '../../lab/world/start/contracts.ts';
import manifest from '../../package.json' with { type: 'json' };
import { bob } from '../local/accounts.ts';
import { freePort } from '../local/free-port.ts';
import { servePyth } from './pyth.ts';
import { startAgent } from './sidecar.ts';

// The output of `npm run lab -- package`, unpacked where nothing of the checkout can be reached: DP-41.

const long = { tags: 'long' };
const record = '.cache/deployments/packaged';
const out = mkdtempSync(join(tmpdir(), 'bowline-package-'));
let local: LocalChain;
/** The unpacked package. */
let folder: string;

beforeAll(async () => {
  local = await startLocalChain();
  await deployContracts(local.url, record, new AbortController().signal);
  const env = { ...process.env, DEPLOYMENTS_DIR: record, WEB_RPC_URL: local.url };
  await promisify(execFile)(process.execPath, ['lab/tools/package.mjs', '--out', out], { env });
  const archive = readdirSync(out).find((name) => name.endsWith('.tgz')) as string;
  const elsewhere = join(out, 'elsewhere');
  mkdirSync(elsewhere);
  await extract({ file: join(out, archive), cwd: elsewhere });
  folder = join(elsewhere, archive.replace('.tgz', ''));
  // A package of new contracts is compiled first.
}, 600_000);
afterAll(async () => {
  await local?.stop();
  rmSync(out, { recursive: true, force: true });
});

const settings = () => ({ RPC_URL: local.url, MARKET_DATA_URL: 'off', DEPLOYMENTS_DIR: resolve(record) });

async function command(name: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['bowline.js', name, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, printed };
}

test('DP-41: the packaged agent runs a plan on Node alone, and the packaged audit shows it', long, async () => {
  const chain = connect(local.url);
  const stopMining = mineEvery(local.url, 0.45);
  const pyth = await servePyth();
  try {
    const { planRegistry, swapExecutor, chainlinkPriceSource } = (await import(resolve(record, '31337.json'), {
      with: { type: 'json' },
    }).then(({ default: content }) => content)) as Record<string, `0x${string}`>;
    const agent = await startAgent(
      'bowline.js',
      { ...settings(), PYTH_URL: pyth.url, EXECUTOR_INTERVAL_SECONDS: '1' },
      ['agent'],
      folder,
    );
    onTestFinished(() => agent.kill());
    const ready = async () => (await fetch(`${agent.url}/ready`)).status;
    await expect.poll(ready).toBe(200);

    const { timestamp } = await chain.getBlock();
    const send = (to: `0x${string}` | undefined, abi: object, functionName: string, args: readonly unknown[]) =>
      chain.send(bob, to as `0x${string}`, { abi, functionName, args } as never);
    await send(tokens.USDT, faucetAbi, 'allocateTo', [bob, parseEther('1000')]);
    await send(tokens.USDT, erc20Abi, 'approve', [planRegistry, parseEther('1000')]);
    await send(planRegistry, planRegistryAbi, 'create', [
      {
        owner: bob,
        recipient: bob,
        executor: swapExecutor,
        verdictSigner: zeroAddress,
        tokenIn: tokens.USDT,
        tokenOut: tokens.BTCB,
        amountPerRun: parseEther('100'),
        startAt: Number(timestamp),
        periodSeconds: 3600,
        windowSeconds: 3600,
        maxRuns: 10,
        expiresAt: Number(timestamp) + 86_400,
        priceSource: chainlinkPriceSource,
        limitPriceWad: 0n,
        maxSlippageBps: 100,
        farLimit: false,
        triggerPriceWad: 0n,
      },
    ]);
    const bought = () =>
      chain.readContract({ address: tokens.BTCB, abi: erc20Abi, functionName: 'balanceOf', args: [bob] });
    await expect.poll(bought, { timeout: 60_000 }).toBeGreaterThan(0n);

    const record31337 = resolve(record, '31337.json');
    const audit = ['plan', '1', '--rpc', local.url, '--deployment', record31337, '--replay'];
    const audited = await command('show', audit);
    expect(audited, audited.printed).toMatchObject({ code: 0 });
    expect(audited.printed).toContain('evidence of 1 of 1 records replayed, no difference');
    const page = join(out, 'audit.html');
    expect(await command('show', [...audit, '--html', page])).toMatchObject({ code: 0, printed: '' });
    expect(readFileSync(page, 'utf8')).toMatch(
      /<th>Plan 1: active, owner 0x[\s\S]*evidence of 1 of 1 records replayed/,
    );
    expect(await command('show', [...audit, '--html', page])).toMatchObject({ code: 2 });
    // The agent runs.
    const env = { CHAIN: 'local', DEPLOYMENTS_DIR: resolve(record) };
    const backedUp = await command('backup', [join(out, 'backup.tgz')], env);
    expect(backedUp).toMatchObject({ code: 0, printed: expect.stringMatching(/holds [2-9]\d* files/) });
    expect(await agent.stop()).toBe(0);
    renameSync(join(folder, 'data'), join(out, 'data'));
    const [, hash = ''] = /SHA-256 ([0-9a-f]{64})/.exec(backedUp.printed) ?? [];
    const restored = await command('restore', [join(out, 'backup.tgz'), '--sha256', hash], env);
    expect(restored, restored.printed).toMatchObject({ code: 0 });
    const lines = (printed: string) => printed.split('\n').slice(1);
    expect(lines((await command('show', audit)).printed)).toEqual(lines(audited.printed));
  } finally {
    await pyth.stop();
    await stopMining();
  }
});

test('DP-41: the packaged web server serves the page, and the commands answer', long, async () => {
  const env = { ...process.env, ...settings(), CHAIN: 'local', WEB_RPC_URL: local.url, WEB_PORT: '0' };
  const web = spawn(process.execPath, ['bowline.js', 'page'], { cwd: folder, env });
  onTestFinished(() => void web.kill('SIGKILL'));
  let printed = '';
  web.stdout.on('data', (text) => (printed += text));
  await expect.poll(() => printed).toContain('web.ready');
  const url = `http://127.0.0.1:${JSON.parse(printed).port}`;
  expect(await (await fetch(url)).text()).toContain('<div id="root">');
  expect(await (await fetch(`${url}/config.json`)).json()).toMatchObject({ chainId: 31_337 });
  expect((await command('replay')).printed).toContain("missing required argument 'ticket'");
});

test('DP-41: what is inside is listed with version and licence, in the commands as in the page', long, () => {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const sbom = JSON.parse(read('sbom.cdx.json'));
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'bowline' } } });
  expect([sbom.serialNumber, sbom.metadata.timestamp]).toEqual([undefined, undefined]);
  const listed = sbom.components.map(({ name, version }: Record<string, string>) => `${name} ${version}`);
  const licensed = [...read('LICENSES.txt').matchAll(/^(\S+ \d\S*) \(.+\)$/gm)].map(([, each]) => each);
  expect([...new Set(licensed)].sort()).toEqual(listed.sort());
  for (const name of ['viem', 'express', 'react-dom', 'wagmi', 'zod']) {
    expect(listed).toContainEqual(expect.stringMatching(new RegExp(`^${name} \\d`)));
  }
  // The build tools are not part of the package.
  for (const name of ['vite', 'rolldown', 'solc', '@foundry-rs/forge', 'typescript']) {
    expect(listed).not.toContainEqual(expect.stringMatching(new RegExp(`^${name} \\d`)));
  }
  for (const { licenses, purl } of sbom.components) {
    expect(licenses, purl).not.toEqual([]);
    expect(purl).toMatch(/^pkg:npm\//);
  }
  const within = new Set(sbom.dependencies.map(({ ref }: { ref: string }) => ref));
  expect(sbom.dependencies.flatMap(({ dependsOn }: { dependsOn: string[] }) => dependsOn)).toEqual(
    expect.arrayContaining([...within].filter((ref) => !String(ref).startsWith('bowline@'))),
  );
});

test('the packaged check looks at everything, without a compiler, and finds what is wrong', long, async () => {
  const env = { ...settings(), CHAIN: 'local', PYTH_URL: 'off', PORT: String(await freePort()) };
  const sound = await command('check', [], env);
  // The chain has no new blocks while the package is built, so its clock stands still.
  const refused = [...sound.printed.matchAll(/^ {2}refused +(\S+)/gm)].map(([, check = '']) => check);
  expect(refused.filter((check) => check !== 'node.block_age')).toEqual([]);
  for (const check of ['settings', 'disk', 'keeper', 'verdict_key', 'send'])
    expect(sound.printed).toMatch(new RegExp(`^ {2}ok +${check} `, 'm'));
  expect(sound.printed).toMatch(/ok +bytecode +All 11 contracts match this package/);
  const { loanGuard } = JSON.parse(readFileSync(resolve(record, '31337.json'), 'utf8'));
  const chain = connect(local.url);
  const snapshot = await chain.snapshot();
  const code = (await chain.getCode({ address: loanGuard })) as `0x${string}`;
  await chain.setCode({ address: loanGuard, bytecode: `${code.slice(0, -2)}00` as `0x${string}` });
  try {
    const ill = await command('check', [], env);
    expect(ill, ill.printed).toMatchObject({
      code: 1,
      printed: expect.stringMatching(
        /refused +bytecode +bytecode_differs: Contracts differ from this package: LoanGuard/,
      ),
    });
  } finally {
    await chain.revert({ id: snapshot });
  }
});

test('every command answers, and names only commands that are there', long, async () => {
  const listed = (await command('--help')).printed;
  const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name);
  expect(names).toEqual(
    expect.arrayContaining(['agent', 'page', 'backup', 'restore', 'rotate', 'check', 'pool-memory', 'register']),
  );
  expect((await command('--version')).printed).toBe(`${manifest.version}\n`);
  const priced = await command('pool-memory', ['BTCB', '--rpc', local.url, '--slots', '2000']);
  expect(priced).toMatchObject({ code: 1, printed: expect.stringContaining('Nothing was sent. Add --yes to buy it.') });
  expect((await command('pool-memory', ['--rpc', local.url])).printed).toContain(
    'Name an asset: npx bowline pool-memory BTCB.',
  );
  expect(await command('register', ['--slots', '1'])).toMatchObject({
    code: 2,
    printed: expect.stringContaining("unknown option '--slots'"),
  });
  expect((await command('rotate', ['what', '--rpc', local.url], { DEPLOYMENTS_DIR: resolve(record) })).code).toBe(2);
  const absent = join(out, 'no-records');
  const down = { RPC_URL: 'http://127.0.0.1:9', CHAIN: 'local', DEPLOYMENTS_DIR: absent, MARKET_DATA_URL: 'off' };
  const { code, printed } = await command('check', [], { ...down, PORT: String(await freePort()) });
  expect(code).toBe(1);
  expect(printed).toMatch(/refused +node\.chain_id +unreachable: /);
  expect(printed).toContain('npx bowline deploy in a checkout');
  expect(printed).not.toMatch(/this checkout|npm (?:start|run [\w:-]+)\b(?! in a checkout)|npm ci/);
  const said = readdirSync(join(folder, 'lib')).flatMap((name) => [
    ...readFileSync(join(folder, 'lib', name), 'utf8').matchAll(/npx bowline ([a-z-]+)\b(?! in a checkout)/g),
  ]);
  expect(said).not.toEqual([]);
  expect(said.map(([, name]) => name).filter((name) => !names.includes(name))).toEqual([]);
});

// No container runtime here: the test runs the image's commands in a folder as its root, with only its environment.
test('the image’s steps make a folder that the agent starts from, and its health check tells', long, async () => {
  const text = readFileSync('ops/Containerfile', 'utf8').replaceAll(/\\\n\s*/g, ' ');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const said = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const image = join(out, 'image');
  mkdirSync(join(image, 'opt'), { recursive: true });
  const inImage = (line: string) => line.replaceAll(/\/(?:opt|usr)\//g, `${image}$&`);
  const bowline = join(image, 'usr/local/bin/bowline');
  mkdirSync(dirname(bowline), { recursive: true });
  // ADD unpacks an archive.
  expect(said('ADD')).toEqual(['bowline-*.tgz /opt/']);
  const archive = readdirSync(out).find((name) => /^bowline-.*tgz$/.test(name)) as string;
  await extract({ file: join(out, archive), cwd: join(image, 'opt') });
  const env = { PATH: process.env.PATH ?? '' };
  // The image has a user `node`; here the user who runs the test stands in.
  const own = `${process.getuid?.()}:${process.getgid?.()}`;
  expect(said('RUN')).toHaveLength(1);
  for (const line of said('RUN'))
    await promisify(execFile)('/bin/sh', ['-c', inImage(line).replace('node:node', own)], { env, cwd: image });
  const [home = ''] = said('WORKDIR').map(inImage);
  expect(statSync(join(home, 'data')).mode & 0o777).toBe(0o700);
  const set = Object.fromEntries(said('ENV').flatMap((line) => line.split(' ').map((each) => each.split('=', 2))));
  expect(set).toEqual({ HOST: '0.0.0.0', WEB_HOST: '0.0.0.0' });
  expect([said('ENTRYPOINT')[0], said('CMD')[0]]).toEqual(['["bowline"]', '["agent"]']);
  const [test = ''] = said('HEALTHCHECK');
  const [, check, ...more] = JSON.parse(test.slice(test.indexOf('['))) as string[];
  const port = String(await freePort());
  const healthy = () =>
    promisify(execFile)(process.execPath, [check ?? '', ...more], { env: { ...env, PORT: port } }).then(
      () => true,
      () => false,
    );
  expect(await healthy()).toBe(false);
  const agent = spawn(process.execPath, [bowline, 'agent'], {
    cwd: home,
    env: { ...env, ...set, ...settings(), PORT: port },
  });
  onTestFinished(() => void agent.kill('SIGKILL'));
  await expect.poll(healthy, { timeout: 60_000 }).toBe(true);
  const { stdout: head } = await promisify(execFile)('git', ['rev-parse', '--short=12', 'HEAD']);
  const build = `bowline_build_info{version="${manifest.version}",revision="${head.trim()}"} 1`;
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await expect.poll(metrics, { timeout: 60_000 }).toContain(build);
  const webPort = String(await freePort());
  const web = spawn(process.execPath, [bowline, 'page'], {
    cwd: home,
    env: { ...env, ...set, ...settings(), WEB_RPC_URL: local.url, WEB_PORT: webPort },
  });
  onTestFinished(() => void web.kill('SIGKILL'));
  // As another container reaches it: an address other than the default one, which every Linux has.
  const from = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
  const served = () =>
    promisify(execFile)('curl', ['-s', '-H', `Host: 127.0.0.1:${webPort}`, `http://${from}:${webPort}/`]).then(
      ({ stdout }) => stdout,
      () => '',
    );
  await expect.poll(served, { timeout: 60_000 }).toContain('<title>Bowline');
});

test('DP-41: with no module of the checkout in reach, and within 40 MB', long, () => {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(folder, name)));
  const bytes = sizes.filter((each) => each.isFile()).reduce((sum, { size }) => sum + size, 0);
  expect(bytes).toBeGreaterThan(5_000_000);
  expect(bytes).toBeLessThan(40_000_000);
  expect(readdirSync(folder)).not.toContain('node_modules');
});

test('an older Node is told so in one line', long, async () => {
  // Stands in for an older Node: the launcher checks only the version.
  const older = join(out, 'older.cjs');
  writeFileSync(
    older,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });",
  );
  const run = promisify(execFile)(process.execPath, ['--require', older, 'bowline.js', 'agent'], { cwd: folder });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Bowline needs Node 24 or newer, and this is Node 20.20.2.\n',
  });
});

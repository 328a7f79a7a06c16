import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { connect } from '../../lab/world/chain.ts';
import { answers, listen, run, until } from './commands.ts';
import { freePort } from './free-port.ts';

// The whole start, with a stand-in for the agent that logs what a test sets.

const folder = mkdtempSync(join(tmpdir(), 'bowline-start-'));
const agent = join(folder, 'agent.mjs');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(
  agent,
  `import { createServer } from 'node:http';
  console.log(JSON.stringify({ event: 'rescue.done', guardId: '1', healthBefore: '1.08', healthAfter: '1.25' }));
  console.log(JSON.stringify({ event: 'agent.started', chain: process.env.CHAIN, rpcUrl: process.env.RPC_URL }));
  createServer((request, response) => {
    if (request.url === '/crash') {
      console.error('out of memory');
      process.exit(7);
    }
    response.end('{"status":"HEALTHY"}');
  }).listen(Number(process.env.PORT), '127.0.0.1');`,
);

async function start() {
  const [rpc, market, bundler, web, port] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const listen = [
    '--rpc-port',
    rpc,
    '--market-port',
    market,
    '--bundler-port',
    bundler,
    '--web-port',
    web,
    '--agent-port',
    port,
  ];
  const ports = listen.map(String);
  const urls = [rpc, market, bundler, web, port].map((each) => `http://127.0.0.1:${each}`) as [
    string,
    string,
    ...string[],
  ];
  const record = `.cache/deployments/start-test-${rpc}`;
  const own = ['--deployments', record, '--agent-script', agent];
  return { ...run('start.ts', [...ports, ...own]), urls, market, record };
}

const listening = async (urls: readonly string[]) => (await Promise.all(urls.map(answers))).filter(Boolean).length;

it('brings everything up, shows what the agent does, plays scenes, and leaves nothing behind on Ctrl-C', async () => {
  const { child, printed, exit, urls, market, record } = await start();
  await until(() => printed.out.includes('health 1.08 → 1.25'));
  const [rpcUrl, marketUrl] = urls;
  for (const shown of [
    ...urls,
    '/mcp',
    'PlanRegistry    0x',
    'demo owner      0x',
    'lab -- scene',
    'lab -- hire --agent-port',
  ]) {
    expect(printed.out).toContain(shown);
  }
  expect(printed.out.indexOf('Ctrl-C')).toBeLessThan(printed.out.indexOf('health 1.08'));
  expect(printed.out).not.toContain('agent.started');

  const chain = connect(rpcUrl);
  expect(await chain.getChainId()).toBe(31_337);
  const block = await chain.getBlockNumber();
  await until(async () => (await chain.getBlockNumber()) > block + 2n);
  expect((await fetch(`${marketUrl}/api/v3/ticker/bookTicker?symbol=BTCUSDT`)).status).toBe(200);
  expect(JSON.parse(readFileSync(`${record}/31337.json`, 'utf8'))).not.toHaveProperty('quoteDesk');

  const scene = run('scene.ts', ['crash', 'BTCB', '15%', '--port', String(market)]);
  expect([await scene.exit, scene.printed.err]).toEqual([0, '']);
  expect(scene.printed.out).toContain('BTCB falls by 15 %');
  const unknown = run('scene.ts', ['storm', '--port', String(market)]);
  expect(await unknown.exit).toBe(1);
  expect(unknown.printed.err).toMatch(/^Unknown scene "storm"[^\n]+\n$/);

  child.kill('SIGINT');
  expect(await exit).toBe(0);
  expect(printed.err).toBe('');
  expect(await listening(urls)).toBe(0);
});

it('starts a part that ends again, and says so; without its chain it ends', async () => {
  const { child, printed, exit, urls } = await start();
  await until(() => printed.out.includes('Ctrl-C'));
  const [, , , webUrl = '', agentUrl = ''] = urls;
  await fetch(`${agentUrl}/crash`).catch(() => {});
  await until(() => printed.out.includes('The agent stopped unexpectedly (exit code 7).'));
  expect(printed.out).toMatch(/stopped unexpectedly \(exit code 7\)\. It is started\s+again\.\n +out of memory\n/);
  await until(() => answers(agentUrl));
  kill(child.pid, 'web/server/main.ts');
  await until(() => printed.out.includes('The web server stopped unexpectedly (SIGKILL). It is started'));
  await until(() => answers(webUrl));
  expect(await listening(urls)).toBe(5);
  kill(child.pid, 'anvil');
  expect(await exit).toBe(1);
  expect(printed.err).toBe(
    'The chain stopped unexpectedly, and everything with it: what was on it is lost. Run npm start again.\n',
  );
  expect(await listening(urls)).toBe(0);
});

/** Kills the children of a process that have this in their command. */
function kill(parent: number | undefined, command: string): void {
  execFileSync('pkill', ['-KILL', '-P', String(parent), '-f', command]);
}

it('leaves nothing behind when it is killed hard', { tags: 'long' }, async () => {
  const { child, printed, exit, urls } = await start();
  await until(() => printed.out.includes('Ctrl-C'));
  expect(await listening(urls)).toBe(5);
  child.kill('SIGKILL');
  await exit;
  await until(async () => (await listening(urls)) === 0);
});

it('stops on an interrupt while it is still starting', { tags: 'long' }, async () => {
  const { child, printed, exit, urls } = await start();
  await until(() => printed.out.includes('contracts'));
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  await until(async () => (await listening(urls)) === 0);
});

it.each(['--rpc-port', '--market-port', '--bundler-port', '--web-port', '--agent-port'])(
  'says that a port is taken, in one line: %s',
  async (option) => {
    const server = await listen();
    const { port } = server.address() as { port: number };
    const free = ['--rpc-port', '--market-port', '--bundler-port', '--web-port', '--agent-port'].filter(
      (each) => each !== option,
    );
    const others = await Promise.all(free.map(async (each) => [each, String(await freePort())]));
    const { printed, exit } = run('start.ts', [...others.flat(), option, String(port)]);
    expect(await exit).toBe(1);
    expect(printed.out).toBe('');
    expect(printed.err).toMatch(
      new RegExp(`^Port ${port}, [^\n]+ is in use\\. [^\n]+ npm start -- ${option} ${port + 1}\n$`),
    );
    server.close();
  },
);

it('says in one line that there is no market to play a scene', async () => {
  const port = await freePort();
  const { printed, exit } = run('scene.ts', ['calm', '--port', String(port)]);
  expect(await exit).toBe(1);
  expect(printed.err).toBe(`Nothing answers on port ${port}. Start the local chain and its market first: npm start\n`);
});

it('lists the scenes when none is named', async () => {
  const { printed, exit } = run('scene.ts');
  expect(await exit).toBe(0);
  for (const name of ['crash BTCB 15%', 'stale-oracle ETH', 'pool-manipulated BTCB', 'calm']) {
    expect(printed.out).toContain(`npm run lab -- scene ${name}`);
  }
});

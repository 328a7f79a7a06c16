import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withoutProxy } from '../../lab/tools/loopback.mjs';
import { tokens } from '../../lab/world/addresses.ts';
import { startBundler } from '../../lab/world/bundler.ts';
import { connect } from '../../lab/world/chain.ts';
import { startLocalChain } from '../../lab/world/fork.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { machineSettings } from '../../lab/world/start/environment.ts';
import { balance } from './accounts.ts';
import { freePort } from './free-port.ts';

// Programs of this machine reach each other directly, although a dead proxy is set. test/e2e/interface.test.ts runs the
// whole start behind one.

const dead = 'http://127.0.0.1:9';

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']) {
    vi.stubEnv(name, dead);
  }
  // As for a user who has set a proxy and nothing else.
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

it('the local chain reads what it is a fork of, and a bundler the chain', async () => {
  const local = await startLocalChain();
  try {
    expect(await balance(connect(local.url), treasurer, tokens.USDT)).toBeGreaterThan(0n);
    const bundler = await startBundler(local.url, await freePort());
    await bundler.stop();
  } finally {
    await local.stop();
  }
});

it('a child that uses the proxy asks this machine without it, and others by it', async () => {
  const asked = `const get = (url) => fetch(url).then(({ status }) => status, ({ cause }) => cause.code);
    const server = require('node:http').createServer((_, response) => response.end()).listen(0, '127.0.0.1', async () => {
      const { port } = server.address();
      const own = await Promise.all(['127.0.0.1', 'localhost'].map((host) => get('http://' + host + ':' + port)));
      console.log(JSON.stringify([...own, await get('http://node.example')]));
      server.close();
    });`;
  const env = { ...machineSettings(process.env), NODE_USE_ENV_PROXY: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', asked], { env });
  expect(JSON.parse(stdout)).toEqual([200, 200, 'ECONNREFUSED']);
});

it('keeps the hosts that the user names, in either spelling', () => {
  const own = ['127.0.0.1', 'localhost', '::1', '[::1]'];
  const hosts = (env: Record<string, string>) => withoutProxy(env).NO_PROXY.split(',');
  expect(hosts({})).toEqual(own);
  expect(hosts({ NO_PROXY: 'a.example, .b.example', no_proxy: 'a.example,localhost' })).toEqual([
    ...['a.example', '.b.example', 'localhost', '127.0.0.1', '::1', '[::1]'],
  ]);
  expect(withoutProxy({ no_proxy: 'c.example' })).toEqual({
    NO_PROXY: `c.example,${own.join()}`,
    no_proxy: `c.example,${own.join()}`,
  });
});

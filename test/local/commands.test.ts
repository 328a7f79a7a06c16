import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../lab/world/chain.ts';
import { startLocalChain } from '../../lab/world/fork.ts';
import { answers, listen, run, until } from './commands.ts';
import { freePort } from './free-port.ts';

describe('npm run lab', () => {
  it.each([
    [['toString'], 2, 'npm run lab -- <command> [options]'],
    [['fit', '--help'], 1, 'npm run lab -- fit takes no options, not "--help".'],
    [['record:simulated', '--help'], 1, 'npm run lab -- record:simulated takes no options, not "--help".'],
    [['record:simulated', 'file'], 1, 'npm run lab -- record:simulated takes no options, not "file".'],
  ])('%j is refused, and nothing is written', async (words, code, said) => {
    const { printed, exit } = run('../main.ts', words);
    expect(await exit).toBe(code);
    expect(printed.err).toContain(said);
  });
});

describe('npm run lab -- chain', () => {
  it('says where it is, ends on Ctrl-C with nothing left behind, and starts again', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    for (const _ of ['once', 'again']) {
      const { child, printed, exit } = run('main.ts', ['--port', String(port)]);
      await until(() => printed.out.includes('Ctrl-C'));
      expect(printed.out).toContain(url);
      expect(await connect(url).getChainId()).toBe(31_337);
      child.kill('SIGINT');
      expect(await exit).toBe(0);
      expect(printed.err).toBe('');
      expect(await answers(url)).toBe(false);
    }
  });

  it('leaves no chain behind when it is killed hard', { tags: 'long' }, async () => {
    const port = await freePort();
    const { child, printed, exit } = run('main.ts', ['--port', String(port)]);
    await until(() => printed.out.includes('Ctrl-C'));
    child.kill('SIGKILL');
    await exit;
    await until(async () => !(await answers(`http://127.0.0.1:${port}`)));
  });

  it('says that the port is taken, in one line', async () => {
    const server = await listen();
    const { port } = server.address() as { port: number };
    const { printed, exit } = run('main.ts', ['--port', String(port)]);
    expect(await exit).toBe(1);
    expect(printed.out).toBe('');
    expect(printed.err).toMatch(new RegExp(`^Port ${port}, which the chain needs, is in use\\. [^\n]+\n$`));
    server.close();
  });

  it.each(['0', '65536', 'http'])('refuses --port %s', async (port) => {
    const { printed, exit } = run('main.ts', ['--port', port]);
    expect(await exit).toBe(1);
    expect(printed.err).toBe(`--port takes a number from 1 to 65535, not "${port}".\n`);
  });

  it('forks the node at BSC_RPC_URL when there is one, and keeps its address to itself', async () => {
    const real = await startLocalChain();
    try {
      const port = await freePort();
      const { child, printed, exit } = run('main.ts', ['--port', String(port)], { BSC_RPC_URL: real.baseUrl });
      await until(() => printed.out.includes('Ctrl-C'));
      expect(printed.out).toContain('the chain at BSC_RPC_URL');
      expect(printed.out).not.toContain(real.baseUrl);
      child.kill('SIGINT');
      expect(await exit).toBe(0);
      expect(await answers(real.baseUrl)).toBe(true);
    } finally {
      await real.stop();
    }
  });

  it('says in one line that a node cannot be forked, without its address', async () => {
    const url = `http://127.0.0.1:${await freePort()}/key`;
    const { printed, exit } = run('main.ts', [], { BSC_RPC_URL: url });
    expect(await exit).toBe(1);
    expect(printed.err).toMatch(/^anvil stopped before it was ready: [^\n]*Connection refused[^\n]*\n$/);
    expect(printed.err).not.toContain('/key');
  });
});

describe('npm run test:fork', () => {
  /** A separate Foundry project with one fork test that expects a chain id. */
  async function forkTests(expected: number, ...args: string[]) {
    const root = mkdtempSync(join(tmpdir(), 'bowline-fork-'));
    try {
      mkdirSync(join(root, 'test', 'fork'), { recursive: true });
      writeFileSync(join(root, 'foundry.toml'), '[profile.default]\nsolc = "0.8.37"\n');
      const source = `pragma solidity ^0.8.30;
contract ChainTest {
  function test_chain() external view {
    require(block.chainid == ${expected}, "another chain");
    require(address(0xfD36E2c2a6789Db23113685031d7F16329158384).code.length > 0, "no comptroller");
  }
}`;
      writeFileSync(join(root, 'test', 'fork', 'Chain.t.sol'), source);
      const { printed, exit } = run('fork-tests.ts', ['--root', root, ...args]);
      return { code: await exit, ...printed };
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }

  it('runs the tests on the local chain', { tags: 'long' }, async () => {
    const { code, out } = await forkTests(31_337);
    expect(out).toContain('1 tests passed');
    expect(code).toBe(0);
  });

  it('fails when no test matches', async () => {
    const { code, err } = await forkTests(31_337, '--match-test', 'NoSuchTest');
    expect(err).toContain('No test matches.');
    expect(code).toBe(1);
  });

  it('fails when one of them does', async () => {
    const { code, out } = await forkTests(56);
    expect(out).toContain('another chain');
    expect(code).toBe(1);
  });
});

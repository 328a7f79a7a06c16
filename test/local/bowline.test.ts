import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operatorCommands } from '../../cli/commands.ts';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Runs it as a person types it, without the time that npx takes to find it. */
const bowline = (...words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/main.ts', ...words], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, RPC_URL: 'http://127.0.0.1:9', DATA_DIR: 'node_modules/.nothing' },
  });
  return { status, stdout, stderr };
};

describe('bowline', () => {
  test('has its version, lists its commands, and says what it does not know', () => {
    expect(bowline('--version')).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: '' });
    const { status, stdout } = bowline('--help');
    expect(status).toBe(0);
    for (const name of Object.keys(operatorCommands)) expect(stdout).toContain(`\n  ${name.split(' ')[0]} `);
    expect(bowline('show', '--help').stdout).toMatch(/\n {2}payments /);
    expect(stdout).toMatch(/\n {2}deploy /);
    expect(bowline('adit')).toMatchObject({ status: 2, stderr: expect.stringContaining("unknown command 'adit'") });
    expect(bowline('show', 'plan', '1', '--replai')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Did you mean --replay?'),
    });
  });

  test.each([
    [
      ['bowline', ''],
      ['agent', 'check', 'show', '--version'],
    ],
    [['bowline', 'sho'], ['show']],
    [
      ['bowline', 'show', ''],
      ['payments', 'served', 'plan', 'guard', 'owner', 'executor'],
    ],
    [['bowline', 'show', 'payments', '--p'], ['--payee']],
    [['bowline', 'show', 'plan', '--h'], ['--html']],
  ])('completes %j in bash', (words, offered) => {
    const { stdout } = bowline('completion');
    const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
    const script = `${stdout}\n${line}; _bowline; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout: said, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(said.split('\n')).toEqual(expect.arrayContaining(offered));
    expect(said).not.toContain(words.length > 2 ? 'restore' : '--html');
  });

  test('shows what an agent leaves out, of all pages, and says that none answers', async () => {
    const item = (id: string) => ({ kind: 'guard', id, reason: 'not_served_trigger' });
    const pages: Record<string, object> = {
      '/served?from=0': { total: 2, left_out: [item('7')], next: 1, runs_plans: true },
      '/served?from=1': { total: 2, left_out: [item('collateral-3')], next: null, runs_plans: true },
    };
    const server = createServer((request, response) => response.end(JSON.stringify(pages[request.url ?? ''])));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const agent = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['cli/main.ts', 'show', 'served', '--agent', agent],
      {
        cwd: root,
      },
    );
    expect(stdout).toBe('guard 7: not_served_trigger\nguard collateral-3: not_served_trigger\n');
    expect(bowline('show', 'served', '--agent', 'http://127.0.0.1:9')).toMatchObject({
      status: 2,
      stderr: 'no agent answers at http://127.0.0.1:9: name one with --agent\n',
    });
  });

  test.each([
    ['nothing was looked at', ['check', '--chain', 'eth'], 2, '--chain must be local, bsc, bsc-testnet'],
    ['a word is none of the keys', ['rotate', 'what'], 2, 'The first word must be operator or verdict or seller.'],
    ['no word is given', ['restore'], 2, "missing required argument 'file'"],
    ['what was asked cannot be done', ['backup', '/dev/null'], 1, 'DATA_DIR names a path that does not exist'],
    [
      'options without text are none, and nobody answers',
      ['show', 'payments', '--from', '', '--rpc', ''],
      2,
      'HTTP request fail',
    ],
  ] as const)('%s: the code of the shell says so', (_, words, status, said) => {
    expect(bowline(...words)).toMatchObject({ status, stderr: expect.stringContaining(said) });
  });

  test('runs a command with its words, and ends with the code of that command', () => {
    expect(bowline('replay', 'nowhere.json')).toMatchObject({ status: 2, stderr: expect.stringMatching(/^ENOENT/) });
    expect(bowline('backup').status).toBe(2);
    expect(bowline('deploy').stderr).toContain('Name the chain and the paying key');
  });
});

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { operatorCommands } from '../../cli/commands.ts';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));
/** As a person types it, without what npx takes to find it. */
const bowline = (...words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/main.ts', ...words], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, RPC_URL: 'http://127.0.0.1:9' },
  });
  return { status, stdout, stderr };
};
const nameOf = ({ usage }: { readonly usage: string }): string => usage.split(' ')[0] ?? '';

describe('bowline', () => {
  test('has its version, lists its commands, and says what it does not know', () => {
    expect(bowline('--version')).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: '' });
    const { status, stdout } = bowline('--help');
    expect(status).toBe(0);
    for (const command of operatorCommands) expect(stdout).toContain(`\n  ${nameOf(command)} `);
    expect(stdout).toMatch(/\n {2}deploy /);
    expect(bowline('adit')).toMatchObject({ status: 2, stderr: expect.stringContaining("unknown command 'adit'") });
    expect(bowline('audit', '--plann', '1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Did you mean --plan?'),
    });
  });

  test('runs a command with its words, and ends with the code of that command', () => {
    expect(bowline('replay', 'nowhere.json')).toMatchObject({ status: 2, stderr: expect.stringMatching(/^ENOENT/) });
    expect(bowline('agent', '--once').status).toBe(1);
    expect(bowline('deploy').stderr).toContain('Name the chain and the paying key');
  });

  // agent and deploy hand their options to parsers that name none.
  test.each(
    operatorCommands.filter(({ usage }) => usage !== 'agent' && usage !== 'web').map((each) => [nameOf(each), each]),
  )('%s: its help has exactly the options that it reads', (name, { options }) => {
    const { stderr } = spawnSync(process.execPath, [`cli/${name}.ts`, '--no-such-option', 'x'], {
      cwd: root,
      encoding: 'utf8',
    });
    const taken = [...stderr.matchAll(/--([a-z][a-z0-9-]*) …/g)].map(([, option]) => option);
    const told = Object.keys(options).map((flags) => flags.split(' ')[0]?.slice(2));
    // Without a value, and so read apart from the others.
    expect(told.filter((option) => option !== 'yes').toSorted()).toEqual(taken.toSorted());
  });
});

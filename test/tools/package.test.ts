import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import rules from '../../.dependency-cruiser.mjs';
import { importProblems } from '../../tools/check-imports.mjs';

/** Imports that the table forbids: rule, importing file, imported file or package. */
const forbidden = [
  ['domain-imports-nothing', 'packages/core/domain/ports.ts', 'packages/core/verdict/verdict.ts'],
  ['domain-imports-nothing', 'agent/src/domain/npm.ts', 'viem'],
  ['domain-imports-nothing', 'agent/src/domain/node.ts', 'node:crypto'],
  ['guard-imports-domain', 'packages/core/verdict/check.ts', 'agent/src/adapters/chain.ts'],
  ['guard-imports-domain', 'packages/core/verdict/ticket.ts', 'viem'],
  ['plan-imports-domain', 'agent/src/loops/executor/plan.ts', 'packages/core/verdict/verdict.ts'],
  ['plan-imports-domain', 'agent/src/loops/loan-guard/plan.ts', 'node:crypto'],
  ['tools-import-domain-guard-zod', 'agent/src/tools/get-price.ts', 'agent/src/adapters/chain.ts'],
  ['tools-import-domain-guard-zod', 'agent/src/tools/get-loan.ts', 'viem'],
  ['seller-imports-domain-and-the-one-door', 'agent/src/seller/deliver.ts', 'agent/src/tools/tool.ts'],
  ['loops-import-domain-guard', 'agent/src/loops/executor/tick.ts', 'agent/src/seller/negotiate.ts'],
  ['loops-import-domain-guard', 'agent/src/loops/runner.ts', 'agent/src/adapters/chain.ts'],
  ['jobs-import-domain-guard-seller', 'agent/src/loops/jobs/tick.ts', 'agent/src/tools/call.ts'],
  ['faces-import-tools-seller-domain-sdk', 'agent/src/api/http.ts', 'agent/src/adapters/chain.ts'],
  ['faces-import-tools-seller-domain-sdk', 'agent/src/ask/answer.ts', 'openai'],
  ['faces-import-tools-seller-domain-sdk', 'agent/src/api/mcp.ts', 'agent/src/loops/runner.ts'],
  ['faces-do-not-import-each-other', 'agent/src/api/a2a.ts', 'agent/src/api/mcp.ts'],
  ['adapters-import-domain-abis', 'agent/src/adapters/dex.ts', 'packages/core/verdict/verdict.ts'],
  ['adapters-import-domain-abis', 'agent/src/ask/language-model.ts', 'agent/src/tools/tool.ts'],
  ['page-imports-abis-guard', 'web/app/page.tsx', 'packages/core/domain/units.ts'],
  ['page-imports-abis-guard', 'web/app/wallet.ts', 'node:crypto'],
  ['web-server-imports-abis-and-its-own', 'web/server/quote.ts', 'packages/core/verdict/verdict.ts'],
  ['main-imported-by-nothing', 'test/e2e/start.test.ts', 'agent/src/main.ts'],
  ['config-imported-by-main-alone', 'bench/speed.ts', 'agent/src/config.ts'],
  ['abis-import-nothing', 'abis/index.ts', 'viem'],
  ['scripts-import-abis-tools', 'script/local/chain.ts', 'packages/core/domain/units.ts'],
  ['replay-and-audit-import-domain-guard-abis', 'packages/core/replay/replay.ts', 'agent/src/process/log.ts'],
  ['tools-of-the-build-stand-alone', 'tools/build.mjs', 'script/local/base.ts'],
  ['shipped-code-without-scripts-and-tests', 'agent/src/main.ts', 'script/local/base.ts'],
  ['shipped-code-without-dev-dependencies', 'agent/src/adapters/clock.ts', 'vitest'],
  ['only-declared-packages', 'bench/stray.ts', 'stray'],
  ['no-unresolvable', 'bench/lost.ts', 'lost'],
] as const;

/** Imports that it allows, at least one for each "may". */
const allowed = [
  ['packages/core/verdict/check.ts', 'packages/core/domain/units.ts'],
  ['packages/core/verdict/check.ts', 'packages/core/verdict/verdict.ts'],
  ['agent/src/loops/executor/plan.ts', 'packages/core/domain/units.ts'],
  ['agent/src/tools/get-price.ts', 'packages/core/verdict/verdict.ts'],
  ['agent/src/tools/get-price.ts', 'zod'],
  ['agent/src/seller/deliver.ts', 'agent/src/tools/call.ts'],
  ['agent/src/loops/executor/tick.ts', 'agent/src/loops/executor/plan.ts'],
  ['agent/src/loops/executor/tick.ts', 'packages/core/verdict/verdict.ts'],
  ['agent/src/loops/jobs/tick.ts', 'agent/src/seller/deliver.ts'],
  ['agent/src/api/http.ts', 'agent/src/tools/call.ts'],
  ['agent/src/api/http.ts', 'sdk'],
  ['agent/src/adapters/dex.ts', 'packages/core/domain/units.ts'],
  ['agent/src/adapters/dex.ts', 'abis/index.ts'],
  ['agent/src/adapters/dex.ts', 'viem'],
  ['agent/src/adapters/dex.ts', 'node:fs'],
  ['web/app/page.tsx', 'packages/core/verdict/verdict.ts'],
  ['web/app/page.tsx', 'abis/index.ts'],
  ['web/app/page.tsx', 'viem'],
  ['web/server/quote.ts', 'abis/index.ts'],
  ['web/server/quote.ts', 'web/server/cache.ts'],
  ['agent/src/main.ts', 'agent/src/config.ts'],
  ['agent/src/main.ts', 'agent/src/api/http.ts'],
  ['agent/src/main.ts', 'agent/src/loops/jobs/tick.ts'],
  ['agent/src/main.ts', 'agent/src/adapters/dex.ts'],
  ['script/local/main.ts', 'tools/build.mjs'],
  ['test/local/chain.test.ts', 'script/local/chain.ts'],
  ['test/local/chain.test.ts', 'vitest'],
] as const;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'imports-'));
  spawnSync('git', ['init', '-q'], { cwd: root });
  write('.gitignore', 'node_modules/\n');
  cpSync('tsconfig.json', join(root, 'tsconfig.json'));
  const dependencies = { viem: '1.0.0', zod: '1.0.0', sdk: '1.0.0', openai: '1.0.0' };
  write('package.json', JSON.stringify({ type: 'module', dependencies, devDependencies: { vitest: '1.0.0' } }));
  for (const name of [...Object.keys(dependencies), 'vitest', 'stray']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', exports: './index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string, flag?: 'a') {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text, { flag: flag ?? 'w' });
}

/** Adds to the tree a file that imports another; the other one comes to be, too. */
function writeImport(from: string, to: string, keyword = 'import') {
  const isFile = to.includes('/');
  if (isFile) write(to, '', 'a');
  const path = relative(dirname(from), to);
  write(from, `${keyword} '${isFile && !path.startsWith('.') ? `./${path}` : isFile ? path : to}';\n`, 'a');
}

/** What dependency-cruiser calls the target of an import. */
const resolved = (to: string) =>
  to.startsWith('node:') ? to.slice(5) : to.includes('/') || to === 'lost' ? to : `node_modules/${to}/index.js`;

test('each forbidden import is reported by its rule, and no allowed one', async () => {
  for (const [, from, to] of forbidden) writeImport(from, to);
  for (const [from, to] of allowed) writeImport(from, to);
  const { problems } = await importProblems(root);
  expect(problems.sort()).toEqual(forbidden.map(([rule, from, to]) => `${rule}: ${from} → ${resolved(to)}`).sort());
});

test('a circle is reported', async () => {
  writeImport('script/local/a.ts', 'script/local/b.ts');
  writeImport('script/local/b.ts', 'script/local/a.ts');
  const { problems } = await importProblems(root);
  expect(problems).toContain('no-circular: script/local/a.ts → script/local/b.ts');
});

test('every rule is broken by one of these tests', () => {
  const broken = new Set<string | undefined>([...forbidden.map(([rule]) => rule), 'no-circular']);
  expect(rules.forbidden.map(({ name }) => name).filter((name) => !broken.has(name))).toEqual([]);
});

test('the import of a type counts', async () => {
  writeImport('packages/core/domain/ports.ts', 'agent/src/adapters/chain.ts', 'import type { Chain } from');
  const { problems } = await importProblems(root);
  expect(problems).toEqual(['domain-imports-nothing: packages/core/domain/ports.ts → agent/src/adapters/chain.ts']);
});

test('a file that dependency-cruiser leaves out is a problem of its own', async () => {
  write('packages/core/domain/units.ts', '');
  write('script/local/chain.ts', '');
  const { problems } = await importProblems(root, { ...rules, options: { ...rules.options, exclude: '^script/' } });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain('script/local/chain.ts was not looked at');
});

test('a checkout without a source file does not pass', async () => {
  const { problems } = await importProblems(root);
  expect(problems).toHaveLength(1);
});

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import rules from '../../.dependency-cruiser.mjs';
import { importProblems } from '../../lab/tools/check-imports.mjs';

/** Imports that the table forbids: rule, importing file, imported file or package. */
const forbidden = [
  ['core-imports-zod-alone', 'packages/core/replay/replay.ts', 'viem'],
  ['core-imports-zod-alone', 'packages/core/audit/report.ts', 'viem'],
  ['core-imports-zod-alone', 'packages/core/registry/assets.ts', 'node:fs'],
  ['core-imports-zod-alone', 'packages/core/serving.ts', 'agent/src/process/log.ts'],
  ['core-imports-zod-alone', 'packages/core/pyth/check.ts', 'viem'],
  ['domain-imports-nothing', 'packages/core/domain/ports.ts', 'packages/core/verdict/rules.ts'],
  ['domain-imports-nothing', 'packages/core/domain/npm.ts', 'zod'],
  ['domain-imports-nothing', 'packages/core/domain/node.ts', 'node:crypto'],
  ['verdict-imports-domain', 'packages/core/verdict/check.ts', 'packages/chain/head.ts'],
  ['verdict-imports-domain', 'packages/core/verdict/ticket.ts', 'viem'],
  ['shared-rooms-import-core', 'packages/http/problem.ts', 'abis/index.ts'],
  ['sdk-imports-core-chain-abis', 'packages/sdk/agent.ts', 'packages/http/problem.ts'],
  ['sdk-imports-core-chain-abis', 'packages/sdk/agent.ts', 'node:fs'],
  ['examples-import-sdk', 'examples/create-plan.ts', 'packages/core/domain/units.ts'],
  ['plan-imports-domain', 'agent/src/loops/executor/plan.ts', 'packages/core/verdict/rules.ts'],
  ['plan-imports-domain', 'agent/src/loops/loan-guard/plan.ts', 'node:crypto'],
  ['tools-import-core-zod', 'agent/src/tools/get-price.ts', 'packages/chain/head.ts'],
  ['tools-import-core-zod', 'agent/src/tools/get-loan.ts', 'viem'],
  ['tools-import-core-zod', 'agent/src/tools/get-loan.ts', 'agent/src/sources/pyth.ts'],
  ['selling-jobs-import-core-tools', 'agent/src/selling/jobs/deliver.ts', 'packages/chain/head.ts'],
  ['selling-jobs-call-tools-by-the-one-door', 'agent/src/selling/jobs/deliver.ts', 'agent/src/tools/tool.ts'],
  ['loops-import-core', 'agent/src/loops/executor/tick.ts', 'agent/src/selling/jobs/negotiate.ts'],
  ['loops-import-core', 'agent/src/loops/runner.ts', 'packages/chain/head.ts'],
  ['jobs-import-core-selling', 'agent/src/loops/jobs/tick.ts', 'agent/src/tools/call.ts'],
  ['ask-imports-core-tools-model', 'agent/src/ask/answer.ts', 'packages/chain/head.ts'],
  ['ask-imports-core-tools-model', 'agent/src/ask/by-model.ts', 'sdk'],
  ['payments-import-core-chain-http', 'agent/src/selling/payments/payments.ts', 'agent/src/sending/calls.ts'],
  ['api-imports-what-it-translates', 'agent/src/api/http.ts', 'packages/chain/head.ts'],
  ['api-imports-what-it-translates', 'agent/src/api/http.ts', 'openai'],
  ['api-imports-what-it-translates', 'agent/src/api/mcp.ts', 'agent/src/loops/runner.ts'],
  ['transports-do-not-import-each-other', 'agent/src/api/a2a.ts', 'agent/src/api/mcp.ts'],
  ['sources-and-process-import-core', 'agent/src/sources/pyth.ts', 'packages/chain/head.ts'],
  ['sources-and-process-import-core', 'agent/src/process/log.ts', 'agent/src/tools/tool.ts'],
  ['chain-imports-core-abis-viem', 'packages/chain/dex.ts', 'agent/src/sending/calls.ts'],
  ['chain-imports-core-abis-viem', 'packages/chain/dex.ts', 'web/app/page.tsx'],
  ['chain-imports-core-abis-viem', 'packages/chain/dex.ts', 'packages/sdk/agent.ts'],
  ['chain-imports-core-abis-viem', 'packages/chain/dex.ts', 'node:fs'],
  ['sending-imports-chain-core-abis', 'agent/src/sending/calls.ts', 'agent/src/sources/pyth.ts'],
  ['time-comes-in-as-a-parameter', 'agent/src/sending/nonce-queue.ts', 'node:timers'],
  ['notify-imports-core-process', 'agent/src/notify/notices.ts', 'packages/chain/head.ts'],
  ['workers-import-core-redis', 'agent/src/workers/turns.ts', 'agent/src/loops/runner.ts'],
  ['redis-is-loaded-when-it-is-used', 'agent/src/compose/workers.ts', 'agent/src/workers/workers.ts'],
  ['redis-is-loaded-when-it-is-used', 'agent/src/process/log.ts', 'ioredis'],
  ['escrow-is-loaded-where-work-is-sold', 'agent/src/sending/calls.ts', 'packages/chain/escrow.ts'],
  ['escrow-is-loaded-where-work-is-sold', 'agent/src/compose/parts.ts', 'agent/src/compose/seller.ts'],
  ['page-imports-core-chain-abis', 'web/app/page.tsx', 'agent/src/process/log.ts'],
  ['page-imports-core-chain-abis', 'web/app/wallet.ts', 'node:crypto'],
  ['page-features-do-not-import-each-other', 'web/app/guard/card.tsx', 'web/app/plans/read.ts'],
  ['page-features-do-not-import-each-other', 'web/app/buy/buy.tsx', 'web/app/audit/records.tsx'],
  ['page-server-imports-core-http-abis', 'web/server/quote.ts', 'agent/src/process/log.ts'],
  ['page-server-imports-core-http-abis', 'web/wire.ts', 'agent/src/process/log.ts'],
  ['main-imported-by-bowline-alone', 'test/e2e/start.test.ts', 'agent/src/main.ts'],
  ['compose-imported-by-main-alone', 'lab/bench/speed.ts', 'agent/src/compose/time.ts'],
  ['config-imported-by-compose-alone', 'lab/bench/speed.ts', 'agent/src/config.ts'],
  ['settings-imported-by-config-and-their-pages', 'agent/src/main.ts', 'agent/src/settings.ts'],
  ['settings-pages-import-settings', 'lab/tools/settings/pages.ts', 'packages/chain/head.ts'],
  ['abis-import-nothing', 'abis/index.ts', 'viem'],
  ['cli-imports-core-abis-chain', 'cli/ledger/jobs.ts', 'agent/src/selling/jobs/deliver.ts'],
  ['settings-imported-by-config-and-their-pages', 'cli/backup/archive.ts', 'agent/src/settings.ts'],
  ['cli-imports-core-abis-chain', 'cli/backup/archive.ts', 'agent/src/settings.ts'],
  ['cli-check-imports-the-start', 'cli/check/start.ts', 'agent/src/seller/deliver.ts'],
  ['cli-without-lab-and-tests', 'cli/main.ts', 'lab/world/base.ts'],
  ['tools-of-the-build-stand-alone', 'lab/tools/build.mjs', 'lab/world/base.ts'],
  ['shipped-code-without-lab-and-tests', 'agent/src/main.ts', 'lab/world/base.ts'],
  ['shipped-code-without-dev-dependencies', 'agent/src/process/clock.ts', 'vitest'],
  ['only-declared-packages', 'lab/bench/stray.ts', 'stray'],
  ['no-unresolvable', 'lab/bench/lost.ts', 'lost'],
] as const;

/** Imports that it allows, at least one for each "may". */
const allowed = [
  ['packages/core/verdict/check.ts', 'packages/core/domain/units.ts'],
  ['packages/core/verdict/check.ts', 'packages/core/verdict/rules.ts'],
  ['packages/core/replay/replay.ts', 'zod'],
  ['packages/core/replay/replay.ts', 'packages/core/verdict/rules.ts'],
  ['packages/core/test/units.test.ts', 'packages/core/domain/units.ts'],
  ['packages/core/test/units.test.ts', 'vitest'],
  ['packages/http/problem.ts', 'sdk'],
  ['packages/http/problem.ts', 'packages/core/domain/units.ts'],
  ['agent/src/loops/executor/plan.ts', 'packages/core/domain/units.ts'],
  ['agent/src/tools/get-price.ts', 'packages/core/verdict/rules.ts'],
  ['agent/src/tools/get-price.ts', 'agent/src/sources/propose.ts'],
  ['agent/src/tools/get-price.ts', 'zod'],
  ['agent/src/selling/jobs/deliver.ts', 'agent/src/tools/call.ts'],
  ['agent/src/selling/jobs/deliver.ts', 'agent/src/tools/check-asset.ts', 'import type { Checked } from'],
  ['agent/src/selling/jobs/deliver.ts', 'node:fs'],
  ['agent/src/loops/executor/tick.ts', 'agent/src/loops/executor/plan.ts'],
  ['agent/src/loops/executor/tick.ts', 'packages/core/verdict/rules.ts'],
  ['agent/src/loops/executor/tick.ts', 'agent/src/sources/propose.ts'],
  ['agent/src/loops/jobs/tick.ts', 'agent/src/selling/jobs/deliver.ts'],
  ['agent/src/ask/answer.ts', 'agent/src/tools/call.ts'],
  ['agent/src/ask/language-model.ts', 'openai'],
  ['agent/src/selling/payments/proof.ts', 'packages/chain/head.ts'],
  ['agent/src/selling/payments/proof.ts', 'viem'],
  ['agent/src/api/http.ts', 'agent/src/tools/call.ts'],
  ['agent/src/api/http.ts', 'agent/src/ask/answer.ts'],
  ['agent/src/api/http.ts', 'packages/http/problem.ts'],
  ['agent/src/api/http.ts', 'sdk'],
  ['packages/chain/head.ts', 'packages/core/domain/units.ts'],
  ['packages/chain/head.ts', 'abis/index.ts'],
  ['packages/chain/head.ts', 'viem'],
  ['packages/sdk/agent.ts', 'packages/chain/head.ts'],
  ['web/app/page.tsx', 'packages/chain/head.ts'],
  ['agent/src/sending/calls.ts', 'packages/chain/head.ts'],
  ['agent/src/workers/redis.ts', 'ioredis'],
  ['agent/src/workers/workers.ts', 'node:crypto'],
  ['agent/src/compose/workers.ts', 'agent/src/workers/workers.ts', 'import type { Workers } from'],
  ['web/app/page.tsx', 'packages/core/verdict/rules.ts'],
  ['web/app/page.tsx', 'abis/index.ts'],
  ['web/app/page.tsx', 'web/app/plans/read.ts'],
  ['web/app/guard/card.tsx', 'web/app/guard/read.ts'],
  ['web/app/guard/card.tsx', 'web/app/chain/read.ts'],
  ['web/app/page.tsx', 'viem'],
  ['web/server/quote.ts', 'abis/index.ts'],
  ['web/server/quote.ts', 'web/server/cache.ts'],
  ['web/server/quote.ts', 'packages/http/problem.ts'],
  ['agent/src/main.ts', 'agent/src/config.ts'],
  ['agent/src/main.ts', 'agent/src/compose/chain.ts'],
  ['agent/src/compose/chain.ts', 'agent/src/config.ts'],
  ['agent/src/main.ts', 'agent/src/api/http.ts'],
  ['agent/src/main.ts', 'agent/src/loops/jobs/tick.ts'],
  ['agent/src/main.ts', 'packages/chain/head.ts'],
  ['agent/src/config.ts', 'agent/src/settings.ts'],
  ['lab/tools/settings/pages.ts', 'agent/src/settings.ts'],
  ['lab/tools/settings/pages.ts', 'web/server/settings.ts'],
  ['lab/tools/settings/pages.ts', 'packages/http/environment.ts'],
  ['lab/world/main.ts', 'lab/tools/build.mjs'],
  ['cli/replay.ts', 'packages/core/replay/replay.ts'],
  ['cli/check.ts', 'packages/chain/head.ts'],
  ['cli/check/start.ts', 'agent/src/compose/chain.ts'],
  ['cli/rotate.ts', 'agent/src/sending/remote-signer.ts'],
  ['cli/sending/keys.ts', 'agent/src/sending/remote-signer.ts'],
  ['cli/sending/bounds.ts', 'agent/src/settings.ts'],
  ['cli/ledger/jobs.ts', 'agent/src/selling/jobs/check-job.ts'],
  ['test/local/chain.test.ts', 'lab/world/chain.ts'],
  ['test/local/chain.test.ts', 'vitest'],
] as const;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'imports-'));
  spawnSync('git', ['init', '-q'], { cwd: root });
  write('.gitignore', 'node_modules/\n');
  cpSync('tsconfig.json', join(root, 'tsconfig.json'));
  const dependencies = { viem: '1.0.0', zod: '1.0.0', sdk: '1.0.0', openai: '1.0.0', ioredis: '1.0.0' };
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

/** Adds a file to the tree that imports another, and creates the other. */
function writeImport(from: string, to: string, keyword = 'import') {
  const isFile = to.includes('/');
  if (isFile) write(to, '', 'a');
  const path = relative(dirname(from), to);
  write(from, `${keyword} '${isFile && !path.startsWith('.') ? `./${path}` : isFile ? path : to}';\n`, 'a');
}

/** dependency-cruiser's name for the target of an import. */
const resolved = (to: string) =>
  to.startsWith('node:') ? to.slice(5) : to.includes('/') || to === 'lost' ? to : `node_modules/${to}/index.js`;

test('each forbidden import is reported by its rule, and no allowed one', async () => {
  for (const [, from, to] of forbidden) writeImport(from, to);
  for (const [from, to, keyword] of allowed) writeImport(from, to, keyword);
  const { problems } = await importProblems(root);
  expect(problems.sort()).toEqual(forbidden.map(([rule, from, to]) => `${rule}: ${from} → ${resolved(to)}`).sort());
});

test('a circle is reported', async () => {
  writeImport('lab/world/a.ts', 'lab/world/b.ts');
  writeImport('lab/world/b.ts', 'lab/world/a.ts');
  const { problems } = await importProblems(root);
  expect(problems).toContain('no-circular: lab/world/a.ts → lab/world/b.ts');
});

test('every rule is broken by one of these tests', () => {
  const broken = new Set<string | undefined>([...forbidden.map(([rule]) => rule), 'no-circular']);
  expect(rules.forbidden.map(({ name }) => name).filter((name) => !broken.has(name))).toEqual([]);
});

test('the import of a type counts', async () => {
  writeImport('packages/core/domain/ports.ts', 'packages/chain/head.ts', 'import type { Chain } from');
  const { problems } = await importProblems(root);
  expect(problems).toEqual(['domain-imports-nothing: packages/core/domain/ports.ts → packages/chain/head.ts']);
});

test('a file that dependency-cruiser leaves out is a problem of its own', async () => {
  write('packages/core/domain/units.ts', '');
  write('lab/world/chain.ts', '');
  const { problems } = await importProblems(root, { ...rules, options: { ...rules.options, exclude: '^lab/' } });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain('lab/world/chain.ts was not looked at');
});

test('a checkout without a source file does not pass', async () => {
  const { problems } = await importProblems(root);
  expect(problems).toHaveLength(1);
});

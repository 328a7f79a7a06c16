import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lendingAdapters } from '@bowline/core/registry/address-book';
import { lendingNames } from '@bowline/core/registry/lending';

// A step of `npm run check`: agent, page, tools and audit speak of any lending protocol. Only these files may name one.

const root = fileURLToPath(new URL('../../', import.meta.url));

const allowed: Readonly<Record<string, readonly string[]>> = {
  'the registry: which protocols there are, and the addresses of their contracts': [
    'packages/core/registry/lending.ts',
    'packages/core/registry/address-book.ts',
    'packages/core/registry/bsc.json',
    'packages/core/registry/bsc-testnet.json',
    'packages/chain/check-address-book.ts',
  ],
  'the readers of the protocols and a lens, and the lists of these files': [
    'packages/chain/lending/lenses.ts',
    'packages/chain/lending/lista.ts',
    'packages/chain/lending/readers.ts',
    'packages/chain/lending/venus-lens.ts',
    'packages/chain/lending/venus.ts',
  ],
  'the constructors of the deployed adapters': ['cli/check/bytecode.ts'],
  'Venus’s oracle as a source of prices: facts, evidence and rules that are hashed or on chain': [
    'packages/core/domain/assets.ts',
    'packages/core/domain/facts.ts',
    'packages/core/domain/verdict.ts',
    'packages/core/registry/assets.ts',
    'packages/core/replay/evidence.ts',
    'packages/core/texts/verdict-answer.ts',
    'packages/core/verdict/ages.ts',
    'packages/core/verdict/checks/price-jump.ts',
    'packages/core/verdict/references.ts',
    'packages/core/verdict/sources.ts',
  ],
  'the same source, read and named in prices': [
    'packages/chain/chain-abis.ts',
    'packages/chain/market-facts.ts',
    'packages/chain/price-facts.ts',
    'packages/chain/preflight.ts',
    'agent/src/compose/left-out.ts',
  ],
  'the same source, which a plan may name: its address on the page': [
    'web/app/chain/served.ts',
    'web/server/page.ts',
    'web/wire.ts',
  ],
};
const product = /^(agent\/src|cli|packages\/[^/]+|web)\//;
const outside = /^(packages\/[^/]+|web)\/test\/|\.(sol|webp)$/;
/** Of each protocol and adapter that the registry knows; by case, since `listAssets` has Lista's letters. */
const stems = lendingAdapters.map((adapter) => adapter.replace('Market', ''));
const spellings = [...lendingNames, ...stems].flatMap((name) => {
  const lower = name.toLowerCase();
  return [lower, lower.toUpperCase(), lower.replace(/^./, (first) => first.toUpperCase())];
});
const words = /vtoken|comptroller|\bvai\b/i;
const isNaming = (text: string) => words.test(text) || spellings.some((spelling) => text.includes(spelling));

const naming = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .stdout.split('\0')
  .filter((path) => product.test(path) && !outside.test(path) && existsSync(join(root, path)))
  .filter((path) => isNaming(readFileSync(join(root, path), 'utf8')));

const expected = Object.values(allowed).flat();
const problems = [
  ...naming.filter((path) => !expected.includes(path)).map((path) => `${path} names a lending protocol`),
  ...expected.filter((path) => !naming.includes(path)).map((path) => `${path} names no lending protocol any more`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

// Builds packages/sdk into packages/sdk/dist: JavaScript and types, including what it uses of packages/core, packages/chain
// and abis, plus the examples. The package then has everything to start with, and no code of the agent.
// `npm pack -w @bowline/sdk` runs it.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const root = new URL('../../', import.meta.url);
const sdk = new URL('packages/sdk/', root);
const dist = fileURLToPath(new URL('dist/', sdk));
const { dependencies, peerDependencies, exports } = JSON.parse(readFileSync(new URL('package.json', sdk), 'utf8'));
const records = new URL('../../script/deployments/', import.meta.url);

/** Without local chains, whose records are of no use to others. A checkout without any deployment or start has no records. */
const published = Object.fromEntries(
  (existsSync(records) ? readdirSync(records) : [])
    .filter((name) => /^\d+\.json$/.test(name) && name !== '31337.json')
    .map((name) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(new URL(name, records), 'utf8'))]),
);

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.values(exports).flatMap(({ source }) => (source ? [fileURLToPath(new URL(source, sdk))] : [])),
  external: (id) =>
    Object.keys({ ...dependencies, ...peerDependencies }).some((name) => id === name || id.startsWith(`${name}/`)),
  platform: 'neutral',
  checks: { bundlerTimings: false, pluginTimings: false },
  resolve: { mainFields: ['module', 'main'] },
  plugins: [
    // Bundlers keep all of zod for its namespace, but only the used exports of `* as z`.
    { name: 'zod', renderChunk: (code) => code.replace('import { z } from "zod"', 'import * as z from "zod"') },
    { name: 'records', load: (id) => (id.endsWith('/packages/sdk/records.json') ? JSON.stringify(published) : null) },
    dts({
      tsconfig: fileURLToPath(new URL('tsconfig.json', root)),
      compilerOptions: {
        noEmit: false,
        incremental: false,
        paths: Object.fromEntries(
          ['chain', 'core'].map((name) => [
            `@bowline/${name}/*`,
            [fileURLToPath(new URL(`packages/${name}/*.ts`, root))],
          ]),
        ),
      },
      eager: true,
    }),
  ],
});
// One output file per source file: the package has no side effects, so bundlers leave out files that are not used.
await bundle.write({ dir: dist, format: 'esm', preserveModules: true });
await bundle.close();
// Without the checkout's README files: the package's own README explains the examples.
cpSync(new URL('examples/', root), new URL('packages/sdk/dist/examples/', root), {
  recursive: true,
  filter: (from) => !from.endsWith('README.md'),
});

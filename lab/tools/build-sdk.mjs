// Builds packages/sdk into packages/sdk/dist: JavaScript and types, with what it uses of packages/core, packages/chain and abis inside, and the
// examples, so that who installs the package has all there is to start with, and no code of the agent.
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

/** Those of this machine's own chain are of no use to others. A checkout in which nothing was deployed or started has none. */
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
    // Of zod's namespace bundlers keep all of zod, of its exports what is used.
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
// A file for a file: bundlers leave out those that an integrator does not use, as the package has no side effects.
await bundle.write({ dir: dist, format: 'esm', preserveModules: true });
await bundle.close();
// Without what explains them in this checkout: the package's own README does.
cpSync(new URL('examples/', root), new URL('packages/sdk/dist/examples/', root), {
  recursive: true,
  filter: (from) => !from.endsWith('README.md'),
});

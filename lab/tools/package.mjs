// `npm run lab -- package`: writes dist/bowline-<version>, also as .tgz: `bowline` with the agent, the page's server and the
// operator's commands, as JavaScript for Node 24 with all dependencies bundled. There is nothing to install. The page is built
// for the chain, node and contracts of the environment and `.env`, as by `npm run build:web`.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { create } from 'tar';
import { build } from 'vite';
import { sbomOf } from './package/sbom.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { name, version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist') } } });
const folder = join(values.out, `${name}-${version}`);

// A page without contracts refuses to work; otherwise only the user who unpacks the package would notice.
const { status } = spawnSync(process.execPath, [join(root, 'web/server/contracts.ts')], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

/** Older Nodes lack features that the code uses. */
const oldest = 24;
/** Copied unchanged. */
const files = [
  'LICENSE',
  'CHANGELOG.md',
  'docs/operations.md',
  'docs/runbook.md',
  'docs/scale.md',
  'docs/reference',
  'ops',
  'script/deployments',
];

/** Our files find the project's folder from their own URL, so each gets the URL that it would have in this folder. */
const addresses = {
  name: 'addresses',
  /** @param {string} code @param {string} id */
  transform(code, id) {
    const place = relative(root, id);
    if (!/^[a-z]/.test(place) || id.includes('node_modules') || !code.includes('import.meta.url')) return null;
    const path = JSON.stringify(`../${place}`);
    return code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`);
  },
};

/** What a host of the package cannot run is said to need a checkout. */
const spoken = {
  name: 'spoken',
  /** @param {string} code @param {string} id */
  transform(code, id) {
    if (id.includes('node_modules')) return null;
    return code
      .replaceAll(
        /npm start\b(?! --)|npm run [a-z:]+( -- [a-z:]+)?|npx bowline (deploy|descriptors)\b/g,
        '$& in a checkout',
      )
      .replaceAll('this checkout', 'this package');
  },
};

const { stdout: revision } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' });
/** A host of the package has no checkout to ask. */
const revised = {
  name: 'revised',
  /** @param {string} code @param {string} id */
  transform(code, id) {
    if (!id.endsWith('agent/src/compose/build.ts')) return null;
    return code.replace(/execFileSync\(.*\)\.toString\(\)\.trim\(\)/, JSON.stringify(revision?.trim() || 'unknown'));
  },
};

/** Prints one line and exits on an older Node. Its syntax must be readable by those versions. */
const launcher = `#!/usr/bin/env node
const [major] = process.versions.node.split('.');
if (Number(major) < ${oldest}) {
  process.stderr.write('Bowline needs Node ${oldest} or newer, and this is Node ' + process.versions.node + '.\\n');
  process.exit(1);
}
import('./lib/bowline.js').catch((error) => {
  process.stderr.write(error.stack + '\\n');
  process.exit(1);
});
`;

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: { bowline: join(root, 'cli/main.ts') },
  platform: 'node',
  checks: { bundlerTimings: false, pluginTimings: false },
  // CommonJS packages use these to find files beside them.
  transform: { define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' } },
  plugins: [addresses, spoken, revised],
});
const { output } = await bundle.write({
  dir: join(folder, 'lib'),
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();

const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
/** Its worker is a separate build. */
const noted = {
  name: 'noted',
  /** @param {unknown} _options @param {Record<string, {type: string, moduleIds?: string[]}>} parts */
  generateBundle(_options, parts) {
    for (const { moduleIds = [] } of Object.values(parts)) modules.push(...moduleIds);
  },
};
await build({
  configFile: join(root, 'web/vite.config.ts'),
  logLevel: 'warn',
  plugins: [noted],
  worker: { plugins: () => [noted] },
  build: { outDir: join(folder, 'web/dist'), emptyOutDir: true },
});
const packages = packagesOf(modules);
for (const each of packages) {
  // The package reads this file at run time, from beside the code.
  const compiled = join(each, 'lib/secp256k1.wasm');
  if (existsSync(compiled)) cpSync(compiled, join(folder, 'lib', basename(compiled)));
}
writeFileSync(join(folder, 'bowline.js'), launcher, { mode: 0o755 });
for (const path of files) {
  if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path), { recursive: true });
}
rmSync(join(folder, 'script/deployments/31337.json'), { force: true });
writeFileSync(join(folder, 'LICENSES.txt'), packages.map(licenceOf).join('\n'));
writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(root, { name, version }, packages), null, 2)}\n`);
const manifest = {
  name,
  version,
  license,
  private: true,
  type: 'module',
  bin: { bowline: 'bowline.js' },
  engines: { ...engines, node: `>=${oldest}` },
};
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const archive = `${folder}.tgz`;
// The same sources make the same archive.
await create({ cwd: values.out, file: archive, gzip: true, portable: true, mtime: new Date(0) }, [basename(folder)]);
console.log(`${relative(process.cwd(), archive)}: for Node ${oldest}`);

/** The folders of the bundled packages. @param {readonly string[]} ids */
function packagesOf(ids) {
  const found = ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  return [...new Set(found)].sort();
}

/** Most licences require their text wherever the code goes. @param {string} at */
function licenceOf(at) {
  const { name, version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
  const texts = readdirSync(at).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  return [`${name} ${version} (${license})`, ...texts.map((file) => readFileSync(join(at, file), 'utf8'))].join('\n\n');
}

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { compiled, deployed, loadPackage, type Pinned, packageFolder } from '../../lab/world/artifacts.ts';
import { type Download, type FetchOptions, fetchPackage } from '../../lab/world/fetch-package.ts';
import { packages } from '../../lab/world/packages.ts';

let directory: string;
let cache: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bowline-artifacts-'));
  cache = join(directory, 'cache');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const files = { Vault: compiled('artifacts/Vault.json'), Live: deployed('Live') };
const vault = { abi: [], bytecode: '0x6001' };
const live = { address: '0x36696169C63e42cd08ce11f5deeBbCeBae652050', abi: [], bytecode: '0x6002', args: ['1', 2] };

/** Creates a package's tarball, and returns its pin and a download that copies it and counts. */
async function publish(name: string) {
  const source = join(directory, name, 'package');
  for (const folder of ['artifacts', 'deployments/bscmainnet', 'deployments/bsctestnet'])
    mkdirSync(join(source, folder), { recursive: true });
  writeFileSync(join(source, 'artifacts', 'Vault.json'), JSON.stringify(vault));
  writeFileSync(join(source, 'deployments/bscmainnet/Live.json'), JSON.stringify(live));
  writeFileSync(join(source, 'deployments/bsctestnet/Live.json'), JSON.stringify({ ...live, args: [] }));
  writeFileSync(join(source, 'unwanted.json'), '{}');
  const tarball = join(directory, `${name}.tgz`);
  await create({ gzip: true, file: tarball, cwd: join(directory, name) }, ['package']);
  const bytes = readFileSync(tarball);
  const downloads: string[] = [];
  const download: Download = async (spec, into) => {
    downloads.push(spec);
    writeFileSync(join(into, 'got.tgz'), bytes);
    return join(into, 'got.tgz');
  };
  const sha512 = createHash('sha512').update(bytes).digest('base64');
  return { pin: { spec: `${name}@1.0.0`, sha512, files }, bytes, download, downloads };
}

/** Fetches the package with these options, and reads it. */
async function fetched<const pkg extends Pinned>(pkg: pkg, options: FetchOptions) {
  await fetchPackage(pkg, options);
  return loadPackage(pkg, cache);
}

const quiet = (download: Download): FetchOptions => ({ cache, download, report: () => {} });

it('keeps the wanted files of a package and fetches them once, in silence afterwards', async () => {
  const { pin, download, downloads } = await publish('one');
  const lines: string[] = [];
  const options = { cache, download, report: (line: string) => lines.push(line) };
  const loaded = await fetched(pin, options);
  expect(loaded.Vault).toMatchObject(vault);
  expect(loaded.Live).toEqual(live);
  expect(lines).toEqual([expect.stringContaining('one@1.0.0')]);
  const [kept = ''] = readdirSync(cache);
  expect(readdirSync(join(cache, kept))).toEqual(['artifacts', 'deployments']);

  expect(await fetched(pin, options)).toEqual(loaded);
  expect(downloads).toEqual(['one@1.0.0']);
  expect(lines).toHaveLength(1);
});

it('stops at a package with another hash and keeps nothing of it', async () => {
  const { pin, download } = await publish('one');
  const other = { ...pin, sha512: createHash('sha512').update('something else').digest('base64') };
  await expect(fetched(other, quiet(download))).rejects.toThrow(/^one@1\.0\.0 is not the pinned package: .* sha512 is/);
  expect(readdirSync(cache)).toEqual([]);
});

it('stops at a package that lacks a wanted file and keeps nothing of it', async () => {
  const { pin, download } = await publish('one');
  const more = { ...pin, files: { ...files, Gone: compiled('artifacts/Gone.json') } };
  await expect(fetched(more, quiet(download))).rejects.toThrow('one@1.0.0 does not contain artifacts/Gone.json');
  expect(readdirSync(cache)).toEqual([]);
});

it('goes on after an interruption with the package that was under way', async () => {
  const [one, two] = [await publish('one'), await publish('two')];
  const all = (second: Download) => async () => {
    await fetched(one.pin, quiet(one.download));
    await fetched(two.pin, quiet(second));
  };
  const cut: Download = async (_, into) => {
    writeFileSync(join(into, 'got.tgz'), 'half of');
    throw new Error('the line went dead');
  };
  await expect(all(cut)()).rejects.toThrow('the line went dead');
  await all(two.download)();
  expect(one.downloads).toHaveLength(1);
  expect(two.downloads).toHaveLength(1);
});

it('clears away what a killed process left, and leaves a living one its work', async () => {
  const { pin, download } = await publish('one');
  // No process has this pid: Linux stops at 2^22, other systems well before.
  const dead = join(cache, 'partial-99999999-one');
  const living = join(cache, `partial-${process.pid}-another`);
  for (const partial of [dead, living]) mkdirSync(partial, { recursive: true });
  await fetched(pin, quiet(download));
  expect(existsSync(dead)).toBe(false);
  expect(existsSync(living)).toBe(true);
});

it('lets two that fetch at the same time both have it', async () => {
  const { pin, download, downloads } = await publish('one');
  const arrived = Promise.withResolvers<void>();
  // The first waits until the second has finished, so it finds the cache filled.
  const slow: Download = async (spec, into) => {
    await arrived.promise;
    return download(spec, into);
  };
  const first = fetched(pin, quiet(slow));
  const second = await fetched(pin, quiet(download));
  arrived.resolve();
  expect(await first).toEqual(second);
  expect(downloads).toHaveLength(2);
  expect(readdirSync(cache)).toHaveLength(1);
});

it('does not take the files of another list for these', async () => {
  const { pin, download, downloads } = await publish('one');
  await fetched({ ...pin, files: { Vault: files.Vault } }, quiet(download));
  expect((await fetched(pin, quiet(download))).Live).toEqual(live);
  expect(downloads).toHaveLength(2);
});

it('reads a package that is not there from nowhere', async () => {
  const { pin } = await publish('one');
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9');
  const missing = 'one@1.0.0 is not in .cache/artifacts: run npm run build, which fetches it.';
  expect(() => loadPackage(pin, cache)).toThrow(missing);
  expect(existsSync(cache)).toBe(false);
});

it('whatever tests deploy of others has been fetched before them', async () => {
  expect(packages.length).toBeGreaterThan(0);
  for (const pkg of packages) expect(() => packageFolder(pkg)).not.toThrow();
});

it('downloads through npm, from the registry that npm is set up with', async () => {
  const { pin, bytes } = await publish('bowline-test-package');
  const requests: string[] = [];
  const registry = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (request.url?.endsWith('.tgz')) return response.end(bytes);
    const tarball = `${address}/bowline-test-package.tgz`;
    const version = {
      name: 'bowline-test-package',
      version: '1.0.0',
      dist: { tarball, integrity: `sha512-${pin.sha512}` },
    };
    response.setHeader('content-type', 'application/json');
    const versions = { '1.0.0': version };
    return response.end(JSON.stringify({ name: version.name, 'dist-tags': { latest: '1.0.0' }, versions }));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const address = `http://127.0.0.1:${(registry.address() as { port: number }).port}`;
  vi.stubEnv('npm_config_registry', address);
  vi.stubEnv('npm_config_cache', join(directory, 'npm'));
  try {
    expect((await fetched(pin, { cache, report: () => {} })).Vault).toMatchObject(vault);
    expect(requests).toContain('/bowline-test-package.tgz');

    const unknown = { ...pin, spec: 'bowline-test-package@2.0.0' };
    await expect(fetched(unknown, { cache, report: () => {} })).rejects.toThrow(
      /^bowline-test-package@2\.0\.0 could not be downloaded with npm: No matching version found/,
    );
  } finally {
    vi.unstubAllEnvs();
    registry.close();
  }
});

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { artifactsFolder, folderName, neededOf, type Pinned } from './artifacts.ts';

/** Downloads the tarball of `spec` into `directory` and returns its path. */
export type Download = (spec: string, directory: string) => Promise<string>;

export interface FetchOptions {
  /** Directory for finished packages. */
  cache?: string;
  download?: Download;
  /** Called for every package that has to be downloaded, but not for cached ones. */
  report?: (line: string) => void;
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Ensures that the files of a package are in the cache.
 *
 * A package is complete or absent. It is verified and unpacked in a separate directory and enters the cache with one
 * rename, so an interruption, a wrong hash or a concurrent process never leaves half a package there. An interrupted
 * run keeps its finished packages; the package in progress starts again, because npm keeps no partial tarballs.
 */
export async function fetchPackage(pkg: Pinned, options: FetchOptions = {}): Promise<void> {
  const { cache = artifactsFolder, download = npmPack, report = progress } = options;
  const finished = join(cache, folderName(pkg));
  if (existsSync(finished)) return;
  report(`Downloading ${pkg.spec} (once: it is kept in .cache)`);
  removeAbandoned(cache);
  const partial = mkdtempSync(join(cache, `partial-${process.pid}-`));
  const wanted = join(partial, 'wanted');
  mkdirSync(wanted);
  try {
    const tarball = await download(pkg.spec, partial);
    checkHash(pkg, tarball);
    await unpack(pkg, tarball, wanted);
    moveInto(finished, wanted);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function checkHash({ spec, sha512 }: Pinned, tarball: string): void {
  const found = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (found === sha512) return;
  throw new Error(`${spec} is not the pinned package: its sha512 is ${found}, not ${sha512}`);
}

async function unpack(pkg: Pinned, tarball: string, directory: string): Promise<void> {
  const missing = new Set(neededOf(pkg));
  await extract({
    file: tarball,
    cwd: directory,
    strip: 1,
    // Tarballs name their files package/<path>; a few packers use another first folder.
    filter: (path) => missing.delete(path.slice(path.indexOf('/') + 1)),
  });
  if (missing.size > 0) throw new Error(`${pkg.spec} does not contain ${[...missing].join(', ')}`);
}

// If another process finished first, it left the same bytes under the same name, and its copy is kept.
function moveInto(finished: string, from: string): void {
  try {
    renameSync(from, finished);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

// A killed process cannot remove its partial directory; the next download does.
function removeAbandoned(cache: string): void {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const pid = /^partial-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// Uses the npm client, and so the user's own registry, proxy and credentials.
async function npmPack(spec: string, directory: string): Promise<string> {
  const args = ['pack', spec, '--loglevel=error', '--pack-destination', directory];
  try {
    await promisify(execFile)('npm', args, { cwd: root, shell: process.platform === 'win32' });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const reason = /npm error (?!code |errno |syscall )(?:\w+ )?([A-Z].+)/.exec(stderr)?.[1] ?? message;
    throw new Error(`${spec} could not be downloaded with npm: ${reason}`);
  }
  // Searches the directory, because npm versions differ in how they report the file name of a scoped package.
  const tarball = readdirSync(directory).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm pack ${spec} left no tarball`);
  return join(directory, tarball);
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

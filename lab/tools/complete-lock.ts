// Makes package-lock.json valid for every platform and registry: run `npm run lock` after each change of dependencies.
//
// npm writes only those optional packages into the lock (the esbuild, biome … binaries of each platform) that its
// registry could serve at the time. `npm ci` then refuses its own lock with "Missing … from lock file". The packages
// that require the missing ones name them with versions, so this tool adds them from there, without a checksum.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Package {
  readonly version?: string;
  resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dev?: boolean;
  readonly optional?: boolean;
}

export interface Lock {
  readonly packages: Record<string, Package>;
}

const PUBLIC_REGISTRY = 'https://registry.npmjs.org/';

// Words in package names that denote platforms, mapped to npm's own `os`, `cpu` and `libc` values.
const OS = { linux: 'linux', linuxmusl: 'linux', darwin: 'darwin', macos: 'darwin', win32: 'win32', windows: 'win32' };
const SAME_OS = ['android', 'freebsd', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'aix'];
const CPU = { amd64: 'x64', aarch64: 'arm64', armv7: 'arm', ppc64le: 'ppc64' };
const SAME_CPU = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32'];
const LIBC = { musl: 'musl', linuxmusl: 'musl', musleabihf: 'musl', gnu: 'glibc', gnueabihf: 'glibc' };

/** The words of `name` that `terms` or `same` contain, as npm's terms. */
function wordsOf(name: string, terms: Readonly<Record<string, string>>, same: readonly string[] = []): string[] {
  const known: Readonly<Record<string, string>> = { ...Object.fromEntries(same.map((word) => [word, word])), ...terms };
  return [...new Set(name.split(/[@/_-]/).flatMap((word) => known[word] ?? []))];
}

/** The lock's key of the package `name` as required from `from`, by Node's resolution. */
function lookUp(packages: Lock['packages'], from: string, name: string): string | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const key = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    if (key in packages) return key;
    if (base === '') return undefined;
  }
}

/**
 * The lock with every optional package and without the address of a private registry. Throws a sentence if a missing
 * optional package is required by a range, because nothing here tells which version that means.
 */
export function complete(lock: Lock): Lock {
  const packages = structuredClone(lock.packages);
  for (const [from, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, wanted] of Object.entries(optionalDependencies)) {
      const found = lookUp(packages, from, name);
      const exact = /^\d+\.\d+\.\d+/.test(wanted);
      if (found && (!exact || packages[found]?.version === wanted)) continue;
      if (!exact) throw new Error(`${from} requires ${name} ${wanted}: add that package to the lock by hand`);
      const os = wordsOf(name, OS, SAME_OS);
      const cpu = wordsOf(name, CPU, SAME_CPU);
      const libc = os.includes('linux') ? wordsOf(name, LIBC) : [];
      packages[found ? `${from}/node_modules/${name}` : `node_modules/${name}`] = {
        version: wanted,
        ...(cpu.length > 0 ? { cpu } : {}),
        ...(dev ? { dev } : {}),
        ...(libc.length > 0 ? { libc } : {}),
        optional: true,
        ...(os.length > 0 ? { os } : {}),
      };
    }
  }
  for (const entry of Object.values(packages)) {
    if (entry.resolved?.startsWith('http') && !entry.resolved.startsWith(PUBLIC_REGISTRY)) delete entry.resolved;
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

/** @param check reports problems instead of fixing them. */
function run(path: string, check: boolean): void {
  const text = readFileSync(path, 'utf8');
  const lock: Lock = JSON.parse(text);
  const completed = complete(lock);
  if (!check) {
    writeFileSync(path, `${JSON.stringify(completed, null, 2)}\n`);
    return;
  }
  const missing = Object.keys(completed.packages).filter((key) => !(key in lock.packages));
  const foreign = Object.entries(lock.packages).filter(
    ([key, { resolved }]) => resolved && !completed.packages[key]?.resolved,
  );
  for (const key of missing) console.error(`package-lock.json lacks ${key}: npm ci would refuse it`);
  for (const [key, { resolved }] of foreign) console.error(`package-lock.json takes ${key} from ${resolved}`);
  if (missing.length + foreign.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'package-lock.json')] = process.argv
    .slice(2)
    .filter((word) => word !== '--check');
  run(path, process.argv.includes('--check'));
}

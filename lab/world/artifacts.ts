import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Abi, Address, Hex } from 'viem';
import { isTestnet } from './addresses.ts';

// Files of pinned npm packages that fetch.ts has put into .cache. Nothing here downloads anything.

/** Compiler output: creation code, without constructor arguments. */
export interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** A BNB Chain deployment record: the artifact, its address there and its constructor arguments. */
export interface Deployment extends Artifact {
  readonly address: Address;
  readonly args: readonly unknown[];
}

type Kind = 'compiled' | 'deployed' | 'source';

/** A pinned npm package and the files needed from it. */
export interface Pinned {
  /** `name@version`, with an exact version. */
  readonly spec: string;
  /** sha512 of the tarball, base64. */
  readonly sha512: string;
  /** Paths inside the package; for a deployment record, its name. */
  readonly files: Readonly<Record<string, { readonly kind: Kind; readonly path: string }>>;
}

type Loaded<pkg extends Pinned> = {
  readonly [name in keyof pkg['files']]: pkg['files'][name]['kind'] extends 'deployed' ? Deployment : Artifact;
};

export const compiled = (path: string) => ({ kind: 'compiled', path }) as const;
/** @param name of a record, which the package has for each network. */
export const deployed = (name: string) => ({ kind: 'deployed', path: name }) as const;
export const sources = (...paths: string[]) =>
  Object.fromEntries(paths.map((path) => [path, { kind: 'source', path }] as const));

const recordOf = (network: 'bscmainnet' | 'bsctestnet', name: string) => `deployments/${network}/${name}.json`;

/** Paths of all files needed from a package, for both networks. */
export const neededOf = ({ files }: Pinned): string[] =>
  Object.values(files)
    .flatMap(({ kind, path }) =>
      kind === 'deployed' ? [recordOf('bscmainnet', path), recordOf('bsctestnet', path)] : [path],
    )
    .sort();

export const artifactsFolder = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), '.cache', 'artifacts');

/** The name covers everything that determines the content, so that a folder made from another file list is not reused. */
export function folderName(pkg: Pinned): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([pkg.spec, pkg.sha512, neededOf(pkg)]))
    .digest('hex');
  return `${pkg.spec.replaceAll(/[@/]+/g, '-').replace(/^-/, '')}-${digest.slice(0, 12)}`;
}

/** @throws a sentence if the package has not been fetched. */
export function packageFolder(pkg: Pinned, cache = artifactsFolder): string {
  const folder = join(cache, folderName(pkg));
  if (existsSync(folder)) return folder;
  throw new Error(`${pkg.spec} is not in .cache/artifacts: run npm run build, which fetches it.`);
}

/** Reads the listed files of one package. */
export function loadPackage<const pkg extends Pinned>(pkg: pkg, cache = artifactsFolder): Loaded<pkg> {
  const folder = packageFolder(pkg, cache);
  const entries = Object.entries(pkg.files).map(([name, { kind, path }]) => {
    const file = kind === 'deployed' ? recordOf(isTestnet ? 'bsctestnet' : 'bscmainnet', path) : path;
    return [name, readArtifact(join(folder, file))];
  });
  return Object.fromEntries(entries) as Loaded<pkg>;
}

function readArtifact(path: string): Deployment {
  const { abi, bytecode, address, args = [] } = JSON.parse(readFileSync(path, 'utf8'));
  return { abi, bytecode, address, args };
}

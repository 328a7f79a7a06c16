import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Abi, Hex } from 'viem';
import { kept } from '../local/kept.ts';

/** One contract as compiled from this checkout. */
export interface Build {
  readonly abi: Abi;
  /** Without constructor arguments. */
  readonly creation: Hex;
  /** With zeros in place of immutables. */
  readonly runtime: Hex;
  /** Byte offsets of the words that hold each immutable, by its name in the source. */
  readonly immutables: Readonly<Record<string, readonly number[]>>;
  /** What it is compiled from, by the compiler's own account. */
  readonly metadata: Metadata;
}

/** The compiler's metadata: settings, and the hash of each source that the contract needs. */
export interface Metadata {
  readonly compiler: { readonly version: string };
  readonly settings: Readonly<Record<string, unknown>> & {
    readonly compilationTarget: Readonly<Record<string, string>>;
  };
  readonly sources: Readonly<Record<string, { readonly keccak256: Hex; readonly license?: string }>>;
}

interface Output {
  readonly ast: unknown;
  readonly metadata?: Metadata;
  readonly abi: Abi;
  readonly bytecode: { readonly object: Hex };
  readonly deployedBytecode: {
    readonly object: Hex;
    readonly immutableReferences?: Readonly<Record<string, readonly { start: number; length: number }[]>>;
  };
}

const none: Metadata = { compiler: { version: '' }, settings: { compilationTarget: {} }, sources: {} };
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = '.cache/verify';
const sources = ['contracts', 'foundry.toml', 'tools/solc.mjs', 'script/bytecode/build.ts'];

/** Compiles contracts/ outside the shared `out/`, unless these very sources have been compiled before. */
export async function build(): Promise<(contract: string) => Build> {
  const builds = JSON.parse(readFileSync(await kept('bytecode', sources, '', compile), 'utf8'));
  return (contract) => {
    if (!Object.hasOwn(builds, contract)) throw new Error(`This checkout has no contract ${contract}.`);
    return builds[contract];
  };
}

/**
 * In one run: the compiler renumbers its syntax trees in every run, and an artifact identifies its immutables only by
 * those numbers.
 */
async function compile(): Promise<string> {
  const settings = [`FOUNDRY_OUT=${folder}/out`, `FOUNDRY_CACHE_PATH=${folder}/cache`];
  const args = ['tools/foundry.mjs', ...settings, 'forge', 'build', 'contracts', '--ast', '--force'];
  await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 2 ** 28 });
  const outputs = globSync(join(root, folder, 'out', '**', '*.json'))
    .filter((path) => basename(dirname(path)) === `${basename(path, '.json')}.sol`)
    .map((path) => [basename(path, '.json'), JSON.parse(readFileSync(path, 'utf8')) as Output] as const);
  const names = new Map(outputs.flatMap(([, { ast }]) => immutablesIn(ast)));
  const builds = outputs.map(([contract, { abi, bytecode, deployedBytecode, metadata }]) => {
    const places = Object.entries(deployedBytecode.immutableReferences ?? {}).map(
      ([id, references]) => [names.get(Number(id)) ?? id, references.map(({ start }) => start)] as const,
    );
    const immutables = Object.fromEntries(places);
    // An interface has none.
    const { compiler, settings, sources: of } = metadata ?? none;
    const built: Build = {
      abi,
      creation: bytecode.object,
      runtime: deployedBytecode.object,
      immutables,
      metadata: { compiler, settings, sources: of },
    };
    return [contract, built] as const;
  });
  return JSON.stringify(Object.fromEntries(builds));
}

/** The number and name of every immutable declared in a syntax tree. */
function immutablesIn(node: unknown): [number, string][] {
  if (typeof node !== 'object' || node === null) return [];
  const { nodeType, mutability, id, name } = node as Record<string, unknown>;
  if (nodeType === 'VariableDeclaration' && mutability === 'immutable') return [[id as number, name as string]];
  return Object.values(node).flatMap(immutablesIn);
}

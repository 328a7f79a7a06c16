import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Abi, Hex } from 'viem';

/** One contract as compiled from this checkout. */
export interface Build {
  readonly abi: Abi;
  /** Without constructor arguments. */
  readonly creation: Hex;
  /** With zeros in place of immutables. */
  readonly runtime: Hex;
  /** Byte offsets of the words that hold each immutable, by its name in the source. */
  readonly immutables: Readonly<Record<string, readonly number[]>>;
}

interface Output {
  readonly ast: unknown;
  readonly abi: Abi;
  readonly bytecode: { readonly object: Hex };
  readonly deployedBytecode: {
    readonly object: Hex;
    readonly immutableReferences?: Readonly<Record<string, readonly { start: number; length: number }[]>>;
  };
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = '.cache/verify';

/**
 * Compiles contracts/ in one run, outside the shared `out/`. The compiler renumbers its syntax trees in every run, and
 * an artifact identifies its immutables only by those numbers.
 */
export async function build(): Promise<(contract: string) => Build> {
  const settings = [`FOUNDRY_OUT=${folder}/out`, `FOUNDRY_CACHE_PATH=${folder}/cache`];
  const args = ['tools/foundry.mjs', ...settings, 'forge', 'build', 'contracts', '--ast', '--force'];
  await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 2 ** 28 });
  const outputs = globSync(join(root, folder, 'out', '**', '*.json'))
    .filter((path) => !path.includes('build-info'))
    .map((path) => [path, JSON.parse(readFileSync(path, 'utf8')) as Output] as const);
  const names = new Map(outputs.flatMap(([, { ast }]) => immutablesIn(ast)));
  return (contract) => {
    const found = outputs.find(([path]) => path.endsWith(join(`${contract}.sol`, `${contract}.json`)));
    if (found === undefined) throw new Error(`This checkout has no contract ${contract}.`);
    const { abi, bytecode, deployedBytecode } = found[1];
    const places = Object.entries(deployedBytecode.immutableReferences ?? {}).map(
      ([id, references]) => [names.get(Number(id)) ?? id, references.map(({ start }) => start)] as const,
    );
    return {
      abi,
      creation: bytecode.object,
      runtime: deployedBytecode.object,
      immutables: Object.fromEntries(places),
    };
  };
}

/** The number and name of every immutable declared in a syntax tree. */
function immutablesIn(node: unknown): [number, string][] {
  if (typeof node !== 'object' || node === null) return [];
  const { nodeType, mutability, id, name } = node as Record<string, unknown>;
  if (nodeType === 'VariableDeclaration' && mutability === 'immutable') return [[id as number, name as string]];
  return Object.values(node).flatMap(immutablesIn);
}

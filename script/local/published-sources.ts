import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import wrapper from 'solc/wrapper.js';
import type { Abi } from 'viem';
import { type Artifact, fetchPackage, type Pinned } from './artifacts.ts';
import { kept } from './kept.ts';

/** A pinned package without bytecode, and the compiler that its sources ask for. */
export interface PublishedSources extends Pinned {
  readonly compiler: Pinned;
  /** Of solc, beside the optimizer. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly optimizerRuns: number;
  /** Paths of the contracts wanted, by their names. */
  readonly contracts: Readonly<Record<string, string>>;
}

export const paths = (...names: string[]) => Object.fromEntries(names.map((path) => [path, { path }]));

/** @param sha512 of solc's package, base64 */
export const solcOf = (version: string, sha512: string): Pinned => ({
  spec: `solc@${version}`,
  sha512,
  // Without its package.json, Node would take the script for a module of this project's kind.
  files: paths('soljson.js', 'package.json'),
});

/** Returns the path of a JSON file: an artifact by each contract's name. Compiles once. */
export function compiledSources(name: string, sources: PublishedSources): Promise<string> {
  return kept(name, ['script/local/published-sources.ts'], JSON.stringify(sources), async () => {
    const [directory, solc] = await Promise.all([fetchPackage(sources), fetchPackage(sources.compiler)]);
    return JSON.stringify(compile(sources, directory, join(solc, 'soljson.js')));
  });
}

interface Output {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string } };
}

function compile(
  { files, settings, optimizerRuns, contracts }: PublishedSources,
  directory: string,
  soljson: string,
): Record<string, Artifact> {
  const wanted = { '*': ['abi', 'evm.bytecode.object'] };
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      Object.values(files).map(({ path }) => [path, { content: readFileSync(join(directory, path), 'utf8') }]),
    ),
    settings: {
      ...settings,
      optimizer: { enabled: true, runs: optimizerRuns },
      outputSelection: Object.fromEntries(Object.values(contracts).map((path) => [path, wanted])),
    },
  };
  const solc = wrapper(createRequire(import.meta.url)(soljson));
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as {
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
    readonly contracts: Readonly<Record<string, Readonly<Record<string, Output>>>>;
  };
  const failure = output.errors?.find(({ severity }) => severity === 'error');
  if (failure !== undefined) throw new Error(failure.formattedMessage);
  return Object.fromEntries(
    Object.entries(contracts).map(([name, path]) => {
      const contract = output.contracts[path]?.[name];
      if (contract === undefined) throw new Error(`${path} contains no ${name}`);
      return [name, { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` } as const];
    }),
  );
}

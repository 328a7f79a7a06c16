import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import wrapper from 'solc/wrapper.js';
import type { Abi } from 'viem';
import { type Artifact, neededOf, packageFolder } from './artifacts.ts';
import { kept } from './kept.ts';
import { morphoBlue, morphoCompiler } from './packages.ts';

// Morpho Blue's package has no bytecode, so it is compiled once. The default runs, without IR, are five times as fast.

const settings = { evmVersion: 'paris', optimizer: { enabled: true, runs: 200 } };
/** Paths of the needed contracts, by name. */
const contracts = { Morpho: 'src/Morpho.sol', IrmMock: 'src/mocks/IrmMock.sol' };

/** Returns the path of a JSON file of artifacts by contract name, which test/base/MorphoBase.sol reads. */
export const morphoArtifacts = (): Promise<string> =>
  kept('morpho', ['lab/world/morpho.ts', 'lab/world/packages.ts'], '', async () => JSON.stringify(compile()));

interface Output {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string } };
}

function compile(): Record<string, Artifact> {
  const folder = packageFolder(morphoBlue);
  const wanted = { '*': ['abi', 'evm.bytecode.object'] };
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      neededOf(morphoBlue).map((path) => [path, { content: readFileSync(join(folder, path), 'utf8') }]),
    ),
    settings: {
      ...settings,
      outputSelection: Object.fromEntries(Object.values(contracts).map((path) => [path, wanted])),
    },
  };
  const solc = wrapper(createRequire(import.meta.url)(join(packageFolder(morphoCompiler), 'soljson.js')));
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

import { readFileSync } from 'node:fs';
import solc from 'solc';
import type { Artifact } from './artifacts.ts';

/**
 * Compiles one Solidity file, of which the first contract by name is wanted. It may import from npm packages. Runs in this
 * process instead of forge, so that the replica can be built even before the project's own contracts compile.
 */
export function compile(source: URL): Artifact {
  const input = {
    language: 'Solidity',
    sources: { source: { content: readFileSync(source, 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input), { import: fromPackage }));
  const failure = errors.find((error: { severity: string }) => error.severity === 'error');
  if (failure !== undefined) throw new Error(failure.formattedMessage);
  const [contract] = Object.values<{ abi: Artifact['abi']; evm: { bytecode: { object: string } } }>(contracts.source);
  if (contract === undefined) throw new Error(`${source.pathname} contains no contract`);
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
}

const packages = new URL('../../node_modules/', import.meta.url);

function fromPackage(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(new URL(path, packages), 'utf8') };
  } catch {
    return { error: `${path} is in no package` };
  }
}

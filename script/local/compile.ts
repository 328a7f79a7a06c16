import { readFileSync } from 'node:fs';
import solc from 'solc';
import type { Artifact } from './artifacts.ts';

/**
 * Compiles one Solidity file without imports that holds one contract. In this process and not with forge, so that the
 * replica can be built before, and while, the project's own contracts compile or fail to.
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
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input)));
  const failure = errors.find((error: { severity: string }) => error.severity === 'error');
  if (failure !== undefined) throw new Error(failure.formattedMessage);
  const [contract] = Object.values<{ abi: Artifact['abi']; evm: { bytecode: { object: string } } }>(contracts.source);
  if (contract === undefined) throw new Error(`${source.pathname} holds no contract`);
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
}

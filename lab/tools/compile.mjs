// `node lab/tools/compile.mjs FILE`: compiles a Solidity file of one contract, which may have interfaces and import from npm packages, and prints its
// `{abi, bytecode}`. A process of its own, because the compiler keeps its memory, half a gigabyte, for as long as it is loaded.
import { readFileSync } from 'node:fs';
import { solc } from './compiler.mjs';

const [file = ''] = process.argv.slice(2);
const input = {
  language: 'Solidity',
  sources: { source: { content: readFileSync(file, 'utf8') } },
  settings: {
    evmVersion: 'cancun',
    optimizer: { enabled: true },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
};
const packages = new URL('../../node_modules/', import.meta.url);
/** @param {string} path */
const fromPackage = (path) => {
  try {
    return { contents: readFileSync(new URL(path, packages), 'utf8') };
  } catch {
    return { error: `${path} is in no package` };
  }
};

const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input), { import: fromPackage }));
const failure = errors.find((/** @type {{ severity: string }} */ error) => error.severity === 'error');
// Interfaces have no code.
const contract = Object.values(contracts?.source ?? {}).find(
  (/** @type {{ evm: { bytecode: { object: string } } }} */ { evm }) => evm.bytecode.object !== '',
);
if (failure !== undefined || contract === undefined) {
  process.stderr.write(failure?.formattedMessage ?? `${file} contains no contract\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(JSON.stringify({ abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }));
}

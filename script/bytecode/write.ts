import { writeFileSync } from 'node:fs';
import { build } from './build.ts';
import { names } from './wiring.ts';

// `node script/bytecode/write.ts FILE`: writes the contracts of this checkout as compiled, for what packaged.ts reads in the package.

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Name the file.');
const built = await build();
const contracts = names.map((name) => `${name[0]?.toUpperCase()}${name.slice(1)}`);
writeFileSync(file, JSON.stringify(Object.fromEntries(contracts.map((contract) => [contract, built(contract)]))));

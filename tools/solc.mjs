#!/usr/bin/env node
// Stands where forge expects a native solc: the same compiler, as WebAssembly from npm, so that nothing is downloaded.
// Forge asks a compiler two things only, its version and `--standard-json`; anything else is refused by name.
import { readFileSync } from 'node:fs';
import solc from 'solc';

const [request] = process.argv.slice(2);
if (request === '--version') {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`);
} else if (process.argv.includes('--standard-json')) {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
} else {
  process.stderr.write(
    `tools/solc.mjs answers --version and --standard-json only, not: ${process.argv.slice(2).join(' ')}\n`,
  );
  process.exitCode = 1;
}

#!/usr/bin/env node
// Acts as the native solc that forge expects: the same compiler, as WebAssembly from npm, so nothing is downloaded.
// Forge uses only two requests, the version and `--standard-json`; all others are refused by name. It starts one
// compiler per profile (foundry.toml), which is as many as two cores can use.
import { readFileSync } from 'node:fs';
import { solc } from './compiler.mjs';

const [word] = process.argv.slice(2);
if (word === '--version') {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`);
} else if (process.argv.includes('--standard-json')) {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
} else {
  process.stderr.write(
    `lab/tools/solc.mjs supports only --version and --standard-json, not: ${process.argv.slice(2).join(' ')}\n`,
  );
  process.exitCode = 1;
}

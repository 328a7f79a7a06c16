#!/usr/bin/env node
// Acts as the native solc that forge expects: the same compiler, as WebAssembly from npm, so nothing is downloaded.
// Forge uses only two requests, the version and `--standard-json`; all others are refused by name.
// WebAssembly uses one core, and the optimizer takes most of the time, contract by contract. So this starts one
// compiler per core. Each gets every source and all settings, but returns the output of its own share of the files.
// Merged, the answers equal the answer of one compiler.
import { readFileSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import solc from 'solc';

/** Each compiler parses and checks every source, which takes some seconds: a share must be worth that. */
const FILES_A_SHARE = 30;
const MAX_COMPILERS = 4;
/** A compiler uses half of it. */
const BYTES_A_COMPILER = 1e9;

/**
 * @typedef {{ severity: string, formattedMessage: string }} Complaint
 * @typedef {{ contracts?: Record<string, object>, sources?: Record<string, object>, errors?: Complaint[] }} Output
 */

/**
 * One request per compiler, which differ only in the selected output.
 * @param {string} request solc's standard JSON input
 * @param {number} compilers
 * @returns {string[]}
 */
export function shares(request, compilers) {
  const input = JSON.parse(request);
  // Unchanged files have no output selected.
  const files = Object.entries(input.settings?.outputSelection ?? {}).filter(([, wanted]) =>
    Object.values(wanted).some((outputs) => outputs.length > 0),
  );
  const count = Math.min(compilers, Math.floor(files.length / FILES_A_SHARE));
  // A selection for every file ("*") cannot be divided.
  if (count < 2 || files.some(([file]) => file.includes('*'))) return [request];
  // Neighbours by name are similar and cost about the same, so they are dealt out in turn.
  const hands = Array.from({ length: count }, (_, at) => files.filter((_file, place) => place % count === at));
  return hands.map((hand) =>
    JSON.stringify({ ...input, settings: { ...input.settings, outputSelection: Object.fromEntries(hand) } }),
  );
}

/**
 * @param {Output[]} outputs
 * @returns {Output}
 */
export function together(outputs) {
  const errors = new Map(outputs.flatMap(({ errors = [] }) => errors.map((each) => [each.formattedMessage, each])));
  return {
    ...(errors.size > 0 && { errors: [...errors.values()] }),
    sources: byFile(outputs.map(({ sources = {} }) => sources)),
    contracts: byFile(outputs.map(({ contracts = {} }) => contracts)),
  };
}

/**
 * For a file without selected output, a compiler returns at most its number.
 * @param {Record<string, object>[]} answers
 * @returns {Record<string, object>}
 */
function byFile(answers) {
  const files = new Set(answers.flatMap((answer) => Object.keys(answer)));
  return Object.fromEntries([...files].map((file) => [file, Object.assign({}, ...answers.map((each) => each[file]))]));
}

/** @param {string} request */
async function compile(request) {
  const memory = Math.floor(process.availableMemory() / BYTES_A_COMPILER);
  const requests = shares(request, Math.min(availableParallelism(), memory, MAX_COMPILERS));
  if (requests.length === 1) return solc.compile(request);
  const answers = await Promise.all(
    requests.map(
      (each) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { solc: each } });
          worker.once('message', resolve);
          worker.once('error', reject);
        }),
    ),
  );
  return JSON.stringify(together(answers.map((answer) => JSON.parse(answer))));
}

async function main() {
  const [word] = process.argv.slice(2);
  if (word === '--version') {
    process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`);
  } else if (process.argv.includes('--standard-json')) {
    process.stdout.write(await compile(readFileSync(0, 'utf8')));
  } else {
    process.stderr.write(
      `tools/solc.mjs supports only --version and --standard-json, not: ${process.argv.slice(2).join(' ')}\n`,
    );
    process.exitCode = 1;
  }
}

if (!isMainThread && workerData?.solc !== undefined) parentPort?.postMessage(solc.compile(workerData.solc));
else if (isMainThread && realpathSync(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) await main();

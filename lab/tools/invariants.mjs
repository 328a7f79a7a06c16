// `npm run test:invariants`: runs the campaigns in test/invariant, and prints how often each action was tried and how
// often it succeeded. Fails if a campaign never tried one of its actions, or if there is none: its invariants would say
// nothing. `--sequences 128` makes as many sequences of 500 calls in each campaign instead of foundry.toml's number;
// other arguments are forge's.
import { spawn } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binary, hermetic } from './foundry.mjs';

/** Where test/invariant/Tally.sol writes a line for each sequence. */
const folder = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), '.cache', 'invariants');

/** @typedef {Record<string, [tried: number, done: number]>} Counts */

/**
 * @param {string} file
 * @returns {Counts[]} one for each sequence; forge checks the last one twice
 */
function sequences(file) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.filter((line, at) => line !== lines[at - 1]).map((line) => JSON.parse(line));
}

/** @param {string} file @returns {boolean} whether every action was tried */
function tell(file) {
  const all = sequences(file);
  const names = [...new Set(all.flatMap((counts) => Object.keys(counts)))];
  /** @param {string} name @param {0 | 1} which */
  const each = (name, which) => all.map((counts) => counts[name]?.[which] ?? 0);
  /** @param {number[]} numbers */
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  console.log(`\n${basename(file, '.jsonl')}: ${all.length} sequences`);
  console.log('     tried  succeeded  least in a sequence');
  let isWhole = true;
  for (const name of names.sort((one, other) => sum(each(other, 1)) - sum(each(one, 1)))) {
    const figures = [sum(each(name, 0)), sum(each(name, 1)), Math.min(...each(name, 1))];
    console.log(`${figures.map((figure, at) => String(figure).padStart([10, 11, 21][at] ?? 0)).join('')}  ${name}`);
    if (figures[0] === 0) isWhole = false;
  }
  if (!isWhole) console.error('FAILED: an action was never tried');
  return isWhole;
}

const words = process.argv.slice(2);
const at = words.indexOf('--sequences');
const [, sequencesAsked] = at === -1 ? [] : words.splice(at, 2);
if (at !== -1 && !/^[1-9]\d*$/.test(sequencesAsked ?? '')) {
  console.error('--sequences needs a number above 0');
  process.exit(1);
}
const settings = sequencesAsked === undefined ? {} : { FOUNDRY_INVARIANT_RUNS: sequencesAsked };
rmSync(folder, { recursive: true, force: true });
const args = ['test', '--match-path', 'test/invariant/**', ...words];
const child = spawn(binary('forge'), args, { stdio: 'inherit', env: hermetic(process.env, settings) });
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => child.kill(signal));
}
child.on('exit', (code) => {
  const files = globSync(join(folder, '*.jsonl')).sort();
  if (files.length === 0) console.error('FAILED: no campaign has run');
  const isWhole = files.length > 0 && files.map(tell).every(Boolean);
  process.exitCode = code === 0 && !isWhole ? 1 : (code ?? 1);
});

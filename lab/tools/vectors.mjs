// A step of `npm run check`: runs the contracts' libraries on many inputs and compares the results with
// test/vectors/vectors.json. Skips a pass while its sources are unchanged. `node lab/tools/vectors.mjs --write` writes the file.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { remembered } from './remembered.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const kept = join(root, 'test', 'vectors', 'vectors.json');
const sources = [
  'contracts/libraries/*.sol',
  'test/vectors/*',
  'foundry.toml',
  'package-lock.json',
  'lab/tools/{vectors,compiler}.mjs',
];

/** @param {string[]} words */
function node(words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${words.join(' ')} failed\n${stdout}${stderr}`);
  return stdout;
}

/** @returns {Record<string, string[][]>} */
function made() {
  const lines = node(['lab/tools/foundry.mjs', 'forge', 'script', 'test/vectors/Vectors.s.sol', '--json']).split('\n');
  const answer = lines.find((line) => line.includes('"returns"'));
  if (answer === undefined) throw new Error(`forge script answered without a result:\n${lines.join('\n')}`);
  // Forge prints a returned string as a source literal, with escaped quotes.
  return JSON.parse(JSON.parse(`"${JSON.parse(answer).returns.json.value}"`));
}

function compare() {
  const isSame = isDeepStrictEqual(made(), JSON.parse(readFileSync(kept, 'utf8')));
  return isSame ? undefined : 'test/vectors/vectors.json is out of date';
}

try {
  if (process.argv.includes('--write')) {
    writeFileSync(kept, JSON.stringify(made()));
    node(['node_modules/@biomejs/biome/bin/biome', 'format', '--write', kept]);
  } else {
    const paths = globSync(sources, { cwd: root }).sort();
    const subject = paths.flatMap((path) => [path, readFileSync(join(root, path), 'utf8')]);
    const problem = remembered(join(root, '.cache', 'vectors'), subject, compare);
    if (problem !== undefined) throw new Error(problem);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

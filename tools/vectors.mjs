// `npm run vectors`: runs the contracts' libraries on many inputs and writes the results to test/vectors/vectors.json.
// With --check it writes nothing, and a difference is an error.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const kept = join(root, 'test', 'vectors', 'vectors.json');

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
  // From out/, which `npm run build` has made before any test runs.
  const lines = node(['tools/foundry.mjs', 'forge', 'script', 'test/vectors/Vectors.s.sol', '--json']).split('\n');
  const answer = lines.find((line) => line.includes('"returns"'));
  if (answer === undefined) throw new Error(`forge script answered without a result:\n${lines.join('\n')}`);
  // Forge prints a returned string as a source literal, with escaped quotes.
  return JSON.parse(JSON.parse(`"${JSON.parse(answer).returns.json.value}"`));
}

try {
  const vectors = made();
  if (!process.argv.includes('--check')) {
    writeFileSync(kept, JSON.stringify(vectors));
    node(['node_modules/@biomejs/biome/bin/biome', 'format', '--write', kept]);
  } else if (!isDeepStrictEqual(vectors, JSON.parse(readFileSync(kept, 'utf8')))) {
    throw new Error('test/vectors/vectors.json is out of date: npm run vectors');
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

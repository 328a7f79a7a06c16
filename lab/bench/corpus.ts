import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rulesVersion } from '@bowline/core/verdict/rules';

/**
 * Replaces a file of answers that `npm test` replays.
 * @throws if there is none, and leaves the file as it is.
 */
export function writeCorpus(kind: 'rules' | 'simulated', answers: readonly unknown[]): void {
  if (answers.length === 0) throw new Error('No verdict was answered.');
  const file = fileURLToPath(new URL(`../../test/corpus/${kind}-${rulesVersion}.jsonl.gz`, import.meta.url));
  writeFileSync(file, gzipSync(answers.map((answer) => `${JSON.stringify(answer)}\n`).join('')));
  console.log(`${answers.length} verdicts are in ${file}.`);
}

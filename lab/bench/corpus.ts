import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rulesVersion } from '@bowline/core/verdict/rules';

/** Replaces one of the two files of answers that `npm test` replays, of the rules of this checkout. */
export function writeCorpus(kind: 'rules' | 'simulated', answers: readonly unknown[]): void {
  const file = fileURLToPath(new URL(`../../test/corpus/${kind}-${rulesVersion}.jsonl.gz`, import.meta.url));
  writeFileSync(file, gzipSync(answers.map((answer) => `${JSON.stringify(answer)}\n`).join('')));
  console.log(`${answers.length} verdicts are in ${file}.`);
}

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { record } from '../../lab/transcripts/record.ts';

const folder = fileURLToPath(new URL('../../lab/transcripts/recorded/', import.meta.url));

// Every answer of every API, and the logs of a run, a deferral and a rescue. After a change that is meant:
// npx vitest run test/e2e/transcripts.test.ts -u
test('every answer and log line is as recorded', async () => {
  const recording = await record();
  const files = Object.entries(recording).map(([name, text]) => [`${name}.txt`, text] as const);
  expect(files.map(([file]) => file).sort()).toEqual(readdirSync(folder).sort());
  for (const [file, text] of files) await expect.soft(text).toMatchFileSnapshot(`${folder}${file}`);
}, 300_000);

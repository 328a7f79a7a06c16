import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { rulesOf, rulesVersion } from '../../agent/src/guard/rules.ts';
import { replay, served } from '../../script/replay/replay.ts';

// Answers of `GET /verdict`, recorded by `npm run record` on a local chain under every scene: a file for each version of the rules.

const folder = new URL('./', import.meta.url);
const versions = Object.keys(rulesOf);
const answersOf = (version: string) =>
  gunzipSync(readFileSync(new URL(`rules-${version}.jsonl.gz`, folder)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => served.parse(JSON.parse(line)));

// GD-7
it.each(versions)(
  'rules %s: every recorded verdict follows from its evidence',
  async (version) => {
    for (const answer of answersOf(version)) {
      expect(answer.evidence).toMatchObject({ rules: Number(version) });
      const differing = (await replay(answer)).filter(({ said, found }) => said !== found);
      expect(differing).toEqual([]);
    }
  },
  120_000,
);

// GD-7
it('there are enough of them, of every version and with every verdict', () => {
  expect(readdirSync(folder).filter((file) => file.endsWith('.gz'))).toHaveLength(versions.length);
  const answers = answersOf(String(rulesVersion));
  expect(answers.length).toBeGreaterThanOrEqual(300);
  expect(new Set(answers.map(({ verdict }) => verdict))).toEqual(new Set(['GO', 'CAUTION', 'NO_GO', 'NO_DATA']));
});

// `npm run lab -- transcripts`: asks real programs on a local chain a fixed list of questions, and compares every answer, and the
// logs of a run, a deferral and a rescue, with what is recorded. Exits with 1 if anything differs. `--record` writes instead.
import { parseArgs } from 'node:util';
import { withoutProxy } from '../tools/loopback.mjs';
import { byHeading } from './blocks.ts';
import { record } from './record.ts';
import { changesIn, keep } from './recorded.ts';

const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } });

// Everything is on this machine, and everything that is started inherits this.
Object.assign(process.env, withoutProxy());

const began = performance.now();
const recording = await record();
const seconds = ((performance.now() - began) / 1000).toFixed(0);
const answers = Object.values(recording).reduce((sum, text) => sum + byHeading(text).size, 0);
if (values.record) {
  keep(recording);
  console.log(`${answers} transcripts recorded in ${seconds} s.`);
} else {
  const changes = changesIn(recording);
  for (const change of changes) console.log(`${change}\n`);
  console.log(
    `${answers} transcripts in ${seconds} s: ${changes.length === 0 ? 'all as recorded' : `${changes.length} differ`}.`,
  );
  if (changes.length > 0) {
    console.log('If this is meant: npm run lab -- transcripts --record');
    process.exitCode = 1;
  }
}

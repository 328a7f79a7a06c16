import { writeFileSync } from 'node:fs';
import { evidenceOf } from '@bowline/core/domain/evidence';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import { readLine } from '../world/options.ts';
import { dangers, honestStable } from './verdict-quality/attacks/dangers.ts';
import { bargain, families } from './verdict-quality/attacks/families.ts';
import { drawBase } from './verdict-quality/curve.ts';
import { proposalOf } from './verdict-quality/proposal.ts';
import { type Random, random } from './verdict-quality/random.ts';
import type { Scene } from './verdict-quality/scene.ts';

// `npm run lab -- record:simulated FILE`: records verdicts on simulated moments, a few of each kind, as lines like those of
// `npm run lab -- record` but without tickets. The corpus uses them for cases that no scene of the local chain produces.

const [file, ...others] = readLine('npm run lab -- record:simulated FILE', {}).words;
if (file === undefined || others.length > 0)
  throw new Error('Name the file: npm run lab -- record:simulated tickets.jsonl');
const each = 4;
/** Hours of the past: what the checks read, and not the whole week. */
const HOURS = 50;

const kinds: ((draw: Random) => Scene)[] = [
  drawBase,
  (draw) => honestStable(draw),
  ...[...families, bargain].map(
    ({ strike }) =>
      (draw: Random) =>
        strike(drawBase(draw), draw.log(0.001, 0.2), draw),
  ),
  ...dangers.map(({ draw: drawDanger }) => drawDanger),
];

const lines = kinds.flatMap((kind, at) => {
  const draw = random(1_000 + at);
  return Array.from({ length: each }, () => {
    const scene = kind(draw);
    const proposal = proposalOf({ ...scene, closes: scene.closes.slice(-HOURS) });
    const { verdict, findings } = judgeProposal(proposal);
    const evidence = JSON.parse(evidenceOf(rulesVersion, proposal, verdict, findings));
    return JSON.stringify({ verdict, ticket: null, evidence });
  });
});
writeFileSync(file, `${lines.join('\n')}\n`);
process.stdout.write(`${lines.length} verdicts on ${kinds.length} kinds of moments\n`);

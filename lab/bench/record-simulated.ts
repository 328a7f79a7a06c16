import { evidenceOf } from '@bowline/core/domain/evidence';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import { onlyOptions } from '../world/options.ts';
import { writeCorpus } from './corpus.ts';
import { dangers, honestStable } from './verdict-quality/attacks/dangers.ts';
import { bargain, families } from './verdict-quality/attacks/families.ts';
import { drawBase } from './verdict-quality/curve.ts';
import { proposalOf } from './verdict-quality/proposal.ts';
import { type Random, random } from './verdict-quality/random.ts';
import type { Scene } from './verdict-quality/scene.ts';

// `npm run lab -- record:simulated`: records verdicts on simulated moments, a few of each kind, like `npm run lab -- record` but
// without tickets. The corpus uses them for cases that no scene of the local chain produces.

onlyOptions('npm run lab -- record:simulated', {});
const each = 4;
/** Hours of history: what the checks read, not the whole week. */
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

const answers = kinds.flatMap((kind, at) => {
  const draw = random(1_000 + at);
  return Array.from({ length: each }, () => {
    const scene = kind(draw);
    const proposal = proposalOf({ ...scene, closes: scene.closes.slice(-HOURS) });
    const { verdict, findings } = judgeProposal(proposal);
    return { verdict, ticket: null, evidence: JSON.parse(evidenceOf(rulesVersion, proposal, verdict, findings)) };
  });
});
writeCorpus('simulated', answers);

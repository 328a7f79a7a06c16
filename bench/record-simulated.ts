import { writeFileSync } from 'node:fs';
import { evidenceOf } from '@bowline/core/domain/evidence';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import { proposalOf } from './verdict-accuracy/market.ts';
import { random } from './verdict-accuracy/random.ts';
import { kinds } from './verdict-accuracy/score.ts';

// `npm run record:simulated -- FILE`: records verdicts on simulated moments, a few of each kind, as lines like those of
// `npm run record` but without tickets. The corpus uses them for cases that no scene of the local chain produces.

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Name the file: npm run record:simulated -- tickets.jsonl');
const each = 8;

const lines = kinds.flatMap(({ market }, at) => {
  const draw = random(1_000 + at);
  return Array.from({ length: each }, () => {
    const proposal = proposalOf(market(draw));
    const { verdict, findings } = judgeProposal(proposal);
    const evidence = JSON.parse(evidenceOf(rulesVersion, proposal, verdict, findings));
    return JSON.stringify({ verdict, ticket: null, evidence });
  });
});
writeFileSync(file, `${lines.join('\n')}\n`);
process.stdout.write(`${lines.length} verdicts on ${kinds.length} kinds of moments\n`);

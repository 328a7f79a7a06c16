import { writeFileSync } from 'node:fs';
import { evidenceOf } from '../agent/src/domain/evidence.ts';
import { judgeProposal, rulesVersion } from '../agent/src/guard/rules.ts';
import { proposalOf } from './guard/market.ts';
import { random } from './guard/random.ts';
import { kinds } from './guard/score.ts';

// `npm run record:simulated -- FILE`: verdicts on simulated moments, a few of each kind, as lines like those of `npm run record` without
// a ticket. The corpus has them for what no scene of the local chain brings about.

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

import type { Check } from '../check.ts';
import { isCounted, quorum, sourcesOf } from '../sources.ts';
import { causeOf, saying } from '../standing.ts';

const reasons = {
  silent: 'reference_missing',
  stale: 'reference_stale',
  uncertain: 'reference_uncertain',
} as const;

// One source may fail without stopping everything, and none may decide alone.
export const referenceQuorum: Check = {
  id: 'reference_quorum',
  question: 'Do at least two independent sources give a current price?',
  rests: ['block', 'chainlink', 'quote_token', 'redstone', 'exchange', 'binance_oracle', 'pyth'],
  run(proposal) {
    const sources = sourcesOf(proposal);
    const count = sources.filter(isCounted).length;
    const detail =
      `Of ${proposal.asset.symbol} ${saying(sources)}: ` +
      `${count} of ${sources.length} count (${quorum} are asked for).`;
    const measure = { measured: BigInt(count), limit: BigInt(quorum), unit: 'sources', detail } as const;
    return count >= quorum
      ? { outcome: 'pass', ...measure }
      : { outcome: 'no_data', reason: reasons[causeOf(sources)], ...measure };
  },
};

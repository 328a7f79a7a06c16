import { grouped } from '../../domain/readable.ts';
import { ageOfBlock } from '../ages.ts';
import type { Check } from '../check.ts';
import { isCounted, quoteSourcesOf } from '../sources.ts';
import { causeOf, saying } from '../standing.ts';

const reasons = {
  silent: 'reference_missing',
  stale: 'reference_stale',
  uncertain: 'reference_uncertain',
} as const;

// A stopped node still answers with its last block. And what is paid or received in the quote token has a value in USD
// only if somebody states one.
export const chainFreshness: Check = {
  id: 'chain_freshness',
  question: 'Are the block and a price of the quote token recent?',
  rests: ['block', 'quote_token'],
  run(proposal) {
    const { chain, limits, quoteAsset } = proposal;
    const { seconds, fresh } = ageOfBlock(proposal);
    const sources = quoteSourcesOf(proposal);
    const [measured, way] = seconds < 0n ? [-seconds, 'ahead of'] : [seconds, 'behind'];
    const limit = limits.blockAgeSeconds;
    const block = `Block ${grouped(`${chain.block.number}`)} is ${grouped(`${measured}`)} s ${way} the clock (limit ${limit} s)`;
    const detail = `${block}; of ${quoteAsset.symbol} ${saying(sources)}.`;
    const measure = { measured, limit, unit: 'seconds', detail } as const;
    if (!fresh) return { outcome: 'no_go', reason: 'reference_stale', ...measure };
    return sources.some(isCounted)
      ? { outcome: 'pass', ...measure }
      : { outcome: 'no_data', reason: reasons[causeOf(sources)], limit, unit: 'seconds', detail };
  },
};

import { grouped } from '../../domain/readable.ts';
import { ageOfBlock } from '../ages.ts';
import { type Check, unmeasured } from '../check.ts';
import { causeOf, isCounted, quoteSourcesOf, saying } from '../sources.ts';

// A stopped node still answers with its last block. And amounts of the quote token have a value in USD only if some
// source states one.
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
    if (!fresh) return { ...unmeasured('no_go', 'reference_stale', limit, detail, 'seconds'), measured };
    if (!sources.some(isCounted)) return unmeasured('no_data', causeOf(sources), limit, detail, 'seconds');
    return { outcome: 'pass', measured, limit, unit: 'seconds', detail };
  },
};

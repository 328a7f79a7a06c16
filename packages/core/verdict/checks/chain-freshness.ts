import { grouped } from '../../domain/readable.ts';
import { type Check, missing } from '../check.ts';
import { ageOfBlock, ageOfQuoteToken } from '../references.ts';

// A stopped node still answers with its last block. And what is paid or received in the quote token has a value in USD
// by its feed alone.
export const chainFreshness: Check = {
  id: 'chain_freshness',
  question: 'Are the block and the price of the quote token recent?',
  rests: ['block', 'quote_token'],
  run(proposal) {
    const { chain, limits, quoteAsset } = proposal;
    const block = ageOfBlock(proposal);
    const quote = ageOfQuoteToken(proposal);
    if (quote === undefined || (chain.quoteToken?.usdWad ?? 0n) <= 0n) {
      const detail = `The Chainlink feed of ${quoteAsset.symbol} gave no price.`;
      return missing('reference_missing', limits.quoteAgeSeconds, 'seconds', detail);
    }
    const way = block.seconds < 0n ? 'ahead of' : 'behind';
    const ofBlock = {
      ...block,
      seconds: away(block.seconds),
      statement: `Block ${grouped(`${chain.block.number}`)} is ${inSeconds(block.seconds)} ${way} the clock`,
    };
    const price = `The Chainlink price of ${quoteAsset.symbol} is`;
    const ofQuote = {
      ...quote,
      statement:
        quote.seconds < 0n
          ? `${price} dated ${inSeconds(quote.seconds)} after the block that it was read at`
          : `${price} ${inSeconds(quote.seconds)} old`,
    };
    const told = block.fresh ? ofQuote : ofBlock;
    const detail = `${told.statement} (limit ${inSeconds(told.limit)}).`;
    const measure = { measured: told.seconds, limit: told.limit, unit: 'seconds', detail } as const;
    return told.fresh ? { outcome: 'pass', ...measure } : { outcome: 'no_go', reason: 'reference_stale', ...measure };
  },
};

const away = (span: bigint): bigint => (span < 0n ? -span : span);
const inSeconds = (span: bigint): string => `${grouped(`${away(span)}`)} s`;

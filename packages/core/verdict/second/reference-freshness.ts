import type { Reference } from '../../domain/facts.ts';
import { grouped } from '../../domain/readable.ts';
import { type Check, missing } from '../check.ts';
import { type Age, ageOf, ageOfBlock, ageOfQuoteToken, references } from '../references.ts';

// A stopped oracle still answers with its last price, a stopped node with its last block, and a cache in front of an
// exchange with a stored response.
export const referenceFreshness: Check = {
  id: 'reference_freshness',
  question: 'Are the reference prices recent?',
  rests: ['block', 'chainlink', 'quote_token', 'exchange', 'pyth'],
  run(proposal) {
    const { chain, limits, asset, quoteAsset } = proposal;
    const own = chain.chainlink && ageOf(proposal, chain.chainlink);
    const quote = ageOfQuoteToken(proposal);
    if (own === undefined || quote === undefined) {
      const { symbol } = own === undefined ? asset : quoteAsset;
      const detail = `The Chainlink feed of ${symbol} gave no price.`;
      return missing('reference_missing', limits.referenceAgeSeconds, 'seconds', detail);
    }
    const dated = (wanted: Reference['source']) => {
      const reference = references(proposal).find(({ source }) => source === wanted);
      return reference && ageOf(proposal, reference);
    };
    const [ofExchange, ofPyth] = [dated('exchange'), dated('pyth')];
    const ofAsset = byFeed(asset.symbol, own);
    const ages = [
      byClock(`Block ${grouped(`${chain.block.number}`)} is`, ageOfBlock(proposal)),
      ofAsset,
      byFeed(quoteAsset.symbol, quote),
      ...(ofExchange ? [byClock("The exchange's answer is dated", ofExchange)] : []),
      ...(ofPyth ? [byClock(`Pyth's price of ${asset.symbol} is`, ofPyth)] : []),
    ];
    const bad = ages.find(({ age }) => !age.fresh);
    const { age, statement } = bad ?? ofAsset;
    const detail = `${statement} (limit ${seconds(age.limit)}).`;
    const measure = { measured: age.seconds, limit: age.limit, unit: 'seconds', detail } as const;
    return bad ? { outcome: 'no_go', reason: 'reference_stale', ...measure } : { outcome: 'pass', ...measure };
  },
};

function byFeed(symbol: string, age: Age): { age: Age; statement: string } {
  const price = `The Chainlink price of ${symbol} is`;
  const early = `dated ${seconds(age.seconds)} after the block that it was read at`;
  return { age, statement: `${price} ${age.seconds < 0n ? early : `${seconds(age.seconds)} old`}` };
}

function byClock(what: string, age: Age): { age: Age; statement: string } {
  const way = age.seconds < 0n ? 'ahead of' : 'behind';
  return { age: { ...age, seconds: away(age.seconds) }, statement: `${what} ${seconds(age.seconds)} ${way} the clock` };
}

const away = (span: bigint): bigint => (span < 0n ? -span : span);
const seconds = (span: bigint): string => `${grouped(`${away(span)}`)} s`;

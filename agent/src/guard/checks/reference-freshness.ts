import { type Check, missing } from '../check.ts';

// An oracle that has stopped still answers, with the price at which it stopped; and a node that has stopped, with the block.
export const referenceFreshness: Check = {
  id: 'reference_freshness',
  question: 'Are the on-chain reference prices recent?',
  run({ chain, readAt, limits, asset, quoteAsset }) {
    const { block, chainlink, quoteToken } = chain;
    const limit = limits.referenceAgeSeconds;
    if (chainlink === undefined) {
      return missing('reference_missing', limit, 'seconds', `The Chainlink feed of ${asset.symbol} gave no price.`);
    }
    if (quoteToken === undefined) {
      return missing(
        'reference_missing',
        limit,
        'seconds',
        `The Chainlink feed of ${quoteAsset.symbol} gave no price.`,
      );
    }
    const ages = [
      { of: `Block ${block.number}`, seconds: away(readAt - block.timestamp), limit: limits.blockAgeSeconds },
      { of: `The Chainlink answer for ${asset.symbol}`, seconds: block.timestamp - chainlink.updatedAt, limit },
      {
        of: `The Chainlink answer for ${quoteAsset.symbol}`,
        seconds: block.timestamp - quoteToken.updatedAt,
        limit: limits.quoteAgeSeconds,
      },
    ];
    // From the future is no better than from the past.
    const bad = ages.find((age) => age.seconds < 0n || age.seconds > age.limit);
    if (bad !== undefined) {
      const { of, seconds } = bad;
      const detail = seconds < 0n ? `${of} is of ${-seconds} s later.` : `${of} is ${seconds} s old.`;
      return {
        outcome: 'no_go',
        reason: 'reference_stale',
        measured: seconds,
        limit: bad.limit,
        unit: 'seconds',
        detail,
      };
    }
    const measured = block.timestamp - chainlink.updatedAt;
    const detail = `The Chainlink answer for ${asset.symbol} is ${measured} s old at block ${block.number}.`;
    return { outcome: 'pass', measured, limit, unit: 'seconds', detail };
  },
};

const away = (seconds: bigint): bigint => (seconds < 0n ? -seconds : seconds);

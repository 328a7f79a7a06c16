import { type Check, missing } from '../check.ts';

// An oracle that has stopped still answers, with the price at which it stopped.
export const referenceFreshness: Check = {
  id: 'reference_freshness',
  question: 'Is the on-chain reference price recent?',
  run({ chain, limits, asset }) {
    const limit = limits.referenceAgeSeconds;
    if (chain.chainlink === undefined) {
      return missing('reference_missing', limit, 'seconds', `The Chainlink feed of ${asset.symbol} gave no price.`);
    }
    const measured = chain.block.timestamp - chain.chainlink.updatedAt;
    const detail = `The Chainlink feed of ${asset.symbol} answered ${measured} s before block ${chain.block.number}.`;
    // From the future is no better than from the past.
    if (measured < 0n || measured > limit) {
      return { outcome: 'no_go', reason: 'reference_stale', measured, limit, unit: 'seconds', detail };
    }
    return { outcome: 'pass', measured, limit, unit: 'seconds', detail };
  },
};

import { type Check, missing, notAsked } from '../check.ts';

// A share token's issuer can halt it: its price is then only the last one published.
export const tradingHalt: Check = {
  id: 'trading_halt',
  question: 'Has its issuer halted it?',
  rests: ['block'],
  run({ asset, chain }) {
    const unit = 'bps';
    if (asset.multiplier === undefined) {
      return notAsked({ caution: 0n, noGo: 0n }, unit, `${asset.symbol} stands for nothing else.`);
    }
    if (chain.multiplier === undefined) {
      return missing('multiplier_missing', 0n, unit, `The issuer of ${asset.symbol} does not answer.`);
    }
    if (!chain.multiplier.isHalted) return notAsked({ caution: 0n, noGo: 0n }, unit, `${asset.symbol} is not halted.`);
    const detail = `${asset.symbol} is halted by its issuer.`;
    return { outcome: 'no_go', reason: 'trading_halted', limit: 0n, unit, detail };
  },
};

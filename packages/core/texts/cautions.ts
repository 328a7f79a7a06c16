// What to do about a CAUTION, by its reason: when to look again, and what accepting it means.

export const cautionTexts = {
  finality_stalled: 'Look again in a minute. Accepting means that the trade may be undone with its block.',
  price_jumped:
    'Look again in ten minutes, when the mean of the pool has caught up. Accepting means to trust a price that was far from this one a moment ago.',
  way_back_dear:
    'Look again in a minute. Accepting means that selling back would lose more than the fees of the pools.',
  stablecoin_off_peg: 'Look again in an hour. Accepting means to hold a coin that may fall further from its dollar.',
  cost_high:
    'Look again in a minute, or trade less. Accepting means to lose that cost at once, by what independent sources say.',
  volatility_high:
    'Look again in an hour. Accepting means that the price may have left the sources before the trade is in a block.',
  price_moving:
    'Look again when the second hour from now has begun. Accepting means to trade at a price that may have been pumped or may fall on.',
  past_missing:
    'Look again when the exchange answers, at the latest in two hours. Accepting means to trade without knowing whether the price was just moved.',
} as const;

export type CautionReason = keyof typeof cautionTexts;

const isCautionReason = (word: string): word is CautionReason => Object.hasOwn(cautionTexts, word);

/** Sentences for people; empty for another reason. @param texts in their language. */
export const cautionAdvice = (reason: string, texts: Readonly<Record<CautionReason, string>> = cautionTexts): string =>
  isCautionReason(reason) ? texts[reason] : '';

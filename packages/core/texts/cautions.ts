// What to do about a CAUTION, by its reason: when to check again, and what accepting it means.

export const cautionTexts = {
  finality_stalled: 'Check again in a minute. If you accept, the trade may be undone together with its block.',
  price_jumped:
    'Check again in ten minutes, when the mean of the pool has caught up. If you accept, you trust a price that was far from this one a moment ago.',
  way_back_dear: 'Check again in a minute. If you accept, selling back would lose more than the fees of the pools.',
  stablecoin_off_peg: 'Check again in an hour. If you accept, you hold a coin that may fall further below one dollar.',
  cost_high:
    'Check again in a minute, or trade less. If you accept, you lose that cost at once, going by independent prices.',
  volatility_high:
    'Check again in an hour. If you accept, the price may have moved away from the sources before the trade is in a block.',
  price_moving:
    'Check again once two new clock hours have begun. If you accept, you trade at a price that may have been pumped or may keep falling.',
  past_missing:
    'Check again when the exchange responds, at the latest in two hours. If you accept, you trade without knowing whether the price was just moved.',
} as const;

export type CautionReason = keyof typeof cautionTexts;

const isCautionReason = (word: string): word is CautionReason => Object.hasOwn(cautionTexts, word);

/** Sentences for people; empty for another reason. @param texts in their language. */
export const cautionAdvice = (reason: string, texts: Readonly<Record<CautionReason, string>> = cautionTexts): string =>
  isCautionReason(reason) ? texts[reason] : '';

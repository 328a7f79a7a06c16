import type { CautionReason } from '@bowline/core/texts/cautions';

// What to do about a CAUTION, in Simplified Chinese.

export const cautionTexts: Readonly<Record<CautionReason, string>> = {
  finality_stalled: '请一分钟后再查。接受意味着：这笔交易可能随其区块一起被撤销。',
  price_jumped: '请十分钟后再查，那时资金池的均价已经跟上。接受意味着：相信一个片刻之前还相差很远的价格。',
  way_back_dear: '请一分钟后再查。接受意味着：换回时的损失会超过资金池手续费。',
  stablecoin_off_peg: '请一小时后再查。接受意味着：持有一种可能进一步偏离一美元的币。',
  cost_high: '请一分钟后再查，或减少数量。接受意味着：按独立来源的价格计，立即损失这笔成本。',
  volatility_high: '请一小时后再查。接受意味着：在交易进入区块之前，价格可能已经偏离各来源的报价。',
  price_moving: '请在从现在起的第二个整点之后再查。接受意味着：以可能被拉高、或可能继续下跌的价格交易。',
  past_missing: '请在交易所恢复响应后再查，最迟两小时后。接受意味着：在不知道价格是否刚被操纵的情况下交易。',
};

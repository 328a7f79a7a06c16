import type { checkNames as english } from '@bowline/core/texts/checks';

// Names of the checks, in Simplified Chinese.

export const checkNames: Readonly<Record<keyof typeof english, string>> = {
  chain_health: '区块最终确认',
  chain_freshness: '区块时效',
  price_jump: '价格跳变',
  executability: '模拟兑换',
  way_back: '模拟换回',
  stablecoin_peg: '稳定币锚定',
  all_in_cost: '总成本',
  volatility: '波动率',
  recent_move: '近期价格变动',
};

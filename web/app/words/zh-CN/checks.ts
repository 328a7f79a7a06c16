import type { checkNames as english } from '@bowline/core/texts/checks';

// Names of the checks, in Simplified Chinese.

export const checkNames: Readonly<Record<keyof typeof english, string>> = {
  chain_health: '区块最终确认',
  chain_freshness: '区块时效',
  reference_quorum: '独立来源数量',
  price_jump: '价格跳变',
  reference_agreement: '来源一致性',
  bargain: '价格好得不真实',
  spot_against_twap: '资金池价格与其均价',
  liquidity_withdrawn: '资金池流动性',
  price_impact: '此数量的价格影响',
  exchange_depth: '交易所对此数量的深度',
  executability: '模拟兑换',
  way_back: '模拟换回',
  stablecoin_peg: '稳定币锚定',
  all_in_cost: '总成本',
  volatility: '波动率',
  recent_move: '近期价格变动',
  price_in_history: '异常变动',
};

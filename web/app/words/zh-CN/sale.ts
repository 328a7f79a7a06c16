import type { saleFormWords as english } from '../en/sale.ts';

// What the form of a guard that sells collateral says, in Simplified Chinese.

export const saleFormWords: typeof english = {
  title: '新建出售抵押品的守护',
  lead: '适用于没有闲置代币的贷款：救援会出售部分抵押品并用所得还款。',
  sell: '出售',
  goal: '一次救援',
  restore: '恢复到目标健康系数',
  unwind: '还清全部债务',
  cost: '最高成本',
  costHint: '占还款额的总成本：资金池费用、价格影响和协议费用。通常低得多。',
  pool: '资金池费率',
  sellAtMost: '最多出售',
  sellAtMostHint: '您为此授权存款凭证：在您授权更多之前，此类守护不能动用更多。',
  approveStep: (amount) => `授权 ${amount} 的存款凭证`,
  reading: '正在读取您的存款……',
  triggerHint: '应低于用钱包付款的守护的触发值，以便先使用闲置代币。',
  triggerBounds: '触发值必须在 1.00 与 2.00 之间。',
  targetBounds: '目标必须至少比触发值高 2 %，且不超过 10。',
  notBelow: '触发值必须低于您用钱包付款的守护的触发值。',
  costBounds: '最高成本不得超过 10 %。',

  below: (trigger, sold, amount, repaid) =>
    `健康系数低于 ${trigger} 时，救援会出售您的部分 ${sold} 并偿还您的 ${repaid} 债务：若刚跌至该值，约为 ${amount}。`,
  restores: (target) => `这会使健康系数回到 ${target}；若限额或资金池不足，则回升较少。`,
  closes: '它会还清全部债务，其余抵押品仍归您所有。',
  costs: (percent, about, most) =>
    `成本最多为还款额的 ${percent}：该次救援最多 ${about}，最大的一次最多 ${most}。清算会收取更多。`,
  afterwards: (sold) => `之后您持有的 ${sold} 更少，欠款更少，可借额度也更少。价格回升时，已出售的部分不会回来。`,
  tight: '最高成本低于 1 % 会使救援在其本应发挥作用的暴跌中停止：那时资金池与价格的差距更大。',
  atMost: (amount) => `它的所有救援合计最多动用您存款中的 ${amount}。`,
  needsPrices: (protocol) => `只有在 ${protocol} 和 Chainlink 都有新价格时才会出售，并以使您的抵押品更值钱的价格为准。`,
  anybody: '任何人都可以发起救援，但没有人能更改这些条款。取消它或停止一切都会使其终止。',
};

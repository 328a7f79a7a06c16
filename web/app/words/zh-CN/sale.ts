import type { saleFormWords as english } from '../en/sale.ts';

// What the form of a guard that sells collateral says, in Simplified Chinese.

export const saleFormWords: typeof english = {
  title: '新建出售抵押品的守护',
  lead: '适用于没有闲置代币可供还款的贷款：救援会出售部分抵押品，并用所得还款。',
  sell: '出售',
  goal: '一次救援',
  restore: '恢复到目标健康系数',
  unwind: '还清全部债务',
  cost: '最高成本',
  costHint: '总成本占还款额的比例：含资金池手续费、价格影响和协议费用。通常低得多。',
  pool: '资金池费率',
  sellAtMost: '最多出售',
  sellAtMostHint: '你为此授权存款凭证：在你增加授权之前，此类守护不能动用更多。',
  approveStep: (amount) => `授权 ${amount} 的存款凭证`,
  reading: '正在读取你的存款…',
  triggerHint: '应低于用钱包付款的守护的触发值，以便先动用闲置代币。',
  triggerBounds: '触发值须在 1.00 到 2.00 之间。',
  targetBounds: '目标值须至少比触发值高 2 %，且不超过 10。',
  notBelow: '触发值须低于你用钱包付款的守护的触发值。',
  costBounds: '最高成本不得超过 10 %。',

  below: (trigger, sold, amount, repaid) =>
    `健康系数低于 ${trigger} 时，救援会出售你的部分 ${sold}，并偿还你的 ${repaid} 债务：刚跌破时约为 ${amount}。`,
  restores: (target) => `这会使健康系数回到 ${target}；如果受限额或资金池所限，则回升得较少。`,
  closes: '它会还清全部债务，其余抵押品仍归你所有。',
  costs: (percent, about, most) =>
    `成本最多为还款额的 ${percent}：这次救援最多 ${about}，规模最大的一次最多 ${most}。清算的代价更高。`,
  afterwards: (sold) => `之后你持有的 ${sold} 更少，欠款更少，可借额度也更少。价格回升时，已出售的部分不会回来。`,
  tight: '最高成本低于 1 % 时，救援恰恰会在最需要它的暴跌中无法进行：那时资金池与参考价的差距更大。',
  atMost: (amount) => `它的所有救援合计最多动用你存款中的 ${amount}。`,
  needsPrices: (protocol) => `只有在 ${protocol} 和 Chainlink 都有最新价格时才会出售，并采用使存款价值更高的那个价格。`,
  closeTitle: '立即结清贷款',
  closeLead: '立即出售部分抵押品，用所得还清全部债务。',
  close: '授权并结清',
  closing: '已上链。下一次救援会结清贷款；上方的贷款会显示结果。',
  closesNow: (sold, debt) => `上链后，代理会在几分钟内发现它，出售约 ${sold} 的抵押品，并还清你的全部债务 ${debt}。`,
  keeps: (left) => `约 ${left} 仍归你所有，继续存放。`,
  othersRemain: '你所欠的其他代币不受影响。',
  closingCost: (percent, most) =>
    `总成本最多为还款额的 ${percent}，即 ${most}，通常低得多。如果资金池要价更高，它就不会出售。`,
  closingEnds: (end) => `到 ${end} 仍未结清的部分保持不变。在此之前，取消该守护或“全部停止”会使它终止。`,
  tooLittle: (symbol) => `按此成本，你的 ${symbol} 不足以还清全部债务。`,
  wouldClose: (repaid) => `现在模拟：它会偿还 ${repaid}，即全部债务。`,
  wouldCloseInPart: (repaid, owed) => `现在它只会偿还 ${owed} 中的 ${repaid}。`,
  cannotClose: '无法用抵押品结清这笔贷款',
  noSale: (protocol) => `Bowline 无法出售 ${protocol} 中这笔贷款的抵押品。请用钱包还款，或在那里出售。`,
  tooHealthy: (most) => `代理只在健康系数低于 ${most} 时行动，而你的并不低于它。请用钱包还款，或先取出部分抵押品。`,
  tooSmall: (least) => `代理不做低于 ${least} 的救援。请用钱包还款。`,
  anybody: '任何人都可以发起救援，但没有人能更改这些条款。取消它，或全部停止，都会使它终止。',
};

import type { paymentWords as english } from '../en/payment.ts';

// The forms of a borrower's own payments, in Simplified Chinese.

export const paymentWords: typeof english = {
  repayTitle: (protocol) => `偿还 ${protocol} 的债务`,
  supplyTitle: (protocol) => `追加 ${protocol} 的抵押品`,
  debt: '债务',
  collateral: '抵押品',
  amount: '数量',
  owed: (owed) => `你的欠款为 ${owed}。钱包余额足够时，MAX 会全部还清。`,
  supplied: (supplied) => `你已存入 ${supplied}。`,
  reading: '正在读取市场…',
  repay: '授权并还款',
  supply: '授权并追加',

  approveStep: (amount) => `向协议授权 ${amount}`,
  repayStep: (amount) => `偿还 ${amount}`,
  repayAllStep: (amount) => `还清约 ${amount} 的全部债务`,
  supplyStep: (amount) => `追加 ${amount} 作为抵押品`,

  repays: (amount, protocol) => `用你钱包中的 ${amount} 偿还你在 ${protocol} 的债务。`,
  repaysAll: (symbol, amount) =>
    `你的全部 ${symbol} 债务将被还清：约 ${amount}，外加届时产生的利息。之后不会留下任何欠款。`,
  supplies: (amount, protocol) => `你钱包中的 ${amount} 将成为你在 ${protocol} 的贷款的抵押品。`,
  brings: (from, to) => `健康系数将从 ${from} 变为约 ${to}。`,
  noDebtLeft: '此后你不再有债务。',
  approves: (amount, protocol) => `你恰好向 ${protocol} 自己的合约授权 ${amount}，不向 Bowline 授权任何代币。`,
  sends: (amount, protocol) => `你随此交易向 ${protocol} 自己的合约发送 ${amount}，不授权任何代币。`,
  returns: (protocol) => `这比你目前的欠款多 0.1 %，用于支付届时产生的利息。${protocol} 会在同一笔交易中退回剩余部分。`,
  interestLeft: '届时产生的利息仍未偿还。',
  surplus: (protocol) =>
    `这比你目前的欠款多 0.1 %，用于支付届时产生的利息。${protocol} 只收取所欠的部分，剩下的额度仍授权给它。`,

  amountRefusals: {
    amount_over_debt: (owed) => `你只欠 ${owed}。MAX 会全部还清。`,
    amount_over_balance: (symbol) => `你的钱包中 ${symbol} 不足。`,
    remaining_debt_too_small: (least) => `该协议不接受低于 ${least} 的剩余债务。请少还一些，或用 MAX 全部还清。`,
  },
  refusals: {
    market_not_listed: (protocol) => `此市场不在 Bowline 的列表中，因此不会为它生成交易。请直接在 ${protocol} 操作。`,
    repay_paused: (protocol) => `${protocol} 已暂停此市场的还款。`,
    supply_paused: (protocol) => `${protocol} 已暂停此市场的存款。`,
    repaid_by_broker_only: (protocol) => `此市场只有 ${protocol} 的经纪合约可以还款。请直接在 ${protocol} 还款。`,
    supplied_by_provider_only: (protocol) =>
      `只有 ${protocol} 自己的提供方合约可以存入此抵押品。请直接在 ${protocol} 追加。`,
  },
  unread: '未能读取该市场，因此无法签署。',
  repaid: '已还款。',
  added: '抵押品已追加。',
  notShown: '交易已确认，但其收据中没有付款：协议拒绝了它。',
};

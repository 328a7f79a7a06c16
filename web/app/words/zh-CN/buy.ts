import type { buyWords as english } from '../en/buy.ts';

// Buy once, in Simplified Chinese.

export const buyWords: typeof english = {
  lead: '先获取对价格的裁定。裁定允许交易时，再用你自己的钱包签署确切的兑换。',
  purpose: '买入',
  buy: '买入',
  amount: '金额',
  dollars: '美元',
  ask: '请求裁定',
  asking: '正在请求裁定 …',
  unsound: '此报价未通过我们的安全检查',
  noVerdict: '没有裁定',
  notSent: (why) => `${why}未发送任何交易。`,
  nothingAsked: '尚无裁定',
  nothingAskedMore: (checks) =>
    `选择买什么、买多少。${checks} 项检查会把资金池与独立价格进行比较；裁定为“请勿交易”时没有可签名的内容。`,

  verdictOn: (symbol) => `对 ${symbol} 的裁定`,
  refused: '这个价格不行',
  nothingToSign: (why) => `${why}没有可签名的内容。`,
  askAgain: '重新请求',
  caution: '买入之前请先查看',
  accept: '我已阅读检查结果，并希望继续',
  newFindings: '检查结果已发生变化',
  newFindingsMore: '有一项检查在你接受检查结果时是通过的，现在却提示需要谨慎。买入之前请在下方阅读。',
  prepare: '准备兑换',
  preparing: '准备中 …',
  withheld: '目前无法提供兑换',
  findings: '检查结果',

  tooOld: '此报价太旧，不能再发送',
  priceMoved: '自此报价生成以来，价格已经变动',
  unsoundWhy: '没有可签名的内容：',

  changes: '你钱包中的变化',
  youPay: '你恰好支付',
  youReceive: '按报价，你收到',
  exactly: '你所签名的确切内容',
  approvalTo: (amount) => `授权 ${amount}，发送至`,
  swapTo: '兑换，发送至',
  swapStep: (symbol) => `兑换 ${symbol}`,
  router: 'PancakeSwap 的路由合约',
  bought: (symbol) => `已买入：${symbol} 已在你的钱包中。`,

  actFor: (act, amount) => `${act}，支付 ${amount}`,
  unchecked: '未能检查此报价',
  uncheckedMore: '链没有响应，因此没有可签名的内容。页面会继续尝试。',
  checking: '正在对照链检查此报价 …',
  goodFor: (time) => `报价将在 ${time}后过期。`,
  verdictTooOld: '裁定太旧',
  verdictTooOldMore: '在重新请求之前，没有可签名的内容。',

  asAgreed: (received, paid) => `根据交易收据，${received} 已到账，${paid} 已从你的钱包转出。`,
  notAsAgreed: '交易已完成，但与约定不符。',
  noneArrived: (symbol) => `交易已完成，但没有收到 ${symbol}。`,
  onlyArrived: (amount) => `只收到 ${amount}。`,
  left: (amount) => `${amount} 已从你的钱包转出。`,
  noneLeft: (symbol) => `没有 ${symbol} 从你的钱包转出。`,
  lookFirst: '重试之前请先查看该交易。',

  takenBack: '授权已收回',
  stillActive: (amount, symbol) => `你对 ${amount} ${symbol} 的授权仍然有效`,
  stillActiveAny: (symbol) => `你对 ${symbol} 的无限额授权仍然有效`,
  stillActiveMore: (spender) => `在你收回或用完授权之前，${spender}可以从你的钱包中动用这么多。`,
  takeBackStep: (symbol) => `收回 ${symbol} 的授权`,
  takeBack: '收回授权',
};

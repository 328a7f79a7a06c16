import type { fundingWords as english } from '../en/funding.ts';

// Texts for an account that pays for rescues of another account's loan, in Simplified Chinese.

export const fundingWords: typeof english = {
  title: (borrower) => `为 ${borrower} 的救援付款`,
  lead: '由你付款；只有借款人能设置守护。你签署授权和同意书，并把链接交给借款人。',
  approve: '授权',
  approved: '已授权。现在请签署对这些条款的同意书。',
  pays: (trigger, borrower, symbol, target) =>
    `健康系数低于 ${trigger} 时，救援会用你的代币偿还 ${borrower} 的 ${symbol} 债务，使健康系数恢复到 ${target}。`,
  fromDeposit: '我的存款',
  deposit: '存款',
  paysFromDeposit: (trigger, symbol, repaid, { borrower, target }) =>
    `健康系数低于 ${trigger} 时，救援会从你的 ${symbol} 存款中取出资金，偿还 ${borrower} 的债务，使健康系数恢复到 ${target}：若健康系数刚跌到该值，约偿还 ${repaid}。`,
  lowersYours: (protocol) =>
    `救援会降低你自己在 ${protocol} 的贷款的健康系数；如果 ${protocol} 不允许你取出，救援会被拒绝。`,
  onlyThat:
    '你的代币只能用于偿还那笔债务，你不会因此得到任何东西。借款人可以取出抵押品来引发救援：授权不要超过你愿意赠出的数额。双方都可以取消该守护。',
  sign: '签署同意书',
  unsigned: '同意书没有签署。',
  link: '把这个链接交给借款人。它只能由该账户在一天之内使用一次。',
  ofLink: '给借款人的链接',

  offerTitle: '另一个账户为你的救援付款',
  offers: (funder, protocol) => `${funder} 已签署，为你在 ${protocol} 的贷款的救援付款。`,
  depositOffered: (protocol) => `由它在 ${protocol} 的存款付款，费用也由它承担。`,
  free: '除网络费用外，你不花任何费用。健康系数用该账户的代币恢复，双方都可以取消该守护。',
  accept: '设置守护',
  unreadable: '这个链接不含本页面可用的同意书。',
  otherBorrower: (borrower) => `这份同意书针对 ${borrower} 的贷款。请连接该账户来使用它。`,
};

import type { deskWords as english } from '../en/desk.ts';

// The desk's offer in Buy once, in Simplified Chinese.

export const deskWords: typeof english = {
  title: '或从报价台买入',
  more: (receive, pay) => `此链的报价台已为你签署一份报价：用 ${pay} 恰好换取 ${receive}。`,
  redeem: '兑付',
  redeemStep: '兑付报价',
  spender: '报价台',
  redeemed: (symbol) => `已兑付：${symbol} 已在你的钱包中。`,
};

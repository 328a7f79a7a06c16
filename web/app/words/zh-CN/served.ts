import type { servedWords as english } from '../en/served.ts';

// Whether a plan is carried out at all, in Simplified Chinese.

export const servedWords: typeof english = {
  unserved: {
    executor: '其执行者不是此页面所知的执行者，因此本页面的代理绝不会执行它。',
    signer: '它要求的裁定签名者不为此页面所知，因此本页面的代理绝不会执行它。',
    priceSource: '它指定的价格源不为此页面所知，因此本页面的代理绝不会执行它。',
    token: '它交易的代币未被此页面收录，因此本页面的代理绝不会执行它。',
  },
  recipient: (address) => `它买入的资产会转到 ${address}，而不是给你。`,
  unseen: '最近半分钟内，代理没有表示它在执行买入：可能不会有任何买入。',
};

import type { askWords as english } from '../en/ask.ts';

// Ask, in Simplified Chinese. The agent understands questions in Chinese; its answers are its own.

export const askWords: typeof english = {
  lead: '询问价格、计划和贷款。回答绝不会签署或转移任何东西。',
  examples: '示例',
  conversation: '对话',
  choices: '选项',
  looking: '正在获取回答…',
  limit: '共用限额：每分钟 20 个问题。回答不参考之前的消息。',
  question: '你的问题',
  send: '提问',
  byModel: '由语言模型回答',
  byRules: '按规则回答，未使用语言模型',
  noTool: '；未使用任何工具。',
  from: (tools) => `，来自 ${tools}。`,
  knows: (address) => `关于“我的”计划或贷款的问题，会附上 ${address} 一并发送。`,
  upTo: (amount, price) => `最多适用于 ${amount}，价格不超过 ${price}。`,
  checking: '正在检查签名和证据…',
  follows: '已由此浏览器检查：由此部署签名，且由其证据得出。',
  followsLooser: '已由此浏览器检查：由此部署签名，且由其证据得出，但所用的限值比本项目的宽松。',
  signedOnly: '已由此浏览器检查：由此部署签名。证据不可用，因此只有签名为它作保。',
  wrong: '无效',
  unchecked: '未能检查此凭证。请勿以它为依据。',
  validUntil: (time) => `有效期至 ${time}。`,
  sale: (symbol) => `卖出 ${symbol}`,
  purchase: (symbol) => `买入 ${symbol}`,
  prompts: ['现在 BTCB 的价格合理吗？', 'ETH 现在多少钱？', '有哪些计划？'],
  ownPrompts: ['我的贷款安全吗？', '我有哪些计划？', '现在 BTCB 的价格合理吗？'],
};

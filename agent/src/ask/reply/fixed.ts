import type { Choice } from '@bowline/core/domain/answer';
import { glossary } from '../forms/glossary.ts';
import type { FixedTopic, Language } from '../question.ts';

const menu = {
  en: 'I can say whether a trade is fair and up to which size, what a price is or was, what a swap would pay, when a plan runs and why it waited, how safe a loan is, what it needs, and whether a guard would act.',
  zh: '我可以回答：一笔交易的价格是否公平、最大多少公平，现在和过去的价格，兑换能得到多少，计划何时执行、为什么等待，贷款是否安全、需要补多少，以及守护是否会行动。',
} as const;

/** Replies that need no tool, behind a question that is so answered: what is true of every deployment. */
const fixed: Readonly<Record<FixedTopic, Readonly<Record<Language, readonly [asked: string, reply: string]>>>> = {
  hello: {
    en: ['Who are you?', `Hello. I am Bowline's agent on BNB Chain. ${menu.en}`],
    zh: ['你是谁？', `你好。我是 Bowline 在 BNB Chain 上的代理。${menu.zh}`],
  },
  who: {
    en: [
      'Who are you?',
      `I am Bowline, an on-chain finance agent for BNB Chain: a program, not a person. You sign terms, I act only inside them, anybody can check every act, and one transaction stops it. ${menu.en}`,
    ],
    zh: [
      '你是谁？',
      `我是 Bowline，BNB Chain 上的链上金融代理，是程序而不是人。条款由您签署，我只在条款之内行动，每个动作任何人都能核查，一笔交易就能让我停下。${menu.zh}`,
    ],
  },
  fee: {
    en: [
      'What do you charge?',
      'I take no fee from a plan, a trade or a rescue. A swap pays the fee of its pool, which every verdict counts in its cost, and you pay the gas of what you sign. What an answer costs here, if anything, is "price_usd" at GET /x402 (0: free).',
    ],
    zh: [
      '怎么收费？',
      '我不从计划、交易或救援中收费。兑换要付资金池的手续费（评估已计入成本），您签署的交易由您付 gas。这里一次回答的价格见 GET /x402 的 price_usd（0 表示免费）。',
    ],
  },
  custody: {
    en: [
      'Do you hold my funds?',
      'No. Your funds stay in your wallet and I never have your keys. For a plan or a guard you approve an allowance to a contract, which lets me take only what your terms permit, and pays only you or your loan. You can cancel it at any time. Never give anybody your private key.',
    ],
    zh: [
      '你保管我的资金吗？',
      '不。资金留在您的钱包里，我从不掌握您的私钥。计划或守护只用您授权给合约的额度，合约只允许条款之内的动作，并且只付给您自己或您的贷款。您随时可以取消。不要把私钥交给任何人。',
    ],
  },
  working: {
    en: [
      'Are you working?',
      'I am answering, so I am up. Whether my node, price sources and loops work now is at GET /ready, and what I leave out, with the reason, at GET /served.',
    ],
    zh: [
      '运行正常吗？',
      '我在回答，说明我在运行。节点、价格来源和循环现在是否正常见 GET /ready；没有服务的计划和守护及原因见 GET /served。',
    ],
  },
  stop: {
    en: [
      'How do I cancel a plan or guard?',
      'You cancel with your own wallet; I cannot do it for you. On the page, open /plans or /guard, choose it and pause or cancel it; one button there stops everything at once. Programs get the unsigned transaction from the tool draft_revoke. It works without me: revoking the token allowance stops it, too.',
    ],
    zh: [
      '怎么取消计划？',
      '取消由您自己的钱包签署，我不能代办。在页面打开 /plans 或 /guard，选择后暂停或取消；那里也有一键全部停止。程序可用工具 draft_revoke 取得未签名的交易。没有我也能停：撤销代币授权同样有效。',
    ],
  },
  makePlan: {
    en: [
      'How do I create a plan?',
      'A plan is signed by your own wallet; I cannot create it for you. On the page, open /plans and choose what to buy, for how much, how often and until when. Programs get the unsigned transactions from the tool draft_plan.',
    ],
    zh: [
      '怎么创建计划？',
      '计划由您自己的钱包签署，我不能代办。在页面打开 /plans，选择买什么、每次多少、多久一次、到什么时候。程序可用工具 draft_plan 取得未签名的交易。',
    ],
  },
  makeGuard: {
    en: [
      'How do I create a guard?',
      'A guard is signed by your own wallet; I cannot create it for you. On the page, open /guard, choose the loan, the health that triggers it and the most it may repay. Programs get the unsigned transactions from the tool draft_guard.',
    ],
    zh: [
      '怎么设置守护？',
      '守护由您自己的钱包签署，我不能代办。在页面打开 /guard，选择贷款、触发的健康系数和最多偿还多少。程序可用工具 draft_guard 取得未签名的交易。',
    ],
  },
};

export const fixedReply = (topic: FixedTopic | 'meaning', language: Language, about = ''): string =>
  topic === 'meaning' ? (glossary[about]?.[language] ?? '') : fixed[topic][language][1];

export const fixedChoice = (topic: FixedTopic, language: Language): Choice => {
  const [prompt] = fixed[topic][language];
  return { label: prompt, prompt };
};

/** What can be asked, in a sentence. */
export const capabilitiesIn = (language: Language): string => menu[language];
export const capabilities = menu.en;

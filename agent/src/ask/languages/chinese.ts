import type { Choice } from '@bowline/core/domain/answer';

/** What a word of a question is about. `filler` says nothing of it. */
export type Topic =
  | 'price'
  | 'fair'
  | 'buy'
  | 'sell'
  | 'plan'
  | 'plans'
  | 'next'
  | 'why'
  | 'status'
  | 'loan'
  | 'rescue'
  | 'hello'
  | 'filler';

interface Language {
  /** A text that can be of this language alone. */
  readonly marks: RegExp;
  /** Names of assets beside the registry's, and their symbols. */
  readonly names: Readonly<Record<string, string>>;
  /** Phrases of each topic, separated by commas. A phrase may have several topics. */
  readonly phrases: Readonly<Record<Topic, string>>;
  /** Each takes the number of a plan or guard out of a folded text. */
  readonly plan: readonly RegExp[];
  readonly guard: readonly RegExp[];
  /** Units of money after a number, and words between a number and an asset; alternatives. */
  readonly money: string;
  readonly counter: string;
  /** Words that mean one unit before an asset. */
  readonly one: string;
  readonly says: {
    readonly greeting: string;
    readonly unread: string;
    readonly whichPlan: string;
    readonly whichAddress: string;
  };
  readonly ask: {
    readonly price: (asset: string) => Choice;
    readonly fair: (asset: string) => Choice;
    readonly plans: Choice;
    readonly outlook: Choice;
    readonly guard: Choice;
  };
  /** First line of an answer: what it is about. The details follow in English. */
  readonly leads: {
    readonly price: (asset: string, usd: string) => string;
    readonly verdict: Readonly<Record<'GO' | 'CAUTION' | 'NO_GO' | 'NO_DATA', string>>;
    readonly health: (health: string | null) => string;
  };
}

export const chinese: Language = {
  marks: /^(?=.*\p{Script=Han})(?!.*[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/su,
  names: {
    比特币: 'BTCB',
    大饼: 'BTCB',
    以太坊: 'ETH',
    以太币: 'ETH',
    以太: 'ETH',
    币安币: 'WBNB',
    泰达币: 'USDT',
  },
  phrases: {
    price: '多少钱, 价格, 价钱, 多少美元, 多少美金, 多少u, 什么价, 什么价格, 报价, 币价, 市价, 现价, 价位, 几美元',
    fair:
      '公平, 公平吗, 合理, 合理吗, 贵不贵, 贵吗, 贵, 便宜, 便宜吗, 划算, 划算吗, 划不划算, 值得, 值得吗, 值不值得, 合适, 合适吗, 好价格, 应该, 该不该, 应不应该, 好时机, ' +
      '可以买吗, 能买吗, 能不能买, 要不要买, 该买吗, 该不该买, 可不可以买, 值得买吗, 可以卖吗, 能卖吗, 能不能卖, 要不要卖, 该卖吗, 该不该卖, 可不可以卖, 值得卖吗, 好不好, ' +
      '时机, 高估, 低估, 安全, 安全吗, 好吗, 行吗, 可以吗, 合不合理, 公不公平',
    buy: '可以买吗, 能买吗, 能不能买, 要不要买, 该买吗, 该不该买, 可不可以买, 值得买吗, 买入, 购买, 买, 买进',
    sell: '可以卖吗, 能卖吗, 能不能卖, 要不要卖, 该卖吗, 该不该卖, 可不可以卖, 值得卖吗, 卖出, 卖, 卖掉, 出售',
    plan: '计划, 我的计划, 定投, 定投计划',
    plans: '有哪些计划, 所有计划, 全部计划, 计划列表, 哪些计划',
    next: '下次, 下一次, 什么时候, 何时, 执行, 运行, 再次, 什么时间',
    why: '为什么, 为何, 没有执行, 没执行, 没有运行, 没运行, 记录, 历史, 执行记录, 跳过, 被跳过, 发生了什么',
    status: '怎么样, 怎么样了, 状态, 情况, 查一下, 查看, 查询, 看看, 看一下, 如何',
    loan: '贷款, 借款, 债务, 健康, 健康度, 健康因子, 健康系数, 清算, 被清算, 会被清算, 爆仓, 会爆仓, 危险吗, 有风险吗',
    rescue: '救援, 会救援, 会出手, 出手, 会不会出手, 会不会救援',
    hello: '你好, 您好, 谢谢, 嗨, 早上好, 晚上好, 帮助, 你能做什么, 你会什么, 你会做什么, 怎么用, 能做什么',
    filler:
      '现在, 目前, 今天, 当前, 此刻, 我, 想, 要, 我的, 的, 吗, 呢, 了, 请, 请问, 帮我, 一下, 是, 个, 枚, 用, 在, 这个, 会, 有, 啊, 吧, 去, 是多少, 多少, 和, 给我看, ' +
      '告诉我, 以, 价值, 来, 能, 可以, 时候, 正',
  },
  plan: [/(?:我的)?(?:定投)?计划\s*#?\s*(\d{1,18})号?/, /第?\s*(\d{1,18})\s*(?:号|个)(?:定投)?计划/],
  guard: [/守护\s*#?\s*(\d{1,18})/, /guard\s*#?\s*(\d{1,18})/],
  money: '美元|美金|刀|usdt|usd|\\$',
  counter: '个|枚|的',
  one: '一个|一枚',
  says: {
    greeting: '你好。我是 Bowline 在 BNB Chain 上的代理。可以这样问：',
    unread: '我没有看懂，也不会猜。可以这样问：',
    whichPlan: '哪一个计划？请写编号，例如：',
    whichAddress: '哪一个地址？我不知道你的地址。请写全地址（“贷款 0x…”），或者这样问：',
  },
  ask: {
    price: (asset) => ({ label: `${asset} 的价格`, prompt: `${asset} 现在多少钱？` }),
    fair: (asset) => ({ label: `${asset} 价格公平吗`, prompt: `${asset} 现在价格公平吗？` }),
    plans: { label: '所有计划', prompt: '有哪些计划？' },
    outlook: { label: '计划 1 下次执行', prompt: '计划 1 下次什么时候执行？' },
    guard: { label: '守护 1 会救援吗', prompt: '守护 1 现在会救援吗？' },
  },
  leads: {
    price: (asset, usd) => `${asset} 现价 ${usd} 美元。`,
    verdict: {
      GO: 'GO：这笔交易的价格公平。',
      CAUTION: 'CAUTION：最好等一等，有指标超过了警戒线。',
      NO_GO: 'NO_GO：这笔交易的价格不公平。',
      NO_DATA: 'NO_DATA：数据不足，无法判断。',
    },
    health: (health) => (health === null ? '这个地址没有欠款。' : `贷款的健康系数是 ${health}（低于 1 会被清算）。`),
  },
};

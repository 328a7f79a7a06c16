import { grouped } from '@bowline/core/domain/readable';
import type { partWords as englishParts, verdictWords as englishVerdicts } from '../en/parts.ts';

// The parts of several sections, in Simplified Chinese.

export const verdictWords: typeof englishVerdicts = {
  GO: '价格公允',
  CAUTION: '需谨慎',
  NO_GO: '请勿交易',
  NO_DATA: '数据不足',
  old: '旧评估',
  asOf: (time) => `截至 ${time}`,
};

export const partWords: typeof englishParts = {
  spender: '钱包中显示的被授权方：',
  copy: '复制',
  copied: '已复制',
  ofAddress: '合约地址',
  moreOptions: '更多选项',
  agreeing: '你将同意的内容',
  agreeingLater: '填写表单后，这里会显示你将同意的内容。',
  startAgain: '重新开始',
  close: '关闭',
  balance: '余额：',
  max: 'MAX',

  allPass: (checks) => `全部 ${grouped(checks)} 项检查通过`,
  othersPass: (checks) => `其他 ${grouped(checks)} 项检查通过`,
  idle: (checks) => `；${checks} 项在此不适用`,
  nothingMeasured: '没有测量到任何数值。',
  outcomes: { pass: '通过', caution: '需谨慎', no_go: '不可交易', no_data: '无数据' },
  measured: (value, limits) => `测得 ${value}，限值 ${limits}。`,
  limits: (caution, limit) => `${caution}（谨慎），${limit}（不可交易）`,
  inTheFuture: (seconds) => `未来 ${seconds} 秒`,
  blocks: (blocks) => `${blocks} 个区块`,
  age: (source, seconds) => `${source} ${seconds} 秒`,
  ages: (ages) => `数据时效：${ages.join('，')}。`,

  rate: '汇率（含手续费）',
  minimum: '最少收到',
  poolFee: (fees) => `资金池手续费（${fees}）`,
  impact: '价格影响',
  networkFee: '网络费用（约）',
  notKnown: '未知',

  unreadPlans: (plans) => `你的 ${plans} 个计划`,
  unreadGuards: (guards) => `你的 ${guards} 个守护`,
  restOfPlans: (rest, all) => `${grouped(all)} 个计划中的 ${rest} 个`,
  restOfGuards: (rest, all) => `${grouped(all)} 个守护中的 ${rest} 个`,
  toSearch: (rest) => `${rest}尚待查找`,
  toSearchMore: '其中有些可能是你的。页面会自动继续。',
  maybeYours: '其中有些可能是你的。',

  signing: '签名中…',
  notEnough: (symbol, held) => `${symbol} 不足（你有 ${held}）`,
  noFee: (held) => `BNB 不足以支付网络费用（你有 ${held}）`,
  wouldRefuse: '合约会拒绝这一操作',
};

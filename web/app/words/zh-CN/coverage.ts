import type { coverWords as english } from '../en/coverage.ts';

// What a guard covers, in Simplified Chinese.

export const coverWords: typeof english = {
  unknown: { badge: '未知', more: '页面未能读取救援所依赖的全部信息，因此无法判断救援是否会发生。' },
  revoked: { badge: '已停止', more: undefined },
  cancelled: { badge: '已取消', more: undefined },
  expired: { badge: '已过期', more: '此守护已过期。请重新设置一个。' },
  token_changed: {
    badge: '无法还款：代币已变更',
    more: '该市场现在用另一种代币还款，与设置此守护时不同，因此合约会拒绝。请重新设置一个。',
  },
  repay_paused: {
    badge: (protocol) => `无法还款：${protocol} 已暂停`,
    more: (protocol) => `${protocol} 暂停了该市场的还款。在其恢复之前，无法进行任何救援。`,
  },
  no_debt: { badge: '没有可还的债务', more: '此守护所还款的市场中没有债务。' },
  no_collateral: { badge: '没有抵押品', more: '没有抵押品就没有可保护的东西，因此合约会拒绝救援。' },
  day_cap_used_up: {
    badge: '当日额度已用完',
    more: '之前的救援已用完此守护一天可动用的额度。UTC 00:00 起可再次行动。',
  },
  no_allowance: { badge: '无法还款：没有授权', more: '此守护不能动用任何代币。请重新授权，或另设一个守护。' },
  allowance_too_low: {
    badge: '授权额度不足',
    more: '此守护可动用的额度低于其最小还款额。请授权更多，或另设一个守护。',
  },
  no_balance: { badge: '无法还款：没有余额', more: '付款账户不持有还款代币。' },
  balance_too_low: { badge: '余额不足', more: '付款账户的持有量低于此守护的最小还款额。' },
  below_minimum: {
    badge: '到触发值时无法行动',
    more: '在触发值处的救援还款额会低于此守护的最小还款额，因此合约会拒绝。',
  },
  shares: (guards) => `与守护 ${guards.join('、')} 共用资金`,
  sharesMore: (has, guards, needed) =>
    `它与守护 ${guards.join('、')} 共用 ${has}：每个守护各救援一次共需 ${needed}，先救援的会使留给其他守护的资金减少。`,
  agentsWord: '代理表示它在监视；链上无法证实这一点。',
  notKnown: '未知',
  noPriceForced: '没有任何价格：清算是强制的',
  guarded: '已守护',
  guardedInPart: '部分守护',
  forced: '强制清算',
  resting: (until) => `冷却中，至 ${until}`,
  noKeeper: '未发现看守者',
  stopped: '代理已停止',
  notServed: '未获服务',
  inPartAnd: (badge) => `部分守护，${badge}`,
  onlyBy: (account) => `仅限 ${account}`,
  onlyProtocol: (time, protocol) => `在 ${time} 之前，只有 ${protocol} 的价格能触发它。`,
  forcedMore: '守护只在健康系数低于触发值时行动，而这笔贷款在触发值之上也可以被清算。',
  forcedUnknown: (protocol) =>
    `守护只在健康系数低于触发值时行动：如果 ${protocol} 启用强制清算，这笔贷款在触发值之上也可以被清算。`,
  inPart: (amount, needed) => `达到目标需要还款 ${needed}，一次救援只会还 ${amount}。`,
  nextFrom: (time) => `${time} 起才能进行下一次救援。`,
  onlyByMore: (account) => `只有 ${account} 可以救援。页面无法知道该账户是否在工作。`,
  noKeeperMore: '最近半分钟内，代理没有表示它在监视贷款。任何人都可以救援，但可能没有人在场。',
  anybody: '任何人都可以救援，但可能没有人在场。',
  space: '',
  notFunded: '资金不足',
  anyPrice: '任何价格',
  noPrice: '没有任何价格',
  fromTo: (from, to) => `${from} 至 ${to}`,
  anyLower: (to) => `${to} 及以下的任何价格`,
  onlyAbove: (price) => `仅高于 ${price} 时`,
  chainlink: 'Chainlink 的价格',
  priceSource: (address) => `价格源 ${address}`,
  cooldownException: (protocol, source) => `由${source}触发的救援之后，可以立即再有一次由 ${protocol} 的价格触发的救援`,
};

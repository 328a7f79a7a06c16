import type { servedWords as english } from '../en/served.ts';

// Whether a plan is carried out at all, in Simplified Chinese.

export const servedWords: typeof english = {
  unserved: {
    not_ours: '它使用本页面未收录的执行者，因此本页面的代理绝不会执行它。',
    not_served_signer: '本页面的代理无法签署此计划要求的评估。',
    not_served_price_source: '它使用本页面未收录的价格源，因此本页面的代理绝不会执行它。',
    not_served_token: '本页面的代理不交易这种代币。',
    not_served_route: '它交易的两种代币在此没有共同的资金池，因此本页面的代理绝不会执行它。',
    term_below_fee: '其最大滑点低于其资金池的费率，因此按公允价格绝不会交易。代理不会为它记录推迟。',
    not_served_owner: '代理表示它只服务另一位所有者。',
    not_served_period: '代理表示它不执行这么频繁的计划。',
    not_served_run_value: '代理表示它不进行金额这么小的交易。',
  },
  why: {
    unstated: '代理没有说明它为哪些合约服务。',
    unreadable: '页面无法读取代理关于其服务范围的说明。',
    old: '代理关于其服务范围的说明不是最新的。',
    other_chain: '代理服务的链与本页面的不同。',
    other_contracts: '代理服务的合约与本页面的不同。',
    off: '代理表示它不做这项工作。',
    stopped: '代理的运营者已将其停止：停止结束之前，它不会发送任何交易。',
    late: '代理表示它的进度落后。',
    not_ready: '代理表示它现在无法行动。',
    not_served_owner: '代理表示它只服务另一位所有者。',
    not_served_token: '代理表示它不偿还这种代币。',
    not_served_trigger: '代理表示它不服务这么高的触发值。',
    not_served_repay: '代理表示它不进行金额这么小的救援。',
  },
  noBuy: (why) => `${why}交易可能不会进行。`,
  recipient: (address) => `它换得的代币由另一个账户接收：${address}。`,
  unseen: '代理在最近 30 秒内没有报告自己在执行交易，因此交易可能不会进行。',
};

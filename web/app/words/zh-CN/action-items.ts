import { grouped } from '@bowline/core/domain/readable';
import type { actionWords as english } from '../en/action-items.ts';

// What needs the owner, and the button for it, in Simplified Chinese.

export const actionWords: typeof english = {
  keeperUnseen: (guard) => `守护 ${guard}：最近 30 秒内未发现救援者。任何人都可以救援，但可能没有人执行。`,
  unguarded: (protocol, health) => `${protocol} 的贷款健康系数为 ${health}，且没有守护。`,
  allowance: (guard, has, needed) => `守护 ${guard}：下一次救援需要 ${needed}，只授权了 ${has}。`,
  balance: (guard, has, needed) => `守护 ${guard}：下一次救援需要 ${needed}，钱包只持有 ${has}。`,
  payerBalance: (guard, has, needed) => `守护 ${guard}：下一次救援需要 ${needed}，其付款账户只持有 ${has}。`,
  cap: (guard, has, needed) => `守护 ${guard}：下一次救援需要 ${needed}，其上限只允许 ${has}。`,
  expires: (guard, when) => `守护 ${guard} 将于 ${when} 到期。`,
  expired: (guard, when) => `守护 ${guard} 已于 ${when} 过期。`,
  unable: (guard, why, more) => `守护 ${guard}：${why}。${more}`,
  liquidatable: (protocol, more) => `${protocol} 的贷款现在可被清算。${more}`,
  meanwhile: '如果健康系数在此之前跌破触发值，此守护无法行动：请偿还部分债务、追加抵押品，或另设一个守护。',
  ifNone: '如果迟迟没有救援，请偿还部分债务或追加抵押品。',
  yourself: '在此之前，请偿还部分债务、追加抵押品，或另设一个守护。',
  part: (guard, repaid, needed) =>
    `守护 ${guard} 最多只能偿还 ${repaid}，即其市场中的全部债务；达到目标值需要 ${needed}。请为其他债务也设置守护。`,
  planApprove: (has, needed) => `接下来的交易需要 ${needed}，已授权 ${has}。`,
  planTopUp: (has, needed) => `接下来的交易需要 ${needed}，钱包持有 ${has}。`,
  planEnds: (plan, when, left) => `计划 ${plan} 将于 ${when} 到期，届时还有最后 ${grouped(left)} 次交易未完成。`,
  streak: (plan, skips) => `计划 ${plan} 已连续跳过最近 ${grouped(skips)} 次交易。`,
  contended: (has, buys, rescues) =>
    `钱包持有 ${has}：够接下来的交易（${buys}），或够每个守护各救援一次（${rescues}），但不够两者兼顾。`,
  planFew: (plan, buys) => `计划 ${plan} 的资金只够再交易 ${grouped(buys)} 次。`,
  plan: (plan, why) => `计划 ${plan}：${why}`,
  approve: '增加授权',
  topUp: '查看计划',
  look: '查看',
  guardIt: '设置守护',
};

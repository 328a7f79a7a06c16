import type { GuardKey } from '@bowline/core/domain/guard-key';
import { counted } from '@bowline/core/texts/counts';
import { fewRunsText, lowAllowanceText, lowBalanceText } from '@bowline/core/texts/notices';
import { said } from '../language.ts';

// What needs the owner, and the button for it, in English.

export const actionWords = said('actionWords', {
  keeperUnseen: (guard: GuardKey) =>
    `Guard ${guard}: no keeper seen in the last 30 seconds. Anyone can rescue, but there may be no one to do it.`,
  unguarded: (protocol: string, health: string) =>
    `The loan in ${protocol} has a health factor of ${health} and no guard.`,
  allowance: lowAllowanceText,
  balance: (guard: GuardKey, has: string, needed: string) =>
    `Guard ${guard}: the wallet holds ${has} of the ${needed} the next rescue needs.`,
  payerBalance: lowBalanceText,
  cap: (guard: GuardKey, has: string, needed: string) =>
    `Guard ${guard}: its limit allows ${has} of the ${needed} the next rescue needs.`,
  expires: (guard: GuardKey, when: string) => `Guard ${guard} expires on ${when}.`,
  expired: (guard: GuardKey, when: string) => `Guard ${guard} expired on ${when}.`,
  unable: (guard: GuardKey, why: string, more: string) => `Guard ${guard}: ${why}. ${more}`,
  liquidatable: (protocol: string, more: string) => `The loan in ${protocol} can be liquidated now. ${more}`,
  meanwhile:
    'If health falls below the trigger before then, this guard cannot act: repay some debt, add collateral or set another guard.',
  ifNone: 'If none comes soon, repay some debt or add collateral.',
  yourself: 'Until then, repay some debt, add collateral or set another guard.',
  part: (guard: GuardKey, repaid: string, needed: string) =>
    `Guard ${guard} can repay at most ${repaid}, all the debt in its market; its target needs ${needed}. Guard the other debts too.`,
  planApprove: (has: string, needed: string) => `The next trades need ${needed}; ${has} is approved.`,
  planTopUp: (has: string, needed: string) => `The next trades need ${needed}; the wallet holds ${has}.`,
  contended: (has: string, buys: string, rescues: string) =>
    `The wallet holds ${has}: enough for the next trades (${buys}) or for one rescue by each guard (${rescues}), not for both.`,
  planEnds: (plan: bigint, when: string, left: bigint) =>
    `Plan ${plan} expires on ${when}, before its last ${counted(left, 'trade')}.`,
  planFew: fewRunsText,
  plan: (plan: bigint, why: string) => `Plan ${plan}: ${why}`,
  streak: (plan: bigint, skips: number) => `Plan ${plan} skipped its last ${counted(skips, 'trade')}.`,
  approve: 'Approve more',
  topUp: 'View plans',
  look: 'View',
  guardIt: 'Guard it',
});

import { said } from '../language.ts';
import { count } from './count.ts';

// What Home says, in English.

export const homeWords = said('homeWords', {
  title: 'Home',
  lead: 'Your plans and loans at a glance, from the chain alone.',
  pitch: 'Buy on a schedule. Keep your loan from liquidation. Keep your keys.',
  pitchMore:
    'Sign a plan or a guard once. An agent carries it out, and the contracts hold it to your terms. Your tokens stay in your wallet until the moment they are used.',
  reading: 'Reading your plans and loans',
  state: 'Your state',
  loans: (loans: number) => count(loans, 'loan'),
  noLoan: 'no loan',
  loansUnknown: 'loans could not be read',
  fundedTo: (symbol: string, price: string) => `funded down to ${symbol} ${price}`,
  fundedAny: (symbol: string) => `funded at any ${symbol} price`,
  fundedUpTo: (symbol: string, price: string) => `funded up to ${symbol} ${price}`,
  fundedWithin: (symbol: string, from: string, to: string) => `funded from ${symbol} ${from} to ${to}`,
  fundsUnknown: 'funds unknown',
  notFunded: 'not funded',
  guardUnknown: 'guard status unknown',
  notGuarded: 'not guarded',
  guardedOf: (guarded: number, loans: number) => `${guarded} of ${loans} guarded`,
  nextBuy: (time: string) => `next buy ${time}`,
  buyDue: 'a buy is due now',
  buyNotFunded: 'next buy not funded',
  noPlan: 'no active plan',
  plansUnknown: 'plans could not be read',
  nothingNeeded: 'nothing needs you',
  needed: (things: number) => `${count(things, 'thing')} ${things === 1 ? 'needs' : 'need'} you`,
  neededUnknown: 'whether something needs you is unknown',
  needs: 'Needs you',
  noNeeds: 'Nothing needs you now.',
  needsUnknown: 'Nothing found, but not everything is known.',
  tooOld: 'The chain’s node has not answered for half a minute.',
  lately: 'Lately',
  nothingLately: 'No buy, no skipped buy and no rescue yet.',
  unreadPart: 'Some of this could not be read. What is missing is not counted as fine.',
  lastBuy: 'Last buy',
  lastSkip: 'Last skipped buy',
  lastRescue: 'Last rescue',
  none: 'none yet',
  bought: (paid: string, received: string, floor: string) => `${paid} bought ${received} (minimum ${floor}).`,
  skipped: (symbol: string, reason: string) => `${symbol} was not bought: ${reason}.`,
  byExecutor: 'Reported by the executor, not verified on chain.',
  rescued: (repaid: string, before: string, after: string) => `Repaid ${repaid}: health ${before} → ${after}.`,
  noDebtLeft: 'no debt left',
  plan: (id: bigint) => `Plan ${id}`,
  guard: (id: bigint) => `Guard ${id}`,
  proofs: 'Lately on this chain',
  proofsLead: (blocks: string) =>
    `From the contracts’ own events in the last ${blocks} blocks, for anybody’s plans and guards.`,
  proofsFailed: 'The chain’s events',
  notFound: 'None in these blocks.',
  block: (number: string) => `block ${number}`,
});

/** What needs the owner, and the button for it. */
export const needWords = said('needWords', {
  keeperUnseen: (guard: bigint) =>
    `Guard ${guard}: no keeper seen in the last half minute. Anybody may rescue, but nobody may be there.`,
  unguarded: (protocol: string, health: string) => `Your loan in ${protocol} has a health of ${health} and no guard.`,
  allowance: (guard: bigint, has: string, needed: string) =>
    `Guard ${guard}: approved ${has} of the ${needed} that the next rescue needs.`,
  balance: (guard: bigint, has: string, needed: string) =>
    `Guard ${guard}: you hold ${has} of the ${needed} that the next rescue needs.`,
  cap: (guard: bigint, has: string, needed: string) =>
    `Guard ${guard}: its limit allows ${has} of the ${needed} that the next rescue needs.`,
  expires: (guard: bigint, when: string) => `Guard ${guard} expires on ${when}.`,
  expired: (guard: bigint, when: string) => `Guard ${guard} expired on ${when}.`,
  unable: (guard: bigint, why: string, more: string) => `Guard ${guard}: ${why}. ${more}`,
  planApprove: (has: string, needed: string) => `The next buys need ${needed}; you have approved ${has}.`,
  planTopUp: (has: string, needed: string) => `The next buys need ${needed}; you hold ${has}.`,
  planEnds: (plan: bigint, when: string, left: bigint) =>
    `Plan ${plan} expires on ${when}, before its last ${count(left, 'buy')}.`,
  streak: (plan: bigint, skips: number) => `Plan ${plan} skipped its last ${count(skips, 'buy')}.`,
  approve: 'Approve more',
  extend: 'Extend',
  raise: 'Raise the limit',
  topUp: 'See the plans',
  look: 'Look',
  guardIt: 'Guard it',
});

export const noticeWords = said('noticeWords', {
  title: 'Notifications',
  more: 'This browser can tell you about rescues, three skipped buys in a row and funds that run out, while the page is open in a tab.',
  on: 'Turn on notifications',
  off: 'Turn off notifications',
  denied: 'This browser blocks notifications from this page. Allow them in its settings.',
  unsupported: 'This browser can’t show notifications from this page.',
  rescue: 'Loan rescued',
  streak: 'Buys are being skipped',
  funds: 'Funds are running out',
});

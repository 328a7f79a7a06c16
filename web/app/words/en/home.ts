import { counted } from '@bowline/core/texts/counts';
import { rescuedText } from '@bowline/core/texts/notices';
import { said } from '../language.ts';

// What Home says, in English.

export const homeWords = said('homeWords', {
  pitch: 'Buy on a schedule. Protect your loan from liquidation. Keep your keys.',
  pitchMore:
    'Sign a plan or a guard once. An agent carries it out, and the contracts hold it to your terms. Your tokens stay in your wallet until the moment they are used.',
  reading: 'Reading plans and loans',
  state: 'Your status',
  stateOf: (account: string) => `Status of ${account}`,
  health: 'Health',
  nextBuy: 'Next trade',
  needsYou: 'Needs you',
  now: 'now',
  noLoan: (protocols: readonly string[]) => `no loan in ${protocols.join(' or ')}`,
  and: (parts: readonly string[]) => parts.join(', '),
  loansUnknown: 'loan status unknown',
  fundedTo: (symbol: string, price: string) => `funded until ${symbol} alone falls to ${price}`,
  fundedAny: (symbol: string) => `funded at any price of ${symbol} alone`,
  fundedUpTo: (symbol: string, price: string) => `funded until ${symbol} alone rises to ${price}`,
  fundedWithin: (symbol: string, from: string, to: string) =>
    `funded while ${symbol} alone moves between ${from} and ${to}`,
  fundsUnknown: 'funds unknown',
  guardUnknown: 'guard status unknown',
  guardExpired: 'guard expired',
  guardedOf: (guarded: number, loans: number) => `${guarded} of ${loans} loans guarded`,
  buyDue: 'due',
  buyNotFunded: 'next trade not funded',
  agentUnseen: (buy: string) => `${buy}, but no agent seen`,
  agentNot: (buy: string) => `${buy}, but the agent does not serve it`,
  noneServed: 'no plan this page’s agent runs',
  noPlan: 'no active plan',
  plansUnknown: 'plan status unknown',
  nothingNeeded: 'no action needed',
  waiting: (things: number) => `${counted(things, 'thing')} to watch`,
  neededUnknown: 'unknown if action is needed',
  actionNeeded: 'Action needed',
  waits: 'To watch',
  tooOld: (time: string) => `This data is as of ${time}.`,
  lately: 'Recent activity',
  nothingLately: 'No trades, skipped trades or rescues yet.',
  unreadPart: 'The current state of some of this is unknown, so it may need action.',
  lastBuy: 'Last trade',
  lastSkip: 'Last skipped trade',
  lastDelay: 'Delayed trade',
  lastDelayOrSkip: 'Last delayed or skipped trade',
  lastRescue: 'Last rescue',
  none: 'none yet',
  noneOfNewest: (records: number) => `none in the latest ${records} records each`,
  unlooked: (plans: number, guards: number) =>
    `Records not checked: ${[...(plans > 0 ? [counted(plans, 'plan')] : []), ...(guards > 0 ? [counted(guards, 'guard')] : [])].join(' and ')}.`,
  bought: (paid: string, received: string, floor: string) => `${paid} bought ${received} (minimum ${floor}).`,
  sold: (paid: string, received: string, floor: string) => `Sold ${paid} for ${received} (minimum ${floor}).`,
  noTrade: (symbol: string, isSale: boolean, outcome: string, reason: string) =>
    `${symbol} ${isSale ? 'sale' : 'buy'} ${outcome}: ${reason}.`,
  outcomes: { skipped: 'skipped', delayed: 'delayed', delayedOrSkipped: 'delayed or skipped' },
  rescued: rescuedText,
  proofs: 'Recent activity on this chain',
  proofsLead: (blocks: string) =>
    `From contract events in the last ${blocks} blocks, across everyone’s plans and guards.`,
  proofsFailed: 'Contract events',
  notFound: 'None in these blocks.',
  block: (number: string) => `block ${number}`,
});

export const noticeWords = said('noticeWords', {
  more: 'This browser can notify you of rescues, three skipped trades in a row, low funds and a lost agent, while this page is open in a tab.',
  on: 'Turn on notifications',
  off: 'Turn off notifications',
  denied: 'This browser blocks notifications from this page. Allow them in its settings.',
  unsupported: 'This browser can’t show notifications from this page.',
  rescue: 'Loan rescued',
  wrongRescue: 'A rescue broke your guard’s terms',
  lost: 'The agent is no longer seen',
  streak: 'Trades are being skipped',
  funds: 'Funds are running low',
});

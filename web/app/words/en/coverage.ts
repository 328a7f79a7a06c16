import { said } from '../language.ts';

// What a guard covers, in English: for Home and Guard.

/** "guard 2", "guards 2 and 5", "guards 2, 5 and 6". */
const guardsWords = (ids: readonly bigint[]): string =>
  ids.length === 1 ? `guard ${ids[0]}` : `guards ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;

export const coverWords = said('coverWords', {
  unknown: {
    badge: 'not known',
    more: 'The page could not read all that a rescue depends on, so it cannot say whether one would come.',
  },
  revoked: { badge: 'stopped', more: undefined },
  cancelled: { badge: 'cancelled', more: undefined },
  expired: { badge: 'expired', more: 'This guard has expired. Set another one.' },
  token_changed: {
    badge: 'cannot pay: token changed',
    more: 'The market is now repaid in another token than this guard was set with, so the contract refuses. Set another one.',
  },
  repay_paused: {
    badge: (protocol: string) => `cannot pay: ${protocol} paused`,
    more: (protocol: string) =>
      `${protocol} has paused repayments in this market. No rescue is possible until it resumes them.`,
  },
  no_debt: { badge: 'nothing to repay', more: 'There is no debt in the market that this guard repays.' },
  no_collateral: {
    badge: 'no collateral',
    more: 'Without collateral there is nothing left to protect, so the contract refuses a rescue.',
  },
  day_cap_used_up: {
    badge: 'day’s limit used up',
    more: 'Earlier rescues have used up what this guard may take in a day. It can act again from 00:00 UTC.',
  },
  no_allowance: {
    badge: 'cannot pay: no allowance',
    more: 'The guard may not take any tokens. Approve them again, or set another guard.',
  },
  allowance_too_low: {
    badge: 'allowance too low',
    more: 'The guard may take less than its smallest repayment. Approve more, or set another guard.',
  },
  no_balance: {
    badge: 'cannot pay: no balance',
    more: 'The account that pays holds none of the repay token.',
  },
  balance_too_low: {
    badge: 'balance too low',
    more: 'The account that pays holds less than the guard’s smallest repayment.',
  },
  below_minimum: {
    badge: 'cannot act at its trigger',
    more: 'A rescue at the trigger would repay less than the guard’s smallest repayment, so the contract refuses it.',
  },
  guarded: 'guarded',
  guardedInPart: 'guarded in part',
  forced: 'forced liquidation',
  shares: (guards: readonly bigint[]) => `shares its funds with ${guardsWords(guards)}`,
  sharesMore: (has: string, guards: readonly bigint[], needed: string) =>
    `It shares ${has} with ${guardsWords(guards)}: one rescue by each needs ${needed}, and the first takes from the others.`,
  agentsWord: 'The agent says that it watches; the chain cannot show it.',
  resting: (until: string) => `resting until ${until}`,
  noKeeper: 'no keeper seen',
  stopped: 'agent stopped',
  notServed: 'not served',
  inPartAnd: (badge: string) => `in part, ${badge}`,
  onlyBy: (account: string) => `only by ${account}`,
  onlyProtocol: (time: string, protocol: string) => `Until ${time} only ${protocol}’s prices trigger it.`,
  forcedMore: 'A guard acts only below its trigger, and the loan can be liquidated above it.',
  forcedUnknown: (protocol: string) =>
    `A guard acts only below its trigger: if ${protocol} forces liquidation, the loan can be liquidated above it.`,
  inPart: (amount: string, needed: string) => `A rescue would repay ${amount} of the ${needed} that its target needs.`,
  nextFrom: (time: string) => `Next rescue possible from ${time}.`,
  onlyByMore: (account: string) => `Only ${account} can rescue. The page cannot know whether that account is at work.`,
  noKeeperMore:
    'The agent has not said in the last half minute that it watches loans. Anybody may rescue, but nobody may be there.',
  anybody: 'Anybody may rescue, but nobody may be there.',
  /** Between two sentences. */
  space: ' ',
  notFunded: 'not funded',
  notKnown: 'not known',
  noPriceForced: 'no price: liquidation is forced',
  anyPrice: 'any price',
  noPrice: 'no price',
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  anyLower: (to: string) => `any lower price, up to ${to}`,
  onlyAbove: (price: string) => `only above ${price}`,
  chainlink: 'Chainlink’s prices',
  priceSource: (address: string) => `the price source ${address}`,
  /** What the cooldown of a guard with a price source does not hold back (LG-3). */
  cooldownException: (protocol: string, source: string) =>
    `a rescue by ${protocol}’s prices may follow one by ${source} at once`,
});

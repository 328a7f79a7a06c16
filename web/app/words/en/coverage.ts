import type { GuardKey } from '@bowline/core/domain/guard-key';
import { said } from '../language.ts';

// What a guard covers, in English: for Home and Guard.

/** "guard 2", "guards 2 and 5", "guards 2, 5 and 6". */
const guardsWords = (ids: readonly GuardKey[]): string =>
  ids.length === 1 ? `guard ${ids[0]}` : `guards ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;

export const coverWords = said('coverWords', {
  unknown: {
    badge: 'unknown',
    more: 'The page could not read everything a rescue depends on, so it cannot say whether one would happen.',
  },
  revoked: { badge: 'stopped', more: undefined },
  cancelled: { badge: 'cancelled', more: undefined },
  expired: { badge: 'expired', more: 'This guard has expired. Set a new one.' },
  token_changed: {
    badge: 'cannot pay: token changed',
    more: 'This market’s repay token has changed since the guard was set, so the contract refuses. Set a new guard.',
  },
  repay_paused: {
    badge: (protocol: string) => `cannot pay: ${protocol} paused`,
    more: (protocol: string) =>
      `${protocol} has paused repayments in this market. No rescue is possible until it resumes them.`,
  },
  no_debt: { badge: 'nothing to repay', more: 'There is no debt in the market this guard repays.' },
  no_collateral: {
    badge: 'no collateral',
    more: 'Without collateral there is nothing left to protect, so the contract refuses a rescue.',
  },
  day_cap_used_up: {
    badge: 'daily limit used up',
    more: 'Earlier rescues have used up this guard’s daily limit. It can act again from 00:00 UTC.',
  },
  no_allowance: {
    badge: 'cannot pay: no approval',
    more: 'The guard cannot take any tokens. Approve again, or set a new guard.',
  },
  allowance_too_low: {
    badge: 'approval too low',
    more: 'The approval is below the guard’s smallest repayment. Approve more, or set a new guard.',
  },
  no_balance: {
    badge: 'cannot pay: no balance',
    more: 'The paying account holds none of the repay token.',
  },
  balance_too_low: {
    badge: 'balance too low',
    more: 'The paying account holds less than the guard’s smallest repayment.',
  },
  below_minimum: {
    badge: 'cannot act at its trigger',
    more: 'A rescue at the trigger would repay less than the guard’s smallest repayment, so the contract refuses it.',
  },
  remainder_refused: {
    badge: 'cannot act: too little would be left',
    more: 'The lending market refuses a debt as small as a rescue would leave, and the limits allow no repayment that it accepts. Raise the limits or the balance so that the whole debt can be repaid.',
  },
  cash_too_low: {
    badge: 'market short of collateral',
    more: 'The market cannot pay out enough of the collateral now: others have borrowed it.',
  },
  sale_would_harm: {
    badge: 'too late to sell',
    more: 'Health is so low that a sale at the guard’s maximum cost would lower it further. Repay from a wallet.',
  },
  transfer_paused: {
    badge: 'cannot sell: transfers are paused',
    more: 'The lending protocol has paused transfers of this deposit. No sale can happen until it resumes them.',
  },
  withdrawal_paused: {
    badge: 'cannot sell: withdrawals are paused',
    more: 'The lending protocol has paused withdrawals of this deposit. No sale can happen until it resumes them.',
  },
  withdrawal_fee_too_high: {
    badge: 'cannot sell: the fee is too high',
    more: 'The lending protocol’s withdrawal fee alone is above the guard’s maximum cost.',
  },
  borrowing_power_too_low: {
    badge: 'cannot sell: no borrowing power',
    more: 'The lending protocol counts none of this deposit as borrowing power, so it releases none of it while there is debt.',
  },
  price_source_failed: {
    badge: 'cannot sell: no second price',
    more: 'The guard’s second price source gives no price now, and no sale happens without it.',
  },
  guarded: 'guarded',
  guardedInPart: 'partly guarded',
  forced: 'forced liquidation',
  shares: (guards: readonly GuardKey[]) => `shares its funds with ${guardsWords(guards)}`,
  sharesMore: (has: string, guards: readonly GuardKey[], needed: string) =>
    `It shares ${has} with ${guardsWords(guards)}: one rescue each needs ${needed}, and the first leaves less for the others.`,
  agentsWord: 'The agent says it is watching; this can’t be verified on chain.',
  due: 'rescue due now',
  dueMore: (health: string, trigger: string) => `Health is ${health}, below the trigger of ${trigger}.`,
  dueByChainlink: (health: string, trigger: string) =>
    `At Chainlink’s prices, health is ${health}, below the trigger of ${trigger}.`,
  noneYet: 'The rescue that is due has not come yet.',
  liquidatable: 'can be liquidated now',
  liquidatableMore: 'Health is below 1.00: a liquidation can come before any rescue.',
  resting: (until: string) => `cooling down until ${until}`,
  noKeeper: 'no keeper seen',
  stopped: 'agent stopped',
  inPartAnd: (badge: string) => `partly, ${badge}`,
  onlyBy: (account: string) => `only by ${account}`,
  onlyProtocol: (time: string, protocol: string) => `Until ${time}, only ${protocol}’s prices trigger it.`,
  forcedMore: 'A guard acts only below its trigger, but the loan can be liquidated above it.',
  forcedUnknown: (protocol: string) =>
    `A guard acts only below its trigger: if ${protocol} forces liquidation, the loan can be liquidated above it.`,
  inPart: (amount: string, needed: string) =>
    `A rescue would repay ${amount} of the ${needed} needed to reach its target.`,
  nextFrom: (time: string) => `Next rescue possible from ${time}.`,
  onlyByMore: (account: string) => `Only ${account} can rescue. The page cannot tell whether that account is active.`,
  noKeeperMore:
    'The agent has not reported in the last 30 seconds that it is watching loans. Anyone can rescue, but there may be no one to do it.',
  anybody: 'Anyone can rescue, but there may be no one to do it.',
  /** Between two sentences. */
  space: ' ',
  noPriceForced: 'no price: liquidation is forced',
  anyPrice: 'any price',
  noPrice: 'no price',
  anyLower: (to: string) => `any lower price, up to ${to}`,
  onlyAbove: (price: string) => `only above ${price}`,
  chainlink: 'Chainlink’s prices',
  priceSource: (address: string) => `the price source ${address}`,
  /** What the cooldown of a guard with a price source does not prevent (LG-3). */
  cooldownException: (protocol: string, source: string) =>
    `a rescue by ${protocol}’s prices may immediately follow one by ${source}`,
});

import { shortAddress } from '@bowline/core/domain/readable';
import { timeOfDay } from '../../words/times.ts';
import type { Coverage, Missing } from './coverage.ts';

interface Words {
  readonly badge: string;
  readonly tone: 'good' | 'caution' | 'bad' | 'plain';
  /** The consequence or the remedy; absent if the badge says everything. */
  readonly more?: string;
}

const missing = (protocol: string): Readonly<Record<Missing, Words>> => ({
  unknown: {
    badge: 'not known',
    tone: 'caution',
    more: 'The page could not read all that a rescue depends on, so it cannot say whether one would come.',
  },
  revoked: { badge: 'stopped', tone: 'plain' },
  cancelled: { badge: 'cancelled', tone: 'plain' },
  expired: { badge: 'expired', tone: 'bad', more: 'This guard has expired. Set another one.' },
  token_changed: {
    badge: 'cannot pay: token changed',
    tone: 'bad',
    more: 'The market is now repaid in another token than this guard was set with, so the contract refuses. Set another one.',
  },
  repay_paused: {
    badge: `cannot pay: ${protocol} paused`,
    tone: 'bad',
    more: `${protocol} has paused repayments in this market. No rescue is possible until it resumes them.`,
  },
  no_debt: {
    badge: 'nothing to repay',
    tone: 'caution',
    more: 'There is no debt in the market that this guard repays.',
  },
  no_collateral: {
    badge: 'no collateral',
    tone: 'caution',
    more: 'Without collateral there is nothing left to protect, so the contract refuses a rescue.',
  },
  day_cap_used_up: {
    badge: 'day’s limit used up',
    tone: 'bad',
    more: 'Earlier rescues have used up what this guard may take in a day. It can act again from 00:00 UTC.',
  },
  no_allowance: {
    badge: 'cannot pay: no allowance',
    tone: 'bad',
    more: 'The guard may not take any tokens. Approve them again, or set another guard.',
  },
  allowance_too_low: {
    badge: 'allowance too low',
    tone: 'bad',
    more: 'The guard may take less than its smallest repayment. Approve more, or set another guard.',
  },
  no_balance: {
    badge: 'cannot pay: no balance',
    tone: 'bad',
    more: 'The account that pays holds none of the repay token.',
  },
  balance_too_low: {
    badge: 'balance too low',
    tone: 'bad',
    more: 'The account that pays holds less than the guard’s smallest repayment.',
  },
  below_minimum: {
    badge: 'cannot act at its trigger',
    tone: 'bad',
    more: 'A rescue at the trigger would repay less than the guard’s smallest repayment, so the contract refuses it.',
  },
});

/**
 * A guard's state in words. Green only for a guard that can bring its loan to the target at once, whoever calls.
 * @param protocol name of the lending protocol.
 * @param amount formats base units of the repay token.
 * @param when formats unix seconds.
 */
export function coverageWords(
  coverage: Coverage,
  protocol: string,
  amount: (base: bigint) => string,
  when: (unixSeconds: bigint) => string,
): Words {
  if (coverage.state === 'unable') return missing(protocol)[coverage.why];
  const { state, nextFrom, sourceFrom, onlyBy, needed, isForced, isUnwatched } = coverage;
  const sourceRests =
    sourceFrom === undefined ? [] : [`Until ${when(sourceFrom)} only ${protocol}’s prices trigger it.`];
  const bounds = [
    ...(isForced === false
      ? []
      : [
          isForced
            ? 'A guard acts only below its trigger, and the loan can be liquidated above it.'
            : `A guard acts only below its trigger: if ${protocol} forces liquidation, the loan can be liquidated above it.`,
        ]),
    ...(state === 'full'
      ? []
      : [`A rescue would repay ${amount(coverage.amount)} of the ${amount(needed)} that its target needs.`]),
    ...(nextFrom === undefined ? [] : [`Next rescue possible from ${when(nextFrom)}.`]),
    ...(onlyBy === undefined
      ? []
      : [`Only ${shortAddress(onlyBy)} can rescue. The page cannot know whether that account is at work.`]),
    ...(isUnwatched && onlyBy === undefined
      ? [
          'The agent has not said in the last half minute that it watches loans. Anybody may rescue, but nobody may be there.',
        ]
      : []),
  ];
  if (bounds.length === 0)
    return { badge: 'guarded', tone: 'good', ...(sourceFrom && { more: sourceRests.join(' ') }) };
  const more = [...bounds, ...sourceRests].join(' ');
  return { badge: boundedBadge(coverage), tone: isForced ? 'bad' : 'caution', more };
}

function boundedBadge({
  state,
  nextFrom,
  onlyBy,
  isForced,
  isUnwatched,
}: Exclude<Coverage, { state: 'unable' }>): string {
  if (isForced) return 'forced liquidation';
  if (isForced === undefined) return 'not known';
  if (nextFrom !== undefined) return `resting until ${timeOfDay(Number(nextFrom) * 1_000)}`;
  if (isUnwatched && onlyBy === undefined) return state === 'full' ? 'no keeper seen' : 'in part, no keeper seen';
  return state === 'full' && onlyBy !== undefined ? `only by ${shortAddress(onlyBy)}` : 'guarded in part';
}

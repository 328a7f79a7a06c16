import type { Due, Missing } from '@bowline/core/domain/guard-cover';
import { shortAddress } from '@bowline/core/domain/readable';
import { coverWords } from '../../words/en/coverage.ts';
import { partWords } from '../../words/en/parts.ts';
import { servedWords } from '../../words/en/served.ts';
import { health } from '../../words/health.ts';
import { timeOfDay } from '../../words/times.ts';
import { isNotKnown, type Unwatched } from '../serving.ts';
import type { Coverage } from './coverage.ts';

interface Words {
  readonly badge: string;
  readonly tone: 'good' | 'caution' | 'bad' | 'plain';
  /** The consequence or the remedy; absent if the badge says everything. */
  readonly more?: string;
}

/** Formatters of base units. */
interface Amounts {
  readonly amount: (base: bigint) => string;
  readonly cost: (base: bigint) => string;
}

const tones: Readonly<Record<Missing, Words['tone']>> = {
  unknown: 'caution',
  revoked: 'plain',
  cancelled: 'plain',
  expired: 'bad',
  token_changed: 'bad',
  repay_paused: 'bad',
  no_debt: 'caution',
  no_collateral: 'caution',
  day_cap_used_up: 'bad',
  no_allowance: 'bad',
  allowance_too_low: 'bad',
  no_balance: 'bad',
  balance_too_low: 'bad',
  below_minimum: 'bad',
  remainder_refused: 'bad',
  cash_too_low: 'bad',
  sale_would_harm: 'bad',
  transfer_paused: 'bad',
  withdrawal_paused: 'bad',
  withdrawal_fee_too_high: 'bad',
  borrowing_power_too_low: 'bad',
  price_source_failed: 'bad',
};

function unable(why: Missing, protocol: string): Words {
  const tone = tones[why];
  if (why === 'repay_paused') {
    return { badge: coverWords.repay_paused.badge(protocol), tone, more: coverWords.repay_paused.more(protocol) };
  }
  const { badge, more } = coverWords[why];
  return { badge, tone, ...(more !== undefined && { more }) };
}

/**
 * A guard's state in words. Green only for a guard that can bring its loan to the target now, no matter who calls.
 * @param protocol name of the lending protocol.
 * @param amount formats base units of the repay token.
 * @param cost formats the amount that is needed, rounded up.
 * @param when formats unix seconds.
 */
export function coverageWords(
  coverage: Coverage,
  protocol: string,
  { amount, cost }: Amounts,
  when: (unixSeconds: bigint) => string,
): Words {
  if (coverage.state === 'unable') return unable(coverage.why, protocol);
  const { state, nextFrom, sourceFrom, onlyBy, needed, isForced, due, isLiquidatable, unwatched, shares } = coverage;
  const sourceRests = sourceFrom === undefined ? [] : [coverWords.onlyProtocol(when(sourceFrom), protocol)];
  const bounds = [
    ...(isForced === false ? [] : [isForced ? coverWords.forcedMore : coverWords.forcedUnknown(protocol)]),
    ...(due === undefined ? [] : [dueMore(due), ...(nextFrom === undefined ? [coverWords.noneYet] : [])]),
    ...(isLiquidatable ? [coverWords.liquidatableMore] : []),
    ...(state === 'full' ? [] : [coverWords.inPart(amount(coverage.amount), cost(needed))]),
    ...(shares === undefined ? [] : [coverWords.sharesMore(amount(shares.has), shares.with, cost(shares.needed))]),
    ...(nextFrom === undefined ? [] : [coverWords.nextFrom(when(nextFrom))]),
    ...(onlyBy === undefined ? [] : [coverWords.onlyByMore(shortAddress(onlyBy))]),
    ...(unwatched && onlyBy === undefined ? [unwatchedMore(unwatched)] : []),
  ];
  if (bounds.length === 0)
    return { badge: coverWords.guarded, tone: 'good', ...(sourceFrom && { more: sourceRests.join(coverWords.space) }) };
  const more = [...bounds, ...sourceRests].join(coverWords.space);
  return { badge: boundedBadge(coverage), tone: isForced || isLiquidatable ? 'bad' : 'caution', more };
}

/** A rescue that is still due shows that nobody has rescued yet, no matter who claims to watch. */
const dueMore = ({ by, healthWad, triggerHealthWad }: Due): string =>
  coverWords[by === 'chainlink' ? 'dueByChainlink' : 'dueMore'](health(healthWad), health(triggerHealthWad));

/** Why no keeper is known to watch a guard, in a sentence. */
export const unwatchedMore = (why: Unwatched): string =>
  why === 'unseen' ? coverWords.noKeeperMore : `${servedWords.why[why]}${coverWords.space}${coverWords.anybody}`;

/** The same in a few words, beginning with a small letter. */
export const unwatchedBadge = (why: Unwatched): string =>
  isNotKnown(why) ? coverWords.noKeeper : why === 'stopped' ? coverWords.stopped : partWords.notServed;

function boundedBadge({
  state,
  nextFrom,
  onlyBy,
  isForced,
  due,
  isLiquidatable,
  unwatched,
  shares,
}: Exclude<Coverage, { state: 'unable' }>): string {
  if (isForced) return coverWords.forced;
  if (isLiquidatable) return coverWords.liquidatable;
  if (isForced === undefined) return coverWords.unknown.badge;
  if (nextFrom !== undefined) return coverWords.resting(timeOfDay(Number(nextFrom) * 1_000));
  if (unwatched && onlyBy === undefined) {
    const badge = unwatchedBadge(unwatched);
    return state === 'full' ? badge : coverWords.inPartAnd(badge);
  }
  if (due !== undefined) return coverWords.due;
  if (state === 'full' && shares !== undefined) return coverWords.shares(shares.with);
  return state === 'full' && onlyBy !== undefined ? coverWords.onlyBy(shortAddress(onlyBy)) : coverWords.guardedInPart;
}

/** Names what a green badge rests on besides the chain: the agent's own claim. Undefined if not needed. */
export const agentsWord = (coverage: Coverage): string | undefined =>
  coverage.state === 'unable' || coverage.unwatched || coverage.onlyBy !== undefined
    ? undefined
    : coverWords.agentsWord;

import { describe, expect, it } from 'vitest';
import {
  type AttemptEffect as Effect,
  type AttemptEvent as Event,
  firstAttempt as first,
  type NotMade,
  stepAttempt as step,
} from '../../../src/loops/loan-guard/plan.ts';

const hash = '0xaa';
const reverted: NotMade = { outcome: 'reverted', hash, block: 1n, gasUsed: 1n };
const tooDear: NotMade = { outcome: 'not_allowed', rule: 'gas_price', price: { askedWei: 9n, maxWei: 5n } };
const ended = (sent: NotMade, isAlone = true): Event => ({ type: 'ended', sent, isAlone });
const judged = (skip?: string): Event => ({ type: 'judged', skip });
const failed = (reason?: string): Event => ({ type: 'failed', reason });
const made = (isBySource = false): Event => ({ type: 'made', isBySource });

/** What is remembered after these events, and what the last one does. */
function outcome(...events: readonly Event[]) {
  let attempt = first;
  let effects: readonly Effect[] = [];
  for (const event of events) [attempt, effects] = step(attempt, event);
  const rests = effects.flatMap((effect) => (effect.do === 'back_off' ? effect.seconds : []));
  return { ...attempt, rests, does: effects.map((effect) => effect.do).filter((each) => each !== 'back_off') };
}

describe('a guard', () => {
  it.each<[string, readonly Event[], Partial<ReturnType<typeof outcome>>]>([
    ['is due', [judged()], { isRefused: false, rests: [], does: ['add'] }],
    ['is refused by the contract', [judged('no_debt')], { isRefused: true, rests: [15n], does: ['remove'] }],
    ['is refused without a name', [judged('unknown_error')], { isRefused: true, rests: [2n] }],
    ['may be due in the next block', [judged('cooling_down')], { isRefused: false, rests: [], does: ['remove'] }],
    ['was refused and is due', [judged('no_debt'), judged()], { isRefused: false, does: ['add'] }],
    ['has no answer', [{ type: 'unanswered', isRead: true }], { isRefused: false, rests: [2n], does: ['add'] }],
    ['has no answer and no loan', [{ type: 'unanswered', isRead: false }], { rests: [2n], does: [] }],
    ['is rescued', [ended(reverted), made()], { isRefused: false, hasReverted: false, rests: [15n] }],
    ['fails in our code', [{ type: 'broken' }], { isRefused: false, rests: [15n], does: [] }],

    ['reverts', [ended(reverted)], { isRefused: true, hasReverted: true, rests: [0n], does: ['too_dear', 'refuse'] }],
    ['reverts again', [ended(reverted), judged(), ended(reverted)], { rests: [15n] }],
    ['reverts after a rescue', [ended(reverted), made(), ended(reverted)], { rests: [0n] }],
    [
      'fails in a list',
      [failed('nothing_taken')],
      { isRefused: true, hasReverted: true, rests: [0n], does: ['refuse'] },
    ],
    ['fails in a list again', [failed(), failed()], { rests: [15n] }],
    ['was rescued by another in that list', [failed('health_at_target')], { isRefused: false, does: ['refuse'] }],

    ['is too dear', [ended(tooDear)], { isRefused: false, rests: [2n], does: ['too_dear'] }],
    ['is not worth its gas', [ended({ ...tooDear, rule: 'not_worth_gas' })], { rests: [2n], does: ['remove'] }],
    ['is not allowed', [ended({ outcome: 'not_allowed', rule: 'gas_day' })], { isRefused: false, rests: [15n] }],
    ['is not sent', [ended({ outcome: 'not_sent' })], { isRefused: false, rests: [0n] }],
    ['would revert', [ended({ outcome: 'would_revert', error: 'no_debt' })], { isRefused: true, rests: [15n] }],
    [
      'would revert at a node that lags',
      [ended({ outcome: 'would_revert', error: 'unknown_error' })],
      { isRefused: false, rests: [2n] },
    ],
    ['is cancelled', [ended({ outcome: 'cancelled', hash })], { isRefused: false, rests: [2n], does: ['too_dear'] }],
    ['may have been rescued', [ended({ outcome: 'consumed', hash })], { rests: [2n], does: ['too_dear', 'mistrust'] }],
    ['is open when the process stops', [ended({ outcome: 'unknown', hash })], { rests: [2n] }],

    ['was in a list that reverted', [ended(reverted, false)], { isRefused: false, hasReverted: false, rests: [2n] }],
    ['was in a list that was not sent', [ended({ outcome: 'not_sent' }, false)], { rests: [0n], does: [] }],
    [
      'was in a list that may be mined',
      [ended({ outcome: 'consumed', hash }, false)],
      { rests: [2n], does: ['mistrust'] },
    ],
  ])('that %s', (_, events, expected) => {
    expect(outcome(...events)).toMatchObject(expected);
  });

  it('that is rescued has all guards read again, at once if its price source made it', () => {
    const again = (isBySource: boolean) => step(first, made(isBySource))[1].find((effect) => effect.do === 'mistrust');
    expect([again(false), again(true)]).toMatchObject([{ seconds: 15n }, { seconds: 0n }]);
  });
});

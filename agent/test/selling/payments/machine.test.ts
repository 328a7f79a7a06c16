import { describe, expect, test } from 'vitest';
import {
  afterRestart,
  type Effect,
  type Event,
  type Seen,
  type State,
  step,
} from '../../../src/selling/payments/machine.ts';
import { createRandom } from '../../sim/random.ts';

const hash = (digit: string) => `0x${digit.repeat(64)}` as const;
const kept = { since: 7n, answer: { text: 'answer' }, hashes: [], isUnanswered: false } as const;
const states = {
  NEW: { name: 'NEW' },
  WORKING: { name: 'WORKING', since: 7n },
  KEPT: { name: 'KEPT', ...kept },
  SETTLING: { name: 'SETTLING', isDeclined: false, ...kept },
  UNKNOWN: { name: 'UNKNOWN', ...kept },
  REFUSED: { name: 'REFUSED', reason: 'token_refuses', ...kept },
  PAID: { name: 'PAID', transaction: hash('a'), isDelivered: false, ...kept },
} as const satisfies Record<string, State>;

const unused: Seen = { state: 'unused', isPending: false };
const paid: Seen = { state: 'paid', transaction: hash('a') };
const seen = (shown: Seen, maySettle = true, isDelivered = true): Event => ({
  type: 'seen',
  seen: shown,
  maySettle,
  isDelivered,
});
const asked: Event = { type: 'asked', isStale: false };
const onDisk: Event = { type: 'kept', isAwaited: true, isStale: false };
const notOnDisk: Event = { type: 'not_kept', isAwaited: true, isStale: false };
const later = { code: 'payment_unavailable', detail: '', waitSeconds: 5 } as const;
const failed: Event = { type: 'failed', failure: { ok: false, code: 'timeout', message: '', retryable: true } };

/** The state after events, and what the last of them has done. */
function following(first: State, ...events: Event[]) {
  let state = first;
  let effects: Effect[] = [];
  for (const event of events) [state, ...effects] = step(state, event);
  const done = effects.map((each) => (each.do === 'reply' ? each.reply : each.do));
  return { state, done };
}

describe('PY-24: money is taken after the work and before the answer', () => {
  test('a payment is verified, worked for, kept, settled, proved, kept and answered, in this order', () => {
    const events: [Event, string | object][] = [
      [asked, 'verify'],
      [{ type: 'verified', block: 7n, maySettle: true }, 'work'],
      [{ type: 'worked', answer: { text: 'answer' } }, 'keep'],
      [onDisk, 'settle'],
      [{ type: 'settled', isDeclined: false, hash: hash('a') }, 'look'],
      [seen(paid), 'keep'],
      [onDisk, { say: 'answer' }],
    ];
    let state: State = states.NEW;
    for (const [event, last] of events) {
      const { state: next, done } = following(state, event);
      expect(done.at(-1)).toEqual(last);
      state = next;
    }
    expect(state).toMatchObject({ name: 'PAID', transaction: hash('a'), hashes: [hash('a')], isDelivered: true });
  });

  test('work that fails, and what cannot be kept, takes nothing and leaves nothing', () => {
    expect(following(states.WORKING, failed)).toMatchObject({ state: { name: 'NEW' }, done: [{ say: 'failed' }] });
    const full = following(states.KEPT, notOnDisk);
    expect(full).toMatchObject({
      state: { name: 'NEW' },
      done: ['drop', { say: 'put_off', later: { reason: 'not_kept' } }],
    });
  });

  test('a client that is gone before settlement is not charged, and may come back', () => {
    const gone = following(states.KEPT, { type: 'kept', isAwaited: false, isStale: false });
    expect(gone).toMatchObject({ state: { name: 'KEPT' }, done: [{ say: 'nobody_waits' }] });
    expect(following(gone.state, asked, seen(unused)).done).toEqual(['settle']);
  });
});

describe('PY-9, PY-5: what is unknown is never called refused', () => {
  const declined: Event = { type: 'settled', isDeclined: true };
  const refusal: Event = { type: 'refused', reason: 'token_refuses' };

  test('a decline is definite when nothing is pending and the token would refuse it, too', () => {
    expect(following(states.SETTLING, declined, seen(unused)).done).toEqual(['verify']);
    expect(following(states.SETTLING, declined, seen(unused), refusal)).toMatchObject({
      state: { name: 'REFUSED' },
      done: ['keep', { say: 'refused', reason: 'token_refuses' }],
    });
    const again = following(states.SETTLING, declined, seen(unused), { type: 'verified', block: 9n, maySettle: false });
    expect(again).toMatchObject({ state: { name: 'UNKNOWN' }, done: [{ say: 'unknown' }] });
    const atOnce = following(states.SETTLING, declined, seen(unused), { type: 'verified', block: 9n, maySettle: true });
    expect(atOnce).toMatchObject({ state: { name: 'SETTLING', isDeclined: false }, done: ['settle'] });
  });

  test.each<[string, Event]>([
    ['it hangs or breaks off', { type: 'unanswered' }],
    ['it says paid, and names nothing', { type: 'settled', isDeclined: false }],
  ])('%s: no later decline speaks for that request', (_, silence) => {
    const first = following(states.SETTLING, silence, seen(unused));
    expect(first).toMatchObject({ state: { name: 'UNKNOWN', isUnanswered: true }, done: [{ say: 'unknown' }] });
    const second = following(first.state, asked, seen(unused), declined, seen(unused));
    expect(second).toMatchObject({ state: { name: 'UNKNOWN' }, done: [{ say: 'unknown' }] });
  });

  test('a decline that names a transaction without a receipt is pending', () => {
    const named: Event = { type: 'settled', isDeclined: true, hash: hash('b') };
    const pending = following(states.SETTLING, named, seen({ state: 'unused', isPending: true }));
    expect(pending).toMatchObject({ state: { name: 'UNKNOWN', hashes: [hash('b')] }, done: [{ say: 'unknown' }] });
  });

  test('on resending the chain is asked first, then the facilitator', () => {
    expect(following(states.UNKNOWN, asked).done).toEqual(['look']);
    expect(following(states.UNKNOWN, asked, seen(paid))).toMatchObject({ state: { name: 'PAID' }, done: ['keep'] });
    expect(following(states.UNKNOWN, asked, seen(unused)).done).toEqual(['settle']);
    expect(following(states.UNKNOWN, asked, seen(unused, false)).done).toEqual([{ say: 'unknown' }]);
    expect(following(states.UNKNOWN, asked, seen({ state: 'unclear' })).done).toEqual([{ say: 'unknown' }]);
  });
});

test('what was refused stays bound until it is final, is answered if it pays late, and is simulated before it is settled again', () => {
  expect(following(states.REFUSED, asked, seen(paid)).state.name).toBe('PAID');
  expect(following(states.REFUSED, asked, seen(unused)).done).toEqual(['verify']);
  const funded = following(states.REFUSED, asked, seen(unused), { type: 'verified', block: 9n, maySettle: false });
  expect(funded).toMatchObject({ state: { name: 'SETTLING' }, done: ['keep'] });
  expect(following(funded.state, onDisk).done).toEqual(['settle']);
  expect(following(funded.state, notOnDisk).done).toEqual([{ say: 'unknown' }]);
  const void_ = (isFinal: boolean) => seen({ state: 'void', reason: 'cancelled', isFinal }, false);
  expect(following(states.REFUSED, asked, void_(false)).state.name).toBe('REFUSED');
  expect(following(states.REFUSED, asked, void_(true))).toMatchObject({
    state: { name: 'DEAD' },
    done: ['drop', { say: 'refused' }],
  });
  const lapsed = (isFinal: boolean) => following(states.UNKNOWN, asked, seen({ state: 'lapsed', isFinal }, false));
  expect([lapsed(false).state.name, lapsed(true).state.name]).toEqual(['REFUSED', 'DEAD']);
});

describe('an answer that is stale when it is first delivered is made anew', () => {
  const stale: Event = { type: 'asked', isStale: true };
  test('once, and the old answer is good if the work fails', () => {
    expect(following(states.PAID, stale)).toMatchObject({ state: { name: 'STALE' }, done: ['work'] });
    const redone = following(states.PAID, stale, { type: 'worked', answer: { text: 'new' } }, onDisk);
    expect(redone).toMatchObject({
      state: { name: 'PAID', answer: { text: 'new' }, isDelivered: true },
      done: [{ say: 'answer' }],
    });
    expect(following(redone.state, stale).done).toEqual([{ say: 'answer' }]);
    expect(following(states.PAID, stale, failed)).toMatchObject({
      state: { answer: kept.answer },
      done: [{ say: 'answer' }],
    });
  });
  test('not for nobody', () => {
    const event: Event = { type: 'kept', isAwaited: false, isStale: true };
    expect(following(states.PAID, event).done).toEqual([{ say: 'nobody_waits' }]);
  });
});

test('PY-3: a restart takes what was kept for unknown, and what was paid for paid', () => {
  for (const name of ['KEPT', 'SETTLING', 'UNKNOWN'] as const) {
    expect(afterRestart(states[name])).toMatchObject({ name: 'UNKNOWN' });
    expect(following(afterRestart(states[name]), asked).done).toEqual(['look']);
  }
  expect(afterRestart(states.KEPT)).toMatchObject({ isUnanswered: true });
  expect(afterRestart({ ...states.PAID, name: 'STALE' })).toEqual(states.PAID);
});

test('whatever happens, nothing is answered that is not paid and kept, and nothing is settled that is not kept', () => {
  const random = createRandom(1);
  const pick = <Item>(items: readonly Item[]) => items[random.below(items.length)] as Item;
  const happens = () => random.happens(0.5);
  const shown = (): Seen =>
    pick<Seen>([
      paid,
      unused,
      { state: 'unclear' },
      { state: 'unused', isPending: true },
      { state: 'lapsed', isFinal: happens() },
      { state: 'void', reason: 'cancelled', isFinal: happens() },
    ]);
  const results: Record<Exclude<Effect['do'], 'reply' | 'drop'>, () => Event> = {
    verify: () =>
      pick<Event>([
        { type: 'verified', block: 9n, maySettle: false },
        { type: 'refused', reason: 'token_refuses' },
        { type: 'put_off', later },
      ]),
    work: () => pick<Event>([{ type: 'worked', answer: {} }, failed]),
    keep: () => ({ type: pick(['kept', 'not_kept']), isAwaited: happens(), isStale: happens() }),
    settle: () =>
      pick<Event>([
        { type: 'settled', isDeclined: happens(), ...(happens() && { hash: hash('a') }) },
        { type: 'unanswered' },
      ]),
    look: () => seen(shown(), happens(), happens()),
  };
  let answers = 0;
  for (let life = 0; life < 2_000; life++) {
    let state: State = states.NEW;
    let isKept = false;
    let hasPaid = false;
    for (let request = 0; request < 4 && state.name !== 'DEAD'; request++) {
      if (random.happens(0.2) && 'answer' in state) state = afterRestart(state);
      let event: Event = { type: 'asked', isStale: happens() };
      for (let told = false; !told; ) {
        const [next, ...effects]: readonly [State, ...Effect[]] = step(state, event);
        state = next;
        if (state.name === 'NEW') isKept = false;
        for (const effect of effects) {
          if (effect.do === 'reply') {
            told = true;
            if (effect.reply.say === 'answer') answers += 1;
            if (effect.reply.say === 'answer') expect([isKept, hasPaid, state.name]).toEqual([true, true, 'PAID']);
            if (effect.reply.say === 'refused' && 'isUnanswered' in state) expect(hasPaid).toBe(false);
          } else if (effect.do !== 'drop') {
            if (effect.do === 'settle') expect(isKept).toBe(true);
            event = results[effect.do]();
            if (effect.do === 'keep') isKept ||= event.type === 'kept';
            if (event.type === 'seen' && event.seen.state === 'paid') hasPaid = true;
          }
        }
      }
    }
  }
  expect(answers).toBeGreaterThan(100);
});

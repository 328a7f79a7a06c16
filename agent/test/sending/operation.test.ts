import type { Sent } from '@bowline/core/domain/sending';
import { describe, expect, it, test } from 'vitest';
import {
  type Effect,
  type Event,
  maxWeiOf,
  newOperation,
  type Operation,
  type Payload,
  step,
  type Terms,
} from '../../src/sending/operation.ts';

// Each event in each phase; then what holds in any order of events.

const run: Terms = { maxGasPriceWei: { act: 1_000n, cancel: 4_000n }, actsUntil: 30n, isBumped: true };
const rescue: Terms = { maxGasPriceWei: { act: 4_000n, cancel: 4_000n }, isBumped: true };
const act = (gasPriceWei = 100n): Payload => ({
  hash: `0xa${gasPriceWei}`,
  does: 'act',
  gasPriceWei,
  maxWei: gasPriceWei,
});
const cancel = (gasPriceWei: bigint): Payload => ({
  hash: `0xc${gasPriceWei}`,
  does: 'cancel',
  gasPriceWei,
  maxWei: gasPriceWei,
});
const notSent: Sent = { outcome: 'not_sent' };
const unused = (block: bigint, now: bigint, more: Partial<Extract<Event, { type: 'unused' }>> = {}): Event => ({
  ...{ type: 'unused', now, block, isNext: true, offeredWei: 100n },
  ...more,
});
const refused = (payload: Payload, isLast = true): Event => ({
  ...{ type: 'refused', hash: payload.hash, isLast, sent: notSent },
});
const signed = (payload: Payload): Event => ({ type: 'signed', payload });
const taken = (payload = act()): Event => ({ type: 'taken', hash: payload.hash });

/** This many blocks without it. */
const blocks = (count: number) => Array.from({ length: count }, (_, at) => unused(6n + BigInt(at), 1n));

/** The operation after these events, from block 5 at second 0, and the effects of the last one. */
function ended(terms: Terms, events: readonly Event[], payload: Payload | null = act()) {
  let operation = newOperation(terms, { now: 0n, block: 5n }, payload ?? undefined);
  let effects: readonly Effect[] = [];
  for (const event of events) [operation, effects] = step(operation, event);
  return { operation, effects };
}

// WA-6
describe('one operation', () => {
  it.each<[string, Terms, readonly Event[], Operation['phase'], readonly Effect[]]>([
    ['is with a node', run, [taken()], 'submitted', []],
    [
      'is with nobody, and no later one waits for it',
      run,
      [refused(act())],
      'reported',
      [{ do: 'report', sent: notSent }],
    ],
    ['is with nobody, but a later one waits for it', run, [refused(act(), false)], 'signed', []],
    ['is refused where another node may have it', run, [taken(), refused(act())], 'submitted', []],
    ['is not in a new block', run, [unused(6n, 0n)], 'signed', [{ do: 'submit', payload: act() }]],
    ['is in the same block as before', run, [unused(5n, 0n)], 'signed', []],
    ['waits a second without a block', run, [unused(5n, 1n)], 'signed', [{ do: 'submit', payload: act() }]],
    [
      'was passed over by two blocks',
      rescue,
      [taken(), unused(6n, 0n), unused(7n, 1n)],
      'submitted',
      [
        { do: 'submit', payload: act() },
        { do: 'sign', does: 'act', gasPriceWei: 113n },
      ],
    ],
    [
      'was passed over by two blocks that nobody could have included it in',
      rescue,
      [{ type: 'unanswered' }, unused(6n, 0n), unused(7n, 1n), unused(8n, 1n), unused(9n, 2n)],
      'submitted',
      [{ do: 'submit', payload: act() }],
    ],
    [
      'is taken after nobody answered: the two blocks begin then',
      rescue,
      [{ type: 'unanswered' }, unused(6n, 0n), unused(7n, 1n), taken(), unused(8n, 1n)],
      'submitted',
      [{ do: 'submit', payload: act() }],
    ],
    [
      'was taken, and is not at its higher price',
      rescue,
      [taken(), unused(6n, 0n), unused(7n, 1n), signed(act(113n)), taken(act()), unused(8n, 1n), unused(9n, 2n)],
      'submitted',
      [{ do: 'submit', payload: act(113n) }],
    ],
    [
      'only relays have, and was passed over by eleven blocks',
      { ...run, patientBlocks: 12 },
      [taken(), ...blocks(11)],
      'submitted',
      [{ do: 'submit', payload: act() }],
    ],
    [
      'only relays have, and was passed over by twelve blocks',
      { ...run, patientBlocks: 12 },
      [taken(), ...blocks(12)],
      'submitted',
      [
        { do: 'submit', payload: act() },
        { do: 'sign', does: 'act', gasPriceWei: 113n },
      ],
    ],
    [
      'only relays had, and whose cancellation everybody sees',
      { ...run, patientBlocks: 12 },
      [taken(), unused(6n, 30n), signed(cancel(113n)), taken(cancel(113n)), unused(7n, 31n), unused(8n, 31n)],
      'submitted',
      [
        { do: 'submit', payload: cancel(113n) },
        { do: 'sign', does: 'cancel', gasPriceWei: 128n },
      ],
    ],
    [
      'waited two blocks for an earlier nonce',
      rescue,
      [taken(), unused(6n, 0n, { isNext: false }), unused(7n, 1n, { isNext: false })],
      'submitted',
      [{ do: 'submit', payload: act() }],
    ],
    [
      'was passed over, and could not be cancelled at a higher price',
      { ...run, maxGasPriceWei: { act: 120n, cancel: 120n } },
      [taken(), unused(6n, 0n), unused(7n, 1n)],
      'submitted',
      [{ do: 'submit', payload: act() }],
    ],
    [
      'was passed over at its maximum',
      { ...rescue, maxGasPriceWei: { act: 110n, cancel: 110n } },
      [taken(), unused(6n, 0n), unused(7n, 1n)],
      'submitted',
      [{ do: 'submit', payload: act() }],
    ],
    ['is signed at a higher price', rescue, [signed(act(113n))], 'signed', [{ do: 'submit', payload: act(113n) }]],
    [
      'may not act any more',
      run,
      [taken(), unused(6n, 30n)],
      'submitted',
      [{ do: 'sign', does: 'cancel', gasPriceWei: 113n }],
    ],
    ['may act at any time', rescue, [taken(), unused(6n, 9_999n)], 'submitted', [{ do: 'submit', payload: act() }]],
    [
      'is cancelled',
      run,
      [unused(6n, 30n), signed(cancel(113n)), unused(7n, 31n)],
      'signed',
      [{ do: 'submit', payload: cancel(113n) }],
    ],
    ['was bumped while its time ended', run, [unused(6n, 30n), signed(act(113n))], 'signed', []],
    [
      'is cancelled at too low a price',
      run,
      [taken(), unused(6n, 30n), signed(cancel(113n)), refused(cancel(113n))],
      'submitted',
      [{ do: 'sign', does: 'cancel', gasPriceWei: 226n }],
    ],
    [
      'cannot be cancelled at any price',
      run,
      [taken(), unused(6n, 30n), signed(cancel(4_000n)), refused(cancel(4_000n))],
      'submitted',
      [],
    ],
    [
      'has a receipt before its nonce is used',
      run,
      [taken(), { type: 'found', sent: { outcome: 'cancelled', hash: '0x' } }],
      'submitted',
      [],
    ],
    ['has its nonce used', run, [{ type: 'used', now: 3n }], 'used', [{ do: 'find' }]],
    [
      'is looked up again',
      run,
      [
        { type: 'used', now: 3n },
        { type: 'used', now: 5n },
      ],
      'used',
      [{ do: 'find' }],
    ],
    [
      'is found',
      run,
      [
        { type: 'used', now: 3n },
        { type: 'found', sent: { outcome: 'cancelled', hash: '0xa100' } },
      ],
      'reported',
      [{ do: 'report', sent: { outcome: 'cancelled', hash: '0xa100' } }],
    ],
    [
      'is found in no receipt',
      run,
      [
        { type: 'used', now: 3n },
        { type: 'used', now: 4n },
        { type: 'used', now: 5n },
        { type: 'used', now: 6n },
      ],
      'reported',
      [{ do: 'report', sent: { outcome: 'consumed', hash: '0xa100' } }],
    ],
    [
      'is found in no receipt of a node that answers slowly',
      run,
      [
        { type: 'used', now: 3n },
        { type: 'used', now: 9n },
      ],
      'used',
      [{ do: 'find' }],
    ],
    [
      'was counted as used by mistake',
      run,
      [{ type: 'used', now: 3n }, unused(6n, 4n)],
      'submitted',
      [{ do: 'submit', payload: act() }],
    ],
    ['is signed while its nonce is used', rescue, [{ type: 'used', now: 3n }, signed(act(113n))], 'used', []],
    [
      'is open when the process stops',
      run,
      [{ type: 'stop' }],
      'reported',
      [{ do: 'report', sent: { outcome: 'unknown', hash: '0xa100' } }],
    ],
  ])('that %s', (_, terms, events, phase, effects) => {
    const end = ended(terms, events);
    expect([end.operation.phase, end.effects]).toEqual([phase, effects]);
  });

  it('that frees a foreign nonce bids until nothing more is allowed, and leaves it then', () => {
    const first = ended(rescue, [unused(6n, 0n)], null);
    expect(first.effects).toEqual([{ do: 'sign', does: 'cancel', gasPriceWei: 100n }]);
    const last = [unused(6n, 0n), signed(cancel(4_000n)), refused(cancel(4_000n))];
    expect(ended(rescue, last, null).effects).toEqual([{ do: 'report', sent: notSent }]);
  });
});

/** Numbers from 0 up to, not including, `below`: the same for the same seed. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// WA-6
test('whatever comes in whatever order: one report, no broadcast after it, no late act, no price above the maximum', () => {
  for (let seed = 0; seed < 3_000; seed++) {
    const pick = numbersOf(seed);
    const terms = pick(2) === 0 ? run : rescue;
    let operation = newOperation(terms, { now: 0n, block: 5n }, pick(8) === 0 ? undefined : act(BigInt(1 + pick(900))));
    let [now, block, serial] = [0n, 5n, 0];
    let [isReported, isLate, isUsed] = [false, false, false];
    const shown: Payload[] = [...operation.payloads];
    /** What the driver was asked to sign and has not signed yet. */
    let orders: Extract<Effect, { do: 'sign' }>[] = [];
    const story: unknown[] = [];

    const events: (() => Event)[] = [
      () => taken(shown[pick(shown.length)]),
      () => ({ ...unused(block, now), isNext: pick(3) > 0, offeredWei: BigInt(pick(6_000)) }) as Event,
      () => ({ ...unused(block, now), isNext: pick(3) > 0, offeredWei: BigInt(pick(6_000)) }) as Event,
      () => ({ type: 'used', now }),
      () => ({ type: 'found', sent: { outcome: 'cancelled', hash: '0x' } }),
      () => refused(shown[pick(shown.length)] ?? act(), pick(2) === 0),
      () => (pick(9) === 0 ? { type: 'stop' } : { type: 'unanswered' }),
      () => {
        const [order] = orders;
        if (order === undefined) return taken(shown.at(-1));
        orders = orders.slice(1);
        serial += 1;
        const { does, gasPriceWei } = order;
        return { type: 'signed', payload: { hash: `0x${serial}`, does, gasPriceWei, maxWei: gasPriceWei } };
      },
    ];
    for (let steps = 0; steps < 60; steps++) {
      now += BigInt(pick(4));
      block += BigInt(pick(3));
      const event = (events[pick(events.length)] as () => Event)();
      const before = operation;
      let effects: readonly Effect[];
      [operation, effects] = step(operation, event);
      story.push(event, effects);
      const must = (holds: boolean): void => {
        const told = () => JSON.stringify(story, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
        if (!holds) throw new Error(`seed ${seed}: ${told()}`);
      };
      isUsed = event.type === 'used' || (isUsed && event.type !== 'unused');
      isLate ||= event.type === 'unused' && terms.actsUntil !== undefined && now >= terms.actsUntil && !isReported;
      for (const effect of effects) {
        must(!isReported);
        if (effect.do === 'report') isReported = true;
        if (effect.do === 'sign') {
          must(effect.gasPriceWei <= terms.maxGasPriceWei[effect.does]);
          must(!isUsed);
          // A payload that nobody accepted is not outbid, but one that may no longer act is still cancelled.
          must(before.isTaken || before.payloads.at(-1)?.does !== effect.does || event.type === 'refused');
          if (effect.does === 'act') {
            must(!isLate);
            // Nodes only replace a transaction at an eighth more.
            must(effect.gasPriceWei * 8n >= (before.payloads.at(-1)?.gasPriceWei ?? 0n) * 9n);
          }
          orders.push(effect);
        }
        if (effect.do === 'submit') {
          // The newest of its kind: all share one nonce, so the chain includes only one of them.
          must(!isUsed);
          if (effect.payload.does === 'act') must(!(isLate || operation.isCancelled));
          shown.push(effect.payload);
        }
      }
      must((operation.phase === 'reported') === isReported);
      if (before.isCancelled) must(operation.isCancelled);
    }
  }
});

test('an operation may cost what its dearest payload may, whichever is the newest', () => {
  const { operation } = ended(run, [taken(act(900n)), signed(cancel(200n))], act(900n));
  expect(operation.payloads).toHaveLength(2);
  expect(maxWeiOf(operation)).toBe(900n);
});

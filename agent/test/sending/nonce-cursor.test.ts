import { describe, expect, it } from 'vitest';
import { type Cursor, type Effect, type Event, step } from '../../src/sending/nonce-cursor.ts';

const stuckSeconds = 60n;

/** After these events, each at its second. Returns also the effects of the last one, without its log lines. */
function ended(...events: readonly (readonly [bigint, Event])[]) {
  let cursor: Cursor = { seen: 0n, stuckSeconds };
  let effects: readonly Effect[] = [];
  for (const [now, event] of events) [cursor, effects] = step(cursor, event, now);
  const logged = effects.flatMap((effect) => (effect.do === 'log' ? effect.event : []));
  return { cursor, logged, does: effects.filter((effect) => effect.do !== 'log') };
}
const read = (used: bigint, first?: bigint): Event => ({ type: 'read', used, first });
const used = (nonce: bigint): Event => ({ type: 'used', nonce });
const wanted = (next: bigint, pending: bigint, mined = 0n): Event => ({ type: 'wanted', used: mined, pending, next });
const refused = (nonce: bigint): Event => ({ type: 'refused', nonce });

// WA-6
describe('what a node counts', () => {
  it('is believed at once if no nonce is missing', () => {
    expect(ended([0n, read(7n)])).toMatchObject({ cursor: { seen: 7n }, does: [] });
    expect(ended([0n, read(7n, 7n)])).toMatchObject({ cursor: { seen: 7n } });
  });

  it('is not believed for a minute if this process has seen a later nonce used', () => {
    expect(ended([0n, read(7n)], [0n, used(7n)], [1n, read(7n)], [60n, read(7n)]).cursor.seen).toBe(8n);
    const late = ended([0n, read(7n)], [0n, used(7n)], [1n, read(7n)], [61n, read(7n)]);
    expect(late).toMatchObject({ cursor: { seen: 7n }, logged: ['sender.block_undone'], does: [] });
  });

  it('begins a new minute when it fits again', () => {
    const events = [
      [0n, used(7n)],
      [1n, read(7n)],
      [40n, read(8n)],
      [50n, read(7n)],
      [100n, read(7n)],
    ] as const;
    expect(ended(...events)).toMatchObject({ cursor: { seen: 8n }, logged: [] });
  });

  it('that lacks nonces before those in use has them freed after a minute', () => {
    expect(ended([0n, read(5n, 7n)], [59n, read(5n, 7n)]).does).toEqual([]);
    const { does, cursor } = ended([0n, read(5n, 7n)], [60n, read(5n, 7n)]);
    expect(does).toEqual([{ do: 'free', nonces: [5n, 6n] }]);
    expect(cursor).toMatchObject({ seen: 5n, behindSince: undefined });
  });

  it('a million below those in use ends them: they were given by a wrong count', () => {
    const { does } = ended([0n, read(0n, 33n)], [60n, read(0n, 33n)]);
    expect(does).toEqual([{ do: 'give_up' }]);
    expect(ended([0n, read(0n, 32n)], [60n, read(0n, 32n)]).does).toMatchObject([{ do: 'free' }]);
  });

  it('is never moved back by an outcome', () => {
    expect(ended([0n, used(9n)], [0n, used(3n)]).cursor.seen).toBe(10n);
  });
});

describe('a nonce that the node keeps for somebody else', () => {
  it('is waited for, which is logged once, and freed after twice the receipt time', () => {
    expect(ended([0n, wanted(3n, 5n)])).toMatchObject({ logged: ['sender.in_flight'], does: [] });
    expect(ended([0n, wanted(3n, 5n)], [59n, wanted(3n, 5n)])).toMatchObject({ logged: [], does: [] });
    expect(ended([0n, wanted(3n, 5n)], [60n, wanted(3n, 5n)])).toMatchObject({
      logged: ['sender.stuck'],
      does: [{ do: 'free', nonces: [3n, 4n] }],
    });
  });

  it('is bid for once a minute, thirty-two at a time', () => {
    const first = [
      [0n, wanted(3n, 99n)],
      [60n, wanted(3n, 99n)],
    ] as const;
    expect(ended(...first).does).toEqual([
      { do: 'free', nonces: Array.from({ length: 32 }, (_, at) => 3n + BigInt(at)) },
    ]);
    expect(ended(...first, [119n, wanted(3n, 99n)]).does).toEqual([]);
    expect(ended(...first, [120n, wanted(3n, 99n)]).does).toMatchObject([{ do: 'free' }]);
  });

  it('is waited for anew when it moves on, or when it was free meanwhile', () => {
    expect(ended([0n, wanted(3n, 5n)], [60n, wanted(4n, 5n)]).does).toEqual([]);
    expect(ended([0n, wanted(3n, 5n)], [30n, wanted(3n, 3n)], [60n, wanted(3n, 5n)]).does).toEqual([]);
  });

  it('is not judged by a node that lags', () => {
    const { logged, does } = ended([0n, used(7n)], [0n, wanted(8n, 20n, 7n)], [90n, wanted(8n, 20n, 7n)]);
    expect([logged, does]).toEqual([['sender.node_behind'], []]);
  });
});

describe('a nonce that the node refuses', () => {
  it('is freed after twice the receipt time, and again after as long', () => {
    const first = [
      [0n, refused(3n)],
      [60n, refused(3n)],
    ] as const;
    expect(ended([0n, refused(3n)], [59n, refused(3n)]).does).toEqual([]);
    expect(ended(...first)).toMatchObject({ logged: ['sender.stuck'], does: [{ do: 'free', nonces: [3n] }] });
    expect(ended(...first, [119n, refused(3n)]).does).toEqual([]);
    expect(ended(...first, [120n, refused(3n)]).does).toHaveLength(1);
  });

  it('is another one after it was used', () => {
    expect(ended([0n, refused(3n)], [60n, refused(4n)]).does).toEqual([]);
  });
});

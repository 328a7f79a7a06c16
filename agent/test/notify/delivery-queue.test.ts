import { describe, expect, it } from 'vitest';
import { type Delivery, type Event, step } from '../../src/notify/delivery-queue.ts';
import type { Posted } from '../../src/notify/post.ts';

// AG-79

const delivery = (id: string, host = id, more: Partial<Delivery> = {}): Delivery => ({
  ...{ id, host, type: 'funds_ending', body: '', attempts: 0, nextAt: 0, isBusy: false },
  webhook: { owner: `0x${host.charCodeAt(0).toString(16).padStart(40, '0')}`, url: '', secret: '', expiresAt: 0n },
  ...more,
});
const asked = (each: Delivery): Event => ({ type: 'asked', delivery: each });

/** A queue after events, with what it did at each. */
function queueOf(...before: readonly Delivery[]) {
  let queue: readonly Delivery[] = before;
  return {
    post(event: Event, now = 0) {
      const [after, effects] = step(queue, event, now);
      queue = after;
      return effects.map((each) =>
        each.do === 'attempt' ? each.delivery.id : each.do === 'wake' ? each.inMs : each.event,
      );
    },
    end(id: string, posted: Posted | undefined, now = 0, chance = 0.5) {
      const busy = queue.find((each) => each.id === id && each.isBusy) as Delivery;
      return this.post({ type: 'ended', delivery: busy, posted, chance }, now);
    },
    ids: () => queue.map(({ id }) => id),
  };
}

describe('a delivery', () => {
  it('is attempted at once, and the next one to its host after it', () => {
    const queue = queueOf();
    expect(queue.post(asked(delivery('a', 'x')))).toEqual(['a']);
    expect(queue.post(asked(delivery('b', 'x')))).toEqual([]);
    expect(queue.post(asked(delivery('c', 'y')))).toEqual(['c']);
    expect(queue.end('a', { status: 204 })).toEqual(['notice.delivered', 'b']);
    expect(queue.ids()).toEqual(['b', 'c']);
  });

  it('that fails waits longer each time, a fifth more or less by chance, and is given up after six', () => {
    const queue = queueOf();
    queue.post(asked(delivery('a')));
    const waits = [5_000, 30_000, 120_000, 600_000, 1_800_000];
    for (const wait of waits) {
      expect(queue.end('a', { status: 500 })).toEqual(['notice.failed', wait]);
      expect(queue.post({ type: 'woken' }, wait - 1)).toEqual([1]);
      expect(queue.post({ type: 'woken' }, wait)).toEqual(['a']);
    }
    expect(queue.end('a', { failed: 'timeout' })).toEqual(['notice.given_up']);
    expect(queue.ids()).toEqual([]);
    const [soonest, latest] = [0, 1].map((chance) => {
      const other = queueOf();
      other.post(asked(delivery('a')));
      return other
        .end('a', { status: 300 }, 0, chance)
        .map((each) => Math.round(Number(each)))
        .at(-1);
    });
    expect([soonest, latest]).toEqual([4_000, 6_000]);
  });

  it('is over where the receiver is gone, or the webhook', () => {
    const queue = queueOf();
    for (const id of ['a', 'b']) queue.post(asked(delivery(id)));
    expect(queue.end('a', { status: 410 })).toEqual(['notice.given_up']);
    expect(queue.end('b', undefined)).toEqual([]);
    expect(queue.ids()).toEqual([]);
  });

  it('goes before what has failed, and a rescue before all', () => {
    const failed = delivery('failed', 'x', { attempts: 3 });
    const queue = queueOf(delivery('busy', 'x', { isBusy: true }), failed, delivery('new', 'x'));
    queue.post(asked(delivery('rescue', 'x', { type: 'rescue_made' })));
    expect(queue.end('busy', { status: 200 })).toEqual(['notice.delivered', 'rescue']);
    expect(queue.end('rescue', { status: 200 })).toEqual(['notice.delivered', 'new']);
    expect(queue.end('new', { status: 200 })).toEqual(['notice.delivered', 'failed']);
  });

  it('waits while 32 are attempted', () => {
    const queue = queueOf(...Array.from({ length: 32 }, (_, at) => delivery(`${at}`, `h${at}`, { isBusy: true })));
    expect(queue.post(asked(delivery('a')))).toEqual([]);
    expect(queue.end('7', { status: 200 })).toEqual(['notice.delivered', 'a']);
  });
});

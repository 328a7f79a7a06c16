import type { Timers } from '@bowline/core/domain/time';
import type { Random } from './random.ts';

export interface VirtualTime extends Timers {
  /** Resolves after this time. */
  wait(milliseconds: number): Promise<void>;
  /** Runs everything that falls due up to this time, each event until nothing more can happen without time. */
  run(untilMs: number): Promise<void>;
}

interface Event {
  readonly at: number;
  /** Decides the order of events of the same time: a real machine promises none. */
  readonly tie: number;
  call: (() => void) | undefined;
}

/** Time that passes only when everything that can happen has happened. */
export function createVirtualTime(random: Random): VirtualTime {
  const events: Event[] = [];
  let now = 0;

  const after = (milliseconds: number, call: () => void) => {
    const event: Event = { at: now + Math.max(0, milliseconds), tie: random.unit(), call };
    push(events, event);
    return () => {
      event.call = undefined;
    };
  };
  return {
    now: () => now,
    after,
    wait: (milliseconds) => new Promise((resolve) => void after(milliseconds, resolve)),
    async run(untilMs) {
      await settled();
      for (let next = events[0]; next !== undefined && next.at <= untilMs; next = events[0]) {
        pop(events);
        if (next.call === undefined) continue;
        now = next.at;
        next.call();
        await settled();
      }
      now = untilMs;
    },
  };
}

/** All promise reactions run before this. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.tie < b.tie);

function push(heap: Event[], event: Event): void {
  let at = heap.length;
  while (at > 0) {
    const parentAt = (at - 1) >> 1;
    const parent = heap[parentAt] as Event;
    if (!isBefore(event, parent)) break;
    heap[at] = parent;
    at = parentAt;
  }
  heap[at] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let childAt = 2 * at + 1;
    if (childAt >= heap.length) break;
    if (childAt + 1 < heap.length && isBefore(heap[childAt + 1] as Event, heap[childAt] as Event)) childAt += 1;
    const child = heap[childAt] as Event;
    if (!isBefore(child, last)) break;
    heap[at] = child;
    at = childAt;
  }
  heap[at] = last;
}

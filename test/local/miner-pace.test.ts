import { afterEach, expect, it, vi } from 'vitest';
import { mineEvery } from '../../lab/world/miner.ts';

// In virtual time, with a node of configurable speed: on a busy machine real blocks keep no pace. miner.test.ts tests
// the node's own part.

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Number of blocks mined at an interval of 100 ms, if the node takes this many milliseconds for each. */
async function minedIn(milliseconds: number, takes: (block: number) => number): Promise<number> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let blocks = 0;
  const url = 'http://127.0.0.1:0';
  vi.stubGlobal('fetch', async (asked: unknown) => {
    // A request left over from another test does not count as a block.
    if (asked !== url) throw new Error('no such node');
    blocks += 1;
    const delay = takes(blocks);
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
  });
  const stop = mineEvery(url, 0.1);
  await vi.advanceTimersByTimeAsync(milliseconds);
  const stopped = stop();
  await vi.runAllTimersAsync();
  await stopped;
  return blocks;
}

it('keeps its pace while each block takes less than the interval', async () => {
  expect(await minedIn(2_000, () => 0)).toBe(20);
  expect(await minedIn(2_000, () => 99)).toBe(20);
});

it('does not make up for what a slow block missed', async () => {
  // The third takes from 300 ms to 1,000 ms.
  expect(await minedIn(2_000, (block) => (block === 3 ? 700 : 0))).toBe(14);
});

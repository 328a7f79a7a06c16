import { describe, expect, test } from 'vitest';
import { type Crewman, startCrew } from './crew.ts';
import { createRandom } from './random.ts';

// AG-82, AG-83: three workers in virtual time, of which some die, freeze, or lose Redis.

/** Blocks by which a second worker may be later than the first. */
const SECOND = 8;

type Crew = ReturnType<typeof startCrew>;
async function settled(guards = 12, workers = 3, seed = 1): Promise<Crew> {
  const crew = startCrew(guards, seed);
  for (let at = 0; at < workers; at += 1) crew.start(at);
  await crew.pass(15);
  return crew;
}

/** Each loan was rescued as often as it fell. */
const expectOnce = ({ guardIds, rescuesOf, falls }: Crew) =>
  expect(guardIds.map(rescuesOf)).toEqual(guardIds.map(falls));
const failures = ({ chain }: Crew) => chain.paidForFailures().count;

/** Blocks that one worker needs which is alone. */
const alone = await (async () => {
  const crew = await settled(12, 1);
  crew.fall(...crew.guardIds);
  await crew.pass(10);
  return Math.max(...crew.blocks);
})();

const firstFor = ({ crew, guardsOf }: Crew): { first: Crewman; ids: readonly bigint[] } => {
  const first = crew[0] as Crewman;
  const ids = guardsOf(first.key);
  expect(ids.length).toBeGreaterThan(1);
  return { first, ids };
};

test('three that are well rescue each loan once, as soon as one, and nothing fails', async () => {
  const crew = await settled();
  crew.fall(...crew.guardIds);
  await crew.pass(10);
  expectOnce(crew);
  expect(Math.max(...crew.blocks)).toBeLessThanOrEqual(alone);
  expect(failures(crew)).toBe(0);
});

describe.each([0, 0.3, 2, 20])('%d seconds before its loans fall', (seconds) => {
  test.each(['killed', 'frozen'])('the first is %s: the next sends eight blocks later at most', async (how) => {
    const crew = await settled();
    const { first, ids } = firstFor(crew);
    if (how === 'killed') first.process.kill();
    else first.process.freeze();
    await crew.pass(seconds);
    crew.fall(...ids);
    await crew.pass(12);
    expectOnce(crew);
    expect(Math.max(...crew.blocks)).toBeLessThanOrEqual(alone + SECOND);
    // What it sends when it goes on is refused by its simulation, or reverts.
    first.process.thaw();
    await crew.pass(12);
    expectOnce(crew);
    expect(failures(crew)).toBeLessThanOrEqual(ids.length);
  });
});

test('the first is killed when its rescue is on the way', async () => {
  for (let ms = 0; ms < 1_000; ms += 50) {
    const crew = await settled();
    const { first, ids } = firstFor(crew);
    crew.fall(...ids);
    await crew.pass(ms / 1000);
    first.process.kill();
    await crew.pass(12);
    expectOnce(crew);
    expect(Math.max(...crew.blocks)).toBeLessThanOrEqual(alone + SECOND);
    expect(failures(crew)).toBeLessThanOrEqual(ids.length);
  }
});

describe.each([0, 3, 60])('Redis for %d seconds', (seconds) => {
  test.each(['gone', 'frozen', 'emptied'] as const)(
    '%s: no rescue is later than alone, and none fails',
    async (how) => {
      const crew = await settled();
      if (how === 'emptied') crew.redis.empty();
      else crew.redis.down = how;
      await crew.pass(seconds);
      crew.fall(...crew.guardIds);
      await crew.pass(10);
      expectOnce(crew);
      expect(Math.max(...crew.blocks)).toBeLessThanOrEqual(alone);
      expect(failures(crew)).toBe(0);
      crew.redis.down = undefined;
      await crew.pass(20);
      expect(crew.crew.map(({ agent }) => agent.workers()?.count())).toEqual([3, 3, 3]);
    },
  );

  test('gone, and two of three workers with it: the third rescues all', async () => {
    const crew = await settled();
    crew.redis.down = 'gone';
    for (const { process } of crew.crew.slice(0, 2)) process.kill();
    await crew.pass(seconds);
    crew.fall(...crew.guardIds);
    await crew.pass(15);
    expectOnce(crew);
    expect(Math.max(...crew.blocks)).toBeLessThanOrEqual(alone + 2 * SECOND);
    expect(failures(crew)).toBe(0);
  });
});

test('a worker whose key every node refuses is waited for once', async () => {
  const crew = await settled();
  const { first, ids } = firstFor(crew);
  crew.refuses(first.key);
  const [one, ...others] = ids as [bigint, ...bigint[]];
  crew.fall(one);
  await crew.pass(12);
  expect(crew.blocks[0]).toBeGreaterThan(alone);
  expect(crew.blocks[0]).toBeLessThanOrEqual(alone + SECOND);
  // It comes last itself, so that nothing is sent twice when it can send again.
  expect(first.agent.workers()?.firstOf(ids.map((id) => ({ id }) as never))).toBe(0);
  crew.fall(...others);
  await crew.pass(12);
  expectOnce(crew);
  expect(Math.max(...crew.blocks.slice(1))).toBeLessThanOrEqual(alone);
});

describe('reading in turn', () => {
  const readers = ({ crew }: Crew, id: bigint) =>
    crew.filter(
      ({ agent, process }) => !process.isDead() && agent.isLoaded() && agent.workers()?.reads({ id } as never),
    );
  /** Of every guard, at every block from now on. */
  function leastReaders(crew: Crew): { count: number } {
    const least = { count: Number.POSITIVE_INFINITY };
    crew.onBlock(() => {
      least.count = Math.min(least.count, ...crew.guardIds.map((id) => readers(crew, id).length));
    });
    return least;
  }

  test.each([3, 4, 6])('each guard has two of %i workers', async (workers) => {
    const crew = await settled(60, workers);
    for (const id of crew.guardIds) expect(readers(crew, id)).toHaveLength(2);
  });

  test.each([1, 2])('all guards have all of %i workers', async (workers) => {
    const crew = await settled(60, workers);
    for (const id of crew.guardIds) expect(readers(crew, id)).toHaveLength(workers);
  });

  test('a worker that joins takes no guard before it has read all loans', async () => {
    const crew = await settled(60);
    const least = leastReaders(crew);
    const [fourth, fifth] = [crew.start(3, 20_000), crew.start(4, 20_000)];
    await crew.pass(18);
    expect(least.count).toBe(2);
    expect(crew.crew[0]?.agent.workers()?.count()).toBe(3);
    await crew.pass(20);
    expect(least.count).toBe(2);
    expect(crew.crew[0]?.agent.workers()?.count()).toBe(5);
    for (const { key } of [fourth, fifth]) expect(crew.guardsOf(key).length).toBeGreaterThan(0);
    for (const id of crew.guardIds) expect(readers(crew, id)).toHaveLength(2);
  });

  test('the third takes the place of one that dies', async () => {
    const crew = await settled(60);
    const least = leastReaders(crew);
    crew.crew[0]?.process.kill();
    await crew.pass(15);
    expect(least.count).toBe(1);
    for (const id of crew.guardIds) expect(readers(crew, id)).toHaveLength(2);
  });

  test('while Redis is silent, everybody reads everything', async () => {
    const crew = await settled(60);
    crew.redis.down = 'frozen';
    await crew.pass(8);
    for (const id of crew.guardIds) expect(readers(crew, id)).toHaveLength(3);
    crew.redis.down = undefined;
    await crew.pass(8);
    for (const id of crew.guardIds) expect(readers(crew, id)).toHaveLength(2);
  });
});

test('whatever happens in five minutes, each loan is rescued once, in time, and few rescues fail', async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const random = createRandom(seed);
    const crew = await settled(12, 3, seed);
    let count = 0;
    for (let second = 0; second < 300; second += 15) {
      const at = random.below(3);
      const one = crew.crew.findLast(({ key }) => key === crew.crew[at]?.key) as Crewman;
      const fault = random.below(6);
      if (fault === 0) one.process.kill();
      if (fault === 1) one.process.freeze();
      if (fault === 2) crew.redis.down = 'gone';
      if (fault === 3) crew.redis.down = 'frozen';
      if (fault === 4) crew.redis.empty();
      await crew.pass(5 * random.unit());
      const fallen = crew.guardIds.filter(() => random.below(4) === 0);
      crew.fall(...fallen);
      count += fallen.length;
      await crew.pass(8);
      if (fault === 0) crew.start(at);
      one.process.thaw();
      crew.redis.down = undefined;
      await crew.pass(2);
    }
    await crew.pass(20);
    expectOnce(crew);
    expect(count).toBeGreaterThan(20);
    expect(Math.max(...crew.blocks)).toBeLessThanOrEqual(alone + SECOND);
    expect(failures(crew)).toBeLessThanOrEqual(count / 4);
  }
});

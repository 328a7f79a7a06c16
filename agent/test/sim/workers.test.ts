import { describe, expect, test } from 'vitest';
import { createRandom } from './random.ts';
import { type OneWorker, startWorkers } from './workers.ts';

// AG-82: three workers in virtual time, some of which die, freeze, or lose Redis.

/** Blocks by which a second worker may lag behind the first. */
const SECOND = 8;

type World = ReturnType<typeof startWorkers>;
async function settled(guards = 12, workers = 3, seed = 1): Promise<World> {
  const world = startWorkers(guards, seed);
  for (let at = 0; at < workers; at += 1) world.start(at);
  await world.pass(15);
  return world;
}

/** Each loan was rescued as often as it fell. */
const expectOnce = ({ guardIds, rescuesOf, falls }: World) =>
  expect(guardIds.map(rescuesOf)).toEqual(guardIds.map(falls));
const failures = ({ chain }: World) => chain.paidForFailures().count;

/** Blocks that a single worker needs. */
const alone = await (async () => {
  const world = await settled(12, 1);
  world.fall(...world.guardIds);
  await world.pass(10);
  return Math.max(...world.blocks);
})();

const firstFor = ({ workers, guardsOf }: World): { first: OneWorker; ids: readonly bigint[] } => {
  const first = workers[0] as OneWorker;
  const ids = guardsOf(first.key);
  expect(ids.length).toBeGreaterThan(1);
  return { first, ids };
};

test('three that are well rescue each loan once, as soon as one, and nothing fails', async () => {
  const world = await settled();
  world.fall(...world.guardIds);
  await world.pass(10);
  expectOnce(world);
  expect(Math.max(...world.blocks)).toBeLessThanOrEqual(alone);
  expect(failures(world)).toBe(0);
});

describe.each([0, 0.3, 2, 20])('%d seconds before its loans fall', (seconds) => {
  test.each(['killed', 'frozen'])('the first is %s: the next sends eight blocks later at most', async (how) => {
    const world = await settled();
    const { first, ids } = firstFor(world);
    if (how === 'killed') first.process.kill();
    else first.process.freeze();
    await world.pass(seconds);
    world.fall(...ids);
    await world.pass(12);
    expectOnce(world);
    expect(Math.max(...world.blocks)).toBeLessThanOrEqual(alone + SECOND);
    // What it sends once it is thawed is refused by its simulation, or reverts.
    first.process.thaw();
    await world.pass(12);
    expectOnce(world);
    expect(failures(world)).toBeLessThanOrEqual(ids.length);
  });
});

test('the first is killed when its rescue is on the way', async () => {
  for (let ms = 0; ms < 1_000; ms += 50) {
    const world = await settled();
    const { first, ids } = firstFor(world);
    world.fall(...ids);
    await world.pass(ms / 1000);
    first.process.kill();
    await world.pass(12);
    expectOnce(world);
    expect(Math.max(...world.blocks)).toBeLessThanOrEqual(alone + SECOND);
    expect(failures(world)).toBeLessThanOrEqual(ids.length);
  }
});

describe.each([0, 3, 60])('Redis for %d seconds', (seconds) => {
  test.each(['gone', 'frozen', 'emptied'] as const)(
    '%s: no rescue is later than alone, and none fails',
    async (how) => {
      const world = await settled();
      if (how === 'emptied') world.redis.empty();
      else world.redis.down = how;
      await world.pass(seconds);
      world.fall(...world.guardIds);
      await world.pass(10);
      expectOnce(world);
      expect(Math.max(...world.blocks)).toBeLessThanOrEqual(alone);
      expect(failures(world)).toBe(0);
      world.redis.down = undefined;
      await world.pass(20);
      expect(world.workers.map(({ agent }) => agent.workers()?.count())).toEqual([3, 3, 3]);
    },
  );

  test('gone, and two of three workers with it: the third rescues all', async () => {
    const world = await settled();
    world.redis.down = 'gone';
    for (const { process } of world.workers.slice(0, 2)) process.kill();
    await world.pass(seconds);
    world.fall(...world.guardIds);
    await world.pass(15);
    expectOnce(world);
    expect(Math.max(...world.blocks)).toBeLessThanOrEqual(alone + 2 * SECOND);
    expect(failures(world)).toBe(0);
  });
});

test('a worker whose key every node refuses is waited for once', async () => {
  const world = await settled();
  const { first, ids } = firstFor(world);
  world.refuses(first.key);
  const [one, ...others] = ids as [bigint, ...bigint[]];
  world.fall(one);
  await world.pass(12);
  expect(world.blocks[0]).toBeGreaterThan(alone);
  expect(world.blocks[0]).toBeLessThanOrEqual(alone + SECOND);
  // It ranks itself last, so nothing is sent twice once it can send again.
  expect(first.agent.workers()?.firstOf(ids.map((id) => ({ id }) as never))).toBe(0);
  world.fall(...others);
  await world.pass(12);
  expectOnce(world);
  expect(Math.max(...world.blocks.slice(1))).toBeLessThanOrEqual(alone);
});

test('Redis names sixty workers that there are not: a rescue is two head starts later at most', async () => {
  const world = await settled();
  world.redis.lies = Array.from({ length: 60 }, (_, at) => {
    const id = `0x${(0x9e3779b9 * (at + 1)).toString(16).padStart(40, 'f')}`;
    return JSON.stringify({ id, instance: 'f'.repeat(16), keeper: id, runs: true, reads: true });
  });
  await world.pass(5);
  expect(world.workers[0]?.agent.workers()?.count()).toBe(63);
  world.fall(...world.guardIds);
  await world.pass(12);
  expectOnce(world);
  expect(Math.max(...world.blocks)).toBeLessThanOrEqual(alone + 2 * SECOND);
  expect(failures(world)).toBeLessThanOrEqual(2 * world.guardIds.length);
});

describe('reading in turn', () => {
  const readers = ({ workers }: World, id: bigint) =>
    workers.filter(
      ({ agent, process }) => !process.isDead() && agent.isLoaded() && agent.workers()?.reads({ id } as never),
    );
  /** The fewest readers of any guard, at every block from now on. */
  function leastReaders(world: World): { count: number } {
    const least = { count: Number.POSITIVE_INFINITY };
    world.onBlock(() => {
      least.count = Math.min(least.count, ...world.guardIds.map((id) => readers(world, id).length));
    });
    return least;
  }

  test.each([3, 4, 6])('each guard has two of %i workers', async (workers) => {
    const world = await settled(60, workers);
    for (const id of world.guardIds) expect(readers(world, id)).toHaveLength(2);
  });

  test.each([1, 2])('all guards have all of %i workers', async (workers) => {
    const world = await settled(60, workers);
    for (const id of world.guardIds) expect(readers(world, id)).toHaveLength(workers);
  });

  test('a worker that joins takes no guard before it has read all loans', async () => {
    const world = await settled(60);
    const least = leastReaders(world);
    const [fourth, fifth] = [world.start(3, 20_000), world.start(4, 20_000)];
    await world.pass(18);
    expect(least.count).toBe(2);
    expect(world.workers[0]?.agent.workers()?.count()).toBe(3);
    await world.pass(20);
    expect(least.count).toBe(2);
    expect(world.workers[0]?.agent.workers()?.count()).toBe(5);
    for (const { key } of [fourth, fifth]) expect(world.guardsOf(key).length).toBeGreaterThan(0);
    for (const id of world.guardIds) expect(readers(world, id)).toHaveLength(2);
  });

  test('the third takes the place of one that dies', async () => {
    const world = await settled(60);
    const least = leastReaders(world);
    world.workers[0]?.process.kill();
    await world.pass(15);
    expect(least.count).toBe(1);
    for (const id of world.guardIds) expect(readers(world, id)).toHaveLength(2);
  });

  test('a worker whose nodes are silent stays in the order, and the third reads in its place', async () => {
    const world = await settled(60);
    const [first] = world.workers as [OneWorker];
    for (const node of first.network.nodes) node.down = 'hangs';
    await world.pass(30);
    const others = (id: bigint) => readers(world, id).filter((each) => each !== first);
    for (const id of world.guardIds) expect(others(id)).toHaveLength(2);
    expect(world.workers.map(({ agent }) => agent.workers()?.count())).toEqual([3, 3, 3]);
  });

  test('while Redis is silent, everybody reads everything', async () => {
    const world = await settled(60);
    world.redis.down = 'frozen';
    await world.pass(8);
    for (const id of world.guardIds) expect(readers(world, id)).toHaveLength(3);
    world.redis.down = undefined;
    await world.pass(8);
    for (const id of world.guardIds) expect(readers(world, id)).toHaveLength(2);
  });
});

const whatever = (seeds: number) => async () => {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = createRandom(seed);
    const world = await settled(12, 3, seed);
    let count = 0;
    for (let second = 0; second < 300; second += 15) {
      const at = random.below(3);
      const one = world.workers.findLast(({ key }) => key === world.workers[at]?.key) as OneWorker;
      const fault = random.below(6);
      if (fault === 0) one.process.kill();
      if (fault === 1) one.process.freeze();
      if (fault === 2) world.redis.down = 'gone';
      if (fault === 3) world.redis.down = 'frozen';
      if (fault === 4) world.redis.empty();
      await world.pass(5 * random.unit());
      const fallen = world.guardIds.filter(() => random.below(4) === 0);
      world.fall(...fallen);
      count += fallen.length;
      await world.pass(8);
      if (fault === 0) world.start(at);
      one.process.thaw();
      world.redis.down = undefined;
      await world.pass(2);
    }
    await world.pass(20);
    expectOnce(world);
    expect(count).toBeGreaterThan(20);
    expect(Math.max(...world.blocks)).toBeLessThanOrEqual(alone + SECOND);
    expect(failures(world)).toBeLessThanOrEqual(count / 4);
  }
};
const inTime = 'whatever happens in five minutes, each loan is rescued once, in time, and few rescues fail';
test(inTime, whatever(5));
test(`${inTime}: four times as often`, { tags: 'long' }, whatever(20));

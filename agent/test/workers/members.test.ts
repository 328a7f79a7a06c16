import { expect, onTestFinished, test } from 'vitest';
import { joinMembers, type Member, maxOthers, serves } from '../../src/workers/members.ts';
import { keepLog } from '../loops/world.ts';
import { createRandom } from '../sim/random.ts';
import { createVirtualTime } from '../sim/virtual-time.ts';

// AG-82: what Redis answers is checked, bounded, and forgotten with care.

const address = (at: number) => `0x${at.toString(16).padStart(40, '0')}`;
const member = (at: number, changes: Partial<Member> = {}): Member => ({
  id: address(at),
  instance: at.toString(16).padStart(16, '0'),
  keeper: address(at),
  ...{ runs: true, reads: true },
  ...changes,
});

/** One worker in virtual time; Redis answers what `answer` gives. */
function joined() {
  const time = createVirtualTime(createRandom(1));
  const log = keepLog();
  const world = {
    answer: (): unknown => [],
    isActive: true,
    said: [] as (string | undefined)[],
  };
  const beat = async (own: string | undefined) => {
    world.said.push(own);
    return world.answer();
  };
  const say = () => (world.isActive ? member(1) : undefined);
  const members = joinMembers(member(1), beat, { say, timers: time, log });
  onTestFinished(() => members.stop());
  const pass = (seconds: number) => time.run(time.now() + seconds * 1000);
  const others = () => members.others().map(({ id }) => Number(id));
  const says = (...all: readonly unknown[]) => {
    world.answer = () => all.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  };
  const fails = () => {
    world.answer = () => {
      throw new Error('redis://:secret@127.0.0.1 refused');
    };
  };
  return { world, log, members, pass, others, says, fails };
}

test('a worker is known within a second, and gone five seconds after it was last seen', async () => {
  const { world, members, pass, others, says } = joined();
  says(member(1), member(2), member(3));
  await pass(1);
  expect(others()).toEqual([2, 3]);
  expect(JSON.parse(world.said[0] ?? '')).toEqual(member(1));
  says(member(1), member(3));
  await pass(4);
  expect(others()).toEqual([2, 3]);
  await pass(3);
  expect(others()).toEqual([3]);
  expect(members.silentMs()).toBeLessThan(2_000);
});

test('nobody waits for a worker that the guard does not name', async () => {
  const { members, pass, says } = joined();
  says(member(2), member(3));
  await pass(1);
  const servedBy = (keeper?: string) =>
    members.others().flatMap((other) => (serves(other, { keeper } as never) ? [Number(other.id)] : []));
  expect(servedBy()).toEqual([2, 3]);
  expect(servedBy(address(3))).toEqual([3]);
  expect(servedBy(address(9))).toEqual([]);
});

test('an emptied Redis changes nothing if the workers are back within five seconds', async () => {
  const { pass, others, says } = joined();
  says(member(2), member(3));
  await pass(1);
  says();
  await pass(3);
  says(member(2), member(3));
  for (let seconds = 0; seconds < 10; seconds++) {
    await pass(1);
    expect(others()).toEqual([2, 3]);
  }
});

test('while Redis is gone the workers stay, and when it is back they have time to show themselves', async () => {
  const { log, members, pass, others, says, fails } = joined();
  says(member(2), member(3));
  await pass(1);
  fails();
  await pass(3_600);
  expect(others()).toEqual([2, 3]);
  expect(members.silentMs()).toBeGreaterThan(3_598_000);
  says(member(3));
  await pass(4);
  expect(others()).toEqual([2, 3]);
  await pass(4);
  expect(others()).toEqual([3]);
  expect(log.lines.map(({ event }) => event).filter((event) => event.startsWith('redis.'))).toEqual([
    'redis.silent',
    'redis.answers',
  ]);
  expect(JSON.stringify(log.lines)).not.toContain('secret');
});

test.each([
  ['text', 'neither JSON nor short enough to be read'],
  ['a number', '7'],
  ['a list', '[]'],
  ['nothing', 'null'],
  ['another field', JSON.stringify({ ...member(9), admin: true })],
  ['no address', JSON.stringify({ ...member(9), id: 'everybody' })],
  ['upper case', JSON.stringify({ ...member(9), id: `0x${'A'.repeat(40)}` })],
  ['no instance', JSON.stringify({ ...member(9), instance: '' })],
  ['runs as text', JSON.stringify({ ...member(9), runs: 'true' })],
  ['a record in a megabyte', JSON.stringify(member(9)) + ' '.repeat(1_000_000)],
])('%s is no worker', async (_, text) => {
  const { pass, others, says } = joined();
  says(text, member(2));
  await pass(2);
  expect(others()).toEqual([2]);
});

test.each([
  ['no list', 'OK'],
  ['nothing', null],
  ['an object', { 0: 'x' }],
])('%s is no answer', async (_, answer) => {
  const { world, members, pass, others, says } = joined();
  says(member(2));
  await pass(1);
  world.answer = () => answer;
  await pass(20);
  expect(others()).toEqual([2]);
  expect(members.silentMs()).toBeGreaterThanOrEqual(19_000);
});

test('a crowd of strangers is cut off', async () => {
  const { pass, others, says } = joined();
  says(...Array.from({ length: 100_000 }, (_, at) => member(1_000 + at)));
  await pass(2);
  expect(others()).toHaveLength(maxOthers);
});

test('another process with the same key is told when it stays, and the last process of this key is not', async () => {
  const { members, pass, others, says } = joined();
  const last = member(1, { instance: 'f'.repeat(16) });
  says(last, member(1));
  await pass(10);
  says(member(1));
  await pass(10);
  expect(members.isKeyShared()).toBe(false);
  says(last, member(1));
  await pass(20);
  expect(members.isKeyShared()).toBe(true);
  expect(others()).toEqual([]);
});

test('a stopped worker learns of the others and is told to nobody', async () => {
  const { world, pass, others, says } = joined();
  says(member(2));
  world.isActive = false;
  await pass(3);
  expect(new Set(world.said.slice(1))).toEqual(new Set([undefined]));
  expect(others()).toEqual([2]);
});

import { custom, numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { keepLog } from '../../../../agent/test/loops/world.ts';
import { type Member, NodeHealth } from '../../nodes/node-health.ts';

// AG-59: in virtual time.

function threeNodes() {
  const time = { ms: 0 };
  const behind = [0n, 0n, 0n];
  const height = () => 1_000n + BigInt(Math.floor(time.ms / 450));
  const nodes = behind.map((_, at) => {
    const block = () => ({
      number: numberToHex(height() - (behind[at] ?? 0n)),
      timestamp: '0x1',
      hash: `0x${'11'.repeat(32)}`,
    });
    const request = async ({ method }: { method: string }) => (method === 'eth_chainId' ? '0x1' : block());
    return { name: `${at + 1}`, connect: () => custom({ request }) };
  });
  const timers = { now: () => time.ms, after: () => () => {} };
  const health = new NodeHealth(nodes, { chainId: 1, clock: () => 1n, timers, log: keepLog() });
  const look = (at: number) => health.look(health.members[at] as Member);
  const passedOver = () => health.states().map((state) => state.passedOver);
  return { time, behind, look, passedOver };
}

test('a node that was asked five seconds ago is not behind one that was asked now', async () => {
  const { time, look, passedOver } = threeNodes();
  for (const at of [0, 1, 2]) await look(at);
  for (let round = 0; round < 10; round += 1) {
    time.ms += 2_500;
    await look(round % 3);
    expect(passedOver()).toEqual([undefined, undefined, undefined]);
  }
});

test('a node that stands still is behind as soon as it says so again', async () => {
  const { time, behind, look, passedOver } = threeNodes();
  for (const at of [0, 1, 2]) await look(at);
  time.ms += 5_000;
  behind[0] = 11n;
  for (const at of [0, 1, 2]) await look(at);
  expect(passedOver()).toEqual(['behind', undefined, undefined]);
});

import { pathOf } from '@bowline/core/domain/route';
import { pad, zeroHash } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { swapExecutorAbi } from '../../../../abis/index.ts';
import { tokens } from '../../../../lab/world/addresses.ts';
import { bob } from '../../../../test/local/accounts.ts';
import { gasToday } from '../../../src/loops/executor/ledger.ts';
import { gasOfRecord } from '../../../src/loops/executor/plan.ts';
import { unsigned, unsignedGo } from '../../unsigned.ts';
import {
  anyPrice,
  createPlan,
  type DeployedChain,
  executorDeps,
  fund,
  keeper,
  owner,
  startDeployedChain,
} from '../world.ts';

let world: DeployedChain;
beforeAll(async () => {
  world = await startDeployedChain();
});
afterAll(() => world?.stop());

const secondsPerDay = 86_400;
const elsewhere = '0x00000000000000000000000000000000000000E5';

test('counts every record since midnight UTC and none before, however many there are', async () => {
  const { chain, book } = world;
  const { reader } = executorDeps(world);
  await fund(world, owner, 'USDT', '10000');
  await fund(world, bob, 'USDT', '10000');
  const { timestamp } = await chain.getBlock();
  const midnight = (Math.floor(Number(timestamp) / secondsPerDay) + 2) * secondsPerDay;
  // The slot that midnight falls into begins 30 seconds before it.
  const startAt = midnight - 30 - 10 * 120;
  const terms = {
    ...anyPrice,
    startAt,
    periodSeconds: 120,
    windowSeconds: 120,
    expiresAt: midnight + 2 * secondsPerDay,
  };
  const busy = await createPlan(world, terms);
  const single = await createPlan(world, { ...terms, periodSeconds: 3600, windowSeconds: 3600 });
  await createPlan(world, { ...terms, owner: bob, recipient: bob });
  // Somebody else's executor, at somebody else's cost: the same code with the same operator, at another address.
  const bytecode = await chain.getCode({ address: book.own.swapExecutor });
  if (bytecode === undefined) throw new Error('no code');
  await chain.setCode({ address: elsewhere, bytecode });
  await chain.setStorageAt({ address: elsewhere, index: 0, value: pad(keeper) });
  await createPlan(world, { ...terms, executor: elsewhere });
  const path = pathOf(tokens.USDT, [{ feeMillionths: 500, tokenOut: tokens.BTCB }]);

  const defer = async (planId: bigint, reason: number, executor = book.own.swapExecutor) => {
    const args = [planId, 1n, reason, unsigned('NO_DATA', zeroHash), '0x'] as const;
    await chain.send(keeper, executor, { abi: swapExecutorAbi, functionName: 'defer', args });
  };
  const execute = async (planId: bigint) => {
    const args = [planId, 1n, unsignedGo(zeroHash), '0x', path] as const;
    await chain.send(keeper, book.own.swapExecutor, { abi: swapExecutorAbi, functionName: 'execute', args });
  };
  // The first plan: 17 records before midnight, then 64, more than a page. The second: one, long before, in a slot that
  // midnight falls into. The third: one just before and one just after, in one slot.
  for (let slot = 0; slot < 26; slot += 1) {
    const time = startAt + slot * 120 + 5;
    await chain.setNextBlockTimestamp({ timestamp: BigInt(time) });
    const deferrals = slot < 10 ? 1 : 4;
    for (let reason = 1; reason <= deferrals; reason += 1) await defer(busy, reason);
    if (slot % 4 === 0) await execute(busy);
    if (slot === 8) await execute(single);
    if (slot === 10) {
      await defer(3n, 1);
      await defer(4n, 1, elsewhere);
      await chain.setNextBlockTimestamp({ timestamp: BigInt(midnight + 20) });
      await defer(3n, 2);
    }
  }
  await chain.mine({ blocks: 1 });

  const { plans } = await reader.plans();
  const naive = async (of: readonly bigint[], since: number) => {
    const records = (await Promise.all(of.map((id) => reader.runs(id, 0, 1000)))).flat();
    const sum = (kind: 'executed' | 'deferred') =>
      BigInt(records.filter(({ outcome, time }) => outcome === kind && time >= since).length) * gasOfRecord[kind];
    return sum('executed') + sum('deferred');
  };
  const times = (await reader.runs(busy, 0, 1000)).map(({ time }) => time);
  expect(times.filter((time) => time < midnight)).toHaveLength(17);
  expect(times.filter((time) => time >= midnight)).toHaveLength(64);
  const executor = book.own.swapExecutor;
  for (const day of [midnight - secondsPerDay, midnight, midnight + secondsPerDay]) {
    const gas = await gasToday(reader, plans, executor, [owner, bob, owner], BigInt(day + 4000));
    expect(gas).toEqual(
      new Map([
        [owner.toLowerCase(), await naive([busy, single], day)],
        [bob.toLowerCase(), await naive([3n], day)],
      ]),
    );
  }
});

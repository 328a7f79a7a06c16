import type { Plan } from '@bowline/core/domain/permissions';
import { type Reason, reasonCodes } from '@bowline/core/domain/reasons';
import { encodeFunctionData, encodePacked, parseEther, zeroHash } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planRegistryAbi, swapExecutorAbi } from '../../../../abis/index.ts';
import { tokens } from '../../../../lab/world/addresses.ts';
import { poolAddress } from '../../../../lab/world/pancake.ts';
import { bob } from '../../../../test/local/accounts.ts';
import { decide, duePlans } from '../../../src/loops/executor/plan.ts';
import { unsigned, unsignedGo } from '../../unsigned.ts';
import {
  anyPrice,
  createPlan,
  type DeployedChain,
  executorDeps,
  fund,
  keeper,
  owner,
  refusalWord,
  startDeployedChain,
} from '../world.ts';
import { servingPolicy } from './plans.ts';

// The plan is a second opinion on rules that the registry decides. Here both answer the same questions: random plans,
// in random states, at random times.

let world: DeployedChain;
beforeAll(async () => {
  world = await startDeployedChain();
});
afterAll(() => world?.stop());

const seed = 20_261_121;
const reasons = Object.keys(reasonCodes) as Reason[];
const path = encodePacked(['address', 'uint24', 'address'], [tokens.USDT, 500, tokens.BTCB]);
const route = [{ pool: poolAddress(tokens.USDT, tokens.BTCB, 500), feeMillionths: 500, tokenOut: tokens.BTCB }];

const execute = { abi: swapExecutorAbi, functionName: 'execute' } as const;
const defer = { abi: swapExecutorAbi, functionName: 'defer' } as const;

/** mulberry32: the same numbers on every machine. */
function randomFrom(start: number) {
  let state = start;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The registry's answer to the executor's call at that time. Raw calls: viem decodes an error by trying all there are. */
async function registrySays(planId: bigint, time: bigint, reason: Reason | undefined): Promise<string> {
  const { chain, book } = world;
  const data =
    reason === undefined
      ? encodeFunctionData({ ...execute, args: [planId, 1n, unsignedGo(zeroHash), '0x', path] })
      : encodeFunctionData({
          ...defer,
          args: [planId, 1n, reasonCodes[reason], unsigned('NO_GO', zeroHash), '0x'],
        });
  try {
    await chain.call({ account: keeper, to: book.own.swapExecutor, data, blockOverrides: { time } });
    return 'accepted';
  } catch (error) {
    return refusalWord(error);
  }
}

function planSays(plan: Plan, now: bigint, reason: Reason | undefined): string {
  const { assets, own } = world.book;
  const policy = { ...servingPolicy, minimumPeriodSeconds: 0n };
  const { due, skipped } = duePlans({
    now,
    plans: [plan],
    executor: own.swapExecutor,
    assets,
    policy,
    priceSources: [own.chainlinkPriceSource, own.venusPriceSource],
    revertedSlots: new Map(),
    cancelledSlots: new Map(),
  });
  const [open] = due;
  if (open === undefined) return skipped[0]?.skip ?? 'nothing';
  const intent = decide(open, reason === undefined ? { verdict: 'GO', route } : { verdict: 'NO_GO', reason });
  return intent.kind === 'skip' ? intent.skip : 'accepted';
}

test('the plan refuses what the registry refuses, by the same name, and nothing else', async () => {
  const { chain, book } = world;
  const random = randomFrom(seed);
  const pick = <item>(items: readonly item[]) => items[random(items.length)] as item;
  await fund(world, owner, 'USDT', '1000000');
  const funds = parseEther('1000000');
  const { timestamp } = await chain.getBlock();
  const begin = Number(timestamp);

  for (let made = 0; made < 16; made += 1) {
    const periodSeconds = 60 + random(600);
    const startAt = begin - 1_000 + random(1_500);
    await createPlan(world, {
      startAt,
      periodSeconds,
      windowSeconds: 1 + random(periodSeconds),
      maxRuns: 1 + random(3),
      expiresAt: Math.max(begin, startAt) + 60 + random(4_000),
      ...anyPrice,
    });
  }

  const heard = new Map<string, number>();
  const act = async (plan: Plan) => {
    const from = { address: book.own.planRegistry, abi: planRegistryAbi, functionName: pick(['pause', 'cancel']) };
    const chosen = random(40);
    if (chosen === 0) {
      await chain.send(owner, book.own.planRegistry, { ...from, args: [plan.id] } as never);
    } else {
      const reason = chosen < 6 ? undefined : pick(reasons);
      const call =
        reason === undefined
          ? { ...execute, args: [plan.id, 1n, unsignedGo(zeroHash), '0x', path] }
          : { ...defer, args: [plan.id, 1n, reasonCodes[reason], unsigned('CAUTION', zeroHash), '0x'] };
      await chain.send(keeper, book.own.swapExecutor, call as never).catch(() => undefined);
    }
  };

  for (let round = 0; round < 10; round += 1) {
    // A new reader each time: one that remembers refuses an ended plan by the first reason it saw, whatever came later.
    const reader = () => executorDeps(world).reader;
    for (const plan of (await reader().plans()).plans) {
      for (let times = random(7); times > 0; times -= 1) await act(plan);
    }
    const { block, plans } = await reader().plans();
    for (const plan of plans) {
      // Includes the exact seconds at which an answer changes, and the reason that was recorded last.
      const slot = plan.startAt + BigInt(random(6)) * plan.periodSeconds;
      const times = [
        block.timestamp,
        block.timestamp + BigInt(random(400)),
        BigInt(begin - 1_200 + random(7_000)),
        ...[slot - 1n, slot, slot + plan.windowSeconds - 1n, slot + plan.windowSeconds],
        ...[plan.startAt - 1n, plan.startAt, plan.expiresAt - 1n, plan.expiresAt],
        ...[plan.cursor - 1n, plan.cursor, plan.cursor + 1n].filter((time) => time > plan.startAt),
      ];
      const last = reasons.find((reason) => reasonCodes[reason] === plan.lastReason);
      for (const time of times) {
        const reason = pick([undefined, pick(reasons), last]);
        // An expired plan is asked about earlier times too, although its owner's funds are no longer read.
        const said = planSays({ ...plan, ownerBalance: funds, ownerAllowance: funds }, time, reason);
        const context = `seed ${seed}, round ${round}, plan ${plan.id}, time ${time}, ${reason ?? 'GO'}`;
        expect(said, context).toBe(await registrySays(plan.id, time, reason));
        heard.set(said, (heard.get(said) ?? 0) + 1);
      }
    }
    await chain.increaseTime({ seconds: 20 + random(200) });
    await chain.mine({ blocks: 1 });
  }

  // The random cases must have covered every possible answer.
  for (const word of [
    ...['accepted', 'plan_not_active', 'plan_expired', 'runs_used_up', 'plan_not_started', 'slot_used', 'slot_closed'],
    ...['reason_repeated', 'deferrals_used_up'],
  ]) {
    expect(heard.get(word) ?? 0, word).toBeGreaterThan(0);
  }
});

test("a stranger's plan is not ours, and the registry refuses us there", async () => {
  const { book } = world;
  const { reader } = executorDeps(world);
  const id = await createPlan(world, { executor: book.own.loanGuard, owner: bob, recipient: bob });
  const { block, plans } = await reader.plans();
  const plan = plans.find((each) => each.id === id);
  if (plan === undefined) throw new Error('no plan');
  expect(planSays(plan, block.timestamp, 'peg_missing')).toBe('not_ours');
  expect(await registrySays(id, block.timestamp, 'peg_missing')).toBe('not_executor');
});

import { BowlineError } from '@bowline/core/domain/result';
import type { Call, Sender, Sent } from '@bowline/core/domain/sending';
import { type Address, parseEther } from 'viem';
import { expect, test } from 'vitest';
import { loanGuardAbi } from '../../../../abis/index.ts';
import { approve } from '../../../../test/local/accounts.ts';
import type { LoanGuardDeps } from '../../../src/loops/loan-guard/tick.ts';
import { createWaitingRescues } from '../../../src/loops/loan-guard/waiting.ts';
import { borrow, introduce, setGuard, stranger } from '../../loans.ts';
import { endSenders, keeperSender, keepLog } from '../world.ts';
import { guardedChain, guarding, isList } from './guarded.ts';

// CH-2: many loans fall in the same block.

const crowd = 20;
const borrowers = Array.from({ length: crowd }, (_, at) => stranger(at));
const [first, second, third] = borrowers as [Address, Address, Address];

const {
  world,
  deps,
  fall,
  tick,
  rescuesOf,
  judging,
  setGuard: guard,
} = guardedChain(async (made) => {
  for (const borrower of borrowers) {
    await introduce(made.chain, borrower);
    await borrow(made.chain, borrower, '70000');
    await setGuard(made, borrower);
  }
});

const crash = () => fall(93_000n);

/** The keeper, with what it was asked to send; `answer` may decide the outcome instead of the chain. */
function watched(answer: (call: Call) => Sent | undefined = () => undefined, inner: Sender = keeperSender(world())) {
  const calls: string[] = [];
  const send = (call: Call) => {
    calls.push(call.label);
    const sent = answer(call);
    return sent ? Promise.resolve(sent) : inner.send(call);
  };
  return { calls, sender: { ...inner, send } satisfies Sender };
}

/**
 * The number rescued in a few rounds, twenty seconds apart. Anvil, asked while it mines, may simulate at the old block's
 * number on the new block's state, which Venus refuses ("math error"): such a rescue is made in a later round.
 */
async function rescuedSoon(changes: Partial<LoanGuardDeps>): Promise<number> {
  let now = 1_000n;
  const round = guarding(deps({ ...changes, clock: () => now }));
  let rescued = 0;
  for (let rounds = 0; rescued < crowd && rounds < 5; rounds++) {
    rescued += (await round()).counts.rescued ?? 0;
    now += 20n;
  }
  return rescued;
}

test('twenty loans are rescued in three transactions', async () => {
  await crash();
  const from = await world().chain.getBlockNumber();
  const log = keepLog();
  expect(await tick({ log })).toEqual({ guards: crowd, due: crowd, rescued: crowd });
  const done = log.lines.filter(({ event }) => event === 'rescue.done');
  expect(done).toHaveLength(crowd);
  expect(new Set(done.map(({ hash }) => hash)).size).toBe(3);
  expect(done.every(({ outcome, repaid }) => outcome === 'full' && repaid !== undefined)).toBe(true);
  expect((await world().chain.getBlockNumber()) - from).toBeLessThanOrEqual(3n);
  for (const id of [1n, 8n, 20n]) {
    const [rescue] = await rescuesOf(id);
    expect(rescue?.healthAfterWad).toBeGreaterThanOrEqual(parseEther('1.25'));
  }
  expect(await tick()).toMatchObject({ due: 0, 'skipped.cooling_down': crowd });
});

test('a list has the gas for whatever its rescues need', async () => {
  const { calls } = deps();
  const { guards } = await deps().reader.guards();
  const needed = await world().chain.readContract({
    address: world().book.own.loanGuard,
    abi: loanGuardAbi,
    functionName: 'gasLimitOf',
    args: [BigInt(calls.maxRescues), 0n],
  });
  const { gas, data } = calls.rescueMany(guards.slice(0, calls.maxRescues));
  expect(gas).toBeGreaterThanOrEqual(needed + 21_000n + 16n * BigInt(data.length / 2 - 1));
});

test('what would fail in a list is left out of it, and costs nothing', async () => {
  // After the first of these two, the loan is at its target.
  await guard(first);
  await crash();
  const { calls, sender } = watched();
  expect(await tick({ sender })).toMatchObject({
    due: crowd,
    rescued: crowd,
    'skipped.health_not_below_trigger': 1,
  });
  expect(calls).toHaveLength(3);
});

test('a rescue tells how many blocks after it was first due it was made', async () => {
  await crash();
  const { chain } = world();
  const heads = { now: await chain.getBlockNumber() };
  const log = keepLog();
  const waiting = createWaitingRescues(
    { now: Date.now },
    { newest: () => ({ number: heads.now, timestamp: 0n, hash: '0x' }) },
  );
  const { sender } = deps();
  let refused: Sent | undefined = { outcome: 'not_sent' };
  const next = guarding(
    deps({ log, waiting, sender: { ...sender, send: async (call) => refused ?? sender.send(call) } }),
  );
  expect((await next()).counts).toMatchObject({ due: crowd, not_sent: 3 });
  [refused, heads.now] = [undefined, heads.now + 9n];
  await chain.mine({ blocks: 4 });
  expect((await next()).counts).toMatchObject({ rescued: crowd });
  const done = log.lines.filter(({ event }) => event === 'rescue.done');
  // Three lists, in as many blocks at most.
  const blocks = done.map((line) => Number(line.blocks));
  expect([Math.min(...blocks), Math.max(...blocks)]).toEqual([5, expect.toSatisfy((last: number) => last <= 7)]);
  const all = blocks.reduce((sum, each) => sum + each, 0);
  expect(waiting.lateness()).toEqual({ rescues: crowd, blocks: BigInt(all), maxBlocks: BigInt(Math.max(...blocks)) });
});

test('a rescue that fails in the block harms no other, is told with its reason, and rests', async () => {
  const { chain, book } = world();
  await crash();
  const log = keepLog();
  const waiting = createWaitingRescues({ now: Date.now });
  const own = deps({ log, waiting });
  // Between the simulation and the block the second borrower takes the allowance back.
  let taking: Promise<void> | undefined;
  const send = async (call: Call) => {
    taking ??= approve(chain, second, 'USDT', book.own.loanGuard, 0n);
    await taking;
    return own.sender.send(call);
  };
  const round = await guarding({ ...own, sender: { ...own.sender, send } })();
  expect(round.counts).toMatchObject({ due: crowd, rescued: crowd - 1, reverted: 1 });
  const failed = log.lines.filter(({ event }) => event === 'rescue.failed');
  expect(failed).toEqual([
    {
      event: 'rescue.failed',
      guardId: 2n,
      reason: 'allowance_too_low',
      hash: expect.stringMatching(/^0x/),
      block: expect.any(BigInt),
    },
  ]);
  expect(await rescuesOf(2n)).toEqual([]);
  expect(await rescuesOf(3n)).toHaveLength(1);
});

test('a list that the keeper may not send, or that would revert, becomes single rescues', async () => {
  await crash();
  const refusals: Sent[] = [
    { outcome: 'not_allowed', rule: 'balance' },
    { outcome: 'would_revert', error: 'gas_too_low' },
  ];
  for (const refusal of refusals) {
    const before = await world().chain.snapshot();
    const { calls, sender } = watched((call) => (isList(call) ? refusal : undefined));
    expect(await rescuedSoon({ sender })).toBe(crowd);
    expect(new Set(calls.filter((label) => !isList({ label }))).size).toBe(crowd);
    expect(calls.filter((label) => isList({ label })).length).toBeGreaterThanOrEqual(3);
    // Otherwise it makes again what is undone.
    await endSenders();
    await world().chain.revert({ id: before });
  }
});

test('a list that reverts, or has no outcome, leaves its loans to the next seconds', async () => {
  await crash();
  let now = 1_000n;
  const clock = () => now;
  const answers: Sent[] = [
    { outcome: 'reverted', hash: `0x${'1'.repeat(64)}`, block: 1n, gasUsed: 1n },
    { outcome: 'cancelled', hash: `0x${'2'.repeat(64)}` },
    { outcome: 'not_sent' },
  ];
  for (const answer of answers) {
    let isFailing = true;
    const { sender } = watched((call) => (isFailing && isList(call) ? answer : undefined));
    const run = guarding(deps({ sender, clock }));
    expect((await run()).counts).not.toHaveProperty('rescued');
    isFailing = false;
    now += 2n;
    const before = await world().chain.snapshot();
    let rescued = 0;
    for (let rounds = 0; rescued < crowd && rounds < 5; rounds++) {
      rescued += (await run('trigger')).counts.rescued ?? 0;
      now += 2n;
    }
    expect(rescued).toBe(crowd);
    // Otherwise it makes again what is undone.
    await endSenders();
    await world().chain.revert({ id: before });
  }
});

test('without an answer to the simulation each loan is rescued alone', async () => {
  await crash();
  const previewer = judging((ids) =>
    ids.length > 1 ? Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.')) : undefined,
  );
  const { calls, sender } = watched();
  expect(await rescuedSoon({ previewer, sender })).toBe(crowd);
  expect(new Set(calls.filter((label) => label.startsWith('rescue by guard '))).size).toBe(crowd);
});

test('one loan alone needs no list', async () => {
  const { chain, book } = world();
  for (const borrower of borrowers.filter((each) => each !== third)) {
    await approve(chain, borrower, 'USDT', book.own.loanGuard, 0n);
  }
  await crash();
  const { calls, sender } = watched();
  expect(await tick({ sender })).toMatchObject({ rescued: 1 });
  expect(calls).toEqual(['rescue by guard 3']);
});

import { connectChain } from '@bowline/chain/chain-client';
import { createHealthReader } from '@bowline/chain/health-reader';
import { BowlineError } from '@bowline/core/domain/result';
import type { Sender, Sent } from '@bowline/core/domain/sending';
import { encodeFunctionData, parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { loanGuardAbi } from '../../../../abis/index.ts';
import { startRpcProxy } from '../../../../packages/chain/test/rpc-proxy.ts';
import { bob, carol } from '../../../../test/local/accounts.ts';
import type { Endangered } from '../../../src/loops/loan-guard/plan.ts';
import { createLoanGuard, type LoanGuardDeps } from '../../../src/loops/loan-guard/tick.ts';
import type { Cause } from '../../../src/loops/runner.ts';
import { createTurns } from '../../../src/workers/turns.ts';
import { loansBy, unlockedSender } from '../world.ts';
import { going, guardedChain, guarding, guardsIn } from './guarded.ts';

const { world, deps, borrow, setGuard, fall, rescuesOf, judging } = guardedChain();
/** No list of rescues passes its simulation. */
const oneByOne = () => judging((ids) => (ids.length > 1 ? Promise.resolve([]) : undefined));

describe('at a new block', () => {
  /** A running agent whose clock stands still unless it is moved, with what it asked and reported. */
  function running(changes: Partial<LoanGuardDeps> = {}) {
    const at = { now: 1_000n };
    const listed: bigint[] = [];
    const own = deps({ clock: () => at.now, ...changes });
    const guards: typeof own.reader.guards = async () => {
      const answer = await own.reader.guards();
      listed.push(answer.block.number);
      return answer;
    };
    const next = guarding({ ...own, reader: { ...own.reader, guards } });
    const counts = async (cause: Cause) => (await next(cause)).counts;
    return { at, listed, interval: () => counts('interval'), block: () => counts('trigger') };
  }

  test('the known loans are rescued, and the guards not read again', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const { at, listed, interval, block } = running();
    expect(await interval()).toMatchObject({ guards: 1, 'skipped.health_not_below_trigger': 1 });
    expect(await block()).toEqual({ guards: 1, due: 0, 'skipped.health_not_below_trigger': 1 });
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 1, due: 1, rescued: 1 });
    expect(await rescuesOf(1n)).toHaveLength(1);
    at.now += 14n;
    // The rescue changed the guard, so its last reading no longer counts.
    expect(await block()).toEqual({ guards: 0, due: 0 });
    expect(listed).toHaveLength(1);
    at.now += 1n;
    expect(await block()).toEqual({ guards: 1, due: 0, 'skipped.cooling_down': 1 });
    expect(listed).toHaveLength(2);
    expect(await block()).toMatchObject({ guards: 1 });
    expect(listed).toHaveLength(2);
  });

  test('a loan that falls again is rescued again, long before the next regular round', async () => {
    await borrow(bob, '70000');
    await setGuard(bob, { cooldownSeconds: 0 });
    const { at, interval, block } = running();
    await interval();
    await fall(93_000n);
    expect(await block()).toMatchObject({ rescued: 1 });
    await fall(80_000n);
    at.now += 15n;
    expect(await block()).toMatchObject({ guards: 1, due: 1, rescued: 1 });
    expect(await rescuesOf(1n)).toHaveLength(2);
  });

  // AG-82
  test("a loan that is another worker's is left alone for its head start, and then rescued if it still needs it", async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const at = { ms: 0 };
    const turns = createTurns<Endangered>(
      { occasion: ({ guard }) => `${guard.id}`, rank: () => 1, headStartMs: () => 3_000 },
      { now: () => at.ms },
    );
    const asked: (readonly bigint[])[] = [];
    const previewer = judging((ids) => {
      asked.push(ids);
      return undefined;
    });
    const guard = createLoanGuard(deps({ turns, previewer }));
    await guard.tick(going);
    await fall(93_000n);
    const left = { guards: 1, due: 0, 'skipped.left_to_others': 1 };
    expect(await guard.tick(going, 'trigger')).toEqual({ counts: left, nextInSeconds: 3 });
    at.ms = 2_999;
    expect(await guard.tick(going, 'trigger')).toEqual({ counts: left, nextInSeconds: 0.001 });
    expect(asked).toEqual([]);
    at.ms = 3_000;
    expect((await guard.tick(going, 'trigger')).counts).toEqual({ guards: 1, due: 1 });
    expect(await guard.settled()).toEqual({ rescued: 1 });
    // Cooling down: it is asked about once per head start, not at every block.
    await fall(76_000n);
    const rounds = guarding(deps({ turns, previewer }));
    asked.length = 0;
    await rounds();
    for (let block = 0; block < 10; block++) {
      at.ms += 450;
      await rounds('trigger');
    }
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  test('any number of them is sent at once, seven in a list', async () => {
    await setGuard(bob);
    const { reader } = deps();
    const { block: head, guards } = await reader.guards();
    const many = guards.flatMap((guard) => Array.from({ length: 100 }, (_, at) => ({ ...guard, id: BigInt(at + 1) })));
    const confirmed = { outcome: 'confirmed', hash: '0xaa', block: 1n, gasUsed: 1n, events: [] } as const;
    const lists: number[] = [];
    const { interval } = running({
      reader: { ...reader, guards: async () => ({ block: head, guards: many, unread: 0 }) },
      loans: loansBy(async (asked) => asked.map(() => 0n)),
      previewer: judging(async (ids) => ids.map(() => ({ repay: parseEther('100') }))),
      sender: {
        ...unlockedSender(world().chain),
        send: async (call) => {
          lists.push(guardsIn(call).length);
          return confirmed;
        },
      },
    });
    expect(await interval()).toMatchObject({ due: 100, rescued: 100 });
    expect(lists).toEqual([...Array(14).fill(7), 2]);
  });

  test('a crowd that the contract refuses is tried again by turns, eight lists a round', async () => {
    await setGuard(bob);
    const { reader } = deps();
    const { block: head, guards } = await reader.guards();
    const crowd = guards.flatMap((guard) => Array.from({ length: 600 }, (_, at) => ({ ...guard, id: BigInt(at + 1) })));
    let tried: bigint[] = [];
    let lists = 0;
    const { at, interval, block } = running({
      reader: { ...reader, guards: async () => ({ block: head, guards: crowd, unread: 0 }) },
      loans: loansBy(async (asked) => asked.map(() => 0n)),
      previewer: judging(async (ids) => {
        tried.push(...ids);
        lists += 1;
        return ids.map(() => ({ error: 'allowance_too_low' }));
      }),
    });
    await interval();
    expect(new Set(tried).size).toBe(600);
    const again = new Set<bigint>();
    for (let round = 1; round <= 11; round++) {
      [tried, lists] = [[], 0];
      at.now += 15n;
      await (round === 5 ? interval() : block());
      expect(lists).toBe(8);
      for (const id of tried) again.add(id);
    }
    expect(again.size).toBe(600);
  });

  test('a new guard is known after the next interval', async () => {
    await borrow(bob, '70000');
    const { interval, block } = running();
    await interval();
    await setGuard(bob);
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 0, due: 0 });
    expect(await interval()).toMatchObject({ rescued: 1 });
  });

  test('what could not be done is left alone for a while, and not at the next interval', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const calls: string[] = [];
    const sender: Sender = {
      ...unlockedSender(world().chain),
      send: async ({ label }) => {
        calls.push(label);
        return { outcome: 'not_allowed', rule: 'gas_day' };
      },
    };
    const { at, interval, block } = running({ sender });
    await interval();
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 1, due: 1, 'not_allowed.gas_day': 1 });
    const rested = { guards: 1, due: 0, 'skipped.tried_before': 1 };
    expect(await block()).toEqual(rested);
    at.now += 14n;
    expect(await block()).toEqual(rested);
    at.now += 1n;
    expect(await block()).toMatchObject({ due: 1 });
    expect(await interval()).toMatchObject({ due: 1 });
    expect(calls).toHaveLength(3);
  });

  test.each<Sent>([
    { outcome: 'cancelled', hash: '0xaa' },
    { outcome: 'would_revert', error: 'unknown_error' },
  ])('what came to nothing without a refusal is tried again after two seconds: %o', async (sent) => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const sender: Sender = { ...unlockedSender(world().chain), send: async () => sent };
    const { at, interval, block } = running({ sender });
    await interval();
    await fall(93_000n);
    const counter = sent.outcome === 'would_revert' ? `would_revert.${sent.error}` : sent.outcome;
    expect(await block()).toEqual({ guards: 1, due: 1, [counter]: 1 });
    at.now += 1n;
    expect(await block()).toMatchObject({ due: 0, 'skipped.tried_before': 1 });
    at.now += 1n;
    expect(await block()).toMatchObject({ due: 1 });
  });

  test.each([
    ['unknown_error', 2n],
    ['allowance_too_low', 15n],
  ] as const)('what its simulation refuses with %s is simulated again after %d seconds', async (error, seconds) => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const { at, interval, block } = running({ previewer: judging(async (ids) => ids.map(() => ({ error }))) });
    await interval();
    await fall(93_000n);
    const refused = { guards: 1, due: 0, [`skipped.${error}`]: 1 };
    expect(await block()).toEqual(refused);
    at.now += seconds - 1n;
    expect(await block()).toEqual({ guards: 1, due: 0, 'skipped.tried_before': 1 });
    at.now += 1n;
    expect(await block()).toEqual(refused);
  });

  test('what could not be sent is tried again at the next block, most endangered first', async () => {
    await borrow(bob, '70000');
    await borrow(carol, '72000');
    for (const borrower of [bob, carol]) await setGuard(borrower);
    const tried: string[] = [];
    const sender: Sender = {
      ...unlockedSender(world().chain),
      send: async ({ label }) => {
        tried.push(label);
        return { outcome: 'not_sent' };
      },
    };
    const { interval, block } = running({ sender, previewer: oneByOne() });
    await interval();
    await fall(93_000n);
    await block();
    await block();
    const once = ['rescue by guard 2', 'rescue by guard 1'];
    expect(tried).toEqual([...once, ...once]);
  });

  // WA-6
  test('what may have been done is not done again before the guards have been read anew', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const real = unlockedSender(world().chain);
    let outcome: Sent | undefined = { outcome: 'consumed', hash: '0xaa' };
    const sender: Sender = {
      ...real,
      send: async (call) => {
        const sent = await real.send(call);
        return outcome ?? sent;
      },
    };
    const { at, listed, interval, block } = running({ sender });
    await interval();
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 1, due: 1, consumed: 1 });
    outcome = undefined;
    at.now += 1n;
    expect(await block()).toMatchObject({ due: 0, 'skipped.cooling_down': 1 });
    expect(listed).toHaveLength(2);
    expect(await rescuesOf(1n)).toHaveLength(1);
  });

  test('a loan that the guard does not let be rescued is simulated once in a while', async () => {
    await borrow(bob, '70000');
    await setGuard(bob, { minRepay: parseEther('20000') });
    const { at, interval, block } = running();
    await interval();
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 1, due: 0, 'skipped.repay_below_minimum': 1 });
    expect(await block()).toEqual({ guards: 1, due: 0, 'skipped.tried_before': 1 });
    at.now += 15n;
    expect(await block()).toMatchObject({ 'skipped.repay_below_minimum': 1 });
  });

  test('a price that was better for a moment delays nothing', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const { loans } = deps();
    const late = loansBy(async (guards) => {
      const healths = await loans.healths(guards);
      await fall(100_000n);
      return healths;
    });
    const { interval, block } = running({ loans: late });
    await interval();
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 1, due: 0, 'skipped.health_not_below_trigger': 1 });
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 1, due: 0, 'skipped.health_not_below_trigger': 1 });
  });

  test('a cooldown ends by the time that has passed since the reading', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    const { at, interval, block } = running();
    expect(await interval()).toMatchObject({ rescued: 1 });
    await fall(70_000n);
    expect(await interval()).toMatchObject({ 'skipped.cooling_down': 1 });
    at.now += 500n;
    expect(await block()).toMatchObject({ 'skipped.cooling_down': 1 });
    at.now += 100n;
    await world().chain.increaseTime({ seconds: 600 });
    await fall(70_000n);
    expect(await block()).toMatchObject({ rescued: 1 });
  });

  test('a guard that could not be read this time is watched as it was', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const { reader } = deps();
    let readable = true;
    const guards: typeof reader.guards = async () => {
      const { block, guards: all } = await reader.guards();
      return readable ? { block, guards: all, unread: 0 } : { block, guards: [], unread: 1 };
    };
    const { interval, block } = running({ reader: { ...reader, guards } });
    await interval();
    readable = false;
    expect(await interval()).toMatchObject({ guards: 1, unread: 1 });
    readable = true;
    expect(await interval()).toEqual({ guards: 1, due: 0, 'skipped.health_not_below_trigger': 1 });
    readable = false;
    await interval();
    await fall(93_000n);
    expect(await block()).toMatchObject({ guards: 1, rescued: 1 });
  });

  test('guards that could not be read are asked for again, not at every block', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    let silent = true;
    let asked = 0;
    const { reader } = deps();
    const guards: typeof reader.guards = () => {
      asked += 1;
      if (!silent) return reader.guards();
      return Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.'));
    };
    const { at, interval, block } = running({ reader: { ...reader, guards } });
    expect(await interval()).toEqual({ chain_unavailable: 1 });
    expect(await block()).toEqual({ guards: 0, due: 0 });
    silent = false;
    at.now += 1n;
    expect(await block()).toEqual({ guards: 0, due: 0 });
    expect(asked).toBe(1);
    at.now += 1n;
    expect(await block()).toMatchObject({ rescued: 1 });
  });

  test('a guard that could not be read the first time is watched two seconds later', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    const { reader } = deps();
    let asked = 0;
    let silent = true;
    const guards: typeof reader.guards = async () => {
      asked += 1;
      const all = await reader.guards();
      return silent ? { ...all, guards: [], unread: 1 } : all;
    };
    const { at, interval, block } = running({ reader: { ...reader, guards } });
    expect(await interval()).toEqual({ guards: 0, due: 0, unread: 1 });
    at.now += 1n;
    expect(await block()).toEqual({ guards: 0, due: 0 });
    at.now += 1n;
    expect(await block()).toEqual({ guards: 0, due: 0, unread: 1 });
    at.now += 1n;
    await block();
    expect(asked).toBe(2);
    silent = false;
    at.now += 1n;
    expect(await block()).toMatchObject({ guards: 1, rescued: 1 });
    at.now += 5n;
    await block();
    expect(asked).toBe(3);
  });

  test('what has reverted twice rests, however often guards are asked for', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    const { reader } = deps();
    let sent = 0;
    const sender: Sender = {
      ...unlockedSender(world().chain),
      send: async () => {
        sent += 1;
        return { outcome: 'reverted', hash: '0xaa', block: 1n, gasUsed: 1n };
      },
    };
    const guards: typeof reader.guards = async () => ({ ...(await reader.guards()), unread: 1 });
    const { at, interval, block } = running({ sender, reader: { ...reader, guards } });
    await interval();
    for (let second = 0; second < 14; second += 1) {
      at.now += 1n;
      await block();
    }
    // Sent once more at the next block, because its own block may have been undone.
    expect(sent).toBe(2);
  });

  test('one is asked for soon when the chain did not answer', async () => {
    const loans = loansBy(() => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.')));
    const quiet = await guarding(deps())();
    expect(quiet.nextInSeconds).toBeUndefined();
    const { counts, nextInSeconds } = await guarding(deps({ loans }))();
    expect(counts).toMatchObject({ chain_unavailable: 1 });
    expect(nextInSeconds).toBe(2);
  });

  test.each([
    [1, 1],
    [200, 4],
  ])('%i healthy loans take %i questions to the node', async (count, questions) => {
    await borrow(bob, '50000');
    await setGuard(bob);
    const { chain, book } = world();
    const to = book.own.loanGuard;
    const { terms } = await chain.readContract({ address: to, abi: loanGuardAbi, functionName: 'guard', args: [1n] });
    const data = encodeFunctionData({ abi: loanGuardAbi, functionName: 'register', args: [terms] });
    const calls = Array.from({ length: count - 1 }, () => ({ to, data }));
    if (calls.length > 0) await chain.sendTogether(bob, calls);
    const proxy = await startRpcProxy(world().url);
    try {
      const { interval, block } = running({ loans: createHealthReader(connectChain(proxy.url)) });
      expect(await interval()).toMatchObject({ guards: count });
      proxy.methods.length = 0;
      expect(await block()).toEqual({ guards: count, due: 0, 'skipped.health_not_below_trigger': count });
      expect(proxy.methods).toEqual(Array.from({ length: questions }, () => 'eth_call'));
    } finally {
      await proxy.stop();
    }
  });
});

import { BowlineError } from '@bowline/core/domain/result';
import type { Sender } from '@bowline/core/domain/sending';
import { formatUnits } from '@bowline/core/domain/units';
import { parseEther } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { loanGuardAbi } from '../../../../abis/index.ts';
import { feeds, tokens, venus } from '../../../../lab/world/addresses.ts';
import { setAnswer } from '../../../../lab/world/oracle.ts';
import { balance, bob, carol, debt } from '../../../../test/local/accounts.ts';
import { servedGuards, whyNotOpen } from '../../../src/loops/loan-guard/plan.ts';
import { createLoanGuard } from '../../../src/loops/loan-guard/tick.ts';
import { keeper, keepLog, refusalWord, unlockedSender } from '../world.ts';
import { dave, going, guardedChain, guarding, guardsIn } from './guarded.ts';

const { world, deps, borrow, setGuard, fall, rescuesOf, tick } = guardedChain();
const { vUSDT } = venus.markets;
describe('a falling price', () => {
  test('has the endangered loan brought to its target, and the healthy one left alone', async () => {
    await borrow(bob, '70000');
    await borrow(carol, '50000');
    await setGuard(bob);
    await setGuard(carol);
    expect(await tick()).toEqual({ guards: 2, due: 0, 'skipped.health_not_below_trigger': 2 });

    // 74,400 over 70,000 and over 50,000.
    await fall(93_000n);
    const log = keepLog();
    expect(await tick({ log })).toEqual({
      guards: 2,
      due: 1,
      rescued: 1,
      'skipped.health_not_below_trigger': 1,
    });

    const [rescue, ...others] = await rescuesOf(1n);
    expect(others).toEqual([]);
    expect(rescue?.outcome).toBe(1);
    const { healthBeforeWad = 0n, healthAfterWad = 0n, repaid = 0n } = rescue ?? {};
    expect(healthBeforeWad / 10n ** 12n).toBe(1_062_857n);
    expect(healthAfterWad).toBeGreaterThanOrEqual(parseEther('1.25'));
    expect(healthAfterWad).toBeLessThan(parseEther('1.250000001'));
    // 70,000 − 74,400 ÷ 1.25, and a little interest.
    expect(repaid).toBeGreaterThanOrEqual(parseEther('10480'));
    expect(repaid).toBeLessThan(parseEther('10480.1'));
    expect(await balance(world().chain, bob, tokens.USDT)).toBe(parseEther('70000') - repaid);
    expect(await rescuesOf(2n)).toEqual([]);
    expect(await debt(world().chain, vUSDT, carol)).toBeGreaterThanOrEqual(parseEther('50000'));
    expect(await balance(world().chain, carol, tokens.USDT)).toBe(parseEther('50000'));

    expect(log.lines).toEqual([
      {
        event: 'rescue.done',
        guardId: 1n,
        borrower: bob,
        hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        repaid: `${formatUnits(repaid, 18)} USDT`,
        outcome: 'full',
        // The record is rounded down to a billionth.
        healthBefore: expect.stringContaining(formatUnits(healthBeforeWad, 18)),
        healthAfter: expect.stringContaining(formatUnits(healthAfterWad, 18)),
        funderBefore: { USDT: '70000' },
        funderAfter: { USDT: formatUnits(parseEther('70000') - repaid, 18) },
      },
    ]);
    expect(await tick()).toMatchObject({ 'skipped.cooling_down': 1, due: 0 });
  });

  test('has the most endangered loan rescued first', async () => {
    await borrow(bob, '70000');
    await borrow(carol, '74000');
    await borrow(dave, '72000');
    for (const borrower of [bob, carol, dave]) await setGuard(borrower);
    await fall(95_000n);
    const own = unlockedSender(world().chain);
    const sent: bigint[] = [];
    const sender: Sender = {
      ...own,
      send: (call) => {
        sent.push(...guardsIn(call));
        return own.send(call);
      },
    };
    expect(await tick({ sender })).toMatchObject({ rescued: 3 });
    // Carol's, Dave's, Bob's.
    expect(sent).toEqual([2n, 3n, 1n]);
  });

  test('LG-26: has a loan rescued by its guard’s source, before the protocol’s price follows', async () => {
    const { chain, book } = world();
    for (const borrower of [bob, carol]) await borrow(borrower, '70000');
    await setGuard(bob, { priceSource: book.own.chainlinkPriceSource });
    await setGuard(carol);
    expect(await tick()).toEqual({ guards: 2, due: 0, 'skipped.health_not_below_trigger': 2 });
    await setAnswer(chain, bob, feeds.BTCB, 93_000n * 10n ** 8n);
    expect(await tick()).toEqual({ guards: 2, due: 1, rescued: 1, 'skipped.health_not_below_trigger': 1 });
    const [rescue] = await rescuesOf(1n);
    expect(rescue?.healthBeforeWad).toBeGreaterThan(parseEther('1.1'));
    expect(await rescuesOf(2n)).toEqual([]);
  });

  test('has it rescued again at once when the protocol’s price follows, before the next interval', async () => {
    const { chain, book } = world();
    const next = guarding(deps({ clock: () => 1_000n }));
    await borrow(bob, '70000');
    await setGuard(bob, { priceSource: book.own.chainlinkPriceSource, capPerRescue: parseEther('1000') });
    await next();
    await setAnswer(chain, bob, feeds.BTCB, 93_000n * 10n ** 8n);
    expect((await next('trigger')).counts).toMatchObject({ rescued: 1 });
    await fall(90_000n);
    expect((await next('trigger')).counts).toMatchObject({ guards: 1, rescued: 1 });
    expect(await rescuesOf(1n)).toHaveLength(2);
  });

  test('is no reason to act without debt', async () => {
    await setGuard(bob);
    expect(await tick()).toEqual({ guards: 1, due: 0, 'skipped.no_debt': 1 });
  });
});

describe('the keeper pays for nothing', () => {
  test('that repays dust or is never healthy enough', async () => {
    await borrow(bob, '70000');
    const dust = { capPerRescue: 1n, capPerDay: parseEther('50000'), minRepay: 1n };
    await setGuard(bob, dust);
    await setGuard(bob, { ...dust, triggerHealthWad: parseEther('9'), targetHealthWad: parseEther('9.9') });
    await fall(93_000n);
    const { chain } = world();
    const nonce = await chain.getTransactionCount({ address: keeper });
    for (let round = 0; round < 2; round += 1) {
      expect(await tick()).toEqual({
        guards: 2,
        due: 0,
        'skipped.not_served_repay': 1,
        'skipped.not_served_trigger': 1,
      });
    }
    expect(await chain.getTransactionCount({ address: keeper })).toBe(nonce);

    // One unit below the minimum is dust, too.
    const least = parseEther('5');
    await setGuard(bob, { capPerRescue: least - 1n, minRepay: 1n });
    expect(await tick()).toMatchObject({ due: 0, 'skipped.not_served_repay': 2 });
    await setGuard(bob, { capPerRescue: least, minRepay: 1n });
    expect(await tick()).toMatchObject({ rescued: 1, 'skipped.not_served_repay': 2 });
  });

  test('but for what has no price at the moment', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    const silent = { price: () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.')) };
    expect(await tick({ prices: silent })).toEqual({ guards: 1, due: 1, rescued: 1, chain_unavailable: 1 });
  });
});

// AG-38
describe('guards that only the keeper may rescue hold up no others', () => {
  const unlocked = () => unlockedSender(world().chain);

  beforeEach(async () => {
    await borrow(bob, '70000');
    await borrow(carol, '70000');
    await borrow(dave, '60000');
    await setGuard(bob, { keeper });
    await setGuard(carol);
    await setGuard(dave);
    await fall(93_000n);
  });

  test('while one takes long', async () => {
    let free = () => {};
    const isFree = new Promise<void>((resolve) => {
      free = resolve;
    });
    const slow: Sender['send'] = async (call) => {
      await isFree;
      return unlocked().send(call);
    };
    const send: Sender['send'] = (call) => (call.byAnybody ? unlocked().send(call) : slow(call));
    const guard = createLoanGuard(deps({ sender: { address: keeper, send } }));
    const count = async (id: bigint) => (await rescuesOf(id)).length;
    await guard.tick(going);
    await expect.poll(() => count(2n), { timeout: 10_000 }).toBe(1);
    await fall(80_000n);
    await guard.tick(going, 'trigger');
    await expect.poll(() => count(3n), { timeout: 10_000 }).toBe(1);
    expect(await count(1n)).toBe(0);
    free();
    expect(await guard.settled()).toMatchObject({ rescued: expect.any(Number) });
    expect(await count(1n)).toBe(1);
  });
});

describe('the guard and the plan give the same answer', () => {
  const preview = async (guardId: bigint, time: bigint) => {
    const { chain, book } = world();
    const call = { address: book.own.loanGuard, abi: loanGuardAbi, functionName: 'rescue', args: [guardId] } as const;
    try {
      await chain.simulateContract({ ...call, account: keeper, blockOverrides: { time } });
      return 'open';
    } catch (error) {
      return refusalWord(error);
    }
  };

  test('at every second at which it changes', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    await tick();
    await fall(70_000n);
    await setGuard(bob, { keeper: carol });
    await setGuard(bob);
    await world().chain.send(bob, world().book.own.loanGuard, {
      abi: loanGuardAbi,
      functionName: 'cancel',
      args: [3n],
    });
    const { reader, assets, serving } = deps();
    const { guards } = await reader.guards();
    const [first] = guards;
    if (first === undefined) throw new Error('no guard');
    const cooled = first.lastRescueAt + first.cooldownSeconds;
    const heard = new Set<string>();
    for (const now of [cooled - 1n, cooled, first.expiresAt - 1n, first.expiresAt]) {
      for (const guard of guards) {
        const { skipped } = servedGuards({ keeper, assets, serving, guards: [guard] });
        const said = skipped[0]?.skip ?? whyNotOpen(guard, now) ?? 'open';
        expect(said, `guard ${guard.id} at ${now}`).toBe(await preview(guard.id, now));
        heard.add(said);
      }
    }
    expect([...heard].toSorted()).toEqual(['cooling_down', 'guard_expired', 'guard_not_active', 'not_keeper', 'open']);
  });
});

import { type Address, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loanGuardAbi } from '../../../../abis/index.ts';
import { comptrollerAbi, vTokenAbi } from '../../../../script/local/abis.ts';
import { tokens, venus } from '../../../../script/local/addresses.ts';
import { setPrice } from '../../../../script/local/oracle.ts';
import { approve, balance, bob, carol, debt, give } from '../../../../test/local/accounts.ts';
import { connectChain } from '../../../src/adapters/chain-client.ts';
import { createGuardReader } from '../../../src/adapters/guard-reader.ts';
import type { Sender } from '../../../src/domain/ports.ts';
import { BowlineError } from '../../../src/domain/result.ts';
import { formatUnits } from '../../../src/domain/units.ts';
import { openPolicies } from '../../../src/loops/loan-guard/plan.ts';
import { loanGuardTick } from '../../../src/loops/loan-guard/tick.ts';
import {
  type DeployedChain,
  keeper,
  keepLog,
  loanGuardDeps,
  refusalWord,
  startDeployedChain,
  unlockedSender,
} from '../world.ts';

const { vUSDT, vBTC } = venus.markets;
/** Anvil's fifth account. */
const dave: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

let world: DeployedChain;
let clean: `0x${string}`;
beforeAll(async () => {
  world = await startDeployedChain();
});
afterAll(() => world?.stop());
beforeEach(async () => {
  clean = await world.chain.snapshot();
});
afterEach(() => world.chain.revert({ id: clean }));

const going = new AbortController().signal;
const tick = async (changes = {}) => (await loanGuardTick(loanGuardDeps(world, changes))(going)).counts;

/** One BTCB of collateral, of whose 100,000 USD 80 % count, and a debt of that many USDT, which the borrower keeps. */
async function borrow(borrower: Address, usdt: string): Promise<void> {
  const { chain } = world;
  const amount = await give(chain, borrower, 'BTCB', '1');
  await approve(chain, borrower, 'BTCB', vBTC, amount);
  await chain.send(borrower, vBTC, { abi: vTokenAbi, functionName: 'mint', args: [amount] });
  await chain.send(borrower, venus.comptroller, { abi: comptrollerAbi, functionName: 'enterMarkets', args: [[vBTC]] });
  await chain.send(borrower, vUSDT, { abi: vTokenAbi, functionName: 'borrow', args: [parseEther(usdt)] });
}

/** Below 1.1 bring it to 1.25, at most every ten minutes. */
async function guard(borrower: Address, changes: object = {}): Promise<void> {
  const { chain, book } = world;
  const { timestamp } = await chain.getBlock();
  const terms = {
    borrower,
    adapter: book.own.venusMarket,
    market: vUSDT,
    keeper: '0x0000000000000000000000000000000000000000',
    triggerHealthWad: parseEther('1.1'),
    targetHealthWad: parseEther('1.25'),
    capPerRescue: parseEther('50000'),
    capPerDay: parseEther('50000'),
    minRepay: parseEther('10'),
    cooldownSeconds: 600,
    expiresAt: Number(timestamp) + 86_400,
    ...changes,
  } as const;
  await approve(chain, borrower, 'USDT', book.own.loanGuard, parseEther('50000'));
  await chain.send(borrower, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'register', args: [terms] });
}

const fall = (usd: bigint) => setPrice(world.chain, bob, 'BTCB', usd * 10n ** 8n);
const rescuesOf = (policyId: bigint) => loanGuardDeps(world).reader.rescues(policyId, 0, 10);

describe('a falling price', () => {
  test('has the endangered loan brought to its target, and the healthy one left alone', async () => {
    await borrow(bob, '70000');
    await borrow(carol, '50000');
    await guard(bob);
    await guard(carol);
    expect(await tick()).toEqual({ policies: 2, due: 0, 'skipped.health_not_below_trigger': 2 });

    // 74,400 over 70,000 and over 50,000.
    await fall(93_000n);
    const log = keepLog();
    expect(await tick({ log })).toEqual({
      policies: 2,
      due: 1,
      rescued: 1,
      'skipped.health_not_below_trigger': 1,
    });

    const [rescue, ...others] = await rescuesOf(1n);
    expect(others).toEqual([]);
    expect(rescue?.outcome).toBe('full');
    const { healthBeforeWad = 0n, healthAfterWad = 0n, repaid = 0n } = rescue ?? {};
    expect(healthBeforeWad / 10n ** 12n).toBe(1_062_857n);
    expect(healthAfterWad).toBeGreaterThanOrEqual(parseEther('1.25'));
    expect(healthAfterWad).toBeLessThan(parseEther('1.250000001'));
    // 70,000 − 74,400 ÷ 1.25, and a little interest.
    expect(repaid).toBeGreaterThanOrEqual(parseEther('10480'));
    expect(repaid).toBeLessThan(parseEther('10480.1'));
    expect(await balance(world.chain, bob, tokens.USDT)).toBe(parseEther('70000') - repaid);
    expect(await rescuesOf(2n)).toEqual([]);
    expect(await debt(world.chain, vUSDT, carol)).toBeGreaterThanOrEqual(parseEther('50000'));
    expect(await balance(world.chain, carol, tokens.USDT)).toBe(parseEther('50000'));

    expect(log.lines).toEqual([
      {
        event: 'rescue.done',
        policyId: 1n,
        borrower: bob,
        hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        repaid: `${formatUnits(repaid, 18)} USDT`,
        outcome: 'full',
        healthBefore: formatUnits(healthBeforeWad, 18),
        healthAfter: formatUnits(healthAfterWad, 18),
      },
    ]);
    expect(await tick()).toMatchObject({ 'skipped.cooling_down': 1, due: 0 });
  });

  test('has the most endangered loan rescued first', async () => {
    await borrow(bob, '70000');
    await borrow(carol, '74000');
    await borrow(dave, '72000');
    for (const borrower of [bob, carol, dave]) await guard(borrower);
    await fall(95_000n);
    const log = keepLog();
    expect(await tick({ log })).toMatchObject({ rescued: 3 });
    expect(log.lines.map(({ borrower }) => borrower)).toEqual([carol, dave, bob]);
  });

  test('is no reason to act without debt', async () => {
    await guard(bob);
    expect(await tick()).toEqual({ policies: 1, due: 0, 'skipped.no_debt': 1 });
  });
});

describe('the keeper pays for nothing', () => {
  test('that repays dust, is never healthy enough or never rests', async () => {
    await borrow(bob, '70000');
    const dust = { capPerRescue: 1n, capPerDay: parseEther('50000'), minRepay: 1n };
    await guard(bob, dust);
    await guard(bob, { ...dust, triggerHealthWad: parseEther('9'), targetHealthWad: parseEther('9.9') });
    await guard(bob, { ...dust, cooldownSeconds: 0 });
    await fall(93_000n);
    const { chain } = world;
    const nonce = await chain.getTransactionCount({ address: keeper });
    for (let round = 0; round < 2; round += 1) {
      expect(await tick()).toEqual({
        policies: 3,
        due: 0,
        'skipped.not_served_repay': 1,
        'skipped.not_served_trigger': 1,
        'skipped.not_served_cooldown': 1,
      });
    }
    expect(await chain.getTransactionCount({ address: keeper })).toBe(nonce);

    // The next to the least value is dust, too.
    const least = parseEther('5');
    await guard(bob, { capPerRescue: least - 1n, minRepay: 1n });
    expect(await tick()).toMatchObject({ due: 0, 'skipped.not_served_repay': 2 });
    await guard(bob, { capPerRescue: least, minRepay: 1n });
    expect(await tick()).toMatchObject({ rescued: 1, 'skipped.not_served_repay': 2 });
  });

  test('but for what has no price at the moment', async () => {
    await borrow(bob, '70000');
    await guard(bob);
    await fall(93_000n);
    const silent = { facts: () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.')) };
    expect(await tick({ chain: silent })).toEqual({ policies: 1, due: 1, rescued: 1, chain_unavailable: 1 });
  });
});

describe('the guard and the plan give the same answer', () => {
  const preview = async (policyId: bigint, time: bigint) => {
    const { chain, book } = world;
    const call = { address: book.own.loanGuard, abi: loanGuardAbi, functionName: 'rescue', args: [policyId] } as const;
    try {
      await chain.simulateContract({ ...call, account: keeper, blockOverrides: { time } });
      return 'open';
    } catch (error) {
      return refusalWord(error);
    }
  };

  test('at every second at which it changes', async () => {
    await borrow(bob, '70000');
    await guard(bob);
    await fall(93_000n);
    await tick();
    await fall(70_000n);
    await guard(bob, { keeper: carol });
    await guard(bob);
    await world.chain.send(bob, world.book.own.loanGuard, { abi: loanGuardAbi, functionName: 'cancel', args: [3n] });
    const { reader, assets, serving } = loanGuardDeps(world);
    const { policies } = await reader.policies();
    const [first] = policies;
    if (first === undefined) throw new Error('no policy');
    const cooled = first.lastRescueAt + first.cooldownSeconds;
    const heard = new Set<string>();
    for (const now of [cooled - 1n, cooled, first.expiresAt - 1n, first.expiresAt]) {
      for (const policy of policies) {
        const said = openPolicies({ now, keeper, assets, serving, policies: [policy] }).skipped[0]?.skip ?? 'open';
        expect(said, `policy ${policy.id} at ${now}`).toBe(await preview(policy.id, now));
        heard.add(said);
      }
    }
    expect([...heard].toSorted()).toEqual([
      'cooling_down',
      'not_keeper',
      'open',
      'policy_expired',
      'policy_not_active',
    ]);
  });
});

describe('what goes wrong', () => {
  beforeEach(async () => {
    await borrow(bob, '70000');
    await borrow(carol, '72000');
    await guard(bob);
    await guard(carol);
    await fall(93_000n);
  });

  const silence = () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.'));

  test.each<[string, () => Promise<never>, object]>([
    ['falls silent', silence, { chain_unavailable: 1 }],
    ['fails', () => Promise.reject(new Error('no')), { failed: 1 }],
  ])('a simulation that %s keeps no other loan from its rescue', async (_, answer, counts) => {
    const { reader } = loanGuardDeps(world);
    const preview: typeof reader.preview = (policyId) => (policyId === 1n ? answer() : reader.preview(policyId));
    expect(await tick({ reader: { ...reader, preview } })).toEqual({ policies: 2, due: 1, rescued: 1, ...counts });
    expect(await rescuesOf(1n)).toEqual([]);
    expect(await rescuesOf(2n)).toHaveLength(1);
  });

  test('health that cannot be read keeps no loan from its rescue', async () => {
    const { reader } = loanGuardDeps(world);
    expect(await tick({ reader: { ...reader, health: silence } })).toEqual({ policies: 2, due: 2, rescued: 2 });
  });

  test('a chain that does not answer', async () => {
    const { book } = world;
    const contracts = { ...book.own, vUsdt: book.venus.vUsdt };
    const reader = createGuardReader(connectChain('http://127.0.0.1:9'), contracts, keeper);
    expect(await tick({ reader })).toEqual({ chain_unavailable: 1 });
  });

  test('somebody else was quicker: the simulation says so, and the next loan is rescued', async () => {
    const { chain, book } = world;
    const { sender } = loanGuardDeps(world);
    let first = true;
    const late: Sender = {
      ...sender,
      send: async (call) => {
        if (first) {
          first = false;
          await chain.send(dave, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [2n] });
        }
        return sender.send(call);
      },
    };
    expect(await tick({ sender: late })).toEqual({
      policies: 2,
      due: 2,
      rescued: 1,
      'would_revert.cooling_down': 1,
    });
    expect(await rescuesOf(2n)).toHaveLength(1);
  });

  test('an unknown outcome: nothing more is sent', async () => {
    let calls = 0;
    const sender: Sender = {
      ...unlockedSender(world.chain),
      send: async () => {
        calls += 1;
        return { outcome: 'unknown', hash: '0xaa' };
      },
    };
    expect(await tick({ sender })).toEqual({ policies: 2, due: 2, unknown: 1 });
    expect(calls).toBe(1);
  });

  test('a report that cannot be made: the rescue stands, and is told with what is known', async () => {
    const { reader } = loanGuardDeps(world);
    const log = keepLog();
    expect(await tick({ log, reader: { ...reader, rescues: silence } })).toMatchObject({ rescued: 2 });
    const { lines } = log;
    expect(lines.map(({ event }) => event)).toEqual(['rescue.done', 'report.failed', 'rescue.done', 'report.failed']);
    expect(lines[0]).toEqual({ event: 'rescue.done', policyId: 2n, borrower: carol, hash: expect.any(String) });
  });

  test('a stop between two rescues: the second is left for later', async () => {
    const stopping = new AbortController();
    const { sender } = loanGuardDeps(world);
    const send: Sender['send'] = (call) => {
      stopping.abort();
      return sender.send(call);
    };
    const { counts } = await loanGuardTick(loanGuardDeps(world, { sender: { ...sender, send } }))(stopping.signal);
    expect(counts).toEqual({ policies: 2, due: 2, rescued: 1 });
  });

  test('two guards that send in the same block: each loan is rescued once', async () => {
    const { chain } = world;
    await chain.setAutomine(false);
    const sender = unlockedSender(chain);
    const pending = (count: number) =>
      expect.poll(async () => (await chain.getTxpoolStatus()).pending, { timeout: 10_000 }).toBe(count);
    const second: Sender = {
      ...sender,
      send: async (call) => {
        await pending(1);
        return sender.send(call);
      },
    };
    const { reader } = loanGuardDeps(world);
    const onlyFirst = {
      ...reader,
      policies: async () => {
        const { policies, ...rest } = await reader.policies();
        return { ...rest, policies: policies.slice(0, 1) };
      },
    };
    const both = Promise.all([tick({ sender, reader: onlyFirst }), tick({ sender: second, reader: onlyFirst })]);
    await pending(2);
    await chain.mine({ blocks: 1 });
    const counts = await both;
    await chain.setAutomine(true);
    expect(counts.map(({ rescued = 0, reverted = 0 }) => [rescued, reverted]).toSorted()).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(await rescuesOf(1n)).toHaveLength(1);
  });
});

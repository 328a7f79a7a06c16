import { connectChain } from '@bowline/chain/chain-client';
import { createGuardReader } from '@bowline/chain/guard-reader';
import type { PermissionEvent } from '@bowline/core/domain/notices';
import { readinessOf } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import type { Sender, Sent } from '@bowline/core/domain/sending';
import { formatUnits } from '@bowline/core/domain/units';
import { parseEther } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { loanGuardAbi } from '../../../../abis/index.ts';
import { startRpcProxy } from '../../../../packages/chain/test/rpc-proxy.ts';
import { bob, carol } from '../../../../test/local/accounts.ts';
import { createLoanGuard, type LoanGuardDeps } from '../../../src/loops/loan-guard/tick.ts';
import { createWaitingRescues, rescuesLook } from '../../../src/loops/loan-guard/waiting.ts';
import { listed } from '../../../src/process/conditions.ts';
import { keeper, keeperSender, keepLog, loansBy, unlockedSender } from '../world.ts';
import { dave, going, guardedChain, guarding, guardsIn } from './guarded.ts';

const { world, deps, borrow, setGuard, fall, rescuesOf, tick, judging } = guardedChain();
// AG-39
describe('a rescue waits', () => {
  function watched(changes: Partial<LoanGuardDeps> = {}) {
    const at = { ms: 0 };
    const waiting = createWaitingRescues({ now: () => at.ms });
    const next = guarding(deps({ waiting, ...changes }));
    return {
      look: async () => {
        at.ms += 1_000;
        await next();
        return waiting.oldestMs();
      },
    };
  }
  const sending = (sent: Sent): Sender => ({ ...unlockedSender(world().chain), send: async () => sent });

  beforeEach(async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
  });

  test('from when it is due until it is made', async () => {
    const { look } = watched();
    expect(await look()).toBeUndefined();
    await fall(93_000n);
    expect(await look()).toBeUndefined();
    expect(await rescuesOf(1n)).toHaveLength(1);
  });

  test.each<Sent>([
    { outcome: 'not_sent' },
    { outcome: 'unknown', hash: '0xaa' },
    { outcome: 'cancelled', hash: '0xaa' },
    { outcome: 'consumed', hash: '0xaa' },
    { outcome: 'not_allowed', rule: 'gas_price', price: { askedWei: 2n, maxWei: 1n } },
    { outcome: 'not_allowed', rule: 'gas_day' },
    { outcome: 'not_allowed', rule: 'balance' },
    { outcome: 'would_revert', error: 'unknown_error' },
  ])('while nothing comes of it: %o', async (sent) => {
    await fall(93_000n);
    const { look } = watched({ sender: sending(sent) });
    expect(await look()).toBe(0);
    expect(await look()).toBe(1_000);
  });

  test.each<Sent>([
    { outcome: 'would_revert', error: 'allowance_too_low' },
    { outcome: 'reverted', hash: '0xaa', block: 1n, gasUsed: 1n },
  ])('not when it was refused by name: %o', async (sent) => {
    await fall(93_000n);
    expect(await watched({ sender: sending(sent) }).look()).toBeUndefined();
  });

  test('not for what the serving policy leaves out', async () => {
    await fall(93_000n);
    const serving = { ...deps().serving, minimumRepayUsdWad: parseEther('1000000') };
    expect(await watched({ serving, sender: sending({ outcome: 'not_sent' }) }).look()).toBeUndefined();
  });

  test('while the node is away, and no longer once the loan is healthy or the guard is cancelled', async () => {
    await fall(93_000n);
    let isAway = false;
    const { loans } = deps();
    const silence = () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.'));
    const { look } = watched({
      loans: loansBy((guards) => (isAway ? silence() : loans.healths(guards))),
      sender: sending({ outcome: 'not_sent' }),
    });
    await look();
    isAway = true;
    expect(await look()).toBe(1_000);
    isAway = false;
    await fall(100_000n);
    expect(await look()).toBeUndefined();
    await fall(93_000n);
    expect(await look()).toBe(0);
    await world().chain.send(bob, world().book.own.loanGuard, {
      abi: loanGuardAbi,
      functionName: 'cancel',
      args: [1n],
    });
    expect(await look()).toBeUndefined();
  });
});

// AG-39
describe('/ready is 503 while no loan can be rescued:', () => {
  const silence = () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.'));
  const failure = () => Promise.reject(new Error('no'));
  const reverted: Sent = { outcome: 'reverted', hash: '0xaa', block: 1n, gasUsed: 1n };

  /** Forty seconds, with one round a second. */
  async function watched(changes: Partial<LoanGuardDeps>) {
    const at = { ms: 0 };
    const clock = () => 1_000n + BigInt(at.ms / 1000);
    const waiting = createWaitingRescues({ now: () => at.ms });
    const next = guarding(deps({ waiting, clock, ...changes }));
    const seen: boolean[] = [];
    for (let round = 0; round < 40; round += 1) {
      await next(round === 0 ? 'interval' : 'trigger').catch(() => {});
      seen.push((await readinessOf([listed(rescuesLook(waiting))])).ready);
      at.ms += 1_000;
    }
    return seen;
  }
  const sending = (sent: Sent): Sender => ({ ...unlockedSender(world().chain), send: async () => sent });
  const reader = (changes: object) => ({ reader: { ...deps().reader, ...changes } });

  beforeEach(async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
  });

  test.each<[string, () => Partial<LoanGuardDeps>]>([
    ['simulations get no answer', () => ({ previewer: judging(silence) })],
    ['simulations fail', () => ({ previewer: judging(failure) })],
    ['loans get no answer', () => ({ loans: loansBy(silence) })],
    ['loans fail', () => ({ loans: loansBy(failure) })],
    [
      'neither loans nor simulations can be read',
      () => ({ previewer: judging(silence), loans: loansBy(async (all) => all.map(() => 'unreadable')) }),
    ],
    ['guards get no answer', () => reader({ guards: silence })],
    [
      'no guard can be read',
      () =>
        reader({
          guards: async () => ({ ...(await deps().reader.guards()), guards: [], unread: 1 }),
        }),
    ],
    ['rescues revert', () => ({ sender: sending(reverted) })],
    ['rescues would revert', () => ({ sender: sending({ outcome: 'would_revert', error: 'unknown_error' }) })],
  ])('%s', async (_, changes) => {
    const seen = await watched(changes());
    expect(seen.slice(0, 5)).toEqual(Array(5).fill(true));
    expect(seen.slice(20)).toEqual(Array(20).fill(false));
  });

  test('not for one guard of several that is not read, or one loan that nobody can read', async () => {
    await borrow(carol, '50000');
    await setGuard(carol);
    const { reader: real, loans } = deps();
    const strange = {
      reader: {
        ...real,
        guards: async () => ({ ...(await real.guards()), unread: 1 }),
      },
      previewer: judging((ids) => (ids.includes(1n) ? silence() : undefined)),
      loans: loansBy(async (all) =>
        (await loans.healths(all)).map((health, at) => (all[at]?.id === 1n ? 'unreadable' : health)),
      ),
    };
    expect(await watched(strange)).toEqual(Array(40).fill(true));
  });

  test('not while the guard refuses all rescues by name', async () => {
    const refused = { previewer: judging(async (ids) => ids.map(() => ({ error: 'allowance_too_low' }))) };
    expect(await watched(refused)).toEqual(Array(40).fill(true));
  });

  test('a price that fails in any way stops no rescue', async () => {
    expect(await tick({ prices: { price: failure } })).toEqual({ guards: 1, due: 1, rescued: 1, failed: 1 });
  });
});

// AG-71
test('while rescues are held, loans are read and nothing is asked for them; then they go on at the next block', async () => {
  await borrow(bob, '70000');
  await setGuard(bob);
  await fall(93_000n);
  let isHeld = true;
  let simulated = 0;
  const { previewer } = deps();
  const rescues: LoanGuardDeps['previewer']['rescues'] = (call) => {
    simulated += 1;
    return previewer.rescues(call);
  };
  const next = guarding(deps({ isHeld: () => isHeld, previewer: { ...previewer, rescues } }));
  expect((await next()).counts).toEqual({ guards: 1, due: 0, 'skipped.held': 1 });
  expect(simulated).toBe(0);
  isHeld = false;
  expect((await next('trigger')).counts).toEqual({ guards: 1, due: 1, rescued: 1 });
});

describe('what goes wrong', () => {
  beforeEach(async () => {
    await borrow(bob, '70000');
    await borrow(carol, '72000');
    await setGuard(bob);
    await setGuard(carol);
    await fall(93_000n);
  });

  const silence = () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.'));

  test.each<[string, () => Promise<never>, object]>([
    ['falls silent', silence, { chain_unavailable: 1 }],
    ['fails', () => Promise.reject(new Error('no')), { failed: 1 }],
  ])('a simulation that %s keeps no other loan from its rescue', async (_, answer, counts) => {
    const previewer = judging((ids) => (ids.includes(1n) ? answer() : undefined));
    expect(await tick({ previewer })).toEqual({ guards: 2, due: 1, rescued: 1, ...counts });
    expect(await rescuesOf(1n)).toEqual([]);
    expect(await rescuesOf(2n)).toHaveLength(1);
  });

  test('health that cannot be read keeps no loan from its rescue', async () => {
    const loans = loansBy(async (guards) => guards.map(() => 'unreadable'));
    expect(await tick({ loans })).toEqual({ guards: 2, due: 2, rescued: 2 });
  });

  test('a chain that does not answer', async () => {
    const { book } = world();
    const gone = createGuardReader(connectChain('http://127.0.0.1:9'), book, keeper);
    const { reader } = deps();
    expect(await tick({ reader: { ...reader, ...gone } })).toEqual({ chain_unavailable: 1 });
  });

  test('somebody else was quicker: the simulation says so, and the next loan is rescued', async () => {
    const { chain, book } = world();
    let quicker: Promise<unknown> | undefined;
    const { previewer } = deps();
    const late: typeof previewer.rescues = async (call) => {
      quicker ??= chain.send(dave, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [2n] });
      await quicker;
      return previewer.rescues(call);
    };
    expect(await tick({ previewer: { rescues: late } })).toEqual({
      guards: 2,
      due: 1,
      rescued: 1,
      'skipped.cooling_down': 1,
    });
    expect(await rescuesOf(2n)).toHaveLength(1);
  });

  test('somebody is quicker after the simulation: the block says so', async () => {
    const { chain, book } = world();
    const { sender } = deps();
    let quicker: Promise<unknown> | undefined;
    const send: Sender['send'] = async (call) => {
      quicker ??= chain.send(dave, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [2n] });
      await quicker;
      return sender.send(call);
    };
    const log = keepLog();
    const counts = await tick({ sender: { ...sender, send }, log });
    expect(counts).toEqual({ guards: 2, due: 2, rescued: 1, reverted: 1 });
    expect(log.lines.find(({ event }) => event === 'rescue.failed')).toMatchObject({ reason: 'cooling_down' });
    expect(await rescuesOf(2n)).toHaveLength(1);
  });

  test('while its outcome is open, a loan is left alone, and others are rescued', async () => {
    let finish = (_: Sent) => {};
    const sent: string[] = [];
    const { sender } = deps();
    const send: Sender['send'] = (call) => {
      sent.push(call.label);
      if (sent.length > 1) return sender.send(call);
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    await borrow(dave, '60000');
    await setGuard(dave);
    const guard = createLoanGuard(deps({ sender: { ...sender, send } }));
    expect((await guard.tick(going)).counts).toMatchObject({ guards: 3, due: 2 });
    await fall(80_000n);
    const second = await guard.tick(going, 'trigger');
    expect(second).toMatchObject({ counts: { due: 1, 'skipped.under_way': 2 }, nextInSeconds: 2 });
    await expect.poll(async () => (await rescuesOf(3n)).length).toBe(1);
    expect(sent).toEqual(['rescue by guards 2, 1', 'rescue by guard 3']);
    finish({ outcome: 'cancelled', hash: '0xaa' });
    expect(await guard.settled()).toEqual({ rescued: 1, cancelled: 1 });
    expect(await rescuesOf(1n)).toEqual([]);
  });

  // WA-6
  test('a line that dies is waited for, and what was rescued is told of in the same round', async () => {
    const line = await startRpcProxy(world().url);
    let cut = false;
    line.fate = (method) => {
      cut ||= method === 'eth_sendRawTransaction';
      return method === 'eth_sendRawTransaction' ? 'answer_lost' : cut ? 'lost' : 'answered';
    };
    const log = keepLog();
    const sender = keeperSender({ ...world(), url: line.url }, { receiptSeconds: 3n });
    const round = guarding(deps({ sender, log }))();
    await expect.poll(async () => (await rescuesOf(1n)).length).toBe(1);
    line.fate = () => 'answered';
    expect((await round).counts).toEqual({ guards: 2, due: 2, rescued: 2 });
    await line.stop();
    expect(log.lines.filter(({ event }) => event === 'rescue.done')).toHaveLength(2);
    expect([await rescuesOf(1n), await rescuesOf(2n)]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  test('the report is of this rescue, whatever others there were since the guard was read', async () => {
    const { chain, book } = world();
    const { reader } = deps();
    const { block, guards } = await reader.guards();
    await chain.send(dave, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [2n] });
    await chain.increaseTime({ seconds: 600 });
    await fall(80_000n);
    const log = keepLog();
    const stale = { block: { ...block, timestamp: block.timestamp + 600n }, guards, unread: 0 };
    await tick({ log, reader: { ...reader, guards: async () => stale } });
    const [, second] = await rescuesOf(2n);
    const line = log.lines.find(({ guardId }) => guardId === 2n);
    expect(line?.repaid).toBe(`${formatUnits(second?.repaid ?? 0n, 18)} USDT`);
  });

  // AG-78
  test('the report and the notice are of this rescue, whatever others follow before they are made', async () => {
    const { chain, book } = world();
    const log = keepLog();
    const told: PermissionEvent[] = [];
    const { sender } = deps();
    const followed: Sender = {
      ...sender,
      send: async (call) => {
        const sent = await sender.send(call);
        await chain.increaseTime({ seconds: 600 });
        await fall(80_000n);
        const args = [guardsIn(call), 0n] as const;
        await chain.send(dave, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'rescueMany', args });
        return sent;
      },
    };
    const notices = { tell: (event: PermissionEvent) => void told.push(event) };
    expect(await tick({ log, sender: followed, notices })).toMatchObject({ rescued: 2 });
    for (const id of [1n, 2n]) {
      const [first, second] = await rescuesOf(id);
      expect(second?.repaid).not.toBe(first?.repaid);
      const line = log.lines.find(({ guardId }) => guardId === id);
      expect(line?.repaid).toBe(`${formatUnits(first?.repaid ?? 0n, 18)} USDT`);
      const event = told.find((each) => each.kind === 'rescue_made' && each.guard.id === id);
      expect(event).toMatchObject({ rescue: { repaid: first?.repaid, outcome: 'full' } });
    }
  });

  test('a report that cannot be made: the rescue stands, and is told with what is known', async () => {
    const { reader } = deps();
    const log = keepLog();
    expect(await tick({ log, reader: { ...reader, balances: silence } })).toMatchObject({ rescued: 2 });
    const { lines } = log;
    expect(lines.map(({ event }) => event)).toEqual(['rescue.done', 'report.failed', 'rescue.done', 'report.failed']);
    expect(lines[0]).toEqual({ event: 'rescue.done', guardId: 2n, borrower: carol, hash: expect.any(String) });
  });

  test('after a stop nothing more is simulated or sent', async () => {
    const stopping = new AbortController();
    const sent: string[] = [];
    const sender: Sender = {
      ...unlockedSender(world().chain),
      send: async ({ label }) => {
        sent.push(label);
        return { outcome: 'not_sent' };
      },
    };
    const previewer = judging(() => {
      stopping.abort();
      return undefined;
    });
    const { counts } = await guarding(deps({ sender, previewer }))('interval', stopping.signal);
    expect(counts).toEqual({ guards: 2, due: 2 });
    expect(sent).toEqual([]);
  });

  test('two guards that send in the same block: each loan is rescued once', async () => {
    const { chain } = world();
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
    const { reader } = deps();
    const onlyFirst = {
      ...reader,
      guards: async () => {
        const { guards, ...rest } = await reader.guards();
        return { ...rest, guards: guards.slice(0, 1) };
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

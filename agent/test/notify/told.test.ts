import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connectChain } from '@bowline/chain/chain-client';
import { createGuardFunds } from '@bowline/chain/guard-funds';
import { createRescueReader } from '@bowline/chain/rescue-reader';
import { isSignedByWallet } from '@bowline/chain/wallet-signature';
import { clock, timers } from '@bowline/http/clock';
import { type Address, concat, type Hex, hashMessage, pad, parseEther, zeroAddress } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { loanGuardAbi, swapExecutorAbi } from '../../../abis/index.ts';
import { setPrice } from '../../../lab/world/oracle.ts';
import { approve, bob, carol } from '../../../test/local/accounts.ts';
import { executorTick } from '../../src/loops/executor/tick.ts';
import { createDeliveries, signatureOf } from '../../src/notify/deliveries.ts';
import { createNotices, type NoticeDeps } from '../../src/notify/notices.ts';
import { createPost } from '../../src/notify/post.ts';
import { openRegistrations, type Webhook } from '../../src/notify/registrations.ts';
import { borrow, guardTerms, setGuard } from '../loans.ts';
import { guarding } from '../loops/loan-guard/guarded.ts';
import { withWorld, world } from '../loops/with-world.ts';
import { createPlan, executorDeps, fund, keeper, keepLog, loanGuardDeps, owner } from '../loops/world.ts';

// AG-78: what the loops do on a real chain reaches registered accounts, through real requests.

withWorld();

const going = new AbortController().signal;

interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The agent's own parts, a receiver for `account`, and what it has received. */
async function telling(account: Address, changes: Partial<NoticeDeps> = {}) {
  const got: Received[] = [];
  let webhook: Webhook | undefined;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const header = (name: string) => String(request.headers[name]);
    const [id, time] = [header('webhook-id'), header('webhook-timestamp')];
    expect(header('webhook-signature')).toBe(signatureOf(webhook?.secret ?? '', id, time, body));
    got.push({ id, ...JSON.parse(body) });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'told-'));
  const registrations = await openRegistrations(pathToFileURL(join(folder, 'notices.json')), clock);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const times = { updatedAt: 1n, expiresAt: 2n ** 40n };
  webhook = (await registrations.apply({ action: 'register', owner: account, url, ...times })) as Webhook;
  const log = keepLog();
  const deliveries = createDeliveries({
    post: createPost({ resolve: async () => [], isAllowed: (address) => address === '127.0.0.1' }),
    isCurrent: registrations.isCurrent,
    clock,
    timers,
    random: Math.random,
    log,
  });
  onTestFinished(async () => {
    deliveries.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });
  const { book, url: rpc } = world;
  const notices = createNotices({
    plans: executorDeps(world).reader,
    guards: loanGuardDeps(world).reader,
    funds: createGuardFunds(connectChain(rpc), book),
    rescues: createRescueReader(connectChain(rpc), book.own),
    registrations,
    deliveries,
    assets: book.assets,
    chainId: 31_337,
    clock,
    timers,
    log,
    ...changes,
  });
  return { got, notices, log, ofType: (type: string) => got.filter((each) => each.type === type) };
}

test('an owner whose allowance ends is told after the run, once, and again when less is left', async () => {
  await fund(world, owner, 'USDT', '1000');
  await approve(world.chain, owner, 'USDT', world.book.own.planRegistry, parseEther('300'));
  const id = await createPlan(world);
  const { got, notices } = await telling(owner);
  expect(await notices.round(going)).toEqual({ counts: { watched: 1 } });
  expect((await executorTick(executorDeps(world, { notices }))(going)).counts).toMatchObject({ executed: 1 });
  await expect.poll(() => got).toHaveLength(1);
  expect(got).toMatchObject([
    {
      type: 'funds_ending',
      data: {
        plan: String(id),
        account: owner.toLowerCase(),
        chain_id: 31_337,
        allowance: parseEther('200').toString(),
        limited_by: 'allowance',
        runs_left: 2,
      },
    },
  ]);
  await notices.round(going);
  await approve(world.chain, owner, 'USDT', world.book.own.planRegistry, 0n);
  await notices.round(going);
  await expect.poll(() => got).toHaveLength(2);
  expect(got[1]?.data).toMatchObject({ runs_left: 0, limited_by: 'allowance' });
  // Topped up and short again: another notice, with another id.
  await approve(world.chain, owner, 'USDT', world.book.own.planRegistry, parseEther('1000'));
  await notices.round(going);
  await approve(world.chain, owner, 'USDT', world.book.own.planRegistry, 1n);
  await notices.round(going);
  await expect.poll(() => new Set(got.map((each) => each.id)).size).toBe(3);
});

test('AG-78: three buys skipped in a row are told of, by their records, and no deferral in a slot that may still run', async () => {
  const { chain, book } = world;
  await fund(world, owner, 'USDT', '100000000');
  const id = await createPlan(world, { amountPerRun: parseEther('5000000') });
  const ticket = {
    ...{ tokenIn: zeroAddress, tokenOut: zeroAddress, verdict: 1, maxPriceWad: 1n, maxAmountIn: 0n },
    ...{ issuedAt: 0n, expiresAt: 0n, evidenceHash: pad('0x1') },
  } as const;
  const { got, notices, ofType } = await telling(owner);
  const defer = async (reason: number) => {
    const args = [id, 1n, reason, ticket, '0x'] as const;
    await chain.send(keeper, book.own.swapExecutor, { abi: swapExecutorAbi, functionName: 'defer', args });
    await notices.round(going);
  };
  const closeSlot = async () => {
    await chain.increaseTime({ seconds: 3_600 });
    await chain.mine({ blocks: 1 });
  };
  expect((await executorTick(executorDeps(world, { notices }))(going)).counts).toMatchObject({ deferred: 1 });
  for (const reason of [1, 2, 1]) await defer(reason);
  await closeSlot();
  for (const reason of [1, 2]) await defer(reason);
  await closeSlot();
  await defer(1);
  expect(got).toEqual([]);
  await closeSlot();
  await notices.round(going);
  await expect.poll(() => ofType('deferral_streak')).toHaveLength(1);
  expect(got.map(({ type }) => type)).toEqual(['deferral_streak']);
  expect(got[0]).toMatchObject({
    id: `deferral_streak:${id}:0`,
    data: { plan: String(id), deferrals: 7, first_record: 0 },
  });
  expect(got[0]?.data.reasons).toEqual([
    'cost_high',
    'reference_missing',
    'reference_stale',
    'reference_missing',
    'reference_missing',
    'reference_stale',
    'reference_missing',
  ]);
});

test('a rescue is told of with what it did, and a guard that cannot pay before it must', async () => {
  const { chain, book } = world;
  await borrow(chain, bob, '70000');
  const { timestamp } = await chain.getBlock();
  const terms = guardTerms(world, bob, timestamp);
  await chain.send(bob, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'register', args: [terms] });
  const { got, notices } = await telling(bob);
  await notices.round(going);
  await expect.poll(() => got).toHaveLength(1);
  expect(got[0]).toMatchObject({
    type: 'guard_cannot_pay',
    data: { guard: '1', limited_by: 'allowance', reason: 'allowance_too_low' },
  });

  await approve(chain, bob, 'USDT', book.own.loanGuard, parseEther('50000'));
  await notices.round(going);
  await setPrice(chain, bob, 'BTCB', 93_000n * 10n ** 8n);
  expect((await guarding(loanGuardDeps(world, { notices }))()).counts).toMatchObject({ rescued: 1 });
  await expect.poll(() => got).toHaveLength(2);
  expect(got[1]).toMatchObject({
    id: expect.stringMatching(/^rescue_made:1:0x[0-9a-f]{64}$/),
    data: {
      guard: '1',
      borrower: bob,
      outcome: 'full',
      repaid: expect.stringMatching(/^1048\d{19}$/),
      health_before: expect.stringMatching(/^1\.06/),
      health_after: expect.stringMatching(/^1\.25/),
    },
  });
});

test('a funder without plan and loan is told of the guards for which it pays', async () => {
  const { chain, book } = world;
  const wallet: Address = '0x8888888888888888888888888888888888888888';
  await chain.setCode({ address: wallet, bytecode: returning('0x1626ba7e') });
  const { timestamp } = await chain.getBlock();
  const fund = async (borrower: Address, nonce: bigint) => {
    const terms = guardTerms(world, borrower, timestamp, { funder: wallet });
    const consent = { terms, nonce, deadline: timestamp + 3_600n, borrowerEpoch: 0n, funderEpoch: 0n };
    const call = { abi: loanGuardAbi, functionName: 'registerFunded', args: [consent, '0x'] } as const;
    await chain.send(borrower, book.own.loanGuard, call);
  };
  await setGuard(world, bob);
  await fund(bob, 1n);
  await fund(carol, 2n);
  const { reader } = loanGuardDeps(world);
  const idsFor = async (account: Address, count: number) => {
    const { guards, total } = await reader.guardsFor(account, count);
    return [total, guards.map(({ id }) => id)];
  };
  expect(await idsFor(wallet, 9)).toEqual([2, [3n, 2n]]);
  expect(await idsFor(bob, 9)).toEqual([2, [2n, 1n]]);
  expect(await idsFor(wallet, 1)).toEqual([2, [3n]]);
  expect(await reader.guardsOf(wallet, 9)).toMatchObject({ total: 0 });

  const { got, notices } = await telling(wallet);
  expect(await notices.round(going)).toEqual({ counts: { watched: 2 } });
  await expect.poll(() => got).toHaveLength(2);
  expect(got).toMatchObject(
    ['3', '2'].map((guard) => ({ type: 'guard_cannot_pay', data: { guard, funder: wallet, account: wallet } })),
  );
});

const returning = (word: Hex) => concat(['0x7f', pad(word, { dir: 'right' }), '0x5f5260205ff3']);

test('who has not registered costs nothing, and whatever fails stays here', async () => {
  const id = await createPlan(world);
  const { plan } = await executorDeps(world).reader.planWithFunds(id);
  const { reader } = executorDeps(world);
  let asked = 0;
  const failing = {
    ...reader,
    planWithFunds: () => {
      asked += 1;
      return Promise.reject(new Error('no answer'));
    },
  };
  const { got, notices, log } = await telling(owner, { plans: failing });
  notices.tell({ kind: 'run_executed', plan: { ...plan, owner: bob } });
  notices.tell({ kind: 'run_executed', plan });
  await expect.poll(() => log.lines.map(({ event }) => event)).toEqual(['notice.not_made']);
  expect([asked, got]).toEqual([1, []]);
  // Not an event at all.
  expect(() => notices.tell({ kind: 'run_executed' } as never)).not.toThrow();
});

test('AG-76: a contract wallet’s own answer counts, and nothing else', async () => {
  const { chain, url } = world;
  const digest = hashMessage('Bowline notices');
  const wallet: Address = '0x9999999999999999999999999999999999999999';
  const client = connectChain(url);
  const answers = async (code: Hex) => {
    await chain.setCode({ address: wallet, bytecode: code });
    return isSignedByWallet(client, wallet, digest, '0x12');
  };
  expect(await isSignedByWallet(client, wallet, digest, '0x12')).toBe(false);
  expect(await answers(returning('0x1626ba7e'))).toBe(true);
  expect(await answers(returning('0xffffffff'))).toBe(false);
  // It reverts, or stops.
  for (const code of ['0x5f5ffd', '0x00'] as const) expect(await answers(code)).toBe(false);
  // It runs until it is out of gas: no answer.
  await expect(answers('0x5b5f56')).rejects.toMatchObject({ code: 'chain_unavailable' });
});

import { pathOf } from '@bowline/core/domain/route';
import type { Call } from '@bowline/core/domain/sending';
import { getAbiItem, parseEther, slice, toFunctionSelector, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planRegistryAbi, revocationsAbi } from '../../../abis/index.ts';
import { createCalls } from '../../../agent/src/sending/calls.ts';
import { unsigned, unsignedGo } from '../../../agent/test/unsigned.ts';
import { tokens } from '../../../lab/world/addresses.ts';
import { alice, approve, balance, bob, carol, give } from '../../../test/local/accounts.ts';
import { connectChain } from '../chain-client.ts';
import { createPlanReader } from '../plan-reader.ts';
import type { BalanceReader, PlanReader } from '../readers.ts';
import { createPlan, type DeployedChain, startDeployedChain } from './deployed-chain.ts';
import { refuse, startRpcProxy } from './rpc-proxy.ts';

let deployed: DeployedChain;
let reader: PlanReader & BalanceReader;
beforeAll(async () => {
  deployed = await startDeployedChain();
  const { url, book } = deployed;
  reader = createPlanReader(connectChain(url), book.own, book.assets);
});
afterAll(() => deployed?.stop());

const hash = `0x${'5e'.repeat(32)}` as const;

/** Sends as the executor's operator, with the gas of the call. */
async function send({ to, data, gas }: Call): Promise<void> {
  const { chain } = deployed;
  const sent = await chain.request({
    method: 'eth_sendTransaction',
    params: [{ from: alice, to, data, gas: `0x${gas.toString(16)}` }],
  } as never);
  const { status } = await chain.receiptOf(sent);
  expect(status).toBe('success');
}

async function owned(id: bigint, functionName: 'pause' | 'cancel') {
  await deployed.chain.send(carol, deployed.book.own.planRegistry, { abi: planRegistryAbi, functionName, args: [id] });
}

describe('plans', () => {
  it('are as the registry has them, with what their owner can pay', async () => {
    const { chain, book } = deployed;
    await give(chain, carol, 'USDT', '250');
    await approve(chain, carol, 'USDT', book.own.planRegistry, parseEther('120'));
    const active = await createPlan(deployed);
    const paused = await createPlan(deployed, {
      limitPriceWad: 7n,
      maxSlippageBps: 0,
      priceSource: `0x${'0'.repeat(40)}`,
    });
    const cancelled = await createPlan(deployed, {
      owner: bob,
      recipient: carol,
      tokenIn: tokens.BTCB,
      tokenOut: tokens.USDT,
    });
    await owned(paused, 'pause');
    await chain.send(bob, book.own.planRegistry, { abi: planRegistryAbi, functionName: 'cancel', args: [cancelled] });

    const { block, plans } = await reader.plans();
    expect(block.number).toBe((await chain.getBlock()).number);
    expect(plans.map(({ id }) => id)).toEqual([active, paused, cancelled]);
    const [first] = plans;
    const {
      terms,
      state: { epoch: _, ...state },
    } = await chain.readContract({
      address: book.own.planRegistry,
      abi: planRegistryAbi,
      functionName: 'plan',
      args: [active],
    });
    expect(first).toEqual({
      ...terms,
      ...state,
      id: active,
      startAt: BigInt(terms.startAt),
      periodSeconds: 3600n,
      windowSeconds: 1800n,
      expiresAt: BigInt(terms.expiresAt),
      status: 'active',
      cursor: 0n,
      ownerBalance: parseEther('250'),
      ownerAllowance: parseEther('120'),
    });
    expect(plans[1]).toMatchObject({ status: 'paused', limitPriceWad: 7n, ownerBalance: parseEther('250') });
    expect(plans[2]).toMatchObject({ status: 'cancelled', owner: bob, tokenIn: tokens.BTCB, ownerBalance: 0n });
  });

  it('of a token that burns whatever gas it is given leave the others as they are', async () => {
    const { chain } = deployed;
    const hostile = '0x00000000000000000000000000000000000bad01';
    // An endless loop: JUMPDEST PUSH0 JUMP.
    await chain.setCode({ address: hostile, bytecode: '0x5b5f56' });
    const before = (await reader.plans()).plans;
    const id = await createPlan(deployed, { tokenIn: hostile });
    const { plans } = await reader.plans();
    expect(plans.slice(0, -1)).toEqual(before);
    expect(plans.at(-1)).toMatchObject({ id, tokenIn: expect.stringMatching(/bad01$/i), ownerBalance: 0n });
    expect(before[0]?.ownerBalance).toBe(parseEther('250'));
  });

  it('of a token that does not answer are unread, and not without funds', async () => {
    const { chain } = deployed;
    const code = await chain.getCode({ address: tokens.USDT });
    const before = (await reader.plans()).plans;
    await chain.setCode({ address: tokens.USDT, bytecode: '0xfd' });
    const { plans, unread } = await reader.plans();
    await chain.setCode({ address: tokens.USDT, bytecode: code ?? '0x' });
    const payers = before.filter(({ tokenIn, status }) => tokenIn === tokens.USDT && status !== 'cancelled');
    expect(payers.length).toBeGreaterThan(0);
    expect(plans.filter(({ id }) => payers.some((payer) => payer.id === id))).toEqual([]);
    expect(unread).toBe(payers.length);
  });

  it('that have ended stay in the list while their token does not answer', async () => {
    const { chain, url, book } = deployed;
    const undo = await chain.snapshot();
    const id = await createPlan(deployed, { expiresAt: Number((await chain.getBlock()).timestamp) + 3_600 });
    const reader = createPlanReader(connectChain(url), book.own, book.assets);
    await reader.plans();
    await chain.setCode({ address: tokens.USDT, bytecode: '0xfd' });
    for (const seconds of [86_401, 61, 61]) {
      await chain.increaseTime({ seconds });
      await chain.mine({ blocks: 1 });
      const { plans, unread } = await reader.plans();
      expect(plans.map((plan) => plan.id)).toContain(id);
      expect(unread).toBe(0);
    }
    await chain.revert({ id: undo });
  });

  it('are all read, beyond one page', async () => {
    const { chain, book, url } = deployed;
    const id = await chain.snapshot();
    const reader = createPlanReader(connectChain(url), book.own, book.assets);
    const { plans: before } = await reader.plans();
    // Each plan has its own owner, so no two need the same balance.
    for (let more = 0; more < 50; more++) {
      const owner = toHex(BigInt(more) + 2n ** 100n, { size: 20 });
      await chain.impersonateAccount({ address: owner });
      await chain.setBalance({ address: owner, value: parseEther('1') });
      await createPlan(deployed, { owner });
    }
    const { plans } = await reader.plans();
    expect(plans).toHaveLength(before.length + 50);
    expect(plans.map((plan) => plan.id)).toEqual(plans.map((_, at) => BigInt(at + 1)));
    expect(plans.slice(0, before.length)).toEqual(before);
    await chain.revert({ id });
  });

  it('of a block that was undone are read as they have become', async () => {
    const { chain } = deployed;
    const { plans: before } = await reader.plans();
    const undo = await chain.snapshot();
    const id = await createPlan(deployed, { owner: bob });
    expect((await reader.plans()).plans.at(-1)).toMatchObject({ id, owner: bob });
    await chain.revert({ id: undo });
    expect(await reader.plans()).toMatchObject({ plans: before, unread: 0 });
    const again = await chain.snapshot();
    expect(await createPlan(deployed, { owner: bob })).toBe(id);
    await reader.plans();
    await chain.revert({ id: again });
    expect(await createPlan(deployed)).toBe(id);
    const { plans, unread } = await reader.plans();
    expect(unread).toBe(0);
    expect(plans.at(-1)).toMatchObject({ id, owner: carol, ownerBalance: parseEther('250') });
  });
});

describe('runs', () => {
  it('are the deferral and the run that the calls made, and the owner has what was paid and received', async () => {
    const { chain, book } = deployed;
    await give(chain, carol, 'USDT', '100');
    await approve(chain, carol, 'USDT', book.own.planRegistry, parseEther('100'));
    const id = await createPlan(deployed);
    const plan = (await reader.plans()).plans.find((each) => each.id === id);
    if (plan === undefined) throw new Error('no plan');
    const calls = createCalls(book.own);
    await send(calls.defer(plan, 5, unsigned('NO_GO', hash), '0x'));
    const path = pathOf(plan.tokenIn, [{ feeMillionths: 500, tokenOut: plan.tokenOut }]);
    const ends = [tokens.USDT, tokens.BTCB];
    const before = await Promise.all(ends.map((token) => balance(chain, carol, token)));
    await send(calls.execute({ plan, path, ticket: unsignedGo(hash), signature: '0x' }));

    const runs = await reader.runs(id, 0, 9);
    const block = await chain.getBlock();
    expect(runs[0]).toMatchObject({
      planId: id,
      record: 0,
      outcome: 'deferred',
      reasonCode: 5,
      reason: 'stablecoin_off_peg',
      verdict: 'NO_GO',
      evidencePrefix: slice(hash, 0, 19),
      amountIn: 0n,
      slotStart: plan.startAt,
    });
    expect(runs[1]).toMatchObject({ record: 1, outcome: 'executed', verdict: 'GO', amountIn: parseEther('100') });
    expect(runs[1]).toMatchObject({ time: block.timestamp, reasonCode: 0 });
    expect('reason' in (runs[1] ?? {})).toBe(false);
    const received = runs[1]?.amountOut ?? 0n;
    expect(received).toBeGreaterThanOrEqual(runs[1]?.floor ?? 0n);
    expect(received).toBeGreaterThan(0n);
    const { number } = block;
    expect(await reader.balances(carol, ends, number - 1n)).toEqual(before);
    expect(await reader.balances(carol, ends, number)).toEqual([
      (before[0] ?? 0n) - parseEther('100'),
      (before[1] ?? 0n) + received,
    ]);

    expect(await reader.runs(id, 1, 2)).toEqual([runs[1]]);
    expect(await reader.runs(id, 2, 9)).toEqual([]);
    const now = (await reader.plans()).plans.find((each) => each.id === id);
    expect(now).toMatchObject({ runs: 1, records: 2, deferrals: 0, cursor: plan.startAt + 3600n });
  });

  it('leave the plans as the registry has them, on a node that supports state overrides and on one that does not', async () => {
    const { chain, book, url } = deployed;
    const own = { address: book.own.planRegistry, abi: planRegistryAbi } as const;
    const before = await reader.plans();
    const [active] = before.plans.filter(({ status, owner }) => status === 'active' && owner === carol);
    if (active === undefined) throw new Error('no active plan');
    const { terms, state } = await chain.readContract({ ...own, functionName: 'plan', args: [active.id] });
    const edit = {
      ...own,
      functionName: 'edit',
      args: [active.id, 1n, BigInt(state.runs), { ...terms, maxRuns: 7 }],
    } as const;
    await chain.send(carol, own.address, edit);
    expect((await reader.plans()).plans.find(({ id }) => id === active.id)).toMatchObject({ version: 2 });
    // An edit that changes no term also makes a version, and the registry refuses calls for any other version.
    const [id, version, runs, edited] = edit.args;
    await chain.send(carol, own.address, { ...edit, args: [id, version + 1n, runs, edited] });
    await createPlan(deployed, { owner: bob, tokenIn: tokens.BTCB, tokenOut: tokens.USDT });
    await approve(chain, bob, 'BTCB', own.address, 5n);
    await give(chain, bob, 'BTCB', '3');
    expect((await reader.plans()).plans.at(-1)).toMatchObject({ ownerBalance: parseEther('3'), ownerAllowance: 5n });
    await chain.send(bob, book.own.revocations, { abi: revocationsAbi, functionName: 'revokeAll' });
    const revoked = await createPlan(deployed, { owner: bob });

    const read = await reader.plans();
    expect(read.plans.find(({ id }) => id === active.id)).toMatchObject({ version: 3, maxRuns: 7 });
    expect(read.plans.at(-2)).toMatchObject({ status: 'revoked', owner: bob });
    expect(read.plans.at(-1)).toMatchObject({ id: revoked, status: 'active' });
    const lesser = await startRpcProxy(url);
    lesser.fate = () => 'nothing_supposed';
    const whole = createPlanReader(connectChain(lesser.url), book.own, book.assets);
    expect(await whole.plans()).toEqual(await createPlanReader(connectChain(url), book.own, book.assets).plans());
    await lesser.stop();
  });

  it('leave one plan with its funds on a node that refuses state overrides, in whatever words', async () => {
    const { chain, book, url } = deployed;
    const id = await createPlan(deployed);
    await give(chain, carol, 'USDT', '9');
    await approve(chain, carol, 'USDT', book.own.planRegistry, 7n);
    const { plan } = await reader.planWithFunds(id);
    expect(plan).toMatchObject({ ownerAllowance: 7n, ownerBalance: await balance(chain, carol, tokens.USDT) });
    for (const code of [-32_602, -32_601, -32_004]) {
      const lesser = await startRpcProxy(url);
      lesser.tell = ({ params }, answer) => {
        if (params.length > 2) refuse(answer, code, 'not supported');
      };
      const asked = createPlanReader(connectChain(lesser.url), book.own, book.assets).planWithFunds(id);
      expect((await asked).plan).toEqual(plan);
      await lesser.stop();
    }
  });

  it('leave an edited plan as it has become, whoever else has asked for it since', async () => {
    const { chain, book } = deployed;
    const own = { address: book.own.planRegistry, abi: planRegistryAbi } as const;
    const undo = await chain.snapshot();
    const id = await createPlan(deployed);
    const find = async () => (await reader.plans()).plans.find((each) => each.id === id);
    const edit = async (version: bigint, maxRuns: number) => {
      const { terms } = await chain.readContract({ ...own, functionName: 'plan', args: [id] });
      const args = [id, version, 0n, { ...terms, maxRuns }] as const;
      await chain.send(carol, own.address, { ...own, functionName: 'edit', args });
    };
    await find();
    await edit(1n, 7);
    expect((await reader.planWithFunds(id)).plan).toMatchObject({ version: 2, maxRuns: 7 });
    expect(await find()).toMatchObject({ version: 2, maxRuns: 7 });
    await edit(2n, 8);
    expect((await reader.newestPlans({ owner: carol, count: 1 })).plans).toMatchObject([{ version: 3, maxRuns: 8 }]);
    expect(await find()).toMatchObject({ version: 3, maxRuns: 8 });
    await chain.revert({ id: undo });
  });

  it('of a plan that does not exist are unknown_plan', async () => {
    await expect(reader.runs(999n, 0, 1)).rejects.toMatchObject({
      code: 'unknown_plan',
      message: 'There is no plan 999.',
    });
  });
});

it('a node that tells of more plans than there can be is not believed', async () => {
  const { book, url } = deployed;
  const liar = await startRpcProxy(url);
  const count = toFunctionSelector(getAbiItem({ abi: planRegistryAbi, name: 'planCount' }));
  liar.tell = ({ params }, answer) => {
    if ((params[0] as { data?: string }).data === count) answer.result = `0x${'7'.repeat(64)}`;
  };
  const plans = createPlanReader(connectChain(liar.url), book.own, book.assets).plans();
  await expect(plans).rejects.toMatchObject({ code: 'chain_unavailable' });
  await liar.stop();
});

it('says chain_unavailable when no node answers', async () => {
  const { book } = deployed;
  const nobody = createPlanReader(connectChain('http://127.0.0.1:9'), book.own, book.assets);
  const unavailable = { code: 'chain_unavailable', retryable: true };
  await expect(nobody.plans()).rejects.toMatchObject(unavailable);
  await expect(nobody.runs(1n, 0, 1)).rejects.toMatchObject(unavailable);
  await expect(nobody.balances(carol, [tokens.USDT], 1n)).rejects.toMatchObject(unavailable);
});

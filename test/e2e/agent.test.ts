import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Serving } from '@bowline/core/serving';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Instance } from 'prool';
import { type Address, encodeFunctionData, keccak256, pad, parseEther, zeroAddress } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';
import { signatureOf } from '../../agent/src/notify/deliveries.ts';
import { messageOf } from '../../agent/src/notify/message.ts';
import { binary } from '../../lab/tools/foundry.mjs';
import { comptrollerAbi, erc20Abi, faucetAbi, routerAbi, vTokenAbi } from '../../lab/world/abis.ts';
import { walletOf } from '../../lab/world/account-abstraction.ts';
import { accountAbstraction, pancake, type TokenSymbol, tokens, venus } from '../../lab/world/addresses.ts';
import { type Anvil, enoughThreads } from '../../lab/world/anvil.ts';
import { type Bundler, startBundler } from '../../lab/world/bundler.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { localChainId } from '../../lab/world/fork.ts';
import { mineEvery } from '../../lab/world/miner.ts';
import { setPrice } from '../../lab/world/oracle.ts';
import { startReplica, treasurer } from '../../lab/world/replica.ts';
import { type Contracts, deployContracts, keeper } from '../../lab/world/start/contracts.ts';
import { planTerms } from '../../packages/chain/test/deployed-chain.ts';
import { bob, carol } from '../local/accounts.ts';
import { freePort } from '../local/free-port.ts';
import { type Pyth, servePyth } from './pyth.ts';
import { type Sidecar, startSidecar } from './sidecar.ts';

// The whole agent, as a process, on a fork of the replica with blocks in wall time. It acts through its wallet and a
// real bundler. Nothing is mocked on chain; only the exchange is missing, which `npm start` has.

type Fork = ReturnType<typeof startFork>;
const startFork = (forkUrl: string, port: number) => {
  Object.assign(process.env, enoughThreads);
  return Instance.anvil({
    binary: binary('anvil'),
    port,
    forkUrl,
    chainId: localChainId,
    noMining: true,
    blockBaseFeePerGas: 50_000_000n,
    noStorageCaching: true,
  });
};

/** Anvil's sixth account. */
const dave: Address = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';
const folder = '.cache/deployments/e2e';
let base: Anvil;
let fork: Fork;
let rpcUrl: string;
let stopMining: (() => Promise<void>) | undefined;
let chain: Chain;
let own: Contracts;
let bundler: Bundler;
let pyth: Pyth;
let agent: Sidecar;
const kept = mkdtempSync(join(tmpdir(), 'agent-'));

const settings = () => ({
  RPC_URL: rpcUrl,
  BUNDLER_URL: bundler.url,
  MARKET_DATA_URL: 'off',
  PYTH_URL: pyth.url,
  DEPLOYMENTS_DIR: folder,
  DATA_DIR: kept,
  EXECUTOR_INTERVAL_SECONDS: '1',
});

beforeAll(async () => {
  base = await startReplica();
  fork = startFork(base.url, await freePort());
  await fork.start();
  rpcUrl = `http://127.0.0.1:${fork.port}`;
  chain = connect(rpcUrl);
  // Like every other chain here: anvil is silent, and the test requests the blocks. With anvil's own log and
  // --block-time a set-up once failed, most likely on a forge request that got no answer.
  await chain.setLoggingEnabled(false);
  stopMining = mineEvery(rpcUrl, 0.45);
  const wallet = await walletOf(chain, keeper);
  await chain.setBalance({ address: wallet, value: parseEther('10') });
  own = await deployContracts(rpcUrl, folder, new AbortController().signal, { operator: wallet });
  pyth = await servePyth();
  bundler = await startBundler(rpcUrl, await freePort());
  agent = await startSidecar(settings());
});
afterAll(async () => {
  await agent?.stop();
  await bundler?.stop();
  await pyth?.stop();
  await stopMining?.();
  await fork?.stop();
  await base?.stop();
  rmSync(kept, { recursive: true, force: true });
});

const send = (from: Address, to: Address, abi: object, functionName: string, args: readonly unknown[]) =>
  chain.send(from, to, { abi, functionName, args } as never);
const take = (holder: Address, symbol: TokenSymbol, amount: bigint) =>
  send(holder, tokens[symbol], faucetAbi, 'allocateTo', [holder, amount]);
const approve = (holder: Address, symbol: TokenSymbol, spender: Address, amount = 2n ** 255n) =>
  send(holder, tokens[symbol], erc20Abi, 'approve', [spender, amount]);
const held = (holder: Address, symbol: TokenSymbol, blockNumber?: bigint): Promise<bigint> =>
  chain.readContract({
    address: tokens[symbol],
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [holder],
    ...(blockNumber === undefined ? {} : { blockNumber }),
  });

/** Terms of plans that are due now, for 100 USDT an hour. */
async function termsOf(owner: Address, changes: object = {}) {
  const { timestamp } = await chain.getBlock();
  return { ...planTerms(own, owner, Number(timestamp)), windowSeconds: 3600, ...changes };
}

async function createPlan(owner: Address, changes: object = {}): Promise<bigint> {
  await take(owner, 'USDT', parseEther('1000'));
  await approve(owner, 'USDT', own.planRegistry);
  await send(owner, own.planRegistry, planRegistryAbi, 'create', [await termsOf(owner, changes)]);
  return chain.readContract({ address: own.planRegistry, abi: planRegistryAbi, functionName: 'planCount' });
}

const records = (planId: bigint) =>
  chain.readContract({
    address: own.planRegistry,
    abi: planRegistryAbi,
    functionName: 'runs',
    args: [planId, 0n, 99n],
  });

/**
 * A loan of USDT on one ETH with this health, in hundredths, and a guard that triggers at 1.10 and restores 1.25.
 * Returns the guard's number.
 */
async function guardedLoan(borrower: Address, healthPercent: bigint): Promise<bigint> {
  const { vETH, vUSDT } = venus.markets;
  await take(borrower, 'ETH', parseEther('1'));
  await approve(borrower, 'ETH', vETH);
  await send(borrower, vETH, vTokenAbi, 'mint', [parseEther('1')]);
  await send(borrower, venus.comptroller, comptrollerAbi, 'enterMarkets', [[vETH]]);
  const [, worth] = await liquidity(borrower);
  await send(borrower, vUSDT, vTokenAbi, 'borrow', [(worth * 100n) / healthPercent]);
  await take(borrower, 'USDT', parseEther('5000'));
  await approve(borrower, 'USDT', own.loanGuard);
  await send(borrower, own.loanGuard, loanGuardAbi, 'register', [await guardTerms(borrower)]);
  return chain.readContract({ address: own.loanGuard, abi: loanGuardAbi, functionName: 'guardCount' });
}

async function guardTerms(borrower: Address, funder = borrower) {
  const { timestamp } = await chain.getBlock();
  return {
    borrower,
    funder,
    adapter: own.venusMarket,
    market: pad(venus.markets.vUSDT),
    keeper: zeroAddress,
    priceSource: zeroAddress,
    triggerHealthWad: parseEther('1.1'),
    targetHealthWad: parseEther('1.25'),
    capPerRescue: parseEther('5000'),
    capPerDay: parseEther('5000'),
    minRepay: parseEther('1'),
    cooldownSeconds: 0,
    expiresAt: Number(timestamp) + 86_400,
  };
}

const liquidity = (account: Address, blockNumber?: bigint) =>
  chain.readContract({
    address: venus.comptroller,
    abi: comptrollerAbi,
    functionName: 'getAccountLiquidity',
    args: [account],
    ...(blockNumber === undefined ? {} : { blockNumber }),
  }) as Promise<readonly [bigint, bigint, bigint]>;

const rescues = (guardId: bigint) =>
  chain.readContract({ address: own.loanGuard, abi: loanGuardAbi, functionName: 'rescues', args: [guardId, 0n, 99n] });

async function ask(prompt: string): Promise<{ result: string; tools: string[]; answered_by: string }> {
  const response = await fetch(`${agent.url}/x402`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prompt }),
  });
  expect(response.status).toBe(200);
  return response.json() as Promise<{ result: string; tools: string[]; answered_by: string }>;
}

/** Buys a token for USDT in its pool, or sells it, as a stranger would. */
async function trade(from: TokenSymbol, to: TokenSymbol, amountIn: bigint): Promise<bigint> {
  await approve(treasurer, from, pancake.router);
  const before = await held(treasurer, to);
  const order = { tokenIn: tokens[from], tokenOut: tokens[to], fee: 500, recipient: treasurer, deadline: 2n ** 40n };
  const args = [{ ...order, amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }];
  await send(treasurer, pancake.router, routerAbi, 'exactInputSingle', args);
  return (await held(treasurer, to)) - before;
}

/** Waits for this many more rounds of the executor. */
async function ticks(count: number): Promise<void> {
  const ended = () => agent.log.filter(({ event, loop }) => event === 'tick.end' && loop === 'executor').length;
  const before = ended();
  await expect.poll(ended, { timeout: 30_000 }).toBeGreaterThanOrEqual(before + count);
}

// AG-1, AG-2
test('runs a due plan: the owner has paid exactly, has the BTCB, and the record says so', async () => {
  const planId = await createPlan(carol);
  const before = await held(carol, 'BTCB');

  const { hash } = await agent.logged('run.executed', { planId: planId.toString() });

  const [run, ...others] = await records(planId);
  expect(others).toEqual([]);
  expect(await held(carol, 'USDT')).toBe(parseEther('900'));
  expect((await held(carol, 'BTCB')) - before).toBe(run?.amountOut);
  expect(run).toMatchObject({ outcome: 1, amountIn: parseEther('100'), verdict: 3, reason: 0 });
  expect(run?.amountOut).toBeGreaterThanOrEqual(run?.floor ?? 0n);
  const { blockNumber, from, to } = await chain.getTransactionReceipt({ hash: hash as `0x${string}` });
  // The bundler submitted it.
  expect(to).toBe(accountAbstraction.entryPoint.toLowerCase());
  expect(from).not.toBe(keeper.toLowerCase());
  const { timestamp } = await chain.getBlock({ blockNumber });
  expect(BigInt(run?.time ?? 0)).toBe(timestamp);
});

// AG-73, AG-76
test('serves the evidence of the run, and tells the owner of it who registers', async () => {
  const planId = 1n;
  const [run] = await records(planId);
  const { evidenceHash } = await agent.logged('run.evidence', { planId: planId.toString() });
  for (const hash of [run?.evidencePrefix, evidenceHash]) {
    const answer = await fetch(`${agent.url}/evidence/${hash}`);
    expect(keccak256(new Uint8Array(await answer.arrayBuffer()))).toBe(evidenceHash);
  }
  expect((await fetch(`${agent.url}/evidence/${keccak256('0x')}`)).status).toBe(404);

  const got: string[] = [];
  const signed: [string, () => string][] = [];
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const [id = '', time = '', signature = ''] = ['id', 'timestamp', 'signature'].map((name) =>
      String(request.headers[`webhook-${name}`]),
    );
    got.push(JSON.parse(body).type);
    signed.push([signature, () => signatureOf(secret, id, time, body)]);
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void receiver.close());
  const now = BigInt(Math.floor(Date.now() / 1000));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const messageBy = (owner: Address) => {
    const request = { action: 'register', owner, url, updatedAt: now, expiresAt: now + 86_400n } as const;
    return messageOf(request, { chainId: localChainId, planRegistry: own.planRegistry });
  };
  // Anvil's fourth account.
  const account = privateKeyToAccount('0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6');
  let secret = '';
  const post = async (signature: string, owner: Address = carol) => {
    const times = { updated_at: Number(now), expires_at: Number(now) + 86_400 };
    const body = JSON.stringify({ action: 'register', owner, url, ...times, signature });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${agent.url}/webhooks`, { method: 'POST', headers, body });
    const answer = (await response.json()) as { readonly secret?: string };
    if (owner === carol) secret = answer.secret ?? secret;
    return { status: response.status, answer };
  };
  expect(await post(`0x${'12'.repeat(65)}`)).toMatchObject({
    status: 422,
    answer: { code: 'webhook_refused', reason: 'signature_refused' },
  });
  const signature = await account.signMessage({ message: messageBy(carol) });
  expect(await post(signature)).toMatchObject({ status: 200, answer: { status: 'registered' } });
  await expect.poll(() => got).toEqual(['webhook_registered']);
  expect(await post(signature)).toMatchObject({ status: 422, answer: { reason: 'not_newer' } });
  // Carol's 900 USDT pay for nine runs.
  await approve(carol, 'USDT', own.planRegistry, parseEther('100'));
  await expect.poll(() => got).toEqual(['webhook_registered', 'funds_ending']);
  for (const [given, expected] of signed) expect(given).toBe(expected());
  await approve(carol, 'USDT', own.planRegistry);

  // An account that only funds another's guard has neither a plan nor a loan.
  const funder = privateKeyToAccount(generatePrivateKey());
  const toFunder = async () => post(await funder.signMessage({ message: messageBy(funder.address) }), funder.address);
  expect(await toFunder()).toMatchObject({ status: 422, answer: { reason: 'owner_unknown' } });
  await fundGuard(funder, dave);
  expect(await toFunder()).toMatchObject({ status: 200, answer: { status: 'registered' } });
});

/** A guard for a borrower without a loan, with the funder's signature. */
async function fundGuard(funder: PrivateKeyAccount, borrower: Address): Promise<void> {
  const { timestamp } = await chain.getBlock();
  const terms = await guardTerms(borrower, funder.address);
  const consent = { terms, nonce: 1n, deadline: timestamp + 3_600n, borrowerEpoch: 0n, funderEpoch: 0n } as const;
  const guard = { address: own.loanGuard, abi: loanGuardAbi } as const;
  const hash = await chain.readContract({ ...guard, functionName: 'digestOf', args: [consent] });
  const args = [consent, await funder.sign({ hash })] as const;
  await send(borrower, own.loanGuard, loanGuardAbi, 'registerFunded', args);
}

// AG-2, AG-18
test('a plan too large for its pool is deferred once, with the reason, and moves nothing', async () => {
  await take(bob, 'USDT', parseEther('10000000'));
  const planId = await createPlan(bob, { amountPerRun: parseEther('5000000') });
  const before = await held(bob, 'USDT');

  await agent.logged('run.deferred', { planId: planId.toString(), reason: 'cost_high', verdict: 'NO_GO' });
  await ticks(3);

  expect(await records(planId)).toMatchObject([{ outcome: 2, reason: 16, verdict: 1, amountIn: 0n, amountOut: 0n }]);
  expect(await held(bob, 'USDT')).toBe(before);
});

// AG-4
test('rescues an endangered loan up to its target, and leaves a healthy one alone', async () => {
  const endangered = await guardedLoan(carol, 115n);
  const healthy = await guardedLoan(dave, 200n);
  const healthyDebt = await liquidity(dave);
  expect(await rescues(endangered)).toEqual([]);

  await setPrice(chain, treasurer, 'ETH', 3_800n * 10n ** 8n);
  const { hash } = await agent.logged('rescue.done', { guardId: endangered.toString() });

  const { blockNumber, from, to } = await chain.getTransactionReceipt({ hash: hash as `0x${string}` });
  // AG-38: the agent's own key sent it, although its wallet is the operator.
  expect([from, to]).toEqual([keeper.toLowerCase(), own.loanGuard.toLowerCase()]);
  const debt = (await chain.readContract({
    address: venus.markets.vUSDT,
    abi: vTokenAbi,
    functionName: 'borrowBalanceStored',
    args: [carol],
    blockNumber,
  })) as bigint;
  const [, spare, shortfall] = await liquidity(carol, blockNumber);
  const healthWad = ((debt + spare - shortfall) * 10n ** 18n) / debt;
  expect(healthWad).toBeGreaterThanOrEqual(parseEther('1.25'));
  expect(healthWad).toBeLessThan(parseEther('1.25') + 10n ** 6n);
  const [rescue] = await rescues(endangered);
  expect(rescue).toMatchObject({ outcome: 1, healthAfterWad: healthWad - (healthWad % 10n ** 9n) });
  const paid = (await held(carol, 'USDT', blockNumber - 1n)) - (await held(carol, 'USDT', blockNumber));
  expect(paid).toBe(rescue?.repaid);

  expect(await rescues(healthy)).toEqual([]);
  expect(await held(dave, 'USDT')).toBeGreaterThanOrEqual(parseEther('5000'));
  expect((await liquidity(dave))[2]).toBe(healthyDebt[2]);
  await setPrice(chain, treasurer, 'ETH', 4_000n * 10n ** 8n);
});

// AG-5
test('says whether ETH is fairly priced: GO, NO_GO with the reason while the pool is pushed, GO again', async () => {
  // BTCB has a route around its pool.
  const question = 'Is ETH fairly priced right now?';
  const fair = await ask(question);
  expect(fair).toMatchObject({ tools: ['check_asset'], answered_by: 'embedded' });
  expect(fair.result).toMatch(/^Verdict: GO .*pool.*reference.*deviation/s);

  const bought = await trade('USDT', 'ETH', parseEther('1200000'));
  const pushed = await ask(question);
  expect(pushed.result).toContain('NO_GO');
  expect(pushed.result).toContain('cost_high');

  await trade('ETH', 'USDT', bought);
  expect((await ask(question)).result).toMatch(/^Verdict: GO /);
});

// AG-6
test('MCP clients of both generations list and call the same tools with the same answers', async () => {
  const url = new URL(`${agent.url}/mcp`);
  const versionNegotiation = { mode: { pin: '2026-07-28' } } as const;
  const modern = new ModernClient({ name: 'modern', version: '1' }, { versionNegotiation });
  await modern.connect(new ModernTransport(url));
  const legacy = new LegacyClient({ name: 'legacy', version: '1' });
  await legacy.connect(new LegacyTransport(url) as never);
  try {
    const [listedModern, listedLegacy] = [await modern.listTools(), await legacy.listTools()];
    const shape = ({ tools }: { tools: { name: string; description?: string | undefined; inputSchema: unknown }[] }) =>
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(shape(listedModern)).toEqual(shape(listedLegacy));
    expect(listedModern.tools).toHaveLength(17);

    // AG-6
    const { ticket } = (await (await fetch(`${agent.url}/verdict?asset=ETH&side=sell&amount_usd=500`)).json()) as {
      ticket: { signature: string };
    };
    const asked = { name: 'check_asset', arguments: { asset: 'ether', side: 'sell', amount_usd: 500 } };
    expect((await modern.callTool(asked)).structuredContent).toMatchObject({ ticket });
    expect((await legacy.callTool(asked)).structuredContent).toMatchObject({ ticket });
    expect(ticket.signature).toMatch(/^0x/);

    const { structuredContent: told } = await modern.callTool({ name: 'about', arguments: {} });
    const { serves } = (await (await fetch(`${agent.url}/.well-known/bowline.json`)).json()) as { serves: Serving };
    const { version } = (await (await fetch(`${agent.url}/ready`)).json()) as { version: string };
    expect(told).toMatchObject({
      ...{ version, chain_id: serves.chainId, charges: { price_usd: 0, tools: [] } },
      serves: { plans: { executor: serves.swapExecutor, ticket_signers: serves.plans?.verdictSigners } },
    });

    const call = { name: 'list_runs', arguments: { plan: '1' } };
    const [fromModern, fromLegacy] = [await modern.callTool(call), await legacy.callTool(call)];
    expect(fromModern.structuredContent).toEqual(fromLegacy.structuredContent);
    expect(fromModern.structuredContent).toMatchObject({ plan: '1', runs: [{ outcome: 'executed' }] });
  } finally {
    await modern.close();
    await legacy.close();
  }
});

// CH-1
test('killed in the middle and started again, it neither repeats nor loses a run', async () => {
  const first =
    1n + (await chain.readContract({ address: own.planRegistry, abi: planRegistryAbi, functionName: 'planCount' }));
  // More than fit in one batch.
  const ids = Array.from({ length: 22 }, (_, index) => first + BigInt(index));
  await take(dave, 'USDT', parseEther('22000'));
  await approve(dave, 'USDT', own.planRegistry);
  // All become due at once, after all were created.
  const startAt = Number((await chain.getBlock()).timestamp) + 8;
  const args = [await termsOf(dave, { startAt })] as const;
  const data = encodeFunctionData({ abi: planRegistryAbi, functionName: 'create', args });
  await chain.sendTogether(
    dave,
    ids.map(() => ({ to: own.planRegistry, data })),
  );
  const before = await held(dave, 'USDT');
  expect(Number((await chain.getBlock()).timestamp)).toBeLessThan(startAt);
  const spent = async () => before - (await held(dave, 'USDT'));
  // As soon as the first of them have run, the others are in progress.
  await expect.poll(spent, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0n);
  await agent.kill();
  expect(await spent()).toBeLessThan(parseEther('2200'));

  agent = await startSidecar(settings());
  await expect.poll(spent, { timeout: 30_000 }).toBe(parseEther('2200'));
  await ticks(3);

  expect(await spent()).toBe(parseEther('2200'));
  for (const id of ids) expect(await records(id)).toMatchObject([{ outcome: 1, amountIn: parseEther('100') }]);
}, 120_000);

test('is there when a slot begins and when a loan falls, hours before its next round', async () => {
  await agent.stop();
  const guardId = await guardedLoan(bob, 115n);
  const { timestamp } = await chain.getBlock();
  const startAt = Number(timestamp) + 25;
  // The period is four rounds, as a plan needs to be served.
  const planId = await createPlan(carol, { startAt, windowSeconds: 20, periodSeconds: 43_200 });
  agent = await startSidecar({ ...settings(), EXECUTOR_INTERVAL_SECONDS: '10800' });
  await agent.logged('tick.end', { loop: 'executor' });
  await agent.logged('tick.end', { loop: 'loan-guard' });

  await setPrice(chain, treasurer, 'ETH', 3_800n * 10n ** 8n);
  const { number: fallen } = await chain.getBlock();
  const { hash } = await agent.logged('rescue.done', { guardId: guardId.toString() });
  const { blockNumber } = await chain.getTransactionReceipt({ hash: hash as `0x${string}` });
  // Ten blocks are 4.5 seconds.
  expect(blockNumber - fallen).toBeLessThan(10n);
  await setPrice(chain, treasurer, 'ETH', 4_000n * 10n ** 8n);

  await agent.logged('run.executed', { planId: planId.toString() });
  const [run] = await records(planId);
  expect(run?.slotStart).toBe(startAt);
  expect((run?.time ?? 0) - startAt).toBeLessThan(10);
});

// AG-71
test('told to stop while a transaction is on its way, it waits for it, tells of it and ends', async () => {
  await agent.stop();
  const planId = await createPlan(dave);
  const before = await held(dave, 'USDT');
  await stopMining?.();
  agent = await startSidecar(settings());
  const pending = async () => (await chain.getTxpoolStatus()).pending;
  await expect.poll(pending, { timeout: 20_000 }).toBe(1);

  let code: number | null | undefined;
  const stopping = agent.stop().then((ended) => {
    code = ended;
  });
  await agent.logged('agent.stopping');
  await sleep(1_500);
  expect(code).toBeUndefined();

  await chain.mine({ blocks: 1 });
  await stopping;
  expect(code).toBe(0);
  await agent.logged('run.executed', { planId: planId.toString() });
  expect(before - (await held(dave, 'USDT'))).toBe(parseEther('100'));
  expect(await records(planId)).toMatchObject([{ outcome: 1 }]);
  expect(await pending()).toBe(0);
  await expect(fetch(`${agent.url}/ping`)).rejects.toThrow();
});

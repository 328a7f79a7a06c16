import {
  createPublicClient,
  createWalletClient,
  type Hex,
  hashTypedData,
  http,
  type PublicClient,
  parseEventLogs,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokens, venus } from '../../../lab/world/addresses.ts';
import { localChainId, startLocalChain } from '../../../lab/world/fork.ts';
import { deployContracts } from '../../../lab/world/start/contracts.ts';
import {
  approveCall,
  assetOf,
  baseUnits,
  bowlineActions,
  type Call,
  cancelGuardCall,
  collateralGuardAbi,
  consentTypedData,
  createBySignatureCall,
  createCall,
  creationTypedData,
  type Deployment,
  deploymentOf,
  draftConsent,
  draftCreation,
  draftGuard,
  draftPlan,
  draftSale,
  loanGuardAbi,
  planRegistryAbi,
  registerFundedCall,
  revokeAllCall,
} from '../index.ts';

// What the SDK drafts, on the real contracts.

/** Anvil's ninth and tenth accounts. Their keys are public. */
const owner = privateKeyToAccount('0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97');
const stranger = privateKeyToAccount('0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6');

let local: Awaited<ReturnType<typeof startLocalChain>>;
let deployment: Deployment;
let client: PublicClient;

beforeAll(async () => {
  local = await startLocalChain({ blockSeconds: 0.45 });
  const contracts = await deployContracts(local.url, '.cache/deployments/sdk', new AbortController().signal);
  deployment = deploymentOf(localChainId, { chainId: localChainId, ...contracts });
  client = createPublicClient({ transport: http(local.url), pollingInterval: 100 });
}, 180_000);
afterAll(() => local?.stop());

const plan = (on = deployment) =>
  draftPlan(on, {
    owner: owner.address,
    pay: 'usdt',
    buy: 'BTCB',
    amountPerRun: '25.5',
    periodSeconds: 86_400,
    maxRuns: 30,
    limitPrice: '120000',
  });

async function send(account: typeof owner, call: Call) {
  const wallet = createWalletClient({ account, transport: http(local.url) });
  const hash = await wallet.sendTransaction({ ...call, chain: null });
  return await client.waitForTransactionReceipt({ hash });
}

describe('SD-2: a plan', () => {
  it('is what the registry then holds, and costs what its runs need', async () => {
    const terms = plan();
    const approval = approveCall(deployment, [terms], 7n);
    expect(approval.to).toBe(tokens.USDT);
    expect(BigInt(`0x${approval.data.slice(-64)}`)).toBe(25_500_000_000_000_000_000n * 30n + 7n);
    const { logs, status } = await send(owner, createCall(deployment, terms));
    expect(status).toBe('success');
    const [created] = parseEventLogs({ abi: planRegistryAbi, logs, eventName: 'PlanCreated' });
    const held = await client.readContract({
      address: deployment.contracts.planRegistry,
      abi: planRegistryAbi,
      functionName: 'plan',
      args: [created?.args.planId ?? 0n],
    });
    expect(held.terms).toEqual(terms);
    expect(held.terms).toMatchObject({
      amountPerRun: 25_500_000_000_000_000_000n,
      limitPriceWad: 120_000n * 10n ** 18n,
    });
  });

  it('has its limit by whole tokens, whatever their decimals', () => {
    const assets = deployment.assets.map((asset) => (asset.symbol === 'BTCB' ? { ...asset, decimals: 8 } : asset));
    expect(plan({ ...deployment, assets }).limitPriceWad).toBe(120_000n * 10n ** 28n);
  });

  it('has a trigger by whole tokens, which the registry holds it to', () => {
    const options = {
      owner: owner.address,
      pay: 'USDT',
      buy: 'BTCB',
      amountPerRun: '1',
      periodSeconds: 60,
      maxRuns: 1,
    };
    const periodSeconds = 30 * 86_400;
    expect(draftPlan(deployment, { ...options, periodSeconds, triggerPrice: '130000.5' })).toMatchObject({
      // A stop loss is open at every moment.
      windowSeconds: periodSeconds,
      triggerPriceWad: 130_000_500_000_000_000_000_000n,
      farLimit: false,
    });
  });

  it('is created by one signature that anybody submits, until its owner revokes', async () => {
    const creation = await draftCreation(client, deployment, [plan(), plan()]);
    const typed = creationTypedData(deployment, creation);
    const digest = await client.readContract({
      address: deployment.contracts.planRegistry,
      abi: planRegistryAbi,
      functionName: 'digestOf',
      args: [creation],
    });
    expect(hashTypedData(typed)).toBe(digest);
    const signature = await owner.signTypedData(typed);
    const { logs } = await send(stranger, createBySignatureCall(deployment, creation, signature));
    const created = parseEventLogs({ abi: planRegistryAbi, logs, eventName: 'PlanCreated' });
    expect(created.map(({ args }) => args.owner)).toEqual([owner.address, owner.address]);

    const late = await draftCreation(client, deployment, [plan()]);
    const signed = await owner.signTypedData(creationTypedData(deployment, late));
    await send(owner, revokeAllCall(deployment));
    await expect(client.call({ ...createBySignatureCall(deployment, late, signed) })).rejects.toThrow(
      /EpochPassed|revert/,
    );
  });

  it('refuses what cannot be meant, and says which option', () => {
    const options = {
      owner: owner.address,
      pay: 'USDT',
      buy: 'BTCB',
      amountPerRun: '1',
      periodSeconds: 60,
      maxRuns: 1,
    };
    const refusals: [object, string][] = [
      [{ amountPerRun: '0' }, 'amountPerRun must be above zero'],
      [{ amountPerRun: '1,5' }, 'amountPerRun must be a number in decimal text'],
      [{ amountPerRun: '1e3' }, 'amountPerRun must be'],
      [{ amountPerRun: `0.${'1'.repeat(19)}` }, 'with at most 18 decimals'],
      [{ pay: 'DOGE' }, 'lists no asset DOGE'],
      [{ maxRuns: 1.5 }, 'maxRuns must be a whole number above zero'],
      [{ periodSeconds: 0 }, 'periodSeconds must be a whole number above zero'],
    ];
    for (const [changed, words] of refusals) {
      expect(() => draftPlan(deployment, { ...options, ...changed }), words).toThrow(words);
    }
    expect(baseUnits('amount', '1.5', 6)).toBe(1_500_000n);
  });
});

it('SD-2: a guard that another account pays for is registered by its consent', async () => {
  const { vUSDT } = venus.markets;
  const terms = draftGuard(deployment, {
    borrower: owner.address,
    funder: stranger.address,
    market: vUSDT,
    repay: 'USDT',
    triggerHealth: '1.1',
    targetHealth: '1.25',
    capPerRescue: '500',
    capPerDay: '1500.5',
    minRepay: '10',
    watchesChainlink: true,
  });
  // With equal epochs, a digest that swaps them would be the same.
  await send(owner, revokeAllCall(deployment));
  const consent = await draftConsent(client, deployment, terms);
  expect(consent.borrowerEpoch).not.toBe(consent.funderEpoch);
  const typed = consentTypedData(deployment, consent);
  const digest = await client.readContract({
    address: deployment.contracts.loanGuard,
    abi: loanGuardAbi,
    functionName: 'digestOf',
    args: [consent],
  });
  expect(hashTypedData(typed)).toBe(digest);
  const receipt = await send(owner, registerFundedCall(deployment, consent, await stranger.signTypedData(typed)));
  expect(receipt.status).toBe('success');
  const held = await client.readContract({
    address: deployment.contracts.loanGuard,
    abi: loanGuardAbi,
    functionName: 'guard',
    args: [1n],
  });
  expect(held.terms).toEqual(terms);
  expect(held.repayToken).toBe(tokens.USDT);
});

it('SD-2: a guard that pays out of another account’s deposit is registered by its consent', async () => {
  const { vUSDT, vETH } = venus.markets;
  const terms = draftSale(deployment, {
    borrower: owner.address,
    funder: stranger.address,
    market: vUSDT,
    collateralMarket: vETH,
    repay: 'USDT',
    triggerHealth: '1.08',
    targetHealth: 'unwind',
    capPerRescue: '500',
    capPerDay: '1500.5',
    minRepay: '10',
    route: [{ fee: 500 }],
  });
  expect(terms).toMatchObject({ maxCostBps: 200, cooldownSeconds: 300, targetHealthWad: 2n ** 64n - 1n });
  const consent = await draftConsent(client, deployment, terms);
  const typed = consentTypedData(deployment, consent);
  const address = deployment.contracts.collateralGuard as Call['to'];
  const contract = { address, abi: collateralGuardAbi } as const;
  const digest = await client.readContract({ ...contract, functionName: 'digestOf', args: [consent] });
  expect(hashTypedData(typed)).toBe(digest);
  const receipt = await send(owner, registerFundedCall(deployment, consent, await stranger.signTypedData(typed)));
  expect(receipt.status).toBe('success');
  const held = await client.readContract({ ...contract, functionName: 'guard', args: [1n] });
  expect(held.terms).toEqual(terms);
  expect(held.collateralToken).toBe(tokens.ETH);
  expect((await send(stranger, cancelGuardCall(deployment, 'collateral-1'))).status).toBe('success');
  const route = [{ fee: 500, pays: tokens.WBNB }, { fee: 100 }];
  expect(draftSale(deployment, { ...sold, route }).route).toMatchObject({
    ...{ firstFee: 500, firstToken: tokens.WBNB, secondFee: 100, thirdFee: 0 },
  });
  expect(() => draftSale(deployment, { ...sold, route: [{ fee: 500, pays: tokens.WBNB }] })).toThrow('route:');
});

const sold = {
  ...{ borrower: owner.address, market: venus.markets.vUSDT, collateralMarket: venus.markets.vETH, repay: 'USDT' },
  ...{ triggerHealth: '1.08', targetHealth: '1.2', capPerRescue: '5', capPerDay: '5', minRepay: '1' },
};

it('SD-2: a guard of an isolated market is drafted by its id, listed or not', () => {
  const words = {
    ...{ borrower: owner.address, repay: 'USDT', triggerHealth: '1.1', targetHealth: '1.25' },
    ...{ capPerRescue: '500', capPerDay: '1500', minRepay: '10' },
  };
  const { moolahMarket: adapter, venusMarket } = deployment.contracts;
  const listed = deployment.lending.find((each) => each.market !== undefined)?.market as Hex;
  const unlisted = `0x${'AB'.repeat(32)}` as const;
  expect(draftGuard(deployment, { ...words, market: listed })).toMatchObject({ adapter, market: listed });
  expect(draftGuard(deployment, { ...words, market: unlisted, protocol: 'lista' })).toMatchObject({
    ...{ adapter, market: unlisted.toLowerCase() },
  });
  const { vUSDT } = venus.markets;
  expect(draftGuard(deployment, { ...words, market: vUSDT })).toMatchObject({ adapter: venusMarket });
  expect(() => draftGuard(deployment, { ...words, market: listed, protocol: 'Venus' })).toThrow(
    'Venus identifies its markets by an address.',
  );
  expect(() => draftGuard(deployment, { ...words, market: vUSDT, protocol: 'Lista' })).toThrow('by a 32-byte id.');
  expect(() => draftGuard(deployment, { ...words, market: vUSDT, protocol: 'Aave' })).toThrow('no loans of Aave');
  expect(() => draftSale(deployment, { ...sold, protocol: 'Lista' })).toThrow('sells no collateral of Lista');
});

it('a deployment is known by its record alone', () => {
  expect(() => deploymentOf(1)).toThrow('This package knows no deployment on chain 1: pass your own record,');
  expect(() => deploymentOf(56, { chainId: 56 })).toThrow(/The deployment record of chain 56/);
  expect(() => deploymentOf(56, { chainId: localChainId, ...deployment.contracts })).toThrow(
    'is a record of chain 31337',
  );
  expect(assetOf(deployment, tokens.BTCB.toLowerCase()).symbol).toBe('BTCB');
});

describe('SD-2: the actions of a viem client', () => {
  const options = { pay: 'USDT', buy: 'BTCB', amountPerRun: '2', periodSeconds: 86_400, maxRuns: 3 };
  const needed = 6n * 10n ** 18n;
  const approved = ({ data }: Call) => BigInt(`0x${data.slice(-64)}`);

  it('read, draft and approve by the deployment that they are given', async () => {
    const acting = client.extend(bowlineActions(deployment));
    const startAt = Number((await client.getBlock()).timestamp);
    const first = acting.draftPlan({ ...options, owner: stranger.address, startAt });
    expect(first).toEqual(draftPlan(deployment, { ...options, owner: stranger.address, startAt }));
    const approval = await acting.approvePlansCall([first]);
    expect(approved(approval)).toBe(needed);
    await send(stranger, approval);
    const { logs } = await send(stranger, acting.createCall(first));
    const [created] = parseEventLogs({ abi: planRegistryAbi, logs, eventName: 'PlanCreated' });
    const id = created?.args.planId ?? 0n;

    // An approval replaces the earlier one, so the second plan's includes what the first still needs.
    expect(approved(await acting.approvePlansCall([first]))).toBe(2n * needed);
    expect(await acting.readPlan(id)).toMatchObject({ id, ownerBalance: 0n, ownerAllowance: needed, status: 'active' });
    expect((await acting.plansOf(stranger.address)).plans.map((each) => each.id)).toContain(id);
    const { slots, obstacles, paidFor } = await acting.planOutlook(id);
    expect(obstacles).toEqual(['balance_too_low']);
    expect(slots.map(({ isOpen }) => isOpen)).toEqual([true, false, false]);
    expect(paidFor?.runs).toBe(0);
    const loan = await acting.loanHealth(stranger.address);
    expect(loan).toMatchObject({ borrower: stranger.address, debtUsdWad: 0n });
    const { guards, unread } = await acting.guardsOf(stranger.address, 5);
    expect([guards.length > 0, unread]).toEqual([true, 0]);
    expect(guards.filter(({ borrower, funder }) => ![borrower, funder].includes(stranger.address))).toEqual([]);
    await expect(acting.readPlan(999n)).rejects.toMatchObject({ code: 'unknown_plan' });
    await expect(acting.previewRescue(999n)).rejects.toMatchObject({ code: 'unknown_guard' });
  });

  it('need a deployment where the package knows none', () => {
    expect(() => client.extend(bowlineActions())).toThrow('knows no deployment');
  });
});

import type { PlanTerms } from '@bowline/chain/plan';
import type { Page } from 'playwright-core';
import {
  concat,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  pad,
  parseEther,
  toEventSelector,
  toFunctionSelector,
  toHex,
  zeroAddress,
} from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { planRegistryAbi } from '../../abis/index.ts';
import { erc20Abi, faucetAbi } from '../../lab/world/abis.ts';
import { tokens } from '../../lab/world/addresses.ts';
import { accessibilityProblems, connectWallet, openPage, type TestWallet } from './browser.ts';
import { browser, chain, contracts, local, web, withBrowser, withChain, withPage } from './world.ts';

// Approval and act as one batch (EIP-5792), with wallets that support it, do not, lie about it or fail at it. Real
// chain, contracts, server and browser; no agent.

/** Anvil's sixth account. Keys are public. */
const key: Hex = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba';
const user = privateKeyToAddress(key);
/** Anvil's tenth account. */
const stranger: Hex = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';

let page: Page;
let wallet: TestWallet;
let complaints: string[];

withChain('batch');
withPage();
withBrowser();
beforeAll(async () => {
  const args = [user, parseEther('5000')] as const;
  await chain.send(user, tokens.USDT, { abi: faucetAbi, functionName: 'allocateTo', args });
});
beforeEach(async () => {
  const found = await openPage(browser, { url: `${web.url}/plans`, rpcUrl: local.url, key });
  if (found.wallet === undefined) throw new Error('no wallet');
  ({ page, wallet, complaints } = { ...found, wallet: found.wallet });
  wallet.batching = { says: 'supported' };
  await approve(0n);
});

const approve = (amount: bigint) =>
  chain.send(user, tokens.USDT, {
    ...{ abi: erc20Abi, functionName: 'approve', args: [contracts.planRegistry, amount] },
  });
const allowed = (): Promise<bigint> =>
  chain.readContract({
    ...{ address: tokens.USDT, abi: erc20Abi, functionName: 'allowance', args: [user, contracts.planRegistry] },
  });
const plans = (): Promise<bigint> =>
  chain.readContract({ address: contracts.planRegistry, abi: planRegistryAbi, functionName: 'planCount' });

/** Fills in a plan of three buys and presses the button. */
async function create(): Promise<void> {
  await connectWallet(page);
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByLabel('Amount per buy').fill('50');
  await page.getByLabel('Number of buys').fill('3');
  await page.getByText('you approve exactly that').waitFor();
  await page.getByRole('button', { name: 'Approve and create' }).click();
}

interface Call {
  readonly to: Hex;
  readonly data: Hex;
}

const approvalOf = (amount: string): Call => ({
  to: tokens.USDT,
  data: encodeFunctionData({
    ...{ abi: erc20Abi, functionName: 'approve', args: [contracts.planRegistry, parseEther(amount)] },
  }),
});

/** Expects exactly these calls of the wallet, to the unit, whether batched or not. */
const isAskedFor = ([approval, creation, ...rest]: readonly Call[]) => {
  const lower = (call: Call | undefined) => [call?.to.toLowerCase(), call?.data.toLowerCase()];
  expect(lower(approval)).toEqual(lower(approvalOf('150')));
  expect(creation?.to.toLowerCase()).toBe(contracts.planRegistry.toLowerCase());
  const { functionName, args } = decodeFunctionData({ abi: planRegistryAbi, data: creation?.data ?? '0x' });
  expect(functionName).toBe('create');
  const [terms] = args as readonly [PlanTerms];
  expect(terms).toEqual({
    ...{ owner: user, recipient: user, executor: contracts.swapExecutor, verdictSigner: zeroAddress },
    ...{ tokenIn: tokens.USDT, tokenOut: tokens.BTCB, amountPerRun: parseEther('50'), maxRuns: 3 },
    ...{ periodSeconds: 86_400, windowSeconds: 21_600, priceSource: contracts.chainlinkPriceSource, limitPriceWad: 0n },
    ...{ startAt: expect.any(Number), expiresAt: terms.startAt + 2 * 3 * 86_400, maxSlippageBps: 100 },
    ...{ farLimit: false, triggerPriceWad: 0n },
  });
  expect(rest).toEqual([]);
};

test('WB-109: a wallet that can makes approval and plan as one, by one confirmation', { tags: 'long' }, async () => {
  const before = await plans();
  await create();
  await page.getByText('Plan created.').waitFor();
  expect(await plans()).toBe(before + 1n);
  expect(await allowed()).toBe(parseEther('150'));
  expect(wallet.sent).toEqual([]);
  expect(wallet.lists).toHaveLength(1);
  isAskedFor(wallet.lists[0] ?? []);
  expect(await page.getByText(/Transaction 0x/).count()).toBeGreaterThan(0);
  expect(complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([]);
});

test.each([
  ['says that it cannot', { says: 'unsupported' }, 0],
  ['is to upgrade the account, which its owner refuses', { says: 'ready', refuses: 5750 }, 1],
  ['says that it can and then cannot', { says: 'supported', refuses: 5760 }, 1],
] as const)(
  'WB-109: a wallet that %s is asked for one step after another',
  { tags: 'long' },
  async (_, batching, lists) => {
    wallet.batching = { ...batching };
    const before = await plans();
    await create();
    await page.getByText('Plan created.').waitFor();
    expect(await plans()).toBe(before + 1n);
    expect(wallet.lists).toHaveLength(lists);
    isAskedFor(wallet.sent);
  },
);

test('WB-109: a declined list is declined: nothing else is asked for', { tags: 'long' }, async () => {
  wallet.declines = false;
  wallet.batching = { says: 'supported', refuses: 4001 };
  await create();
  await page.getByText('You declined it in your wallet').first().waitFor();
  expect(wallet.sent).toEqual([]);
  expect(await allowed()).toBe(0n);
});

test('WB-109: a list that a contract would refuse never reaches the wallet', { tags: 'long' }, async () => {
  await connectWallet(page);
  await page.getByRole('button', { name: 'New plan' }).click();
  await page.getByLabel('Amount per buy').fill('50');
  await page.getByText('you approve exactly that').waitFor();
  // The registry is removed after the simulation, so that only the trial just before the wallet request can notice.
  await page.getByRole('region', { name: 'The next trade, simulated' }).locator('.ledger').waitFor();
  const refusal = toFunctionSelector('PlansMissing()').slice(2);
  const code = (await chain.getCode({ address: contracts.planRegistry })) as Hex;
  await chain.setCode({ address: contracts.planRegistry, bytecode: `0x63${refusal}5f526004601cfd` });
  try {
    await page.getByRole('button', { name: 'Approve and create' }).click();
    await page.getByText('The contract refuses').first().waitFor();
    expect([wallet.lists, wallet.sent]).toEqual([[], []]);
  } finally {
    await chain.setCode({ address: contracts.planRegistry, bytecode: code });
  }
});

test.each([
  ['reports success', 200],
  ['reports a partial revert', 600],
])(
  'WB-109: a wallet that makes only the approval and %s is told of, and the approval is offered back',
  {
    tags: 'long',
  },
  async (_, reports) => {
    wallet.batching = { says: 'supported', isSeparate: true, makes: 1, reports };
    const before = await plans();
    await create();
    await page.getByText('Your wallet completed only some of the steps').first().waitFor();
    expect(await plans()).toBe(before);
    expect(await page.getByText('Plan created.').count()).toBe(0);
    await page.getByText('An approval of 150 USDT is left over').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revoke 150 USDT' }).first().click();
    await page.getByText('Approval reduced.').waitFor();
    expect(await allowed()).toBe(0n);
  },
);

test.each([
  ['gave up', 400, 'Your wallet says it gave up and sent nothing.'],
  ['reports success and sent nothing', 200, 'Transaction status unknown'],
])('WB-109: a wallet that %s is told as that', { tags: 'long' }, async (_, reports, said) => {
  wallet.batching = { says: 'supported', makes: 0, reports };
  await page.clock.install();
  await create();
  await expect.poll(() => wallet.lists.length).toBe(1);
  await expect
    .poll(async () => {
      await page.clock.runFor(30_000);
      return page.getByText(said).first().isVisible();
    })
    .toBe(true);
  expect(await page.getByText('Plan created.').count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('WB-109: a list survives a reload, whether the wallet has answered or not, and is resolved by its id', {
  tags: 'long',
}, async () => {
  const tray = page.locator('details.tray');
  let letSign = () => {};
  wallet.batching = {
    says: 'supported',
    holds: new Promise((resolve) => {
      letSign = resolve;
    }),
  };
  await create();
  await tray.getByText('Approve 150 USDT; Create the plan: waiting for your wallet').waitFor();
  await expect.poll(() => wallet.lists.length).toBe(1);
  await page.reload();
  await tray.getByText('Approve 150 USDT; Create the plan: status unknown').waitFor();
  await tray.locator('summary').click();
  await tray.getByText('Your wallet reported no result').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  letSign();
  await tray.getByText('Approve 150 USDT; Create the plan: confirmed').first().waitFor({ timeout: 30_000 });
  // Folded again, a confirmed transaction covers the content only briefly.
  await tray.locator('summary').click();
  await tray.locator('summary').getByText('Your transactions').waitFor({ timeout: 10_000 });
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await allowed()).toBe(parseEther('150'));
  expect(wallet.lists).toHaveLength(1);
  expect(wallet.sent).toEqual([]);
});

test('an approval that the wallet made larger within a list is offered back down to what was asked for', {
  tags: 'long',
}, async () => {
  wallet.batching = { says: 'supported', changes: ([, creation]) => [approvalOf('500'), creation as Call] };
  const before = await plans();
  await create();
  await page.getByText('It approved a different amount than requested.').first().waitFor();
  expect(await plans()).toBe(before + 1n);
  await page.getByText('An approval of 350 USDT is left over').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Revoke 350 USDT' }).click();
  await page.getByText('Approval reduced.').waitFor();
  expect(await allowed()).toBe(parseEther('150'));
});

test('WB-87: an account whose code makes each call in a transaction of its own has its plan', {
  tags: 'long',
}, async () => {
  delete wallet.batching;
  wallet.wraps = true;
  const before = await plans();
  await create();
  await page.getByText('Plan created.').waitFor();
  expect(await plans()).toBe(before + 1n);
  expect(await allowed()).toBe(parseEther('150'));
  isAskedFor(wallet.sent);
});

/** Code that calls a token: it approves only its own tokens. */
const calling = ({ to, data }: Call): Hex => concat(['0x604460245f395f5f60445f5f73', to, '0x5af100', data]);

/** Code of another contract than the token that emits the event of the owner's approval. */
const emitting = (amount: bigint): Hex => {
  const topics = [toEventSelector('Approval(address,address,uint256)'), pad(user), pad(contracts.planRegistry)];
  const pushed = topics.toReversed().flatMap((topic): Hex[] => ['0x7f', topic]);
  return concat(['0x7f', toHex(amount, { size: 32 }), '0x5f52', ...pushed, '0x60205fa300']);
};

test.each([
  ['another owner’s approval', () => calling(approvalOf('150'))],
  ['the owner’s event from another contract', () => emitting(parseEther('150'))],
])(
  'WB-87: a wallet that names a stranger’s transaction with %s is not believed',
  {
    tags: 'long',
  },
  async (_, code) => {
    delete wallet.batching;
    const address = pad('0xc0de', { size: 20 });
    await chain.setCode({ address, bytecode: code() });
    wallet.names = async () => {
      const { status, logs, transactionHash } = await chain.send(stranger, address, {
        ...{ abi: erc20Abi, functionName: 'approve', args: [user, 0n] },
      });
      expect([status, logs.length]).toEqual(['success', 1]);
      return transactionHash;
    };
    const before = await plans();
    await create();
    await page.getByText('Another transaction was sent').first().waitFor();
    expect(wallet.sent).toHaveLength(1);
    expect([await plans(), await allowed()]).toEqual([before, 0n]);
    expect(await page.getByText('Plan created.').count()).toBe(0);
  },
);

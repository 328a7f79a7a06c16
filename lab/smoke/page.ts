import { sameAddress } from '@bowline/core/domain/same-address';
import type { Browser } from 'playwright-core';
import { type Hex, parseEther } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { connectWallet, openPage, stopEverything } from '../../web/test/browser.ts';
import { erc20Abi } from '../world/abis.ts';
import { tokens } from '../world/addresses.ts';
import { take } from '../world/start/demo.ts';
import { planOf } from './plans.ts';
import { must, patienceMs } from './requests.ts';
import type { Stack } from './stack.ts';

/** Anvil's sixth account. The key is public. */
const key: Hex = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba';
const user = privateKeyToAddress(key);

/** A visitor with a wallet. An open page keeps asking the agent, so the page is closed after each visit. */
async function visit(browser: Browser, { world }: Stack, section: string) {
  const { page, wallet } = await openPage(browser, {
    url: `${world.webUrl}/${section}`,
    rpcUrl: world.rpcUrl,
    key,
  });
  must(wallet, 'the page has no wallet');
  page.setDefaultTimeout(patienceMs);
  await connectWallet(page);
  return { page, wallet };
}

/** Creates a plan to buy BTCB for 50 USDT every minute, three times. @param id that it must get. */
export async function createPlan(browser: Browser, stack: Stack, id: bigint): Promise<string> {
  await stack.chain.sendTogether(user, [take(user, 'USDT', '1000')]);
  const { page, wallet } = await visit(browser, stack, 'plans');
  try {
    await page.getByRole('button', { name: 'New plan' }).click();
    await page.getByLabel('Amount per buy').fill('50');
    await page.getByRole('radio', { name: 'Minute' }).check();
    await page.getByLabel('Number of buys').fill('3');
    await page.getByRole('button', { name: 'Approve and create' }).click();
    await page.getByText('Plan created.').waitFor();
  } finally {
    await page.context().close();
  }
  must(wallet.sent.length === 2, `the wallet signed ${wallet.sent.length} transactions, not an approval and a plan`);
  const [terms] = (await planOf(stack, id)).versions;
  must(terms && sameAddress(terms.owner, user), `plan ${id} has another owner`);
  must(terms.amountPerRun === parseEther('50') && terms.maxRuns === 3, `plan ${id} has other terms than were chosen`);
  must(sameAddress(terms.tokenIn, tokens.USDT), `plan ${id} pays another token than USDT`);
  must(sameAddress(terms.tokenOut, tokens.BTCB), `plan ${id} buys another token than BTCB`);
  return `plan ${id}: 50 USDT into BTCB every minute, 3 times`;
}

/** Ends everything of the visitor, and revokes both approvals: the plan's, and that of the demo's selling guard. */
export async function stopAll(browser: Browser, stack: Stack, id: bigint): Promise<string> {
  const { chain, contracts } = stack;
  const { page, wallet } = await visit(browser, stack, 'home');
  try {
    await stopEverything(page);
    await page.getByRole('button', { name: 'Revoke 2 approvals' }).click();
    await page.getByText('Everything is stopped, and nothing is approved').waitFor();
  } finally {
    await page.context().close();
  }
  const [first, second] = wallet.sent.map(({ to }) => to);
  must(first && sameAddress(first, contracts.revocations), 'the first transaction is not to Revocations');
  must(second && sameAddress(second, tokens.USDT), 'the second transaction is not to USDT');
  const allowance = { address: tokens.USDT, abi: erc20Abi, functionName: 'allowance' } as const;
  const left = await chain.readContract({ ...allowance, args: [user, contracts.planRegistry] });
  must(left === 0n, `${left} base units of USDT are still approved`);
  must((await planOf(stack, id)).isRevoked, `plan ${id} is not revoked`);
  return `plan ${id} is revoked, and both approvals too`;
}

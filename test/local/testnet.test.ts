import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readAddressBook } from '@bowline/http/address-book';
import { createPublicClient, createWalletClient, erc20Abi, http, maxUint256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it, onTestFinished } from 'vitest';
import { quoteDeskAbi } from '../../abis/index.ts';
import { run, until } from './commands.ts';
import { freePort } from './free-port.ts';

// BNB Chain's test network in rehearsal, as a person starts it.

/** Anvil's fourth account, who owns the demo's plans. Its key is public. */
const key = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';
const owner = privateKeyToAccount(key);

it('the whole of it runs at the test network’s addresses, with its chain ID, and the desk sells', {
  tags: 'long',
  timeout: 400_000,
}, async () => {
  const ports = [await freePort(), await freePort(), await freePort(), await freePort(), await freePort()];
  const names = ['--rpc-port', '--market-port', '--bundler-port', '--web-port', '--agent-port'];
  const folder = `.cache/deployments/testnet-${process.pid}`;
  onTestFinished(() =>
    rmSync(fileURLToPath(new URL(`../../${folder}`, import.meta.url)), { recursive: true, force: true }),
  );
  const words = names.flatMap((name, at) => [name, String(ports[at])]);
  const { child, printed, exit } = run('start.ts', ['--chain', 'bsc-testnet', ...words, '--deployments', folder]);
  await until(() => printed.out.includes('run of plan 1'));
  const [rpc, , , web, agent] = ports.map((port) => `http://127.0.0.1:${port}`);

  const book = readAddressBook(97, new URL(`../../${folder}/`, import.meta.url));
  const client = createPublicClient({ transport: http(rpc), pollingInterval: 100 });
  expect(await client.getChainId()).toBe(97);
  const page = (await (await fetch(`${web}/config.json`)).json()) as Record<string, unknown>;
  expect(page).toMatchObject({
    chainId: 97,
    chainName: 'BNB Chain Testnet',
    explorerUrl: 'https://testnet.bscscan.com',
  });

  const asked = await fetch(`${agent}/desk-quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ asset: 'BTCB', amount_usd: '500', owner: owner.address }),
  });
  const answer = (await asked.json()) as { verdict: string; quote: Record<string, string>; signature: `0x${string}` };
  expect(answer.verdict).toBe('GO');
  const { quote, signature } = answer;
  const terms = {
    buyer: owner.address,
    tokenIn: quote.token_in as `0x${string}`,
    amountIn: BigInt(quote.amount_in ?? 0),
    tokenOut: quote.token_out as `0x${string}`,
    amountOut: BigInt(quote.amount_out ?? 0),
    nonce: BigInt(quote.nonce ?? 0),
    expiresAt: BigInt(quote.expires_at ?? 0),
  };
  // 500 USDT of six decimals.
  expect(terms.amountIn / 10n ** 6n).toBe(500n);
  const wallet = createWalletClient({ account: owner, transport: http(rpc) });
  const desk = book.own.quoteDesk as `0x${string}`;
  const held = () =>
    client.readContract({ address: terms.tokenOut, abi: erc20Abi, functionName: 'balanceOf', args: [owner.address] });
  const before = await held();
  for (const call of [
    { address: terms.tokenIn, abi: erc20Abi, functionName: 'approve', args: [desk, maxUint256] },
    { address: desk, abi: quoteDeskAbi, functionName: 'redeem', args: [terms, signature] },
  ]) {
    const hash = await wallet.writeContract({ ...call, chain: null } as never);
    expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success');
  }
  // Plan 1 buys BTCB, too.
  expect((await held()) - before).toBeGreaterThanOrEqual(terms.amountOut);
  // A quote is redeemed only once.
  const again = { address: desk, abi: quoteDeskAbi, functionName: 'redeem', args: [terms, signature] } as const;
  await expect(client.simulateContract({ ...again, account: owner })).rejects.toThrow('QuoteUsedUp');

  await until(() => printed.out.includes('health 1.09 → 1.25') || /health 1\.\d+ → 1\.25/.test(printed.out));
  const env = { CHAIN: 'bsc-testnet', RPC_URL: rpc, DEPLOYMENTS_DIR: folder };
  const audited = async (...words: string[]) => {
    const audit = run('../../cli/main.ts', ['show', ...words], env);
    expect(await audit.exit, audit.printed.err).toBe(0);
    return audit.printed.out;
  };
  const ofPlan = await audited('plan', '1', '--replay', String(agent));
  expect(ofPlan).toMatch(/evidence of ([1-9]\d*) of \1 records replayed, no difference/);
  expect(await audited('guard', '1')).toMatch(/^ +0 .* health 1\.\d+ → 1\.25/m);

  child.kill('SIGINT');
  expect(await exit).toBe(0);
  expect(printed.err).toBe('');
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createPublicClient, erc20Abi, formatUnits, http, isAddress } from 'viem';
import { z } from 'zod';
import { type ChainPayment, readPayments } from './ledger/chain.ts';
import { compare, readKept } from './ledger/compare.ts';
import { onlyOptions } from './local/options.ts';

// `npm run ledger`: recomputes from the chain alone who has paid the agent by x402, and compares that with the answers in
// its files. Exits with 1 if they differ. Reads a node that serves logs; signs nothing.

const defaults = {
  agent: 'http://127.0.0.1:4020',
  payments: 'data/payments',
  rpc: 'http://127.0.0.1:8545',
  from: '0',
};

const address = z.custom<`0x${string}`>((value) => typeof value === 'string' && isAddress(value));
const terms = z.object({ payment: z.object({ asset: address, pay_to: address }) });

try {
  const options = onlyOptions('npm run ledger', defaults);
  if (!/^\d+$/.test(options.from)) throw new Error('--from must be a block number.');
  const answer = await fetch(`${options.agent}/x402`).catch(() => undefined);
  const { data } = terms.safeParse(await answer?.json().catch(() => undefined));
  if (data === undefined) throw new Error(`No agent with a price answers at ${options.agent}: name one with --agent.`);
  const { asset: token, pay_to: payee } = data.payment;
  const client = createPublicClient({ transport: http(options.rpc) });
  const decimals = await client.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' });
  const to = await client.getBlockNumber();
  const payments = await readPayments(client, { token, payee }, { from: BigInt(options.from), to });
  const ledger = compare(payments, filesIn(options.payments));
  say(
    `Blocks ${options.from} to ${to}: ${payments.length} payments to ${payee}, ${sumOf(payments, decimals)} tokens in all.`,
  );
  say(`${ledger.answered.length} answered, ${sumOf(ledger.answered, decimals)} tokens.`);
  for (const payment of ledger.owed) say(`owed: ${lineOf(payment, decimals)}`);
  for (const payment of ledger.unasked) say(`no question known: ${lineOf(payment, decimals)}`);
  for (const nonce of ledger.unpaid) say(`answered, and not paid on chain: nonce ${nonce}`);
  const differences = ledger.owed.length + ledger.unasked.length + ledger.unpaid.length;
  say(differences === 0 ? 'The chain and the answers are equal.' : `${differences} differences.`);
  process.exitCode = differences === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`);
  process.exitCode = 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function sumOf(payments: readonly ChainPayment[], decimals: number): string {
  return formatUnits(
    payments.reduce((sum, { amount }) => sum + amount, 0n),
    decimals,
  );
}

function lineOf({ payer, nonce, amount, transaction }: ChainPayment, decimals: number): string {
  return `${formatUnits(amount, decimals)} by ${payer}, nonce ${nonce}, transaction ${transaction}`;
}

function filesIn(path: string) {
  const folder = new URL(`../${path}/`, import.meta.url);
  return ['open/', 'answered/']
    .map((name) => new URL(name, folder))
    .filter((each) => existsSync(each))
    .flatMap((each) => readdirSync(each).map((name) => new URL(name, each)))
    .filter(({ pathname }) => pathname.endsWith('.json'))
    .map((file) => readKept(readFileSync(file, 'utf8')));
}

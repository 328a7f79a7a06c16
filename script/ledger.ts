import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createPublicClient, erc20Abi, formatUnits, http, isAddress } from 'viem';
import { z } from 'zod';
import { type ChainPayment, readPayments, readPermits } from './ledger/chain.ts';
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
const tokens = z.array(z.object({ asset: address, method: z.string() }));
const terms = z.object({ payment: z.object({ pay_to: address, tokens }) });

try {
  const options = onlyOptions('npm run ledger', defaults);
  if (!/^\d+$/.test(options.from)) throw new Error('--from must be a block number.');
  const answer = await fetch(`${options.agent}/x402`).catch(() => undefined);
  const { data } = terms.safeParse(await answer?.json().catch(() => undefined));
  if (data === undefined) throw new Error(`No agent with a price answers at ${options.agent}: name one with --agent.`);
  const { pay_to: payee, tokens: taken } = data.payment;
  const client = createPublicClient({ transport: http(options.rpc) });
  const blocks = { from: BigInt(options.from), to: await client.getBlockNumber() };
  const read = await Promise.all(
    taken.map(async ({ asset: token, method }) => {
      const [decimals, payments] = await Promise.all([
        client.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' }),
        (method === 'eip3009' ? readPayments : readPermits)(client, { token, payee }, blocks),
      ]);
      return { decimals, payments };
    }),
  );
  const payments = read.flatMap((each) => each.payments);
  const decimalsOf = new Map(taken.map(({ asset }, at) => [asset.toLowerCase(), read[at]?.decimals ?? 0]));
  const ledger = compare(payments, filesIn(options.payments));
  say(
    `Blocks ${blocks.from} to ${blocks.to}: ${payments.length} payments to ${payee}, ${sumOf(payments)} dollars in all.`,
  );
  say(`${ledger.answered.length} answered, ${sumOf(ledger.answered)} dollars.`);
  for (const payment of ledger.owed) say(`owed: ${lineOf(payment)}`);
  for (const payment of ledger.unasked) say(`no question known: ${lineOf(payment)}`);
  for (const nonce of ledger.unpaid) say(`answered, and not paid on chain: nonce ${nonce}`);
  const differences = ledger.owed.length + ledger.unasked.length + ledger.unpaid.length;

  function sumOf(some: readonly ChainPayment[]): string {
    return formatUnits(
      some.reduce((sum, payment) => sum + wadOf(payment), 0n),
      18,
    );
  }

  function wadOf({ amount, token }: ChainPayment): bigint {
    return amount * 10n ** BigInt(18 - (decimalsOf.get(token.toLowerCase()) ?? 18));
  }

  function lineOf(payment: ChainPayment): string {
    const { payer, nonce, transaction } = payment;
    const by = nonce === undefined ? 'permit' : `nonce ${nonce}`;
    return `${formatUnits(wadOf(payment), 18)} by ${payer}, ${by}, transaction ${transaction}`;
  }

  say(differences === 0 ? 'The chain and the answers are equal.' : `${differences} differences.`);
  process.exitCode = differences === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`);
  process.exitCode = 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
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

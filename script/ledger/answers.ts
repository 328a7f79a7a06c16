import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type Address, erc20Abi, formatUnits, type PublicClient } from 'viem';
import { type Blocks, type ChainPayment, readPayments, readPermits } from './chain.ts';
import { compare, readKept } from './compare.ts';
import type { Section } from './section.ts';

/** How answers are paid. */
export interface Till {
  readonly payee: Address;
  /** `eip3009`, or a name of Permit2. */
  readonly tokens: readonly { readonly asset: Address; readonly method: string }[];
}

/** Answers paid by x402 or B402: what the chain shows of them, beside the payments that are kept. Throws viem's errors. */
export async function answersLedger(
  client: PublicClient,
  { payee, tokens }: Till,
  blocks: Blocks,
  folder: URL,
): Promise<Section> {
  const read = await Promise.all(
    tokens.map(async ({ asset: token, method }) => {
      const [decimals, payments] = await Promise.all([
        client.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' }),
        (method === 'eip3009' ? readPayments : readPermits)(client, { token, payee }, blocks),
      ]);
      return { decimals, payments };
    }),
  );
  const payments = read.flatMap((each) => each.payments);
  const decimalsOf = new Map(tokens.map(({ asset }, at) => [asset.toLowerCase(), read[at]?.decimals ?? 0]));
  const wadOf = ({ amount, token }: ChainPayment): bigint =>
    amount * 10n ** BigInt(18 - (decimalsOf.get(token.toLowerCase()) ?? 18));
  const sumOf = (some: readonly ChainPayment[]): string =>
    formatUnits(
      some.reduce((sum, payment) => sum + wadOf(payment), 0n),
      18,
    );
  const lineOf = (payment: ChainPayment): string => {
    const { payer, nonce, transaction } = payment;
    const by = nonce === undefined ? 'permit' : `nonce ${nonce}`;
    return `${formatUnits(wadOf(payment), 18)} by ${payer}, ${by}, transaction ${transaction}`;
  };
  const { answered, owed, unasked, unpaid } = compare(payments, filesIn(folder));
  return {
    lines: [
      `Blocks ${blocks.from} to ${blocks.to}: ${payments.length} payments to ${payee}, ${sumOf(payments)} dollars in all.`,
      `${answered.length} answered, ${sumOf(answered)} dollars.`,
      ...owed.map((payment) => `owed: ${lineOf(payment)}`),
      ...unasked.map((payment) => `no question known: ${lineOf(payment)}`),
      ...unpaid.map((nonce) => `answered, and not paid on chain: nonce ${nonce}`),
    ],
    differences: owed.length + unasked.length + unpaid.length,
    unread: [],
  };
}

const filesIn = (folder: URL) =>
  ['open/', 'answered/']
    .map((name) => new URL(name, folder))
    .filter((each) => existsSync(each))
    .flatMap((each) => readdirSync(each).map((name) => new URL(name, each)))
    .filter(({ pathname }) => pathname.endsWith('.json'))
    .map((file) => readKept(readFileSync(file, 'utf8')));

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { formatUnits } from '@bowline/core/domain/units';
import { type Address, erc20Abi, type PublicClient } from 'viem';
import { type Blocks, type ChainPayment, readPayments, readPermits, withoutAuthorised } from './chain.ts';
import { compare, readKept, waysOf } from './compare.ts';
import type { Section } from './section.ts';

/** How answers are paid. */
export interface Till {
  readonly payee: Address;
  /** `eip3009` or `permit2-exact`. */
  readonly tokens: readonly { readonly asset: Address; readonly method: string }[];
}

/**
 * Answers paid by x402 or B402: what the chain shows of them, beside the payments that are kept. Throws viem's errors.
 * @param till as it is now; absent if answers are free.
 * @returns undefined if answers are free and none is kept.
 */
export async function answersLedger(
  client: PublicClient,
  till: Till | undefined,
  blocks: Blocks,
  folder: URL,
): Promise<Section | undefined> {
  const files = filesIn(folder);
  const now = till?.tokens.map((token) => ({ ...token, payee: till.payee })) ?? [];
  const ways = waysOf(now, files);
  if (ways.length === 0) return undefined;
  const authorised = await readAll(ways.filter(({ method }) => method === 'eip3009'));
  const permitted = await readAll(ways.filter(({ method }) => method !== 'eip3009'));
  const payments = [...authorised, ...withoutAuthorised(permitted, authorised)];
  const tokens = [...new Set(ways.map(({ asset }) => asset.toLowerCase() as Address))];
  const decimals = await Promise.all(
    tokens.map((address) => client.readContract({ address, abi: erc20Abi, functionName: 'decimals' })),
  );
  const decimalsOf = new Map(tokens.map((token, at) => [token, decimals[at] ?? 0]));

  async function readAll(some: typeof ways): Promise<ChainPayment[]> {
    const read = some.map(({ payee, asset: token, method }) =>
      (method === 'eip3009' ? readPayments : readPermits)(client, { token, payee }, blocks),
    );
    return (await Promise.all(read)).flat();
  }
  const wadOf = ({ amount, token }: ChainPayment): bigint =>
    amount * 10n ** BigInt(18 - (decimalsOf.get(token.toLowerCase() as Address) ?? 18));
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
  const payees = [...new Map(ways.map(({ payee }) => [payee.toLowerCase(), payee])).values()];
  const { answered, owed, unasked, unpaid } = compare(payments, files);
  return {
    lines: [
      `Blocks ${blocks.from} to ${blocks.to}: ${payments.length} payments to ${payees.join(' and ')}, ${sumOf(payments)} dollars in all.`,
      `${answered.length} answered, ${sumOf(answered)} dollars.`,
      ...owed.map((payment) => `owed: ${lineOf(payment)}`),
      ...unasked.map((payment) => `no question known: ${lineOf(payment)}`),
      ...unpaid.map((nonce) => `answered, and not paid on chain: nonce ${nonce}`),
    ],
    differences: owed.length + unasked.length + unpaid.length,
    unread: [],
  };
}

/** A payment that is paid may have its open file still: the process ended in between. */
function filesIn(folder: URL) {
  const [answered, open] = ['answered/', 'open/'].map((name) => {
    const each = new URL(name, folder);
    const names = existsSync(each) ? readdirSync(each).filter((file) => file.endsWith('.json')) : [];
    return new Map(names.map((file) => [file, new URL(file, each)]));
  });
  const files = new Map([...(open ?? []), ...(answered ?? [])]);
  return [...files.values()].map((file) => readKept(readFileSync(file, 'utf8')));
}

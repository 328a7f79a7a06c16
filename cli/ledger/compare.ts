import { writtenAddress as address } from '@bowline/core/schemas';
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import type { ChainPayment } from './chain.ts';

/** The part of a payment's file that the ledger reads. */
const kept = z.object({
  payment: z.object({
    method: z.string(),
    asset: address,
    authorization: z.object({ from: address, to: address, nonce: z.string(), value: z.string() }),
  }),
  state: z.object({ name: z.string(), transaction: z.string().optional() }),
});

export type KeptFile = z.output<typeof kept>;

export const readKept = (text: string): KeptFile => kept.parse(JSON.parse(text));

/** A payee, and a token and how it pays. */
export interface Way {
  readonly payee: Address;
  readonly asset: Address;
  /** `eip3009` or `permit2-exact`. */
  readonly method: string;
}

/** The ways that are open now, and those of the files: answers are kept for a week, and terms may have changed since. */
export function waysOf(now: readonly Way[], files: readonly KeptFile[]): readonly Way[] {
  const before = files.map(({ payment: { method, asset, authorization } }) => ({
    payee: authorization.to,
    asset,
    method,
  }));
  const nameOf = ({ payee, asset, method }: Way) => `${payee}/${asset}/${method}`.toLowerCase();
  const ways = new Map<string, Way>();
  for (const way of [...now, ...before]) if (!ways.has(nameOf(way))) ways.set(nameOf(way), way);
  return [...ways.values()];
}

export interface Ledger {
  /** Paid on chain and answered, by the same transaction. */
  readonly answered: readonly ChainPayment[];
  /** Paid on chain, and its payer has not come back for the answer that is kept. */
  readonly owed: readonly ChainPayment[];
  /** Paid on chain, and no file knows of it: nobody asked for anything with it, or its file is lost. */
  readonly unasked: readonly ChainPayment[];
  /** Nonces that were answered and that the chain does not show as paid. */
  readonly unpaid: readonly Hex[];
}

const isOpen = (file: KeptFile | undefined): boolean => file !== undefined && !isPaid(file);
const isPaid = ({ state: { name } }: KeptFile): boolean => name === 'PAID' || name === 'STALE';

/** Compares what the chain shows with what the agent's files say. One payment is that of one file, and the other way round. */
export function compare(payments: readonly ChainPayment[], files: readonly KeptFile[]): Ledger {
  const fileOf = matched(payments, files);
  const isAnswered = (payment: ChainPayment) => {
    const file = fileOf.get(payment);
    return file !== undefined && isPaid(file) && file.state.transaction === payment.transaction;
  };
  const answered = payments.filter(isAnswered);
  const proved = new Set(answered.map((payment) => fileOf.get(payment)));
  return {
    answered,
    owed: payments.filter((payment) => isOpen(fileOf.get(payment))),
    unasked: payments.filter((payment) => !fileOf.has(payment)),
    unpaid: files
      .filter((file) => isPaid(file) && !proved.has(file))
      .map(({ payment }) => payment.authorization.nonce as Hex),
  };
}

/**
 * The file of each payment that has one. A permit is known by its transaction, which may hold several of one payer, and its amount;
 * anything else by its nonce.
 */
function matched(payments: readonly ChainPayment[], files: readonly KeptFile[]): ReadonlyMap<ChainPayment, KeptFile> {
  const nameOf = (payee: string, token: string, payer: string, by: string | undefined) =>
    `${payee}/${token}/${payer}/${by}`.toLowerCase();
  const left = new Map<string, KeptFile[]>();
  for (const file of files) {
    const { method, asset, authorization } = file.payment;
    const by = method === 'eip3009' ? authorization.nonce : file.state.transaction;
    const name = nameOf(authorization.to, asset, authorization.from, by);
    left.set(name, [...(left.get(name) ?? []), file]);
  }
  const signedFor = ({ payment }: KeptFile) => BigInt(payment.authorization.value);
  const fileOf = new Map<ChainPayment, KeptFile>();
  // A permit's transfer may be of more than it says: those of just as much come first.
  for (const isIts of [
    (file: KeptFile, amount: bigint) => signedFor(file) === amount,
    (file: KeptFile, amount: bigint) => signedFor(file) < amount,
  ]) {
    for (const payment of payments) {
      const { payee, token, payer, nonce, transaction, amount } = payment;
      const candidates = left.get(nameOf(payee, token, payer, nonce ?? transaction)) ?? [];
      const at = fileOf.has(payment) ? -1 : candidates.findIndex((file) => isIts(file, amount));
      const [file] = at === -1 ? [] : candidates.splice(at, 1);
      if (file !== undefined) fileOf.set(payment, file);
    }
  }
  return fileOf;
}

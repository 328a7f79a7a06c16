import type { Hex } from 'viem';
import { z } from 'zod';
import type { ChainPayment } from './chain.ts';

/** The part of a payment's file that the ledger reads. */
const kept = z.object({
  state: z.enum(['settling', 'paid', 'answered']),
  payment: z.object({
    method: z.string(),
    authorization: z.object({ from: z.string(), nonce: z.string(), value: z.string() }),
  }),
  paid: z.object({ transaction: z.string() }).optional(),
});

export type KeptFile = z.output<typeof kept>;

export const readKept = (text: string): KeptFile => kept.parse(JSON.parse(text));

export interface Ledger {
  /** Paid on chain and answered, by the same transaction. */
  readonly answered: readonly ChainPayment[];
  /** Paid on chain, and the answer is owed. */
  readonly owed: readonly ChainPayment[];
  /** Paid on chain, and no file knows of it: nobody asked for anything with it, or its file is lost. */
  readonly unasked: readonly ChainPayment[];
  /** Nonces that were answered and that the chain does not show as paid. */
  readonly unpaid: readonly Hex[];
}

/** Compares what the chain shows with what the agent's files say. */
export function compare(payments: readonly ChainPayment[], files: readonly KeptFile[]): Ledger {
  // A permit is known by its transaction, anything else by its nonce.
  const nameOf = (from: string, by: string | undefined) => `${from}/${by}`.toLowerCase();
  const nameOfFile = ({ payment: { method, authorization }, paid }: KeptFile) =>
    nameOf(authorization.from, method === 'eip3009' ? authorization.nonce : paid?.transaction);
  const nameOfPayment = ({ payer, nonce, transaction }: ChainPayment) => nameOf(payer, nonce ?? transaction);
  const byName = new Map(files.map((file) => [nameOfFile(file), file]));
  const fileOf = (payment: ChainPayment) => byName.get(nameOfPayment(payment));
  const isAnswered = (payment: ChainPayment) => {
    const file = fileOf(payment);
    return file?.state === 'answered' && file.paid?.transaction === payment.transaction;
  };
  const shown = new Map(payments.map((payment) => [nameOfPayment(payment), payment]));
  return {
    answered: payments.filter(isAnswered),
    owed: payments.filter((payment) => fileOf(payment) !== undefined && fileOf(payment)?.state !== 'answered'),
    unasked: payments.filter((payment) => fileOf(payment) === undefined),
    unpaid: files
      .filter(({ state }) => state === 'answered')
      .filter((file) => shown.get(nameOfFile(file))?.transaction !== file.paid?.transaction)
      .map(({ payment }) => payment.authorization.nonce as Hex),
  };
}

import { connectChain } from '@bowline/chain/chain-client';
import type { Asking } from '@bowline/core/domain/asking';
import type { Json } from '@bowline/core/domain/payment';
import { failure, type Result } from '@bowline/core/domain/result';
import { callerNow } from '@bowline/http/caller';
import { clock, timers } from '@bowline/http/clock';
import { createLimit } from '@bowline/http/rate-limit';
import { DESK_QUOTE, readDeskOrder } from '../api/http/api.ts';
import type { PriceShown } from '../api/http/endpoints.ts';
import type { Config } from '../config.ts';
import type { DeskQuote } from '../selling/jobs/desk-quote.ts';
import {
  b402Facilitator,
  type Facilitator,
  facilitatorPatience,
  x402Facilitator,
} from '../selling/payments/facilitators.ts';
import { offersOf } from '../selling/payments/offers.ts';
import { openPayments, type Payments, settlementTimes } from '../selling/payments/payments.ts';
import { createProof } from '../selling/payments/proof.ts';
import { type Ask, answerAt } from '../selling/payments/question.ts';
import { X402Rail } from '../selling/payments/rail.ts';
import { openRecords } from '../selling/payments/records.ts';
import { unsold } from '../selling/payments/unsold.ts';
import type { Chain } from './chain.ts';
import type { Parts } from './parts.ts';
import type { Questions } from './questions.ts';

export type Priced = NonNullable<Config['payment']>;

/** Signature checks of contract wallets a minute: each lets a stranger's contract run in an eth_call. */
const walletLimit = { name: 'contract-wallets', requests: 120, seconds: 60 };

/** Throws whatever keeps payments from being taken. */
export async function open(
  { config, chain, questions, publicUrl, log }: Parts,
  payment: Priced,
  deskQuote: DeskQuote | undefined,
): Promise<{ payments: Payments; shown: PriceShown['payment'] }> {
  const { client, book } = chain;
  const facilitator = facilitatorOf(payment.rail);
  const offers = offersOf(config.chainId, payment, book, facilitator.takesPermit2);
  const records = await openRecords(config.payments, (file, error) =>
    log.error('payment.unreadable', { file, error, remedy: 'Restore the file in open/, or move it away.' }),
  );
  const nodes = [...new Set(config.rpcUrls.map((url) => url.reveal()))].map((url) => connectChain(url));
  const proof = createProof(client, nodes, (transfer, key) => records.claim(transfer, key));
  const rail = new X402Rail({
    ...{ facilitator, offers, client, proof, callerNow, clock, log },
    resource: answerAt(`${publicUrl}/x402`),
    wallets: createLimit(walletLimit, timers.now),
  });
  const work = workOf(questions, deskQuote, chain);
  const payments = await openPayments({ rail, proof, records, work, clock, timers, times: settlementTimes, log });
  const tokens = offers.map(({ method, asset, amount }) => ({ asset, amount: amount.toString(), method }));
  const [{ network, asset, amount, payTo }] = offers;
  const shown = { rail: payment.rail.name, network, asset, amount: amount.toString(), pay_to: payTo, tokens };
  return { payments, shown };
}

export function facilitatorOf(rail: Priced['rail']): Facilitator {
  if (rail.name === 'x402') return x402Facilitator(rail.facilitatorUrl.reveal(), facilitatorPatience);
  const { baseUrl, clientId, accessToken, privateKey } = rail;
  const secrets = { accessToken: accessToken.reveal(), privateKey: privateKey.reveal() };
  return b402Facilitator({ baseUrl: baseUrl.reveal(), clientId, ...secrets }, facilitatorPatience);
}

/** Does what is paid for. What says nothing for want of a source is not sold. */
const workOf =
  ({ answer, call }: Questions, deskQuote: DeskQuote | undefined, { book }: Chain) =>
  async (ask: Ask, asking: Asking): Promise<Result<Json>> => {
    const done = async (): Promise<Result<unknown>> => {
      if ('prompt' in ask) return answer(ask.prompt);
      if (ask.tool !== DESK_QUOTE) return call(ask.tool, ask.input, asking);
      const order = readDeskOrder(ask.input, book.assets);
      if (!order.ok) return order;
      return deskQuote ? deskQuote(order.value) : failure('internal', 'There is no desk.');
    };
    const result = (await done()) as Result<Json>;
    return (result.ok && unsold(result.value)) || result;
  };

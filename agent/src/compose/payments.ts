import { connectChain } from '@bowline/chain/chain-client';
import type { Asking } from '@bowline/core/domain/asking';
import type { Json } from '@bowline/core/domain/payment';
import { BowlineError, failure, type Result } from '@bowline/core/domain/result';
import { formatUnits } from '@bowline/core/domain/units';
import { callerNow, type IsPage } from '@bowline/http/caller';
import { clock, timers } from '@bowline/http/clock';
import { createLimit } from '@bowline/http/rate-limit';
import { createQuote } from '../api/a2a/quote.ts';
import { DESK_QUOTE, readDeskOrder } from '../api/http/api.ts';
import { endpoints, type PriceShown } from '../api/http/endpoints.ts';
import { doorLimit } from '../api/http/limits.ts';
import { createHttpPayments } from '../api/http/payment.ts';
import { createMcpPayments } from '../api/mcp/payment.ts';
import type { Config } from '../config.ts';
import type { DeskQuote } from '../selling/jobs/desk-quote.ts';
import {
  b402Facilitator,
  type Facilitator,
  facilitatorPatience,
  x402Facilitator,
} from '../selling/payments/facilitators.ts';
import { offersOf } from '../selling/payments/offers.ts';
import { delayed } from '../selling/payments/outcome.ts';
import { openPayments, type Payments, settlementTimes } from '../selling/payments/payments.ts';
import { createProof } from '../selling/payments/proof.ts';
import { type Ask, answerAt } from '../selling/payments/question.ts';
import { X402Rail } from '../selling/payments/rail.ts';
import { openRecords } from '../selling/payments/records.ts';
import { unsold } from '../selling/payments/unsold.ts';
import { readPriced } from '../tools/priced.ts';
import type { Chain } from './chain.ts';
import type { Parts } from './parts.ts';
import type { Questions } from './questions.ts';

type Priced = NonNullable<Config['payment']>;

/** The endpoints that sell what A2A quotes a price for. */
const sold = { ask: endpoints.ask, check_asset: endpoints.verdict, draft_swap: endpoints.swapDraft };

export type Sales = ReturnType<typeof doorsOf>;

/**
 * Charges for answers. If it fails to start, answers are refused rather than free: rescues never wait for it.
 */
export async function openSales(parts: Parts, payment: Priced, isPage: IsPage, deskQuote?: DeskQuote): Promise<Sales> {
  const price = { price_usd: Number(formatUnits(payment.priceUsdWad, 18)) };
  try {
    const { payments, shown } = await open(parts, payment, deskQuote);
    return doorsOf(parts, isPage, payments, { ...price, payment: shown });
  } catch (error) {
    parts.log.error('payments.off', { error, remedy: 'Fix the cause and restart. Rescues and runs continue.' });
    return doorsOf(parts, isPage, closed, price);
  }
}

/** Used if payments failed to start. */
const closed: Payments = {
  ask: async () => {
    throw new BowlineError('payment_unavailable', 'Payments are switched off: answers cannot be bought now.');
  },
  pay: async () => ({ state: 'later', ...delayed('unavailable', 60) }),
  drain: async () => {},
  recover: async () => {},
};

/** What is sold, at each endpoint. */
function doorsOf(parts: Parts, isPage: IsPage, payments: Payments, shown: PriceShown) {
  const { config, questions, publicUrl } = parts;
  const { book } = parts.chain;
  const requests = doorLimit(config.requestLimits.caller);
  const limit = createLimit({ name: 'paid', requests, seconds: 60 }, timers.now);
  const read = (tool: string, input: unknown) => readPriced(tool, input, book.assets);
  const { isFree, answerFree } = questions;
  const atHttp = createHttpPayments(payments, isPage, publicUrl);
  return {
    answers: { shown, payments: atHttp, isFree, answerFree },
    calls: { payments: atHttp, limit, read },
    chargeMcp: createMcpPayments(payments, read, limit),
    /** A2A sells nothing: it only gives the terms. */
    quoteA2a: createQuote({ terms: (resource) => payments.ask(resource), read, isFree, sold, publicUrl }),
    payments,
  };
}

/** Signature checks of contract wallets a minute: each lets a stranger's contract run in an eth_call. */
const walletLimit = { name: 'contract-wallets', requests: 120, seconds: 60 };

/** Throws if payments cannot be taken. */
async function open(
  { config, chain, questions, publicUrl, log }: Parts,
  payment: Priced,
  deskQuote: DeskQuote | undefined,
) {
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

/** Does the work that is paid for. An answer without data is not sold. */
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

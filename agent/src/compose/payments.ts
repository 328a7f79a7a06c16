import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits } from '@bowline/core/domain/units';
import { timers } from '@bowline/http/clock';
import type { IsPage } from '@bowline/http/page-secret';
import { createLimit } from '@bowline/http/rate-limit';
import { createQuote } from '../api/a2a/quote.ts';
import type { Quote } from '../api/a2a/reply.ts';
import type { PricedCalls } from '../api/http/api.ts';
import { endpoints } from '../api/http/endpoints.ts';
import { createHttpPayments } from '../api/http/payment.ts';
import type { PricedAnswers } from '../api/http.ts';
import type { ChargeCall } from '../api/mcp/call.ts';
import { createMcpPayments } from '../api/mcp/payment.ts';
import type { DeskQuote } from '../selling/jobs/desk-quote.ts';
import { delayed } from '../selling/payments/outcome.ts';
import type { Payments } from '../selling/payments/payments.ts';
import { readPriced } from '../tools/priced.ts';
import type { Priced } from './open-payments.ts';
import type { Parts } from './parts.ts';

/** Where what A2A names a price for is sold. */
const sold = { ask: endpoints.ask, check_asset: endpoints.verdict, draft_swap: endpoints.swapDraft };

type Shown = PricedAnswers['shown'];

/** What is sold, at its doors. */
export interface Sales {
  readonly answers: PricedAnswers;
  readonly calls: PricedCalls;
  readonly chargeMcp: ChargeCall;
  /** A2A sells nothing: it tells the terms. */
  readonly quoteA2a: Quote;
  readonly payments: Pick<Payments, 'drain' | 'recover'>;
}

/**
 * Charges for answers. If it fails to start, answers are refused rather than free: rescues never wait for it. A dry run settles
 * nothing.
 */
export async function openSales(parts: Parts, payment: Priced, isPage: IsPage, deskQuote?: DeskQuote): Promise<Sales> {
  const price = { price_usd: Number(formatUnits(payment.priceUsdWad, 18)) };
  if (parts.config.isDry) return doorsOf(parts, isPage, closed, price);
  try {
    const { open } = await import('./open-payments.ts');
    const { payments, shown } = await open(parts, payment, deskQuote);
    return doorsOf(parts, isPage, payments, { ...price, payment: shown });
  } catch (error) {
    parts.log.error('payments.off', { error, remedy: 'Correct the cause and restart. Rescues and runs go on.' });
    return doorsOf(parts, isPage, closed, price);
  }
}

/** Where payments failed to start, or nothing may be signed. */
const closed: Payments = {
  ask: async () => {
    throw new BowlineError('payment_unavailable', 'Payments are switched off: answers cannot be bought now.');
  },
  pay: async () => ({ state: 'later', ...delayed('unavailable', 60) }),
  drain: async () => {},
  recover: async () => {},
};

function doorsOf(parts: Parts, isPage: IsPage, payments: Payments, shown: Shown): Sales {
  const { config, questions, publicUrl } = parts;
  const { book } = parts.chain;
  const limit = createLimit({ name: 'paid', requests: config.requestLimits.door, seconds: 60 }, timers.now);
  const read = (tool: string, input: unknown) => readPriced(tool, input, book.assets);
  const { isFree, answerFree } = questions;
  const atHttp = createHttpPayments(payments, isPage, publicUrl);
  return {
    answers: { shown, payments: atHttp, isFree, answerFree },
    calls: { payments: atHttp, limit, read },
    chargeMcp: createMcpPayments(payments, read, limit),
    quoteA2a: createQuote({ terms: (resource) => payments.ask(resource), read, isFree, sold, publicUrl }),
    payments,
  };
}

import type { Log } from '@bowline/core/domain/log';
import { formatUnits } from '@bowline/core/domain/units';
import { callerNow } from '@bowline/http/caller';
import type { IsPage } from '@bowline/http/page-secret';
import type { Limit } from '@bowline/http/rate-limit';
import { createQuote } from '../api/a2a/quote.ts';
import type { Quote } from '../api/a2a/reply.ts';
import type { PricedCalls } from '../api/http/api.ts';
import { endpoints } from '../api/http/endpoints.ts';
import type { HttpTill } from '../api/http/payment.ts';
import type { PricedAnswers } from '../api/http.ts';
import type { ChargeCall } from '../api/mcp/call.ts';
import type { Config } from '../config.ts';
import { closedTill } from '../payments/closed.ts';
import { contractWalletLimit, paidLimit } from '../payments/limits.ts';
import { inWords } from '../payments/question.ts';
import type { Till } from '../payments/till.ts';
import type { DeskQuote } from '../seller/desk-quote.ts';
import { pricedTools, readPriced } from '../tools/priced.ts';
import type { Chain } from './chain.ts';
import { openKept, workOf } from './kept-payments.ts';
import { creditAccount } from './keys.ts';
import type { Questions } from './questions.ts';
import { clock, timers } from './time.ts';

/** Where what A2A names a price for is sold. */
const sold = {
  ask: endpoints.ask,
  check_asset: endpoints.verdict,
  draft_swap: endpoints.swapDraft,
};

interface PaymentDeps {
  readonly questions: Questions;
  readonly deskQuote: DeskQuote | undefined;
  readonly isPage: IsPage;
  readonly publicUrl: string;
  /** Rate limit of questions in words. */
  readonly limit: Limit;
  readonly log: Log;
}

type Shown = PricedAnswers['shown'];

/** The till, and its doors. */
export interface Payments {
  readonly answers: PricedAnswers;
  readonly calls: PricedCalls;
  readonly chargeMcp: ChargeCall;
  /** A2A sells nothing: it tells the terms. */
  readonly quoteA2a: Quote;
  readonly till: Pick<Till, 'drain' | 'recover'>;
}

/**
 * Charges for answers. Undefined, and not even loaded, if answers are free. If it fails to start, answers are refused
 * rather than free: rescues never wait for it.
 */
export async function openPayments(config: Config, chain: Chain, deps: PaymentDeps): Promise<Payments | undefined> {
  const { payment } = config;
  if (payment === undefined) return undefined;
  const price = { price_usd: Number(formatUnits(payment.priceUsdWad, 18)) };
  // It would settle payments, some with a key of its own.
  if (config.isDry) return doorsOf(config, chain, deps, { till: closedTill }, price);
  try {
    const { shown, ...opened } = await open(config, payment, chain, deps);
    return await doorsOf(config, chain, deps, opened, { ...price, payment: shown });
  } catch (error) {
    deps.log.error('payments.off', { error, remedy: 'Correct the cause and restart. Rescues and runs go on.' });
    return doorsOf(config, chain, deps, { till: closedTill }, price);
  }
}

interface Opened {
  readonly till: Till;
}

async function doorsOf(
  config: Config,
  { book }: Chain,
  deps: PaymentDeps,
  { till }: Opened,
  shown: Shown,
): Promise<Payments> {
  const [{ createHttpTill }, { createMcpTill }] = await Promise.all([
    import('../api/http/payment.ts'),
    import('../api/mcp/payment.ts'),
  ]);
  const limit = paidLimit(config.requestLimits.door, timers.now);
  const read = (tool: string, input: unknown) => readPriced(tool, input, book.assets);
  const { isFree, answerFree } = deps.questions;
  const httpTill: HttpTill = createHttpTill({
    till,
    isPage: deps.isPage,
    publicUrl: deps.publicUrl,
  });
  return {
    answers: { shown, till: httpTill, questionOf: inWords, isFree, answerFree },
    calls: { till: httpTill, limit, read },
    chargeMcp: createMcpTill({ till, priced: pricedTools, read, limit }),
    quoteA2a: createQuote({ terms: till.ask, read, isFree, sold, publicUrl: deps.publicUrl }),
    till,
  };
}

async function open(
  config: Config,
  payment: NonNullable<Config['payment']>,
  chain: Chain,
  { questions, deskQuote, publicUrl, log }: PaymentDeps,
): Promise<Opened & { shown: Shown['payment'] }> {
  const { client, book } = chain;
  const { chainId } = config;
  const { payTo, rail, creditKey } = payment;
  const [
    { createPaymentRail },
    { b402Facilitator, facilitatorPatience, x402Facilitator },
    { createTill },
    { openEntries },
    { createCredits },
    { offersOf },
    { createLost },
    { settlementTimes },
  ] = await Promise.all([
    import('../payments/payment-rail.ts'),
    import('../payments/facilitators.ts'),
    import('../payments/till.ts'),
    import('../payments/entries.ts'),
    import('../payments/credit.ts'),
    import('../payments/payment-offers.ts'),
    import('../payments/lost.ts'),
    import('../payments/settlement.ts'),
  ]);
  const chosen =
    rail.name === 'x402'
      ? x402Facilitator(rail.facilitatorUrl.reveal(), facilitatorPatience)
      : b402Facilitator(
          {
            baseUrl: rail.baseUrl.reveal(),
            clientId: rail.clientId,
            accessToken: rail.accessToken.reveal(),
            privateKey: rail.privateKey.reveal(),
          },
          facilitatorPatience,
        );
  const offers = await offersOf(chainId, payment, book, client, chosen.permit2, log);
  const { store, proof } = await openKept(config, chain, log);
  const wallets = contractWalletLimit(timers.now);
  const paymentRail = createPaymentRail({
    ...chosen,
    offers,
    resource: { url: `${publicUrl}/x402`, description: 'One answer of Bowline' },
    admitWallet: () => wallets.take().allowed,
    proof,
    callerNow,
    clock,
    ...settlementTimes,
    log,
  });
  const entries = await openEntries(store, (kept) => paymentRail.resume(kept.payment, kept.progress));
  const work = workOf(questions, deskQuote, chain);
  const signCredit = createCredits(creditAccount(creditKey, config), chainId, clock);
  const time = await store.lost(Date.now());
  const lost = time && createLost({ client, proof, time, callerNow, clock });
  const token = offers.find(({ method }) => method === 'eip3009')?.asset;
  const till = createTill({ rail: paymentRail, entries, work, signCredit, token, lost, timers, log });
  const tokens = offers.map(({ method, asset, amount }) => ({ asset, amount: amount.toString(), method }));
  const [{ network, asset, amount }] = offers;
  return { till, shown: { rail: rail.name, network, asset, amount: amount.toString(), pay_to: payTo, tokens } };
}

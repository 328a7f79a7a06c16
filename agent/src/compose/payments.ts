import type { Answer } from '@bowline/core/domain/answer';
import type { Log } from '@bowline/core/domain/ports';
import { formatUnits, mulDivUp, WAD } from '@bowline/core/domain/units';
import { sendProblem } from '@bowline/http/problem';
import { createLimit, type Limit } from '@bowline/http/rate-limit';
import type { Response } from 'express';
import type { HttpParts } from '../api/http.ts';
import type { Config } from '../config.ts';
import type { Chain } from './chain.ts';
import { clock, timers } from './time.ts';

interface PaymentDeps {
  readonly publicUrl: string;
  /** Rate limit of questions in words. */
  readonly limit: Limit;
  readonly log: Log;
}

type Payments = NonNullable<HttpParts['payment']>;

/**
 * Charges for answers. Undefined, and not even loaded, if answers are free. If it fails to start, answers are refused
 * rather than free: rescues never wait for it.
 */
export async function openPayments(config: Config, chain: Chain, deps: PaymentDeps): Promise<HttpParts['payment']> {
  const { payment } = config;
  if (payment === undefined) return undefined;
  // It would settle payments, some with a key of its own.
  if (config.isDry) return closed(payment.priceUsdWad);
  try {
    return await open(config, payment, chain, deps);
  } catch (error) {
    deps.log.error('payments.off', { error, remedy: 'Correct the cause and restart. Rescues and runs go on.' });
    return closed(payment.priceUsdWad);
  }
}

function closed(priceUsdWad: bigint): Payments {
  const refuse = async (response: Response): Promise<undefined> => {
    sendProblem(response, 'payment_unavailable', 'Payments are switched off: answers cannot be bought now.');
  };
  return {
    shown: { price_usd: Number(formatUnits(priceUsdWad, 18)) },
    paywall: { ask: refuse, serve: (_signed, _prompt, _work, response) => refuse(response) },
  };
}

async function open(
  { chainId }: Config,
  payment: NonNullable<Config['payment']>,
  { client, book }: Chain,
  { publicUrl, limit, log }: PaymentDeps,
): Promise<Payments> {
  const { priceUsdWad, payTo, rail } = payment;
  const token = book.escrow?.token;
  if (token === undefined) throw new Error('PRICE_USD is above 0, but this chain has no payment token.');
  const [{ createPaymentRail }, { createPaymentProof }, { b402Facilitator, x402Facilitator }, { createPaywall }] =
    await Promise.all([
      import('../payments/payment-rail.ts'),
      import('../payments/payment-proof.ts'),
      import('../payments/facilitators.ts'),
      import('../payments/paywall.ts'),
    ]);
  // The token is a US dollar stablecoin. Rounded up: a price above 0 is never free.
  const amount = mulDivUp(priceUsdWad, 10n ** BigInt(token.decimals), WAD);
  const terms = { network: `eip155:${chainId}`, asset: token.address, amount, payTo } as const;
  const patience = { timeoutMs: 10_000, pendingMs: 20_000, pollMs: 1_000 };
  const chosen =
    rail.name === 'x402'
      ? x402Facilitator(rail.facilitatorUrl.reveal(), patience)
      : b402Facilitator(
          {
            baseUrl: rail.baseUrl.reveal(),
            clientId: rail.clientId,
            accessToken: rail.accessToken.reveal(),
            privateKey: rail.privateKey.reveal(),
          },
          patience,
        );
  const wallets = createLimit({ name: 'contract-wallets', requests: 120, seconds: 60 }, timers.now);
  const paymentRail = createPaymentRail({
    ...chosen,
    terms,
    token: { name: token.name, version: token.version },
    resource: { url: `${publicUrl}/x402`, description: 'One answer of Bowline' },
    admitWallet: () => wallets.take().allowed,
    proof: createPaymentProof(client, terms),
    clock,
    lookMs: 5_000,
    pollMs: 500,
    resubmitMs: 5_000,
    log,
  });
  const { network, asset } = terms;
  const shown = {
    price_usd: Number(formatUnits(priceUsdWad, 18)),
    payment: { rail: rail.name, network, asset, amount: amount.toString(), pay_to: payTo },
  };
  return { shown, paywall: createPaywall<Answer>(paymentRail, limit, log) };
}

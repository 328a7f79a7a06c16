import type { Answer } from '@bowline/core/domain/answer';
import type { Log } from '@bowline/core/domain/ports';
import { formatUnits, mulDivUp, WAD } from '@bowline/core/domain/units';
import { createLimit, type Limit } from '@bowline/http/rate-limit';
import { apiLimit, type HttpParts } from '../api/http.ts';
import type { Config } from '../config.ts';
import type { Chain } from './chain.ts';
import { clock, timers } from './time.ts';

interface PaymentDeps {
  readonly publicUrl: string;
  /** Rate limit of questions in words. */
  readonly limit: Limit;
  readonly log: Log;
}

/** Charges for answers. Undefined, and not even loaded, if answers are free. */
export async function openPayments(
  { chainId, payment }: Config,
  { client, book }: Chain,
  { publicUrl, limit, log }: PaymentDeps,
): Promise<HttpParts['payment']> {
  if (payment === undefined) return undefined;
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
  const wallets = createLimit({ ...apiLimit, name: 'contract-wallets' }, timers.now);
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

import type { Json } from '@bowline/core/domain/payment';
import { BowlineError, type Result } from '@bowline/core/domain/result';
import type { IsPage } from '@bowline/http/caller';
import { sendProblem } from '@bowline/http/problem';
import { admits, type Limit } from '@bowline/http/rate-limit';
import {
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader,
} from '@x402/core/http';
import type { PaymentRequired, SettleResponse } from '@x402/core/types';
import type { Request, Response } from 'express';
import type { Outcome } from '../../selling/payments/outcome.ts';
import type { Payments } from '../../selling/payments/payments.ts';
import { answerAt, idempotencyKeyIn, type Question } from '../../selling/payments/question.ts';

/** A signed payment is about one kilobyte. */
const MAX_HEADER_CHARS = 8_192;

/** Payment at plain HTTP, by x402 v2's headers. */
export type HttpPayments = ReturnType<typeof createHttpPayments>;

/**
 * @param isPage whether a request need not pay: the page's server.
 * @param publicUrl base URL without a trailing slash.
 */
export function createHttpPayments(payments: Pick<Payments, 'ask' | 'pay'>, isPage: IsPage, publicUrl: string) {
  return {
    isPage,
    isPaying: (request: Request): boolean => signedPayment(request) !== undefined,

    /** Responds that payment is required, with its terms. */
    async ask(response: Response, path: string): Promise<void> {
      try {
        requirePayment(response, await payments.ask(answerAt(`${publicUrl}${path}`)));
        const detail = 'Pay as stated in the PAYMENT-REQUIRED header (x402 v2) and send the same request again.';
        sendProblem(response, 'payment_required', detail);
      } catch (error) {
        if (!(error instanceof BowlineError) || error.code !== 'payment_unavailable') throw error;
        response.set('Retry-After', '5');
        sendProblem(response, error.code, error.message);
      }
    },

    /** The paid answer, with PAYMENT-RESPONSE set, or why there is none; undefined if an error response was sent. */
    async pay(
      request: Request,
      response: Response,
      path: string,
      limit: Limit,
      question: Question,
    ): Promise<Result<Json> | undefined> {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const outcome = await payments.pay({
        payload: decoded(signedPayment(request) ?? ''),
        question,
        resource: answerAt(`${publicUrl}${path}`),
        limit,
        idempotencyKey: idempotencyKeyIn(request.get('idempotency-key')),
        signal: gone.signal,
      });
      return resultOf(outcome, response);
    },
  };
}

/** Payment header of x402 v2, or its older name. */
const signedPayment = (request: Request): string | undefined =>
  request.get('payment-signature') ?? request.get('x-payment');

function decoded(header: string): unknown {
  if (header.length > MAX_HEADER_CHARS) return undefined;
  try {
    return decodePaymentSignatureHeader(header);
  } catch {
    return undefined;
  }
}

function requirePayment(response: Response, required: Json): void {
  response.set('PAYMENT-REQUIRED', encodePaymentRequiredHeader(required as unknown as PaymentRequired));
  response.set('Cache-Control', 'no-store');
}

function resultOf(outcome: Outcome, response: Response): Result<Json> | undefined {
  switch (outcome.state) {
    case 'answered':
      response.set('PAYMENT-RESPONSE', encodePaymentResponseHeader(outcome.receipt as unknown as SettleResponse));
      response.set('Cache-Control', 'no-store');
      return { ok: true, value: outcome.answer };
    case 'failed':
      return outcome.failure;
    case 'refused':
      requirePayment(response, outcome.required);
      sendProblem(response, outcome.code, outcome.detail, outcome.reason);
      return undefined;
    case 'conflict':
      sendProblem(response, outcome.code, outcome.detail);
      return undefined;
    case 'later':
      if (outcome.over) return void admits(outcome.over.limit, outcome.over.place, response);
      response.set('Retry-After', String(outcome.waitSeconds));
      sendProblem(response, outcome.code, outcome.detail, outcome.reason);
      return undefined;
  }
}

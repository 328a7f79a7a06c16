import type { Json } from '@bowline/core/domain/payment';
import { BowlineError, failure, type Result, success } from '@bowline/core/domain/result';
import type { Limit } from '@bowline/http/rate-limit';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Outcome } from '../../selling/payments/outcome.ts';
import type { Payments } from '../../selling/payments/payments.ts';
import { answerAt, callOf, idempotencyKeyIn } from '../../selling/payments/question.ts';
import { pricedTools } from '../../tools/priced.ts';
import type { ChargeCall } from './call.ts';

// x402's transport over MCP, in tool results: an unpaid call of a priced tool is an error result that says what to pay.

const PAYMENT = 'x402/payment';
const RECEIPT = 'x402/payment-response';
/** Also accepted as a header of the HTTP request. */
const IDEMPOTENCY_KEY = 'idempotency-key';

/**
 * @param read a priced tool's input, equal for equal questions.
 * @param limit of paid answers.
 */
export function createMcpPayments(
  payments: Pick<Payments, 'ask' | 'pay'>,
  read: (tool: string, input: unknown) => Result<string>,
  limit: Limit,
): ChargeCall {
  return async ({ tool, input, meta, idempotencyKey, signal, progress }, free, show) => {
    if (!pricedTools.includes(tool)) return free();
    const resource = answerAt(`mcp://tool/${tool}`);
    try {
      // Checked first: nobody signs a payment for an invalid call.
      const asked = read(tool, input);
      if (!asked.ok) return show(asked);
      const payload = meta[PAYMENT];
      if (payload === undefined) return required(await payments.ask(resource));
      const question = callOf(tool, (input ?? {}) as Json, asked.value);
      const key = idempotencyKeyIn(idempotencyKey, meta[IDEMPOTENCY_KEY]);
      const paying = { payload, question, resource, limit, idempotencyKey: key, signal, progress };
      return resultOf(await payments.pay(paying), show);
    } catch (error) {
      if (!(error instanceof BowlineError)) throw error;
      return show(failure(error.code, error.message, error.retryable));
    }
  };
}

function resultOf(outcome: Outcome, show: (result: Result<Json>) => CallToolResult): CallToolResult {
  switch (outcome.state) {
    case 'answered':
      return withReceipt(show(success(outcome.answer)), outcome.receipt);
    case 'failed':
      return show(outcome.failure);
    case 'refused': {
      const { code, detail, reason, required: terms } = outcome;
      const [{ network } = {}] = (terms.accepts ?? []) as readonly Json[];
      const receipt = { success: false, errorReason: reason, errorMessage: detail, transaction: '', network };
      // PaymentRequired has no other field for the reason.
      return withReceipt(required({ ...terms, error: `${code}: ${detail}` }), receipt);
    }
    case 'conflict':
      return wrong({ code: outcome.code, message: outcome.detail, retryable: false });
    case 'later': {
      const { code, detail: message, reason, waitSeconds } = outcome;
      return wrong({ code, message, reason, retryable: true, retry_after: waitSeconds });
    }
  }
}

/** As both structured content and text: clients read either. */
const required = (terms: Json): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(terms) }],
  structuredContent: terms,
  isError: true,
});

const wrong = (problem: Json): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(problem) }],
  isError: true,
});

const withReceipt = (result: CallToolResult, receipt: Json): CallToolResult => ({
  ...result,
  _meta: { ...result._meta, [RECEIPT]: receipt },
});

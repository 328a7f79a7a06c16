import type { Json } from '@bowline/core/domain/payment';
import { BowlineError, failure, type Result, success } from '@bowline/core/domain/result';
import type { Limit } from '@bowline/http/rate-limit';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { declined } from '../../payments/declined.ts';
import { idempotencyKeyIn } from '../../payments/idempotency.ts';
import type { Outcome } from '../../payments/outcome.ts';
import { callOf } from '../../payments/question.ts';
import type { Till } from '../../payments/till.ts';
import type { ChargeCall } from './call.ts';

// x402's transport over MCP, in tool results: an unpaid call of a priced tool is an error result that says what to pay.

const PAYMENT = 'x402/payment';
const RECEIPT = 'x402/payment-response';
/** Also accepted as a header of the HTTP request. */
const IDEMPOTENCY_KEY = 'idempotency-key';

export interface McpTillParts {
  readonly till: Pick<Till, 'ask' | 'serve'>;
  readonly priced: readonly string[];
  /** Reads a priced tool's input, equal for equal questions. */
  readonly read: (tool: string, input: unknown) => Result<string>;
  /** Counts paid answers. */
  readonly limit: Limit;
}

export function createMcpTill({ till, priced, read, limit }: McpTillParts): ChargeCall {
  return async ({ tool, input, meta, idempotencyKey, progress }, free, show) => {
    if (!priced.includes(tool)) return free();
    const resource = { url: `mcp://tool/${tool}`, description: 'One answer of Bowline' };
    try {
      // First of all: nobody signs a payment for a call that is wrong.
      const asked = read(tool, input);
      if (!asked.ok) return show(asked);
      const payload = meta[PAYMENT];
      if (payload === undefined) return required(await till.ask(resource));
      const question = callOf(tool, (input ?? {}) as Json, asked.value);
      const key = idempotencyKeyIn(idempotencyKey, meta[IDEMPOTENCY_KEY]);
      return told(await till.serve({ payload, question, resource, limit, idempotencyKey: key, progress }), show);
    } catch (error) {
      if (!(error instanceof BowlineError)) throw error;
      return show(failure(error.code, error.message, error.retryable));
    }
  };
}

function told(outcome: Outcome, show: (result: Result<Json>) => CallToolResult): CallToolResult {
  switch (outcome.state) {
    case 'answered':
      return withReceipt(show(success(outcome.answer)), outcome.receipt);
    case 'failed': {
      const { code, message, retryable } = outcome.failure;
      const problem = { code, message, retryable, credit: outcome.credit, retry_after: outcome.waitSeconds };
      return withReceipt(wrong(problem), outcome.receipt);
    }
    case 'refused': {
      // PaymentRequired has no other place for the reason.
      const error = `${outcome.code}: ${outcome.detail}`;
      return withReceipt(required({ ...outcome.required, error }), declined(outcome));
    }
    case 'conflict':
      return wrong({ code: outcome.code, message: outcome.detail, retryable: false });
    case 'later':
      return wrong({
        code: outcome.code,
        message: outcome.detail,
        reason: outcome.reason,
        retryable: true,
        retry_after: outcome.waitSeconds,
      });
    case 'over_limit': {
      const { limit, place, receipt } = outcome;
      const message = `The limit is ${limit.requests} answers per ${limit.seconds} seconds.`;
      const result = wrong({ code: 'rate_limited', message, retryable: true, retry_after: place.waitSeconds });
      return receipt === undefined ? result : withReceipt(result, receipt);
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

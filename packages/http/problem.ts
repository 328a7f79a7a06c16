import type { Response } from 'express';

/** Error codes of the HTTP APIs, each with its status and the standard's title. */
const statuses = {
  invalid_json: [400, 'Bad Request'],
  invalid_prompt: [400, 'Bad Request'],
  invalid_input: [400, 'Bad Request'],
  invalid_side: [400, 'Bad Request'],
  invalid_amount: [400, 'Bad Request'],
  payment_required: [402, 'Payment Required'],
  payment_malformed: [402, 'Payment Required'],
  payment_mismatch: [402, 'Payment Required'],
  payment_refused: [402, 'Payment Required'],
  payment_already_used: [402, 'Payment Required'],
  host_not_allowed: [403, 'Forbidden'],
  not_found: [404, 'Not Found'],
  unknown_asset: [404, 'Not Found'],
  unknown_plan: [404, 'Not Found'],
  method_not_allowed: [405, 'Method Not Allowed'],
  payment_used_for_another_prompt: [409, 'Conflict'],
  body_too_large: [413, 'Content Too Large'],
  unsupported_media_type: [415, 'Unsupported Media Type'],
  idempotency_key_reused: [422, 'Unprocessable Content'],
  no_pool: [422, 'Unprocessable Content'],
  webhook_refused: [422, 'Unprocessable Content'],
  rate_limited: [429, 'Too Many Requests'],
  internal: [500, 'Internal Server Error'],
  model_unavailable: [502, 'Bad Gateway'],
  agent_unavailable: [502, 'Bad Gateway'],
  // Page server only: the agent's draft differs from the request.
  unsound_draft: [502, 'Bad Gateway'],
  starting: [503, 'Service Unavailable'],
  chain_unavailable: [503, 'Service Unavailable'],
  market_unavailable: [503, 'Service Unavailable'],
  payment_unavailable: [503, 'Service Unavailable'],
  settlement_unknown: [503, 'Service Unavailable'],
  timeout: [504, 'Gateway Timeout'],
} as const;

export type ProblemCode = keyof typeof statuses;

export const problemCodes = Object.keys(statuses) as ProblemCode[];

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(statuses, code);

/**
 * Responds with problem details (RFC 9457). `detail` is our own sentence, never a third party's. `reason` names the
 * cause if one code has several; `more` are members of a code's own.
 */
export function sendProblem(
  response: Response,
  code: ProblemCode,
  detail: string,
  reason?: string,
  more?: Readonly<Record<string, unknown>>,
): void {
  const [status, title] = statuses[code];
  response
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify({ type: 'about:blank', title, status, code, reason, detail, ...more }));
}

/** A problem type (RFC 9457). */
interface Kind {
  readonly status: number;
  readonly meaning: string;
  /** What its reader can do about it. */
  readonly remedy: string;
}

const again = 'Wait as long as `Retry-After` says, or a few seconds, and repeat the request.';

/** Every code of the HTTP APIs: of the agent, and of the page's server. `npm run lab -- settings` writes docs/problems.md from it. */
export const problems = {
  invalid_json: { status: 400, meaning: 'The body is not valid JSON.', remedy: 'Fix the request body.' },
  malformed_request: {
    status: 400,
    meaning: 'The request cannot be read as HTTP/1.1. The connection is closed.',
    remedy: 'Check your client, and any proxy that changes the request on the way.',
  },
  invalid_prompt: {
    status: 400,
    meaning: 'The prompt is missing, empty, too long, or not text.',
    remedy: 'Send `{"prompt": "…"}`. `GET /x402` gives the maximum length.',
  },
  invalid_input: {
    status: 400,
    meaning: 'A parameter or a body field is missing, unknown or malformed. `detail` names it.',
    remedy: 'Compare the request with `/openapi.json`.',
  },
  invalid_side: { status: 400, meaning: 'The side is neither `buy` nor `sell`.', remedy: 'Send `buy` or `sell`.' },
  invalid_amount: {
    status: 400,
    meaning: 'The amount is not a positive decimal, is below one base unit or above the maximum, or is given twice.',
    remedy: 'Send either `amount_usd` or `amount_asset`, as a decimal without sign or exponent.',
  },
  invalid_address: {
    status: 400,
    meaning:
      'An address is not 0x and 40 hexadecimal digits, or its mixed-case letters do not match its checksum (EIP-55).',
    remedy:
      'Copy the address again: a letter may be mistyped. All letters in lower case, or all in upper case, need no checksum.',
  },
  payment_required: {
    status: 402,
    meaning: 'The answer has a price, and the request contained no payment.',
    remedy: 'Sign what the header `PAYMENT-REQUIRED` asks for (x402 v2), and repeat the request with the payment.',
  },
  payment_malformed: {
    status: 402,
    meaning: 'The agent cannot read the payment. You were not charged.',
    remedy: 'Send the x402 v2 payload, as JSON in Base64, in `PAYMENT-SIGNATURE`.',
  },
  payment_mismatch: {
    status: 402,
    meaning: 'The payment does not match the required terms. You were not charged.',
    remedy: 'Sign exactly what `PAYMENT-REQUIRED` says.',
  },
  payment_refused: {
    status: 402,
    meaning: 'The agent refused the payment. `reason` and `detail` say why.',
    remedy: 'Correct what `detail` names. If it says that you may send the payment again, send the same one.',
  },
  payment_already_used: {
    status: 402,
    meaning: 'The chain shows that this authorization was used, and the agent has no answer for it.',
    remedy: 'Sign a new payment.',
  },
  host_not_allowed: {
    status: 403,
    meaning: 'The server does not answer requests to this host, or from this web page.',
    remedy: 'Use the public address of the server. Its operator can add names to the setting that `detail` names.',
  },
  not_found: {
    status: 404,
    meaning: 'This path does not exist, or no document has this hash or ID.',
    remedy: 'Compare the path with `/openapi.json`. A new document may take seconds to appear.',
  },
  unknown_asset: {
    status: 404,
    meaning: 'No listed asset has this symbol.',
    remedy: 'Choose a symbol that `list_assets` (MCP) or the page lists.',
  },
  unknown_plan: {
    status: 404,
    meaning: 'The registry has no plan with this ID.',
    remedy: 'Use the ID from the event `PlanCreated`, or from the page.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not for this method.',
    remedy: 'Use a method that the header `Allow` lists.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request did not arrive completely in time. It was not processed, and the connection is closed.',
    remedy: 'Send it again on another connection, with its headers within ten seconds and all of it within twenty.',
  },
  payment_used_for_another_prompt: {
    status: 409,
    meaning: 'An earlier request used this payment for another question, and it pays only for that one.',
    remedy: 'Repeat the first question with this payment, or pay for the new one.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The body is larger than the server accepts.',
    remedy: 'Send less. `GET /x402` of the agent gives the maximum in bytes.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not JSON, or has an unsupported encoding.',
    remedy: 'Send `content-type: application/json`, in UTF-8, uncompressed or gzip.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'An earlier request used this `Idempotency-Key` for another question.',
    remedy: 'Send a new key.',
  },
  no_pool: {
    status: 422,
    meaning: 'The asset is listed, but no pool trades it, so there is nothing to judge or to draft.',
    remedy: 'Choose an asset that `list_assets` (MCP) shows with a pool.',
  },
  webhook_refused: {
    status: 422,
    meaning: 'The agent did not register the webhook. `reason` and `detail` say why.',
    remedy: 'Correct what `detail` names; see docs/owners.md.',
  },
  rate_limited: {
    status: 429,
    meaning: 'You sent more requests than the limit allows. The server did not process this one.',
    remedy: 'Wait as many seconds as `Retry-After` says. `RateLimit` shows how many requests are left.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The headers are larger than this server reads. The connection is closed.',
    remedy: 'Send fewer or shorter ones: 16 kB in total.',
  },
  internal: {
    status: 500,
    meaning: 'The service failed, and logged the error.',
    remedy: 'Tell the operator: the same request is likely to fail again.',
  },
  model_unavailable: {
    status: 502,
    meaning: 'The language model does not respond, and rules cannot read this question.',
    remedy: `${again} The other routes in \`/openapi.json\` need no model.`,
  },
  agent_unavailable: {
    status: 502,
    meaning: "The page's server cannot reach the agent or cannot read its answer.",
    remedy: 'Ask the operator to check `AGENT_URL` and `/ready` of the agent.',
  },
  unsound_draft: {
    status: 502,
    meaning: "The agent's draft differs from the request. The page's server refused it, so there is nothing to sign.",
    remedy: 'Do not trade through this agent until its operator has explained the difference.',
  },
  starting: {
    status: 503,
    meaning: 'The agent is starting: it is alive but not ready.',
    remedy: 'Repeat the request in a second.',
  },
  chain_unavailable: {
    status: 503,
    meaning: 'The node does not answer, or answers incorrectly. There is no verdict.',
    remedy: `${again} The operator can see the state of the node at \`/ready\`.`,
  },
  market_unavailable: {
    status: 503,
    meaning: 'The agent cannot read a price source or a lending market. There is no verdict.',
    remedy: again,
  },
  payment_unavailable: {
    status: 503,
    meaning: 'The agent cannot accept or look up payments now, or payments are off.',
    remedy: `${again} You may send a signed payment again: you are charged at most once.`,
  },
  settlement_unknown: {
    status: 503,
    meaning: 'The payment was submitted, but it is not yet known whether a block contains it.',
    remedy: 'Repeat the request with the same payment. Do not sign another: you are charged at most once.',
  },
  timeout: {
    status: 504,
    meaning: 'The answer did not arrive in time.',
    remedy: 'Repeat the request. If it had a payment, send the same one: you are charged at most once.',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type ProblemCode = keyof typeof problems;

export const problemCodes = Object.keys(problems) as ProblemCode[];

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

/** The standard's title of each status. */
export const titles: Readonly<Record<(typeof problems)[ProblemCode]['status'], string>> = {
  400: 'Bad Request',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

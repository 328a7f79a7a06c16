/** A kind of problem, as RFC 9457 has it. */
interface Kind {
  readonly status: number;
  readonly meaning: string;
  /** What its reader does about it. */
  readonly remedy: string;
}

const again = 'Wait as long as `Retry-After` says, or some seconds, and repeat the request.';

/** Every code of the HTTP APIs: of the agent, and of the page's server. `npm run settings` writes docs/problems.md from it. */
export const problems = {
  invalid_json: { status: 400, meaning: 'The body is not valid JSON.', remedy: 'Fix the request body.' },
  malformed_request: {
    status: 400,
    meaning: 'The request cannot be read as HTTP/1.1. The connection is closed.',
    remedy: 'Look for what writes or changes it on its way: a client of your own, or a proxy.',
  },
  invalid_prompt: {
    status: 400,
    meaning: 'The prompt is missing, empty, too long, or no text.',
    remedy: 'Send `{"prompt": "…"}`. `GET /x402` tells the most characters that it may have.',
  },
  invalid_input: {
    status: 400,
    meaning: 'A parameter or a member of the body is missing, unknown, or of a wrong form. `detail` names it.',
    remedy: 'Compare the request with `/openapi.json`.',
  },
  invalid_side: { status: 400, meaning: 'The side is neither a purchase nor a sale.', remedy: 'Send `buy` or `sell`.' },
  invalid_amount: {
    status: 400,
    meaning: 'The amount is no positive decimal, is less than a base unit or more than is judged, or is given twice.',
    remedy: 'Send either `amount_usd` or `amount_asset`, as a decimal without sign or exponent.',
  },
  payment_required: {
    status: 402,
    meaning: 'The answer costs something, and no payment came with the request.',
    remedy: 'Sign what the header `PAYMENT-REQUIRED` asks for (x402 v2), and send the request again with it.',
  },
  payment_malformed: {
    status: 402,
    meaning: 'The payment cannot be read. Nothing was taken.',
    remedy: 'Send the v2 payload of x402, as JSON in Base64, in `PAYMENT-SIGNATURE`.',
  },
  payment_mismatch: {
    status: 402,
    meaning: 'The payment accepts other terms than those asked for. Nothing was taken.',
    remedy: 'Sign exactly what `PAYMENT-REQUIRED` says.',
  },
  payment_refused: {
    status: 402,
    meaning: 'The payment was not taken. `reason` and `detail` say why.',
    remedy: 'Fix what `detail` names. Where it says that the payment may be sent again, send the same one.',
  },
  payment_already_used: {
    status: 402,
    meaning: 'The chain shows that this authorization was used, and no answer to it is kept here.',
    remedy: 'Sign a new one.',
  },
  host_not_allowed: {
    status: 403,
    meaning: 'The request names a host, or comes from a web page, that this server does not answer.',
    remedy: 'Use its public address. Its operator adds names to the setting that `detail` names.',
  },
  not_found: {
    status: 404,
    meaning: 'Nothing is at this path, or no document has this hash or ID.',
    remedy: 'Compare the path with `/openapi.json`. A document that has just been made may need seconds.',
  },
  unknown_asset: {
    status: 404,
    meaning: 'No listed asset has this symbol.',
    remedy: '`list_assets` (MCP) has the symbols; so has the page.',
  },
  unknown_plan: {
    status: 404,
    meaning: 'The registry has no plan with this ID.',
    remedy: 'Read the ID in the event `PlanCreated`, or on the page.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, for another method.',
    remedy: 'Use one of the header `Allow`.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request did not arrive whole in time. It was not worked on, and the connection is closed.',
    remedy: 'Send it again on another connection, its headers within ten seconds and all of it within twenty.',
  },
  payment_used_for_another_prompt: {
    status: 409,
    meaning: 'This payment came before, with another question, and pays for that one alone.',
    remedy: 'Repeat the first question with it, or pay for this one.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The body is larger than this server reads.',
    remedy: 'Send less. `GET /x402` of the agent tells the most bytes.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not JSON, or is encoded in a way that is not read.',
    remedy: 'Send `content-type: application/json`, in UTF-8, uncompressed or gzip.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'This `Idempotency-Key` came before, with another question.',
    remedy: 'Send a new key.',
  },
  no_pool: {
    status: 422,
    meaning: 'The asset is listed, and no pool trades it: there is nothing to judge or to draft.',
    remedy: 'Choose an asset that `list_assets` (MCP) shows with a pool.',
  },
  webhook_refused: {
    status: 422,
    meaning: 'The webhook was not registered. `reason` and `detail` say why.',
    remedy: 'Fix what `detail` names, by docs/notices.md.',
  },
  rate_limited: {
    status: 429,
    meaning: 'More requests came than the limit allows. The request was not worked on.',
    remedy: 'Wait as many seconds as `Retry-After` says. `RateLimit` tells what is left.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The headers are larger than this server reads. The connection is closed.',
    remedy: 'Send fewer or shorter ones: 16 kB together.',
  },
  internal: {
    status: 500,
    meaning: 'A fault of the service. It has been logged.',
    remedy:
      'Send the request once more; tell the operator if it happens again. With `credit`, the same payment pays again.',
  },
  model_unavailable: {
    status: 502,
    meaning: 'The language model that reads the question does not answer.',
    remedy: `${again} What has a route of its own in \`/openapi.json\` needs no model.`,
  },
  agent_unavailable: {
    status: 502,
    meaning: "The page's server cannot reach the agent, or cannot read its answer.",
    remedy: 'Its operator looks whether the agent runs: `AGENT_URL`, and `/ready` of the agent.',
  },
  unsound_draft: {
    status: 502,
    meaning: "The agent's draft is not what was asked for. The page's server refused it; nothing can be signed.",
    remedy: 'Do not trade by this agent until its operator has explained it.',
  },
  starting: {
    status: 503,
    meaning: 'The agent starts: it is alive, and not ready.',
    remedy: 'Send the request again in a second.',
  },
  chain_unavailable: {
    status: 503,
    meaning: 'The node does not answer, or not as it must. Nothing was judged.',
    remedy: `${again} Its operator finds the node's state at \`/ready\`.`,
  },
  market_unavailable: {
    status: 503,
    meaning: 'A source of prices, or a lending market, cannot be read. Nothing was judged.',
    remedy: again,
  },
  payment_unavailable: {
    status: 503,
    meaning: 'Payments cannot be taken or looked up now, or are switched off.',
    remedy: `${again} A payment that was signed may be sent again: you are charged at most once.`,
  },
  settlement_unknown: {
    status: 503,
    meaning: 'The payment was handed in, and it is not known yet whether it came into a block.',
    remedy: 'Send the same request again, with the same payment. Do not sign another: you are charged at most once.',
  },
  timeout: {
    status: 504,
    meaning: 'There was no answer in time.',
    remedy: 'Send the request again. With a payment, send the same one: you are charged at most once.',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type ProblemCode = keyof typeof problems;

export const problemCodes = Object.keys(problems) as ProblemCode[];

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

/** Of the standard, for each status. */
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

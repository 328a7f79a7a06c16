import { ask, awaited, good, must, mustBeProblem, type Promised, post, unpriced, type World } from './promise.ts';

// What the agent promises over plain HTTP: answers, documents, and errors.

const question = 'Is BTCB fairly priced right now?';

/** A payment that is none. Where answers have a price, whoever sends no payment is told the price first, whatever is wrong. */
const noPayment = { 'payment-signature': 'none' };

const problems: readonly (readonly [
  what: string,
  status: number,
  code: string,
  send: (agentUrl: string, headers: Record<string, string>) => ReturnType<typeof ask>,
])[] = [
  ['a body that is not JSON', 400, 'invalid_json', (url, headers) => post(`${url}/x402`, '{', headers)],
  ['no prompt', 400, 'invalid_prompt', (url, headers) => post(`${url}/x402`, {}, headers)],
  ['an empty prompt', 400, 'invalid_prompt', (url, headers) => post(`${url}/x402`, { prompt: ' ' }, headers)],
  ['a prompt that is no text', 400, 'invalid_prompt', (url, headers) => post(`${url}/x402`, { prompt: 7 }, headers)],
  [
    'a prompt of 4,001 characters',
    400,
    'invalid_prompt',
    (url, headers) => post(`${url}/x402`, { prompt: 'a'.repeat(4_001) }, headers),
  ],
  [
    'plain text',
    415,
    'unsupported_media_type',
    (url, headers) => post(`${url}/x402`, '{}', { ...headers, 'content-type': 'text/plain' }),
  ],
  [
    'a body of 70 kB',
    413,
    'body_too_large',
    (url, headers) => post(`${url}/x402`, { prompt: 'a'.repeat(70_000) }, headers),
  ],
  ['DELETE', 405, 'method_not_allowed', (url) => ask(`${url}/x402`, { method: 'DELETE' })],
];

const documents: readonly (readonly [path: string, isSound: (text: string) => boolean])[] = [
  ['/llms.txt', (text) => text.startsWith('# ')],
  ['/server.json', (text) => /streamable-http/.test(text)],
  ['/.well-known/mcp.json', (text) => /streamable-http/.test(text)],
  ['/.well-known/x402', (text) => Array.isArray(JSON.parse(text).resources)],
];

/** What costs nothing there, nor an answer of the minute. */
const limited: readonly (readonly [path: string, send: (url: string) => ReturnType<typeof ask>])[] = [
  ['/verdict', (url) => ask(`${url}?asset=nothing`)],
  ['/mcp', (url) => post(url, { jsonrpc: '2.0', id: 1, method: 'nothing' })],
  ['/a2a', (url) => post(url, { jsonrpc: '2.0', id: 1, method: 'nothing' })],
];

export const httpPromises: readonly Promised[] = [
  {
    that: 'GET /ready gives the state of each dependency, and both loops have ended a good round',
    keep: async (world) =>
      awaited(
        world,
        async () => {
          const { json } = await ask(`${world.agentUrl}/ready`);
          const { executor, 'loan-guard': guard } = json?.dependencies ?? {};
          must(executor && guard, 'names no executor and no loan-guard');
          return json.status === 'READY' && executor.ok && guard.ok
            ? `READY, ${Object.keys(json.dependencies).length} dependencies`
            : undefined;
        },
        'is not READY',
      ),
  },
  {
    that: 'GET /metrics is Prometheus text',
    keep: async ({ agentUrl }) => {
      const { status, headers, text } = await ask(`${agentUrl}/metrics`);
      must(status === 200 && headers.get('content-type')?.startsWith('text/plain'), `answers ${status}`);
      const own = new Set(text.match(/^bowline_\w+/gm));
      must(own.size > 0, 'has no metric of ours');
      return `${own.size} metrics of ours`;
    },
  },
  {
    that: 'GET /openapi.json describes every endpoint in OpenAPI 3.1',
    keep: async ({ agentUrl }) => {
      const { openapi, paths } = good(await ask(`${agentUrl}/openapi.json`));
      must(String(openapi).startsWith('3.1'), `is OpenAPI ${openapi}`);
      const promised = ['/x402', '/verdict', '/mcp', '/a2a', '/ready', '/metrics', '/evidence/{hash}', '/swap-draft'];
      const lacking = promised.filter((path) => paths[path] === undefined);
      must(lacking.length === 0, `lacks ${lacking.join(', ')}`);
      return `${Object.keys(paths).length} paths`;
    },
  },
  {
    that: 'GET /x402 tells price and limits',
    keep: async ({ agentUrl }) => {
      const { price_usd, limit, max_prompt_chars } = good(await ask(`${agentUrl}/x402`));
      must(typeof price_usd === 'number' && limit?.requests > 0 && limit.seconds > 0, 'lacks the price or the limit');
      return `${price_usd} USD, ${limit.requests} in ${limit.seconds} s, ${max_prompt_chars} characters`;
    },
  },
  {
    that: 'POST /x402 answers a question in words, with its tools and tickets',
    keep: async (world) => {
      unpriced(world);
      const { agentUrl } = world;
      const { result, tools, tickets, answered_by } = good(await post(`${agentUrl}/x402`, { prompt: question }));
      must(typeof result === 'string' && result !== '', 'has no result');
      must(tools?.includes('check_asset'), 'has not called check_asset');
      must(Array.isArray(tickets), 'has no list of tickets');
      must(['model', 'embedded'].includes(answered_by), `is answered by ${answered_by}`);
      return `${/^Verdict: \w+/.exec(result)?.[0] ?? 'answered'}, by ${answered_by}`;
    },
  },
  ...problems.map(
    ([what, status, code, send]): Promised => ({
      that: `/x402 answers ${what} with ${status} ${code}, as problem+json`,
      keep: async ({ agentUrl, priceUsd }) => {
        const answer = await send(agentUrl, priceUsd > 0 ? noPayment : {});
        mustBeProblem(answer, status, code);
        return answer.json.title;
      },
    }),
  ),
  {
    that: '/deliverables/HASH and /job/ID/response answer 404 not_found, as problem+json, where there is nothing',
    keep: async ({ agentUrl }) => {
      for (const path of [`/deliverables/0x${'f'.repeat(64)}`, `/job/${2n ** 200n}/response`])
        mustBeProblem(await ask(`${agentUrl}${path}`), 404, 'not_found');
      return 'both';
    },
  },
  ...limited.map(
    ([path, send]): Promised => ({
      that: `${path} tells its limit in the RateLimit headers`,
      keep: async ({ agentUrl }) => {
        const { headers } = await send(`${agentUrl}${path}`);
        const [, name, most] = /^"([\w-]+)";q=(\d+);w=60$/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
        const [, sameName, left] = /^"([\w-]+)";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '') ?? [];
        must(name !== undefined && name === sameName, `says ${headers.get('ratelimit-policy')}`);
        must(Number(left) < Number(most), `counts nothing: ${left} of ${most} are left`);
        return `${left} of ${most} are left`;
      },
    }),
  ),
  ...documents.map(
    ([path, isSound]): Promised => ({
      that: `GET ${path} is served`,
      keep: async ({ agentUrl }) => {
        const { status, text } = await ask(`${agentUrl}${path}`);
        must(status === 200, `answers ${status}`);
        must(isSound(text), 'is not that document');
        return `${text.length} characters`;
      },
    }),
  ),
];

/** Last of all: it uses up the minute's answers. */
export const limitPromise: Promised = {
  that: 'past its limit POST /x402 answers 429 rate_limited with Retry-After, and a refused request is not counted',
  keep: async ({ agentUrl, priceUsd }: World) => {
    const { limit } = good(await ask(`${agentUrl}/x402`));
    for (let sent = 1; sent <= 2 * limit.requests; sent += 1) {
      const { status, headers, json } = await post(`${agentUrl}/x402`, { prompt: 'Which assets do you know?' });
      if (status !== 429) continue;
      must(json?.code === 'rate_limited', `says ${json?.code}`);
      const wait = Number(headers.get('retry-after'));
      must(wait > 0 && wait <= limit.seconds, `says Retry-After ${headers.get('retry-after')}`);
      const again = await post(`${agentUrl}/x402`, {}, priceUsd > 0 ? noPayment : {});
      must(again.json?.code === 'invalid_prompt', `answers ${again.json?.code} to what is no question`);
      return `after ${sent - 1}, for ${wait} s`;
    }
    throw new Error(`takes ${2 * limit.requests} at once, although its limit is ${limit.requests}`);
  },
};

import { z } from 'zod';
import { type Endpoint, endpoints, offeredWith, type PriceShown, problem, tags } from './endpoints.ts';

type Json = Readonly<Record<string, unknown>>;

const problemContent = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
const rpcContent = { 'application/json': { schema: { $ref: '#/components/schemas/RpcAnswer' } } };
const header = (description: string, type: 'string' | 'integer' = 'string') => ({ description, schema: { type } });

const limitHeaders = {
  'RateLimit-Policy': header('The limit: "name";q=requests;w=seconds'),
  RateLimit: header('What is left of it: "name";r=requests;t=seconds'),
};

const refusals = {
  403: { description: 'The Host or Origin is not allowed', content: problemContent },
  402: {
    description: 'A payment is required, or was refused',
    headers: { 'PAYMENT-REQUIRED': header('How to pay: JSON of x402 v2 in Base64') },
    content: problemContent,
  },
  429: {
    description: 'Too many requests',
    headers: { 'Retry-After': header('Seconds until the next request fits', 'integer'), ...limitHeaders },
    content: problemContent,
  },
} as const;

/**
 * Generates OpenAPI 3.1 for plain HTTP from the schemas that parse and type it.
 * @param hasDesk whether `/desk-quote` signs offers. If not, it is left out.
 * @param price of an answer; absent if answers are free.
 */
export function openApiOf(version: string, publicUrl: string, hasDesk: boolean, price?: PriceShown): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [id, endpoint] of Object.entries(offeredWith({ hasDesk }))) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method]: operation(id, endpoint, price) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bowline',
      version,
      description:
        'Prices, fair-price verdicts, plans and loan guards on BNB Chain. Every error is a problem (RFC 9457). ' +
        '/mcp and /a2a have protocols of their own: only their envelope is described here.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    // There is no sign-in: priced endpoints are paid per request.
    security: [],
    paths,
    components: { schemas: { Problem: schema(problem), RpcAnswer: schema(endpoints.mcp.answer) } },
  };
}

function operation(operationId: string, endpoint: Endpoint, price: PriceShown | undefined): Json {
  const {
    tag,
    summary,
    description,
    params,
    query,
    body,
    answer,
    statuses = [200],
    mediaType = 'application/json',
  } = endpoint;
  const { isLimited = false, isPriced = false, mayStream = false, rpcErrors = [] } = endpoint;
  const parameters = [...parametersOf('path', params), ...parametersOf('query', query), ...(isPriced ? payments : [])];
  const headers = {
    ...(isPriced && { 'PAYMENT-RESPONSE': header('The receipt of the payment: JSON of x402 v2 in Base64') }),
    ...(isLimited && limitHeaders),
  };
  const answered = {
    description: 'The answer',
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      [mediaType]: { schema: schema(answer) },
      ...(mayStream && { 'text/event-stream': { schema: { type: 'string' } } }),
    },
  };
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: schema(body) } } } }),
    ...(isPriced && price && { 'x-payment-info': paymentInfo(price) }),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, answered])),
      ...Object.fromEntries(
        rpcErrors.map((status) => [status, { description: 'An error of JSON-RPC', content: rpcContent }]),
      ),
      ...(isPriced && { 402: refusals[402] }),
      403: refusals[403],
      ...(isLimited && { 429: refusals[429] }),
      default: { description: 'A problem', content: problemContent },
    },
  };
}

const payments = [
  {
    name: 'PAYMENT-SIGNATURE',
    in: 'header',
    required: false,
    description: 'The payment: JSON of x402 v2 in Base64. Also read from X-PAYMENT.',
    schema: { type: 'string' },
  },
  {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'The same payer, key and question are one payment and one answer, at every API. A blank key counts as none.',
    schema: { type: 'string' },
  },
];

/** For indexes of x402, which read it here. */
const paymentInfo = ({ price_usd }: PriceShown): Json => ({
  protocols: ['x402'],
  price: { mode: 'fixed', currency: 'USD', amount: String(price_usd) },
});

function parametersOf(place: 'path' | 'query', object: z.ZodObject | undefined): readonly Json[] {
  if (object === undefined) return [];
  const { properties = {}, required = [] } = schema(object) as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: of,
  }));
}

/** Schema of the JSON on the wire, before it is parsed. */
function schema(of: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(of, { io: 'input' });
  return rest;
}

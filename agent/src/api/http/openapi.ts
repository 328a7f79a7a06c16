import { z } from 'zod';
import { type Endpoint, endpoints, problem } from './endpoints.ts';

type Json = Readonly<Record<string, unknown>>;

/** Generates OpenAPI 3.1 for plain HTTP from the schemas that parse and type it. */
export function openApiOf(version: string, publicUrl: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [id, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method]: operation(id, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bowline',
      version,
      description:
        'Prices, fair-price verdicts, plans and loan guards on BNB Chain. Every error is a problem (RFC 9457). ' +
        '/mcp and /a2a have protocols of their own and are not listed here.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: { schemas: { Problem: schema(problem) } },
  };
}

function operation(operationId: string, endpoint: Endpoint): Json {
  const { summary, params, query, body, answer, statuses = [200], mediaType = 'application/json' } = endpoint;
  const parameters = [...parametersOf('path', params), ...parametersOf('query', query)];
  const answered = { description: 'The answer', content: { [mediaType]: { schema: schema(answer) } } };
  return {
    operationId,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: schema(body) } } } }),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, answered])),
      default: {
        description: 'A problem',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

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

import { problemCodes } from '@bowline/http/problem';
import { z } from 'zod';
import type { Tool } from '../../tools/tool.ts';

type Json = Readonly<Record<string, unknown>>;

/** The HTTP API in OpenAPI 3.1; inputs and outputs of tools come from the tools themselves. */
export function openApiOf(tools: readonly Tool[], version: string, publicUrl: string): Json {
  const tool = (name: string) => {
    const found = tools.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`There is no tool "${name}".`);
    const schema = (of: z.ZodType) => {
      const { $schema: _, ...rest } = z.toJSONSchema(of, { io: 'input' }) as Record<string, unknown>;
      return rest;
    };
    return { description: found.description, input: schema(found.input), output: schema(found.output) };
  };
  const check = tool('check_asset');
  const draft = tool('draft_swap');
  const outlook = tool('plan_outlook');
  const answer = check.output.properties as Record<string, Json>;
  const { evidence: _text, ...shown } = answer;

  return {
    openapi: '3.1.0',
    info: {
      title: 'Bowline',
      version,
      description:
        'Prices, fair-price verdicts, plans and loan guards on BNB Chain. Every error is a problem (RFC 9457).',
    },
    servers: [{ url: publicUrl }],
    paths: {
      '/ping': {
        get: operation('Whether the process is up', { type: 'object', properties: { status: { const: 'HEALTHY' } } }),
      },
      '/ready': { get: operation('Whether what it stands on is there', { type: 'object' }) },
      '/x402': {
        get: operation('What an answer costs, and its limits', { type: 'object' }),
        post: operation(
          'Answers a question in words; above a price of 0 it is paid for by x402 v2',
          {
            type: 'object',
            properties: {
              result: { type: 'string' },
              tools: { type: 'array', items: { type: 'string' } },
              tickets: { type: 'array' },
              answered_by: { enum: ['model', 'embedded'] },
            },
          },
          {
            body: {
              type: 'object',
              properties: { prompt: { type: 'string', maxLength: 4_000 } },
              required: ['prompt'],
            },
          },
        ),
      },
      '/verdict': {
        get: operation(
          check.description,
          {
            type: 'object',
            properties: { ...pick(shown, ['verdict', 'reason', 'findings', 'ticket']), evidence: { type: 'object' } },
          },
          { query: check.input.properties as Record<string, Json> },
        ),
      },
      '/swap-draft': { post: operation(draft.description, draft.output, { body: draft.input }) },
      '/desk-quote': {
        post: operation(
          'A quote of the desk to one buyer, signed; on the local and the test chain alone',
          { type: 'object' },
          {
            body: {
              type: 'object',
              properties: {
                asset: { type: 'string' },
                amount_usd: { type: 'string' },
                amount_asset: { type: 'string' },
                owner: { type: 'string' },
                acknowledge_caution: { type: 'boolean' },
              },
              required: ['asset', 'owner'],
            },
          },
        ),
      },
      '/plans/{id}/outlook': {
        get: operation(outlook.description, outlook.output, { path: ['id'] }),
      },
      '/deliverables/{hash}': {
        get: operation('What was delivered for a job, by its hash', { type: 'object' }, { path: ['hash'] }),
      },
      '/job/{id}/response': {
        get: operation('What was delivered for a job, by its number', { type: 'object' }, { path: ['id'] }),
      },
    },
    components: {
      schemas: {
        Problem: {
          type: 'object',
          properties: {
            type: { type: 'string' },
            title: { type: 'string' },
            status: { type: 'integer' },
            code: { enum: problemCodes },
            reason: { type: 'string' },
            detail: { type: 'string' },
          },
          required: ['type', 'title', 'status', 'code', 'detail'],
        },
      },
    },
  };
}

const pick = (from: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

interface Asked {
  readonly body?: Json;
  readonly query?: Readonly<Record<string, Json>>;
  readonly path?: readonly string[];
}

function operation(summary: string, output: Json, { body, query = {}, path = [] }: Asked = {}) {
  const json = (schema: Json) => ({ 'application/json': { schema } });
  const parameters = [
    ...path.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', required: name === 'asset', schema })),
  ];
  return {
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      200: { description: 'The answer', content: json(output) },
      default: {
        description: 'A problem',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

import { boundedText } from '@bowline/core/domain/bounded-text';
import type * as z from 'zod/mini';
import { problem } from '../../wire.ts';

/** The server's own error: `code` as documented, `detail` a sentence of this project. */
export class ApiError extends Error {
  readonly code: string;
  /** HTTP status of an error response. Undefined: the page itself set the code. */
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, detail: string, status?: number, retryAfterSeconds?: number) {
    super(detail);
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Size limit of an answer, many times the largest expected. A longer one would block the page while it is parsed. */
const MAX_BYTES = 2_000_000;

export const getJson = <Schema extends z.ZodMiniType>(path: string, schema: Schema, limitMs?: number) =>
  ask(path, {}, schema, limitMs);

export const postJson = <Schema extends z.ZodMiniType>(path: string, body: unknown, schema: Schema) =>
  ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }, schema);

async function ask<Schema extends z.ZodMiniType>(
  path: string,
  init: RequestInit,
  schema: Schema,
  limitMs = 60_000,
): Promise<z.output<Schema>> {
  const response = await fetch(path, { ...init, signal: AbortSignal.timeout(limitMs) }).catch(() => {
    throw new ApiError('server_unavailable', 'The page’s server does not answer.');
  });
  const body = await boundedText(response, MAX_BYTES)
    .then((text): unknown => JSON.parse(text))
    .catch(() => undefined);
  if (!response.ok) throw problemOf(response, body);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiError('answer_malformed', 'The server’s answer is not one that this page knows.');
}

function problemOf({ headers, status }: Response, body: unknown): ApiError {
  const { data } = problem.safeParse(body);
  const wait = headers.get('retry-after') ?? '';
  return new ApiError(
    data?.code ?? 'internal',
    data?.detail ?? `The server refused with status ${status}.`,
    status,
    /^\d{1,4}$/.test(wait) ? Number(wait) : undefined,
  );
}

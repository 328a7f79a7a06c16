import type { z } from 'zod';
import { agentAnswer, buyAnswer, pageConfig, problem, quoteAnswer } from '../../wire.ts';

/** The server's no, in its own words; `code` stays the same. */
class ApiError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

async function ask<Schema extends z.ZodType>(schema: Schema, path: string, body?: unknown): Promise<z.output<Schema>> {
  const init: RequestInit =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(path, init);
    answer = await response.json();
  } catch {
    throw new ApiError('unreachable', 'The server cannot be reached. Is it running?');
  }
  if (!response.ok) {
    const { data } = problem.safeParse(answer);
    throw new ApiError(data?.code ?? 'internal', data?.detail ?? 'The server could not answer.');
  }
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new ApiError('internal', 'The server gave an answer that this page cannot read.');
  return parsed.data;
}

export const loadConfig = () => ask(pageConfig, '/config.json');
export const getQuotes = () => ask(quoteAnswer, '/api/quote');
export const askAgent = (prompt: string) => ask(agentAnswer, '/api/agent', { prompt });

export interface BuyOrder {
  readonly asset: string;
  readonly amount_usd: string;
  readonly owner: string;
  readonly acknowledge_caution: boolean;
  readonly max_slippage_bps: number;
}

export const draftBuy = (order: BuyOrder) => ask(buyAnswer, '/api/buy', order);

import type { Json, Resource } from '@bowline/core/domain/payment';
import type { Result } from '@bowline/core/domain/result';
import { type Ask, answerAt } from '../../selling/payments/question.ts';
import { pricedTools } from '../../tools/priced.ts';
import { failed, type Quote, type Reply } from './reply.ts';

interface Endpoint {
  readonly method: string;
  readonly path: string;
}

interface QuoteParts {
  /** Payment terms of a resource, as x402's PaymentRequired. Throws BowlineError `payment_unavailable`. */
  readonly terms: (resource: Resource) => Promise<Json>;
  /** Reads a priced tool's input. */
  readonly read: (tool: string, input: unknown) => Result<unknown>;
  /** Whether a question in words costs nothing. */
  readonly isFree: (prompt: string) => boolean;
  /** The HTTP endpoint that sells each tool's answer; `ask` sells answers in words. */
  readonly sold: Readonly<Record<string, Endpoint>> & { readonly ask: Endpoint };
  /** Public base URL, without a trailing slash. */
  readonly publicUrl: string;
}

export function createQuote({ terms, read, isFree, sold, publicUrl }: QuoteParts): Quote {
  async function refuse({ method, path }: Endpoint): Promise<Reply> {
    const endpoint = { method: method.toUpperCase(), url: `${publicUrl}${path}` };
    return {
      error: `This answer has a price, and A2A accepts no payment. Use ${endpoint.method} ${endpoint.url}, and pay there with x402.`,
      code: 'payment_required',
      retryable: false,
      endpoint,
      required: await terms(answerAt(endpoint.url)),
    };
  }

  return async (ask: Ask) => {
    if ('prompt' in ask) return isFree(ask.prompt) ? undefined : refuse(sold.ask);
    const { tool, input } = ask;
    if (!pricedTools.includes(tool)) return undefined;
    const asked = read(tool, input);
    if (!asked.ok) return failed(asked, tool);
    return refuse(sold[tool] ?? sold.ask);
  };
}

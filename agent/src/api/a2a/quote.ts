import type { Json, Resource } from '@bowline/core/domain/payment';
import type { Result } from '@bowline/core/domain/result';
import type { Ask } from '../../payments/question.ts';
import { draftSwap } from '../../tools/draft-swap.ts';
import { pricedTools } from '../../tools/priced.ts';
import { endpoints } from '../http/endpoints.ts';
import { failed, type Reply } from './reply.ts';

interface QuoteParts {
  /** What is to be paid for a resource, as x402's PaymentRequired. Throws BowlineError `payment_unavailable`. */
  readonly terms: (resource: Resource) => Promise<Json>;
  /** Reads a priced tool's input. */
  readonly read: (tool: string, input: unknown) => Result<unknown>;
  /** Whether a question in words costs nothing. */
  readonly isFree: (prompt: string) => boolean;
  /** Public base URL, without a trailing slash. */
  readonly publicUrl: string;
}

/** The reply to a question with a price: its terms, and the HTTP endpoint that sells the answer. Undefined: it is free. */
export type Quote = (ask: Ask) => Promise<Reply | undefined>;

export function createQuote({ terms, read, isFree, publicUrl }: QuoteParts): Quote {
  async function refuse({ method, path }: { readonly method: string; readonly path: string }): Promise<Reply> {
    const endpoint = { method: method.toUpperCase(), url: `${publicUrl}${path}` };
    return {
      error: `This answer has a price, and A2A takes no payment. Ask ${endpoint.method} ${endpoint.url}, and pay there by x402.`,
      code: 'payment_required',
      retryable: false,
      endpoint,
      required: await terms({ url: endpoint.url, description: 'One answer of Bowline' }),
    };
  }

  return async (ask) => {
    if ('prompt' in ask) return isFree(ask.prompt) ? undefined : refuse(endpoints.ask);
    const { tool, input } = ask;
    if (!pricedTools.includes(tool)) return undefined;
    const asked = read(tool, input);
    if (!asked.ok) return failed(asked, tool);
    return refuse(tool === draftSwap.name ? endpoints.swapDraft : endpoints.verdict);
  };
}

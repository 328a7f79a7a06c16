import { writtenAddress as address } from '@bowline/core/schemas';
import type { Address, Hex } from 'viem';
import { z } from 'zod';

// What a job's buyer sends the agent over A2A 1.0. On chain, the buyer uses the escrow (ERC-8183) by `@bnbagent/sdk`.

/** A request must state terms in words. The agent's own are in its offer. */
export const reportTerms = { deliverables: 'a verdict report', quality_standards: 'every check with its measure' };

interface Asking {
  readonly skill: 'negotiate' | 'notify_funded';
  readonly client?: Address | undefined;
  readonly [name: string]: unknown;
}

/** The request that sends data to the agent's A2A endpoint. */
export const requestTo = (data: Asking): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ data }] } },
  }),
});

/** The data of a reply. */
const replyOf = <Data>(shape: z.ZodType<Data>) =>
  z
    .object({ result: z.object({ message: z.object({ parts: z.array(z.object({ data: z.unknown() })) }) }) })
    .transform(({ result }) => shape.parse(result.message.parts[0]?.data));

interface Problem {
  readonly problem: string;
  readonly code: string | undefined;
  readonly offeredTerms?: OfferedTerms | undefined;
}

const offeredTerms = z.looseObject({ deliverables: z.string(), quality_standards: z.string() });

/** The only terms on which the agent sells. */
export type OfferedTerms = z.output<typeof offeredTerms>;

const problem = z
  .looseObject({ error: z.string(), code: z.string().optional() })
  .transform(({ error, code }): Problem => ({ problem: error, code }));

const refused = z
  .looseObject({
    response: z.looseObject({ accepted: z.literal(false), reason: z.string() }),
    code: z.string().optional(),
    offered_terms: offeredTerms.optional(),
  })
  .transform(
    ({ response, code, offered_terms }): Problem => ({ problem: response.reason, code, offeredTerms: offered_terms }),
  );

const hex = z.custom<Hex>((text) => typeof text === 'string' && /^0x[0-9a-fA-F]*$/.test(text));

const offer = z.looseObject({
  response: z.looseObject({
    accepted: z.literal(true),
    terms: z.looseObject({ price: z.string(), currency: address }),
  }),
  negotiation_hash: hex,
  provider_sig: hex,
  chain_id: z.int(),
  /** The escrow, as in the deployment. */
  verifying_contract: address,
});

/** Signed over `negotiation_hash`, as the ecosystem's libraries expect. The price is in base units of the currency. */
export type Offer = z.output<typeof offer>;

export const offered = replyOf<{ readonly offer: Offer } | (Problem & { readonly offer?: never })>(
  z.union([offer.transform((made) => ({ offer: made })), refused, problem]),
);

/** Undefined: the agent has accepted it. */
export const noticeReply = replyOf<Partial<Problem>>(
  z.union([
    z.looseObject({ status: z.literal('accepted') }).transform((): Partial<Problem> => ({})),
    z
      .looseObject({ status: z.literal('rejected'), reason: z.string() })
      .transform(({ reason }): Partial<Problem> => ({ problem: reason })),
    problem,
  ]),
);

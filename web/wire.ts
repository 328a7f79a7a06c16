import { findingUnits } from '@bowline/core/domain/verdict';
import { addressInput as address } from '@bowline/core/schemas';
import { z } from 'zod';

// The web server's answers, as the page parses them. Amounts and prices are decimal text: a number would lose digits.

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)]);
const integer = z.string().regex(/^-?\d+$/);
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);

export const verdictWord = z.enum(['GO', 'CAUTION', 'NO_GO', 'NO_DATA']);

export const finding = z.object({
  check: z.string(),
  question: z.string(),
  outcome: z.enum(['pass', 'caution', 'no_go', 'no_data']),
  reason: z.string().nullable(),
  measured: integer.nullable(),
  limit: integer,
  caution_limit: integer.nullable(),
  unit: z.enum(findingUnits),
  /** Age of each source, in seconds. */
  ages: z.record(z.string(), integer),
  detail: z.string(),
});

const judged = z.object({ verdict: verdictWord, reason: z.string().nullable(), findings: z.array(finding) });

/**
 * `GET /config.json`: everything the page needs to know about the chain, none of it secret. The page's build has it
 * too.
 */
export const pageConfig = z.object({
  chainId: z.int(),
  chainName: z.string(),
  /** Base URL of a block explorer; null if there is none. */
  explorerUrl: z.url().nullable(),
  /** For reading only; signed transactions go through the user's wallet. */
  rpcUrl: z.string(),
  contracts: z.object({
    planRegistry: address,
    swapExecutor: address,
    revocations: address,
    loanGuard: address,
    priceSource: address,
    quoteDesk: address.nullable(),
    /** Of PancakeSwap v3. */
    router: address,
    quoter: address,
  }),
  /** Whose tickets are the deployment's own. */
  verdictSigners: z.array(address),
  /** Tokens over which a swap may lead. */
  hubs: z.array(address),
  /** The lending protocols of the registry. */
  lending: z.array(
    z.object({
      name: z.string(),
      /** What of it is read, in words. */
      scope: z.string(),
      /** Where people borrow. */
      url: z.url(),
      /** This project's contract. */
      adapter: address,
      /** The protocol's own contract that keeps the accounts. */
      core: address,
    }),
  ),
  assets: z.array(
    z.object({
      symbol: z.string(),
      name: z.string(),
      class: z.enum(['crypto', 'stable', 'tokenised_stock', 'lst']),
      address,
      decimals: z.int(),
      /** What it is bought with. */
      quote: z.string(),
      /** Chainlink's feed in USD; for a token with an underlying, the feed of the underlying. */
      feed: address,
      feedDecimals: z.int(),
      /** The contract that returns the amount of the underlying per token; null for a token without an underlying. */
      multiplier: address.nullable(),
    }),
  ),
});

/** `GET /api/quote`. An unavailable part is null, with the code of its reason. */
export const quoteAnswer = z.object({
  /** When it was requested and when it was sent, by the server's clock: an answer serves many pages. */
  time: z.iso.datetime(),
  sent_at: z.iso.datetime(),
  assets: z.array(
    z.object({
      symbol: z.string(),
      price_usd: decimal.nullable(),
      change_24h_percent: decimal.nullable(),
      /** Hourly closes, oldest first: unix seconds and US dollars. */
      history: z.array(z.tuple([z.int(), decimal])),
      /** Unix seconds by the chain's clock: the judged block, and the end of the ticket, if there is one. */
      judged: judged.extend({ issued_at: integer, expires_at: integer.nullable() }).nullable(),
      unavailable: z.array(z.string()),
    }),
  ),
});

/** `POST /api/buy`. */
export const buyAnswer = judged.extend({
  asset: z.string(),
  side: z.enum(['buy', 'sell']),
  token_in: address.nullable(),
  amount_in: integer.nullable(),
  token_out: address.nullable(),
  min_amount_out: integer.nullable(),
  /** For the owner's wallet, in this order; null if withheld. */
  calls: z
    .array(z.strictObject({ kind: z.enum(['approve', 'swap']), to: address, data: hex, value: integer }))
    .nullable(),
  withheld: z.string().nullable(),
  /** The agent's simulated changes of the owner's balances, in base units. The page does not show them. */
  simulated: z.object({ token_in_delta: integer, token_out_delta: integer }).nullable(),
  expires_at: integer,
  /** From the QuoteDesk, if there is one. */
  desk: z
    .object({
      desk: address,
      quote: z
        .strictObject({
          buyer: address,
          token_in: address,
          amount_in: integer,
          token_out: address,
          amount_out: integer,
          nonce: integer,
          expires_at: integer,
        })
        .nullable(),
      signature: hex.nullable(),
      withheld: z.string().nullable(),
    })
    .nullable(),
});

/** `POST /api/agent`. */
export const agentAnswer = z.object({
  result: z.string(),
  tools: z.array(z.string()),
  /** What to ask instead; each prompt is answered. */
  choices: z.array(z.object({ label: z.string(), prompt: z.string() })).default([]),
  answered_by: z.enum(['model', 'embedded']),
});

/** Every error of the server. */
export const problem = z.object({ code: z.string(), detail: z.string() });

export type PageConfig = z.infer<typeof pageConfig>;
export type QuoteAnswer = z.infer<typeof quoteAnswer>;
export type QuotedAsset = QuoteAnswer['assets'][number];
export type BuyAnswer = z.infer<typeof buyAnswer>;
export type AgentAnswer = z.infer<typeof agentAnswer>;
export type Finding = z.infer<typeof finding>;
export type Ruling = z.infer<typeof judged>;
export type VerdictWord = z.infer<typeof verdictWord>;

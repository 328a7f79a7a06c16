import type { Address } from '@bowline/core/domain/units';
import { findingUnits } from '@bowline/core/domain/verdict';
import * as z from 'zod/mini';

// The web server's answers, as the page parses them. Amounts and prices are decimal text: a number would lose digits.
// Written in zod/mini, which is a third of zod's size in the page.

/** In any letter case: a checksum is not required. */
const address = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  z.transform((text) => text as Address),
);
const hex = z.templateLiteral(['0x', z.string().check(z.regex(/^[0-9a-fA-F]*$/))]);
const integer = z.string().check(z.regex(/^-?\d+$/));
/** A number in a ticket: up to the 78 digits of 256 bits. */
const natural = z.string().check(z.regex(/^\d{1,78}$/));
/** Unix seconds before the year 2244. A browser cannot format every number as a time. */
const time = z.int().check(z.gte(0), z.lte(8_640_000_000));
/** A price in US dollars: above zero, and no longer than the chain's and the exchange's prices can be. */
const price = z.string().check(z.regex(/^(?=.*[1-9])\d{1,12}(\.\d{1,18})?$/));
const percent = z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,18})?$/));

export const verdictWord = z.enum(['GO', 'CAUTION', 'NO_GO', 'NO_DATA']);

export const finding = z.object({
  check: z.string(),
  question: z.string(),
  outcome: z.enum(['pass', 'caution', 'no_go', 'no_data']),
  reason: z.nullable(z.string()),
  measured: z.nullable(integer),
  limit: integer,
  caution_limit: z.nullable(integer),
  unit: z.enum(findingUnits),
  /** Age of each source, in seconds. */
  ages: z.record(z.string(), integer),
  detail: z.string(),
});

const judged = z.object({
  ...{ verdict: verdictWord, reason: z.nullable(z.string()), findings: z.array(finding) },
  /** The largest size that would be GO, in US dollars; nothing else depends on it. */
  largest_go_usd: z.catch(z.optional(z.nullable(price)), null),
});

/**
 * `GET /config.json`: everything the page needs to know about the chain, none of it secret. The page's build contains
 * it too.
 */
export const pageConfig = z.object({
  chainId: z.int(),
  chainName: z.string(),
  /** Base URL of a block explorer; null if there is none. */
  explorerUrl: z.nullable(z.url()),
  /** For reading only; signed transactions go through the user's wallet. */
  rpcUrl: z.string(),
  /** Other nodes that an audit may read from: origins, or `https:` for any. Absent: none. */
  auditNodes: z.exactOptional(z.array(z.string())),
  /** Origins of Safe's web app that may frame the page. Absent: none. */
  safeApps: z.exactOptional(z.array(z.string())),
  /** How wallets on other devices are reached. Absent: they are not offered. */
  walletConnect: z.exactOptional(z.object({ projectId: z.string(), relay: z.string() })),
  contracts: z.object({
    planRegistry: address,
    swapExecutor: address,
    revocations: address,
    loanGuard: address,
    /** Absent where it is not deployed. */
    collateralGuard: z.exactOptional(address),
    /** Chainlink's price source, which plans and guards use. */
    priceSource: address,
    /** Price source that plans may use instead. */
    venusPriceSource: address,
    quoteDesk: z.nullable(address),
    /** PancakeSwap v3's contracts. */
    router: address,
    quoter: address,
    poolDeployer: address,
  }),
  /** Signers of the deployment's own tickets. */
  verdictSigners: z.array(address),
  /** The rules by which its verdicts were judged, and when; unix seconds. Absent: only the newest. */
  rules: z.exactOptional(
    z.array(z.object({ version: z.int(), from: time, until: z.exactOptional(time), release: z.string() })),
  ),
  /** Tokens through which a swap may be routed. */
  hubs: z.array(address),
  /** The lending protocols of the registry. */
  lending: z.array(
    z.object({
      name: z.string(),
      /** Which part of it is read, in words. */
      scope: z.string(),
      /** Where people borrow. */
      url: z.url(),
      /** This project's adapter contract. */
      adapter: address,
      /** The adapter for both sides of a loan; absent where CollateralGuard is not deployed. */
      collateralAdapter: z.exactOptional(address),
      /** The protocol's own contract that holds the accounts. */
      core: address,
      /** Market contracts that accept a borrower's own payments; absent where `core` accepts them. */
      payable: z.exactOptional(z.readonly(z.array(address))),
      /** Contracts that accept BNB itself; absent where none does. */
      native: z.exactOptional(z.object({ market: address, repaysAll: address })),
      /** If `name` is one of the protocol's isolated markets: the protocol's own name, and that market. */
      family: z.exactOptional(z.string()),
      market: z.exactOptional(hex),
    }),
  ),
  assets: z.array(
    z.object({
      symbol: z.string(),
      name: z.string(),
      class: z.enum(['crypto', 'stable']),
      address,
      decimals: z.int(),
      /** The token that it is bought with. */
      quote: z.string(),
      /** Fee of the pool of the two tokens, in millionths; null if the registry names none. */
      poolFeeMillionths: z.nullable(z.int()),
      /** Chainlink's feed in USD. */
      feed: address,
      feedDecimals: z.int(),
    }),
  ),
});

const assetQuote = z.object({
  symbol: z.string(),
  price_usd: z.nullable(price),
  change_24h_percent: z.nullable(percent),
  /** Hourly closes, oldest first: unix seconds and US dollars. */
  history: z.array(z.tuple([time, price])),
  /** Unix seconds by the chain's clock: the judged block, and the end of the ticket, if there is one. */
  judged: z.nullable(z.extend(judged, { issued_at: integer, expires_at: z.nullable(integer) })),
  unavailable: z.array(z.string()),
});

/** An asset with any unreadable part has only the reason, and does not affect the others. */
const readableQuote = z.catch(assetQuote, ({ input, error }): z.infer<typeof assetQuote> => {
  const { symbol } = (input ?? {}) as { readonly symbol?: unknown };
  const isPrice = error.issues.some(
    ({ path: [field, , part] }) => field === 'price_usd' || (field === 'history' && part === 1),
  );
  return {
    symbol: typeof symbol === 'string' ? symbol : '',
    ...{ price_usd: null, change_24h_percent: null, history: [], judged: null },
    unavailable: [isPrice ? 'price_malformed' : 'answer_malformed'],
  };
});

/** `GET /api/quote`. An unavailable part is null, with the code of its reason. */
export const quoteAnswer = z.object({
  /** When it was requested and when it was sent, by the server's clock: an answer serves many pages. */
  time: z.iso.datetime(),
  sent_at: z.iso.datetime(),
  /** Whether the agent says that it can rescue loans now, and if not, why; null if it says nothing. */
  rescues: z._default(z.nullable(z.object({ ok: z.boolean(), reason: z.nullable(z.string()) })), null),
  /** The same for buys; also null if the agent is not the executor's operator. */
  buys: z._default(z.nullable(z.object({ ok: z.boolean(), reason: z.nullable(z.string()) })), null),
  /**
   * The agent's statement about its own work, unparsed: the page parses it separately (@bowline/core/serving), so that
   * an unreadable statement does not cost any prices. Null if there is none.
   */
  serves: z._default(z.unknown(), null),
  assets: z.array(readableQuote),
});

/** `GET /api/quote/SYMBOL`. Daily closes of the past year, in unix seconds and US dollars, oldest first, today last. */
export const yearAnswer = z.object({ symbol: z.string(), closes: z.array(z.tuple([time, price])) });

/** `POST /api/buy`. */
export const buyAnswer = z.extend(judged, {
  asset: z.string(),
  side: z.enum(['buy', 'sell']),
  token_in: z.nullable(address),
  amount_in: z.nullable(integer),
  token_out: z.nullable(address),
  min_amount_out: z.nullable(integer),
  /** For the owner's wallet, in this order; null if withheld. */
  calls: z.nullable(
    z.array(z.strictObject({ kind: z.enum(['approve', 'swap']), to: address, data: hex, value: integer })),
  ),
  withheld: z.nullable(z.string()),
  /** The agent's simulated changes of the owner's balances, in base units. The page does not show them. */
  simulated: z.nullable(z.object({ token_in_delta: integer, token_out_delta: integer })),
  expires_at: integer,
});

/** `POST /api/agent`. */
export const agentAnswer = z.object({
  result: z.string(),
  tools: z.array(z.string()),
  /**
   * The signed verdicts among the answer's facts. Prices: base units of token_in for 1e18 of token_out; unix seconds.
   * Other signed fields are passed on for whoever judges them.
   */
  tickets: z._default(
    z.array(
      z.looseObject({
        ...{ token_in: address, token_out: address, verdict: z.int() },
        ...{ max_price_wad: natural, max_amount_in: natural, issued_at: z.optional(natural), expires_at: natural },
      }),
    ),
    [],
  ),
  /** Suggested questions instead; each prompt has an answer. */
  choices: z._default(z.array(z.object({ label: z.string(), prompt: z.string() })), []),
  answered_by: z.enum(['model', 'embedded']),
});

/** Every error of the server. */
export const problem = z.object({ code: z.string(), detail: z.string() });

export type PageConfig = z.infer<typeof pageConfig>;
export type QuoteAnswer = z.infer<typeof quoteAnswer>;
export type YearAnswer = z.infer<typeof yearAnswer>;
export type QuotedAsset = QuoteAnswer['assets'][number];
export type BuyAnswer = z.infer<typeof buyAnswer>;
export type AgentAnswer = z.infer<typeof agentAnswer>;
export type Finding = z.infer<typeof finding>;
export type Ruling = z.infer<typeof judged>;
export type VerdictWord = z.infer<typeof verdictWord>;

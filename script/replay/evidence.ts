import { z } from 'zod';
import type { Proposal } from '../../agent/src/domain/facts.ts';
import type { Address } from '../../agent/src/domain/units.ts';

// The evidence document as it is written down (docs/verdict.md), and back into what the guard judges. Strict: a field that is
// not known here is one that the rules here did not look at.

const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt);
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text as Address);
const band = z.strictObject({ caution: integer, noGo: integer });
const side = z.enum(['buy', 'sell']);

const asset = z.strictObject({
  symbol: z.string(),
  name: z.string(),
  class: z.enum(['crypto', 'stable']),
  address,
  decimals: z.int(),
  feed: address,
  feedDecimals: z.int(),
  pool: z.strictObject({ address, quote: z.string(), feeMillionths: z.int() }),
  exchangePair: z.string().exactOptional(),
  aliases: z.array(z.string()),
});

const reference = z.strictObject({
  source: z.enum(['chainlink', 'venus', 'exchange']),
  feed: address.exactOptional(),
  usdWad: integer,
  updatedAt: integer.exactOptional(),
});

const proposal = z.strictObject({
  asset,
  quoteAsset: asset,
  side,
  size: z.union([
    z.strictObject({ usdWad: integer }),
    z.strictObject({ paid: integer }),
    z.strictObject({ asset: integer }),
  ]),
  chain: z.strictObject({
    block: z.strictObject({ number: integer, timestamp: integer }),
    chainlink: reference.exactOptional(),
    venus: reference.exactOptional(),
    quoteToken: reference.exactOptional(),
    spotWad: integer.exactOptional(),
    twapWad: integer.exactOptional(),
    twapSeconds: integer,
    quote: z
      .strictObject({ side, tokenIn: address, tokenOut: address, amountIn: integer, amountOut: integer })
      .exactOptional(),
  }),
  readAt: integer,
  exchange: z
    .union([z.literal('off'), z.strictObject({ bidWad: integer, askWad: integer, answeredAt: integer })])
    .exactOptional(),
  limits: z.strictObject({
    referenceAgeSeconds: integer,
    quoteAgeSeconds: integer,
    blockAgeSeconds: integer,
    exchangeAgeSeconds: integer,
    spreadBps: band,
    referencesBps: band,
    poolBps: band,
    twapBps: band,
    impactBps: band,
    pegBps: band,
  }),
}) satisfies z.ZodType<Proposal>;

export const evidenceDocument = z.strictObject({
  /** Of the rules that it was judged by. */
  rules: z.int(),
  proposal,
  verdict: z.enum(['GO', 'CAUTION', 'NO_GO', 'NO_DATA']),
  /** As they were found; compared as they stand here, in canonical JSON. */
  findings: z.array(z.looseObject({ check: z.string(), outcome: z.string() })),
});

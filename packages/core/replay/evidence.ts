import { z } from 'zod';
import { assetClasses } from '../domain/assets.ts';
import { type Proposal, priceSources } from '../domain/facts.ts';
import type { Hex } from '../domain/units.ts';
import { writtenAddress as address } from '../schemas.ts';
import { sentence, textOf } from '../texts/words.ts';
import { rulesVersion } from '../verdict/rules.ts';

// Parses the evidence document (docs/verdict.md) back into the input of the checks. Strict: an unknown field is one
// that these rules did not read.

const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt);
const natural = z.string().regex(/^\d+$/).transform(BigInt);
const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]+$/)
  .transform((text) => text as Hex);
const band = z.strictObject({ caution: natural, noGo: natural }).refine(({ caution, noGo }) => caution <= noGo);
const side = z.enum(['buy', 'sell']);

const priced = z.strictObject({
  symbol: z.string(),
  name: z.string(),
  class: z.enum(assetClasses),
  address,
  decimals: z.int(),
  feed: address,
  feedDecimals: z.int(),
  exchangePair: z.string().exactOptional(),
  pythId: hex.exactOptional(),
  onVenus: z.literal(false).exactOptional(),
  aliases: z.array(z.string()),
});

const pool = z.strictObject({
  address: address.exactOptional(),
  quote: z.string(),
  feeMillionths: z.int().exactOptional(),
});

const reference = z.strictObject({
  source: z.enum(priceSources),
  feed: address.exactOptional(),
  usdWad: integer,
  updatedAt: integer.exactOptional(),
  confidenceWad: integer.exactOptional(),
});

const signedReference = reference.extend({ signed: hex.exactOptional() });

const orOff = <Fact extends z.ZodType>(fact: Fact) => z.union([z.literal('off'), fact]).exactOptional();

const amounts = { amountIn: natural, amountOut: natural };

const chain = z.strictObject({
  block: z.strictObject({ number: integer, timestamp: integer, parentHash: hex }),
  chainlink: reference.exactOptional(),
  venus: reference.exactOptional(),
  redStone: orOff(reference),
  binanceOracle: orOff(reference),
  quoteToken: reference.exactOptional(),
  quoteRedStone: orOff(reference),
  quoteBinanceOracle: orOff(reference),
  route: z.array(z.strictObject({ pool: address, feeMillionths: z.int(), tokenOut: address })).exactOptional(),
  spotWad: integer.exactOptional(),
  twapWad: integer.exactOptional(),
  twapSeconds: integer,
  quote: z.strictObject({ side, tokenIn: address, tokenOut: address, ...amounts }).exactOptional(),
  directOut: integer.exactOptional(),
  smallerQuotes: z.array(z.strictObject(amounts)).exactOptional(),
  chainlinkBeforeWad: integer.exactOptional(),
  chainlinkPast: z.array(z.strictObject({ usdWad: integer, updatedAt: integer })).exactOptional(),
  finalBlock: integer.exactOptional(),
  play: z
    .union([z.literal('refused'), z.strictObject({ received: integer, returned: integer.exactOptional() })])
    .exactOptional(),
});

const limits = z.strictObject({
  referenceAgeSeconds: natural,
  quoteAgeSeconds: natural,
  blockAgeSeconds: natural,
  exchangeAgeSeconds: natural,
  pythAgeSeconds: natural,
  finalityBlocks: band,
  jumpBps: band,
  costBps: band,
  taxBps: band,
  roundTripBps: band,
  pegBps: band,
  volatilityBps: band,
  moveBps: band,
  fittedHours: natural,
});

const proposal = z.strictObject({
  asset: priced.extend({ pool }),
  quoteAsset: priced.extend({ pool: pool.exactOptional() }),
  side,
  size: z.union([
    z.strictObject({ usdWad: integer }),
    z.strictObject({ paid: integer }),
    z.strictObject({ asset: integer }),
  ]),
  chain,
  readAt: integer,
  exchange: orOff(z.strictObject({ bidWad: integer, askWad: integer, answeredAt: integer })),
  history: orOff(z.strictObject({ intervalSeconds: integer, closesWad: z.array(integer) })),
  pyth: orOff(signedReference),
  quotePyth: orOff(signedReference),
  limits,
}) satisfies z.ZodType<Proposal>;

export const evidenceDocument = z.strictObject({
  rules: z.literal(rulesVersion),
  proposal,
  verdict: z.enum(['GO', 'CAUTION', 'NO_GO', 'NO_DATA']),
  /** As recorded; compared as canonical JSON. */
  findings: z.array(z.looseObject({ check: z.string(), outcome: z.string() })),
});

/** Evidence of other rules. It is not judged at all: weaker rules might pass a trade that these refuse. */
export class UnsupportedRules extends Error {
  readonly code = 'unsupported_rules';
  readonly version: number;

  constructor(version: number) {
    super(
      `unsupported_rules: ${sentence(textOf('unsupported_rules'))} It names version ${version}; this is version ${rulesVersion}.`,
    );
    this.name = 'UnsupportedRules';
    this.version = version;
  }
}

/**
 * Reads an evidence document.
 * @throws UnsupportedRules if it names another version of the rules; ZodError if it is malformed.
 */
export function readEvidence(written: unknown): z.output<typeof evidenceDocument> {
  const { rules } = z.looseObject({ rules: z.int() }).parse(written);
  if (rules !== rulesVersion) throw new UnsupportedRules(rules);
  return evidenceDocument.parse(written);
}

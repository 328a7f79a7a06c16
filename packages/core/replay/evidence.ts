import { z } from 'zod';
import { assetClasses } from '../domain/assets.ts';
import type { Proposal } from '../domain/facts.ts';
import type { Hex } from '../domain/units.ts';
import { writtenAddress as address } from '../schemas.ts';
import { limitsOf } from '../verdict/limits.ts';

// Parses the evidence document (docs/verdict.md) back into the input of the checks. Strict: an unknown field is one
// that these rules did not read.

const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt);
const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]+$/)
  .transform((text) => text as Hex);
const band = z.strictObject({ caution: integer, noGo: integer });
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
  multiplier: address.exactOptional(),
  vault: z.strictObject({ assetDecimals: z.int(), wad: integer, at: integer, maxYearBps: integer }).exactOptional(),
  calendar: z.string().exactOptional(),
  aliases: z.array(z.string()),
});

const pool = z.strictObject({ address, quote: z.string(), feeMillionths: z.int() });

const reference = z.strictObject({
  source: z.enum(['chainlink', 'venus', 'exchange', 'pyth']),
  feed: address.exactOptional(),
  usdWad: integer,
  updatedAt: integer.exactOptional(),
  confidenceWad: integer.exactOptional(),
});

const block = z.strictObject({ number: integer, timestamp: integer });
const chain = z.strictObject({
  block,
  chainlink: reference.exactOptional(),
  venus: reference.exactOptional(),
  quoteToken: reference.exactOptional(),
  spotWad: integer.exactOptional(),
  twapWad: integer.exactOptional(),
  twapSeconds: integer,
  quote: z
    .strictObject({ side, tokenIn: address, tokenOut: address, amountIn: integer, amountOut: integer })
    .exactOptional(),
  chainlinkBeforeWad: integer.exactOptional(),
  liquidity: z.strictObject({ now: integer, mean: integer }).exactOptional(),
  finalBlock: integer.exactOptional(),
  multiplier: z
    .strictObject({ wad: integer, beforeWad: integer, changedAt: integer, isHalted: z.boolean() })
    .exactOptional(),
  play: z
    .union([z.literal('refused'), z.strictObject({ received: integer, returned: integer.exactOptional() })])
    .exactOptional(),
});

const orOff = <Fact extends z.ZodType>(fact: Fact) => z.union([z.literal('off'), fact]).exactOptional();

/** Fields common to every version of the rules. */
const shown = {
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
};

const firstLimits = {
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
};

/** Rules version 1 read fewer facts: what it did not read is not missing, and its limits are the class's own. */
const firstProposal = z
  .strictObject({ ...shown, limits: z.strictObject(firstLimits) })
  .transform(({ limits, ...facts }): Proposal => {
    const unasked = { depth: 'off', history: 'off', pyth: 'off' } as const;
    return { ...facts, ...unasked, limits: { ...limitsOf[facts.asset.class], ...limits } };
  });

const secondLimits = {
  ...firstLimits,
  pythAgeSeconds: integer,
  finalityBlocks: band,
  confidenceBps: band,
  bookShareBps: band,
  jumpBps: band,
  withdrawnBps: band,
  taxBps: band,
  roundTripBps: band,
  volatilityBps: band,
  unusualMillisigma: band,
  premiumBps: band,
  multiplierBps: band,
  multiplierSeconds: integer,
  openingSeconds: integer,
};

/** Facts that rules version 2 and later ones read. */
const laterFacts = {
  ...shown,
  chain: chain.extend({ block: block.extend({ parentHash: hex }) }),
  depth: orOff(z.strictObject({ bidsWad: integer, asksWad: integer })),
  history: orOff(z.strictObject({ intervalSeconds: integer, closesWad: z.array(integer) })),
  pyth: orOff(reference),
  session: z
    .union([
      z.strictObject({ state: z.literal('open'), openedAt: integer, closesAt: integer }),
      z.strictObject({ state: z.literal('closed'), opensAt: integer.exactOptional() }),
    ])
    .exactOptional(),
};

const secondProposal = z
  .strictObject({ ...laterFacts, limits: z.strictObject(secondLimits) })
  .transform(({ limits, ...facts }): Proposal => {
    return { ...facts, limits: { ...limitsOf[facts.asset.class], ...limits } };
  });

const amounts = z.strictObject({ amountIn: integer, amountOut: integer });
const paidIn = z.strictObject({
  ...pool.shape,
  address: address.exactOptional(),
  feeMillionths: z.int().exactOptional(),
});

/** Rules version 3 and later ones read the route, in the place of the asset's own pool. */
const thirdProposal = z.strictObject({
  ...laterFacts,
  asset: priced.extend({ pool: paidIn }),
  quoteAsset: priced.extend({ pool: paidIn.exactOptional() }),
  chain: laterFacts.chain.extend({
    route: z.array(z.strictObject({ pool: address, feeMillionths: z.int(), tokenOut: address })).exactOptional(),
    smallerQuotes: z.array(amounts).exactOptional(),
  }),
  pyth: orOff(reference.extend({ signed: hex.exactOptional() })),
  limits: z.strictObject({ ...secondLimits, costBps: band, moveBps: band }),
}) satisfies z.ZodType<Proposal>;

const concluded = {
  verdict: z.enum(['GO', 'CAUTION', 'NO_GO', 'NO_DATA']),
  /** As recorded; compared as canonical JSON. */
  findings: z.array(z.looseObject({ check: z.string(), outcome: z.string() })),
};

/** By the version of the rules that judged it. */
export const evidenceDocument = z.discriminatedUnion('rules', [
  z.strictObject({ rules: z.literal(1), proposal: firstProposal, ...concluded }),
  z.strictObject({ rules: z.literal(2), proposal: secondProposal, ...concluded }),
  z.strictObject({ rules: z.literal(3), proposal: thirdProposal, ...concluded }),
  z.strictObject({ rules: z.literal(4), proposal: thirdProposal, ...concluded }),
]);

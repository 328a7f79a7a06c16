import { addressPattern } from '@bowline/core/domain/address';
import { type Asset, assetNamed } from '@bowline/core/domain/assets';
import type { Priced, Size } from '@bowline/core/domain/facts';
import { readGuardKey } from '@bowline/core/domain/guard-key';
import { type Guard, UNWIND_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { toIsoTime } from '@bowline/core/domain/readable';
import { BowlineError } from '@bowline/core/domain/result';
import { listedAt } from '@bowline/core/domain/same-address';
import { formatUnits, parseUnitsDown, WAD } from '@bowline/core/domain/units';
import { datedFacts, findingUnits } from '@bowline/core/domain/verdict';
import { address, integer, reason } from '@bowline/core/schemas';
import { isFresh, references } from '@bowline/core/verdict/references';
import { addressOf } from '@bowline/http/addresses';
import { z } from 'zod';
import type { Tool, ToolContext } from './tool.ts';

export { address, integer, verdictOutput } from '@bowline/core/schemas';
export { addressInput, marketInput } from '@bowline/http/addresses';

// Schemas shared by several tools, and of a question in words.

export const MAX_PROMPT_CHARS = 4_000;

/** Counts Unicode code points, like JSON Schema: an emoji is two units of a JavaScript string. */
export const promptInput = z
  .string()
  .refine((text) => text.trim() !== '' && [...text].length <= MAX_PROMPT_CHARS)
  .meta({ maxLength: MAX_PROMPT_CHARS, pattern: '\\S' });

export const assetInput = z.string().trim().min(1).max(42).describe('Symbol or address.');

export const sideInput = z.enum(['buy', 'sell']).describe('buy pays stablecoin.');

const MAX_USD = 100_000_000n;

/** US dollars as decimal text; parsed to USD with 18 decimals. */
const amountUsdInput = z
  .string()
  .max(40)
  .transform((text, context) => {
    const usdWad = parseUnitsDown(text, 18);
    if (usdWad !== undefined && usdWad > 0n && usdWad <= MAX_USD * WAD) return usdWad;
    context.addIssue({ code: 'custom', message: `must be an amount of US dollars above 0 and up to ${MAX_USD}` });
    return z.NEVER;
  })
  .describe('US dollars: 250.50.');

const amountAssetInput = z
  .string()
  .max(40)
  .refine((text) => (parseUnitsDown(text, 18) ?? 0n) > 0n, 'must be an amount of the asset above 0, like 2 or 0.05')
  .describe('Units: 0.05.');

/** Trade size, in one of two inputs; `sizeOf` reads them. */
export const sizeInputs = {
  amount_usd: amountUsdInput.optional(),
  amount_asset: amountAssetInput.optional(),
};

/** Follows the name of the first of the two inputs. */
const NO_SIZE = 'or amount_asset is required';

/** The same input, refused without a size: for tools that have no size of their own. */
export const sized = <Input extends z.ZodType<{ readonly amount_usd?: unknown; readonly amount_asset?: unknown }>>(
  input: Input,
): Input =>
  input.refine(({ amount_usd, amount_asset }) => amount_usd !== undefined || amount_asset !== undefined, {
    path: ['amount_usd'],
    message: NO_SIZE,
  });

/**
 * The size given by the caller.
 * @param otherwise default size; if omitted, a missing size is an error.
 * @throws `invalid_amount` if both inputs are given, or the amount is less than a base unit.
 */
export function sizeOf(
  { decimals, symbol }: Asset,
  given: { readonly amount_usd?: bigint | undefined; readonly amount_asset?: string | undefined },
  otherwise?: Size,
): Size {
  const { amount_usd: usdWad, amount_asset: text } = given;
  if (usdWad !== undefined && text !== undefined) {
    throw new BowlineError('invalid_amount', 'Give amount_usd or amount_asset, not both.');
  }
  if (usdWad !== undefined) return { usdWad };
  if (text !== undefined) {
    const asset = parseUnitsDown(text, decimals) ?? 0n;
    if (asset > 0n) return { asset };
    throw new BowlineError('invalid_amount', `amount_asset is less than the smallest unit of ${symbol}.`);
  }
  if (otherwise !== undefined) return otherwise;
  throw new BowlineError('invalid_amount', `amount_usd ${NO_SIZE}.`);
}

export const idInput = z
  .string()
  .regex(/^\d{1,20}$/, 'must be a whole number')
  .transform((text) => BigInt(text));

/** Of one of LoanGuard's guards by its number, or of CollateralGuard's by its number after "collateral-". */
export const guardInput = z
  .string()
  .max(40)
  .transform((text, context) => {
    const key = readGuardKey(text);
    if (key !== undefined) return key;
    context.addIssue({ code: 'custom', message: 'must be a number, or one after "collateral-"' });
    return z.NEVER;
  });
export const guardOutput = z.string().regex(/^(collateral-)?\d+$/);
export const fundingOutput = z.enum(['wallet', 'savings', 'collateral']).describe('What pays.');

/** Decimal text. */
export const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);

export const targetOutput = z.union([decimal, z.literal('unwind')]).describe('unwind: repays all.');
/** A guard's target as tools show it. */
export const targetIn = ({ targetHealthWad }: Pick<Guard, 'targetHealthWad'>): string =>
  targetHealthWad === UNWIND_HEALTH_WAD ? 'unwind' : formatUnits(targetHealthWad, 18);
export const isoTime = z.iso.datetime();

/** The block that an answer's facts are from. */
export const blockOutput = { block: integer, time: isoTime };
export const blockIn = ({ number, timestamp }: { readonly number: bigint; readonly timestamp: bigint }) => ({
  block: number.toString(),
  time: toIsoTime(timestamp),
});

/** If only the size prevents GO: the largest size that would be GO, and how many of it make up the requested size. */
export const goUpToOutput = z.object({ symbol: z.string(), amount: decimal, slots: integer }).nullable();

/** The listed asset with that symbol, name or address; throws `unknown_asset`, or `invalid_address` of a wrong checksum. */
export function findAsset({ assets }: Pick<ToolContext, 'assets'>, name: string): Asset {
  const address = addressPattern.test(name.trim()) ? addressOf(name) : undefined;
  if (address?.ok === false) throw new BowlineError(address.code, `asset ${address.message}.`);
  const found = assetNamed(assets, name);
  if (found) return found;
  const listed = assets.map(({ symbol }) => symbol).join(', ');
  throw new BowlineError('unknown_asset', `"${name}" is not listed. Listed: ${listed}.`);
}

/** The listed asset at that address, if any. */
export const assetAt = ({ assets }: Pick<ToolContext, 'assets'>, at: string): Asset | undefined => listedAt(assets, at);

/** Slippage in 1/10,000. */
export const slippageInput = (max: number, usual: number) => z.number().int().min(1).max(max).default(usual);

/** The pools of a swap, in order; null if there is no route. */
export const routeOutput = z
  .array(
    z.object({
      symbol: z.string().describe('What the pool pays out.'),
      fee_millionths: z.number().int().describe('1/1,000,000, already deducted from what is received.'),
      pool: address,
    }),
  )
  .nullable();

export const findingOutput = z.object({
  check: z.string(),
  question: z.string(),
  outcome: z.enum(['pass', 'caution', 'no_go', 'no_data']),
  reason,
  measured: integer.nullable(),
  limit: integer,
  caution_limit: integer.nullable(),
  unit: z.enum(findingUnits),
  ages: z.partialRecord(z.enum(datedFacts), integer).describe('Age in seconds of each fact behind the measurement.'),
  detail: z.string(),
});

/** References of a price, as tools return them. */
export const referenceList = z.array(
  z.object({
    source: z.string(),
    usd: decimal,
    origin: z.string().describe('The same origin counts once.'),
    independent: z.boolean().describe('Counts towards the reference price.'),
    age_seconds: integer.nullable(),
    fresh: z.boolean().nullable(),
  }),
);

/** Whether the reference price rests on a source known to be outdated. */
export const restsOnStale = (proposal: Priced): boolean =>
  references(proposal).some((reference) => reference.independent && isFresh(proposal, reference) === false);

/** Keeps the literal types of a tool, including its name: `callTool` looks up the output type by it. */
export const defineTool = <Input extends z.ZodType, Output extends z.ZodType, const Name extends string>(
  tool: Tool<Input, Output, Name>,
): Tool<Input, Output, Name> => tool;

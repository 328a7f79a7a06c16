import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isAddress } from 'viem';
import { z } from 'zod';
import { type Asset, assetClasses } from '../domain/assets.ts';
import type { Address } from '../domain/units.ts';

// Checksummed, so that a digit typed wrong is found here and not on the chain.
const address = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value, { strict: true }),
  'is no checksummed address',
);

const asset = z.strictObject({
  symbol: z.string().regex(/^[A-Z0-9]+$/, 'must be upper case'),
  name: z.string().min(1),
  class: z.enum(assetClasses),
  address,
  // More than 18 would leave nothing of a price with 18 decimals.
  decimals: z.int().min(0).max(18),
  feed: address,
  feedDecimals: z.int().min(0).max(18),
  pool: z.strictObject({ address, quote: z.string(), feeMillionths: z.int().min(1).max(999_999) }),
  exchangePair: z
    .string()
    .regex(/^[A-Z0-9]+$/)
    .exactOptional(),
  aliases: z.array(z.string().regex(/^[^A-Z]+$/, 'must be lower case')),
}) satisfies z.ZodType<Asset>;

/** The job escrow of ERC-8183 and the token that it is paid in by default. */
const escrow = z.strictObject({
  commerce: address,
  router: address,
  policy: address,
  token: z.strictObject({
    address,
    decimals: z.int().min(0).max(18),
    /** Of its EIP-712 domain. */
    name: z.string(),
    version: z.string(),
  }),
});

const foreign = z.strictObject({
  venus: z.strictObject({
    comptroller: address,
    resilientOracle: address,
    /** One of those that the resilient oracle asks: it knows the feed of each asset. */
    chainlinkOracle: address,
    vaiController: address,
    vBnb: address,
    /** The market whose interest is brought up to date before an account's health is read. */
    vUsdt: address,
  }),
  pancake: z.strictObject({ factory: address, router: address, quoter: address }),
  /** ERC-4337 v0.8. */
  accountAbstraction: z.strictObject({ entryPoint: address, accountFactory: address }),
  escrow,
  assets: z.array(asset).min(1).check(consistent),
});

const deployment = z.object({
  chainId: z.int(),
  revocations: address,
  venusMarket: address,
  loanGuard: address,
  venusPriceSource: address,
  chainlinkPriceSource: address,
  planRegistry: address,
  swapExecutor: address,
  /** Absent where there is a market of its own. */
  quoteDesk: address.exactOptional(),
  /** Of a stand-in, where the chain has none of its own. */
  escrow: escrow.exactOptional(),
});

/** Where everything stands on one chain. */
export interface AddressBook extends Omit<z.output<typeof foreign>, 'escrow'> {
  /** This project's own contracts. */
  readonly own: Readonly<Omit<z.output<typeof deployment>, 'chainId' | 'escrow'>>;
  /** Absent on a chain that has none. */
  readonly escrow?: Readonly<z.output<typeof escrow>>;
}

const bsc = 56;
const bookOfBsc = new URL('../../books/bsc.json', import.meta.url);

/**
 * The book of BNB Chain, which the local chain shares, with the deployment recorded for `chainId` in the folder
 * `deployments`, whose URL ends in a slash.
 * @throws one line that says what is missing or malformed.
 */
export function readAddressBook(chainId: number, deployments: URL, ofBsc = bookOfBsc): AddressBook {
  const { escrow: escrowOfBsc, ...book } = parse('agent/books/bsc.json', ofBsc, foreign);
  const file = new URL(`${chainId}.json`, deployments);
  const name = fileURLToPath(file);
  const { chainId: recorded, escrow: standIn, ...own } = parse(name, file, deployment);
  if (recorded !== chainId) throw new Error(`${name} is a record of chain ${recorded}.`);
  const escrow = chainId === bsc ? escrowOfBsc : standIn;
  return { ...book, own, ...(escrow && { escrow }) };
}

function parse<Schema extends z.ZodType>(name: string, file: URL, schema: Schema): z.output<Schema> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const absent = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const why = absent
      ? 'is missing: deploy the contracts (npm run deploy), or set DEPLOYMENTS_DIR to where their record lies'
      : 'cannot be read as JSON';
    throw new Error(`${name} ${why}.`, { cause });
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`${name}: ${wrong.join('; ')}.`);
}

/**
 * Names and addresses are each used once. Every pool is quoted in a stablecoin of the list, by whose feed its price is
 * brought to USD; and the exchange's, by the same feed.
 */
function consistent({ value: assets, issues }: z.core.ParsePayload<Asset[]>): void {
  const complain = (message: string) => issues.push({ code: 'custom', input: assets, message });
  const words = assets.flatMap(({ symbol, aliases }) => [symbol.toLowerCase(), ...aliases]);
  const twice = words.find((word, at) => words.indexOf(word) !== at);
  if (twice !== undefined) complain(`"${twice}" names two assets`);
  const places = assets.map((each) => each.address);
  if (new Set(places).size !== places.length) complain('two assets have the same address');
  for (const { symbol, pool, exchangePair } of assets) {
    const quote = assets.find((other) => other.symbol === pool.quote);
    if (pool.quote === symbol || quote === undefined) {
      complain(`the pool of ${symbol} is quoted in "${pool.quote}", which is no other asset of the list`);
    } else if (quote.class !== 'stable') {
      complain(`the pool of ${symbol} is quoted in ${pool.quote}, which is no stablecoin`);
    } else if (exchangePair !== undefined && !exchangePair.endsWith(pool.quote)) {
      complain(`the exchange pair of ${symbol}, ${exchangePair}, is not priced in ${pool.quote}, as its pool is`);
    }
  }
}

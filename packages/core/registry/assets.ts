import { z } from 'zod';
import { type Asset, assetClasses } from '../domain/assets.ts';
import { bscChainId, localChainId } from '../domain/chains.ts';
import registryOfProject from './assets.json' with { type: 'json' };
import { readTradingCalendars } from './calendars.ts';
import { addressBy, type IsAddress, parseData } from './parse.ts';

// What an asset is on one chain; the same fields as there, for what is the same on all.
const placeBy = (address: ReturnType<typeof addressBy>) =>
  z.strictObject({
    address,
    // More than 18 would leave nothing of a price with 18 decimals.
    decimals: z.int().min(0).max(18),
    feed: address,
    feedDecimals: z.int().min(0).max(18),
    pool: z.strictObject({ address, quote: z.string(), feeMillionths: z.int().min(1).max(999_999) }).exactOptional(),
    onVenus: z.literal(false).exactOptional(),
    multiplier: address.exactOptional(),
  });

const lineBy = (place: ReturnType<typeof placeBy>) =>
  z.strictObject({
    symbol: z.string().regex(/^[A-Z0-9]+$/, 'must be upper case'),
    name: z.string().min(1),
    class: z.enum(assetClasses),
    aliases: z.array(z.string().regex(/^[^A-Z]+$/, 'must be lower case')),
    exchangePair: z
      .string()
      .regex(/^[A-Z0-9]+$/)
      .exactOptional(),
    pythId: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]).exactOptional(),
    calendar: z.string().exactOptional(),
    /** By the number of the chain. */
    chains: z.strictObject({ 56: place.exactOptional(), 31337: place.exactOptional() }),
  });

/** Those that stand on the local chain alone. */
export const inventedSymbols: readonly string[] = registryOfProject
  .filter(({ chains }) => !(bscChainId in chains))
  .map(({ symbol }) => symbol);

/**
 * The assets of one chain. The local chain is a copy of BNB Chain: what the registry does not say of it is as there.
 * @throws one line that says what is malformed.
 */
export function readAssetRegistry(
  chainId: number,
  isAddress: IsAddress,
  content: unknown = registryOfProject,
): readonly Asset[] {
  const { names: calendars } = readTradingCalendars();
  const line = lineBy(placeBy(addressBy(isAddress)));
  const registry = z
    .array(line)
    .min(1)
    .transform((lines) => lines.flatMap((each) => onChain(each, chainId)))
    .check(({ value: assets, issues }) => {
      for (const message of complaints(assets, calendars)) issues.push({ code: 'custom', input: assets, message });
    });
  return parseData('packages/core/registry/assets.json', content, registry);
}

/** None where the chain does not have the asset. */
function onChain({ chains, ...same }: z.output<ReturnType<typeof lineBy>>, chainId: number): Asset[] {
  const found =
    chainId === localChainId
      ? (chains[localChainId] ?? chains[bscChainId])
      : chainId === bscChainId
        ? chains[bscChainId]
        : undefined;
  return found === undefined ? [] : [{ ...same, ...found }];
}

/**
 * Names and addresses are each used once. Every pool is quoted in a stablecoin of the list, by whose feed its price is
 * brought to USD; and the exchange's, by the same feed. What stands for something else says how much of it.
 */
function complaints(assets: readonly Asset[], calendars: readonly string[]): string[] {
  const words = assets.flatMap(({ symbol, aliases }) => [symbol.toLowerCase(), ...aliases]);
  const twice = words.find((word, at) => words.indexOf(word) !== at);
  const places = assets.map((each) => each.address);
  return [
    ...(twice === undefined ? [] : [`"${twice}" names two assets`]),
    ...(new Set(places).size === places.length ? [] : ['two assets have the same address']),
    ...assets.flatMap((asset) => [...complaintOfPool(asset, assets), ...complaintsOfUnderlying(asset, calendars)]),
  ];
}

function complaintOfPool({ symbol, pool, exchangePair }: Asset, assets: readonly Asset[]): string[] {
  if (pool === undefined) {
    return exchangePair === undefined
      ? []
      : [`${symbol} has an exchange pair and no pool: nothing says what its price is in`];
  }
  const quote = assets.find((other) => other.symbol === pool.quote);
  if (pool.quote === symbol || quote === undefined) {
    return [`the pool of ${symbol} is quoted in "${pool.quote}", which is no other asset of the list`];
  }
  if (quote.class !== 'stable') return [`the pool of ${symbol} is quoted in ${pool.quote}, which is no stablecoin`];
  if (exchangePair !== undefined && !exchangePair.endsWith(pool.quote)) {
    return [`the exchange pair of ${symbol}, ${exchangePair}, is not priced in ${pool.quote}, as its pool is`];
  }
  return [];
}

function complaintsOfUnderlying({ symbol, class: kind, multiplier, calendar }: Asset, calendars: readonly string[]) {
  const standsForOther = kind === 'tokenised_stock' || kind === 'lst';
  return [
    ...(standsForOther && multiplier === undefined
      ? [`${symbol} stands for something else and has no multiplier`]
      : []),
    ...(!standsForOther && multiplier !== undefined ? [`${symbol} has a multiplier and stands for nothing else`] : []),
    // Without one it would be taken to trade at all hours, on a price of last Friday.
    ...(kind === 'tokenised_stock' && calendar === undefined ? [`${symbol} is a share and has no calendar`] : []),
    ...(calendar === undefined || calendars.includes(calendar)
      ? []
      : [`the calendar of ${symbol}, ${calendar}, is none of packages/core/registry/calendars.json`]),
  ];
}

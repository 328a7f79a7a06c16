import { z } from 'zod';
import { type Asset, assetClasses } from '../domain/assets.ts';
import { bscChainId, localChainId } from '../domain/chains.ts';
import { sameAddress } from '../domain/same-address.ts';
import type { Address } from '../domain/units.ts';
import registryOfProject from './assets.json' with { type: 'json' };
import { addressBy, type IsAddress, parseData } from './parse.ts';

// Fields of an asset per chain; they override the shared fields of the same name.
const placeBy = (address: ReturnType<typeof addressBy>) =>
  z.strictObject({
    address,
    // More than 18 decimals would leave nothing of a price with 18 decimals.
    decimals: z.int().min(0).max(18),
    feed: address,
    feedDecimals: z.int().min(0).max(18),
    pool: z
      .strictObject({
        quote: z.string(),
        address: address.exactOptional(),
        feeMillionths: z.int().min(1).max(999_999).exactOptional(),
      })
      .exactOptional(),
    onVenus: z.literal(false).exactOptional(),
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
    /** By chain ID. */
    chains: z.strictObject({ 56: place.exactOptional(), 97: place.exactOptional() }),
  });

/** Symbols of all chains. */
export const listedSymbols: readonly string[] = registryOfProject.map(({ symbol }) => symbol);

/** Symbol of a listed asset on any chain; for another token, its address. */
export const symbolAt = (token: Address): string =>
  registryOfProject.find(({ chains }) => Object.values(chains).some(({ address }) => sameAddress(address, token)))
    ?.symbol ?? token;

/**
 * The assets of one chain. The local chain is a copy of BNB Chain.
 * @throws an error with a one-line message that says what is malformed.
 */
export function readAssetRegistry(
  chainId: number,
  isAddress: IsAddress,
  content: unknown = registryOfProject,
): readonly Asset[] {
  const line = lineBy(placeBy(addressBy(isAddress)));
  const registry = z
    .array(line)
    .min(1)
    .transform((lines) => lines.flatMap((each) => onChain(each, chainId)))
    .check(({ value: assets, issues }) => {
      for (const message of complaints(assets)) issues.push({ code: 'custom', input: assets, message });
    });
  return parseData('packages/core/registry/assets.json', content, registry);
}

/** Empty if the chain does not have the asset. */
function onChain({ chains, ...same }: z.output<ReturnType<typeof lineBy>>, chainId: number): Asset[] {
  const on: { readonly [ChainId in number]?: z.output<ReturnType<typeof placeBy>> } = chains;
  const found = on[chainId === localChainId ? bscChainId : chainId];
  return found === undefined ? [] : [{ ...same, ...found }];
}

/**
 * Names and addresses must be unique. Every pool and exchange pair must be quoted in a listed stablecoin, whose feed
 * converts the price to USD. At least one source besides the feed must have the asset.
 */
function complaints(assets: readonly Asset[]): string[] {
  const words = assets.flatMap(({ symbol, aliases }) => [symbol.toLowerCase(), ...aliases]);
  const twice = words.find((word, at) => words.indexOf(word) !== at);
  const places = assets.map((each) => each.address);
  return [
    ...(twice === undefined ? [] : [`"${twice}" names two assets`]),
    ...(new Set(places).size === places.length ? [] : ['two assets have the same address']),
    ...assets.flatMap((asset) => [...complaintOfPool(asset, assets), ...complaintOfSources(asset)]),
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

const complaintOfSources = ({ symbol, exchangePair, pythId }: Asset): string[] =>
  exchangePair === undefined && pythId === undefined
    ? [`${symbol} has neither an exchange pair nor a Pyth id: Chainlink alone would prove its price`]
    : [];

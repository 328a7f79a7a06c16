import { type Asset, isTraded } from '../domain/assets.ts';
import type { Priced } from '../domain/facts.ts';
import type { PriceReader } from '../domain/ports.ts';
import { WAD } from '../domain/units.ts';
import { askOffChain, offChainFacts } from './off-chain.ts';
import { propose, type Sources } from './propose.ts';

/** Gathers what the price of an asset follows from, also of one that is not traded. Throws as `propose` does. */
export async function priceOf(sources: Sources & { readonly chain: PriceReader }, asset: Asset): Promise<Priced> {
  if (isTraded(asset)) return propose(sources, asset, 'buy', { usdWad: WAD });
  const [chain, answers] = await Promise.all([sources.chain.price(asset), askOffChain(sources, asset)]);
  const [readAt, limits] = [sources.clock(), sources.limitsOf(asset)];
  const { exchange, pyth } = offChainFacts(answers, readAt, limits);
  return { asset, readAt, chain, limits, ...(exchange && { exchange }), ...(pyth && { pyth }) };
}

import type { Proposal } from '../domain/facts.ts';
import { mulDivDown, mulDivUp } from '../domain/units.ts';
import { readEvidence } from '../replay/evidence.ts';
import { conservativeUsdWad, quoteUsdWad } from '../verdict/sources.ts';
import type { Run } from './history.ts';

// How much more a run got, in money, than its evidence implies for the same trade. All rounding is against us.

/** What the facts of a judged trade imply. USD per whole token with 18 decimals, amounts in base units. */
export interface Expected {
  readonly amountIn: bigint;
  readonly paid: { readonly usdWad: bigint; readonly decimals: number };
  readonly received: { readonly usdWad: bigint; readonly decimals: number };
  /** What the best single pool would have paid for the amount; absent if there was none. */
  readonly directOut?: bigint;
}

/** USD with 18 decimals: negative if the run got less. */
export interface Surplus {
  /** Compared with the conservative reference: includes fee, impact and the market's move until the run. */
  readonly referenceUsdWad: bigint;
  /** Compared with the best single pool; absent if none was judged for this amount. */
  readonly poolUsdWad?: bigint;
}

/** Undefined if the evidence has no price of what is paid or received. */
export function expectedOf(proposal: Proposal): Expected | undefined {
  const { side, asset, quoteAsset, chain } = proposal;
  const [assetUsdWad, quoteUsd] = [conservativeUsdWad(proposal, side), quoteUsdWad(proposal)];
  if (chain.quote === undefined || assetUsdWad === undefined || quoteUsd === undefined) return undefined;
  const ofAsset = { usdWad: assetUsdWad, decimals: asset.decimals };
  const ofQuote = { usdWad: quoteUsd, decimals: quoteAsset.decimals };
  const [paid, received] = side === 'buy' ? [ofQuote, ofAsset] : [ofAsset, ofQuote];
  const { directOut } = chain;
  return { amountIn: chain.quote.amountIn, paid, received, ...(directOut !== undefined && { directOut }) };
}

/** The same for a document's text; undefined if these rules cannot read it. */
export function expectedIn(text: string): Expected | undefined {
  try {
    return expectedOf(readEvidence(JSON.parse(text)).proposal);
  } catch {
    return undefined;
  }
}

/** @param run an executed run. */
export function surplusOf(
  run: Pick<Run, 'amountIn' | 'amountOut'>,
  { amountIn, paid, received, directOut }: Expected,
): Surplus {
  const unit = 10n ** BigInt(received.decimals);
  const worth = mulDivDown(run.amountOut, received.usdWad, unit);
  const referenceUsdWad = worth - mulDivUp(run.amountIn, paid.usdWad, 10n ** BigInt(paid.decimals));
  // A smaller amount would have moved the pool less.
  if (directOut === undefined || run.amountIn !== amountIn) return { referenceUsdWad };
  return { referenceUsdWad, poolUsdWad: worth - mulDivUp(directOut, received.usdWad, unit) };
}

/** The sum over several runs, their number, and how many of them are compared with a single pool. */
export function surplusSum(
  known: readonly Surplus[],
): Surplus & { readonly runs: number; readonly runsBesidePool: number } {
  const besidePool = known.flatMap(({ poolUsdWad }) => (poolUsdWad === undefined ? [] : [poolUsdWad]));
  const sum = (values: readonly bigint[]) => values.reduce((total, each) => total + each, 0n);
  return {
    runs: known.length,
    referenceUsdWad: sum(known.map(({ referenceUsdWad }) => referenceUsdWad)),
    runsBesidePool: besidePool.length,
    ...(besidePool.length > 0 && { poolUsdWad: sum(besidePool) }),
  };
}

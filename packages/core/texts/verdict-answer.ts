// A verdict as its answer states it, in addition to evidence and ticket. All of it follows from the evidence, so a
// replay can compare it.

import type { Asset } from '../domain/assets.ts';
import type { ChainFacts, Hop, Priced, Proposal, Reference } from '../domain/facts.ts';
import { grouped, toIsoTime } from '../domain/readable.ts';
import { deviationBpsUp, formatBps, formatUnits, formatUsd, mulDivDown } from '../domain/units.ts';
import type { Finding } from '../domain/verdict.ts';
import { symbolAt } from '../registry/assets.ts';
import { ageOf } from '../verdict/ages.ts';
import { partsAt, worthAt } from '../verdict/cost.ts';
import { largestGo, largestKnownGo } from '../verdict/largest-go.ts';
import { isFresh, poolUsdWad, references, referenceUsdWad } from '../verdict/references.ts';
import type { Judgement } from '../verdict/rules.ts';
import { conservativeUsdWad, inWords, quoteUsdWad } from '../verdict/sources.ts';

/** The JSON fields of a verdict's answer, except its evidence and its ticket. */
export function statedOf(proposal: Proposal, { verdict, reason = null, findings }: StatedJudgement) {
  const { asset, side, chain } = proposal;
  const reference = referenceUsdWad(proposal);
  const pool = poolUsdWad(proposal);
  return {
    asset: asset.symbol,
    side,
    amount_usd: amountUsd(proposal),
    ...swapOf(proposal),
    route: showRoute(chain.route),
    cost: moneyOf(proposal),
    verdict,
    reason,
    reference_usd: reference === undefined ? null : formatUsd(reference),
    pool_usd: pool === undefined ? null : formatUsd(pool),
    cost_bps: findings.find(({ check }) => check === 'all_in_cost')?.measured?.toString() ?? null,
    go_up_to: goUpTo(proposal, { verdict, findings }),
    deviation_bps: reference === undefined || pool === undefined ? null : deviationBpsUp(pool, reference).toString(),
    references: listReferences(proposal, formatUsd),
    findings: findings.map(showFinding),
    block: chain.block.number.toString(),
    time: toIsoTime(chain.block.timestamp),
  };
}

/** The largest size that would be GO, in the token paid, if only the size prevents GO. */
export function goUpTo(proposal: Proposal, judgement: Pick<Judgement, 'verdict' | 'findings'>) {
  const largest = largestGo(proposal, judgement);
  if (largest === undefined) return null;
  const paid = proposal.side === 'buy' ? proposal.quoteAsset : proposal.asset;
  const amount = formatUnits(largest.amountIn, paid.decimals);
  return { symbol: paid.symbol, amount, slots: largest.slots.toString() };
}

/**
 * What the deciding check measured and the limit that it broke, and the size that would pass: "3.03 %, limit 1 %; up to 160,000 USDT would
 * pass". Null for GO, and where it measured nothing.
 */
export function figuresOf(proposal: Proposal, { verdict, findings }: Pick<Judgement, 'verdict' | 'findings'>) {
  const deciding = findings.find(({ outcome }) => outcome === verdict.toLowerCase());
  if (deciding?.measured === undefined) return null;
  const { outcome, measured, unit, cautionLimit } = deciding;
  const limit = (outcome === 'caution' ? cautionLimit : undefined) ?? deciding.limit;
  const smaller = goUpTo(proposal, { verdict, findings });
  const size = smaller === null ? '' : `; up to ${grouped(smaller.amount)} ${smaller.symbol} would pass`;
  const [found, most] = [measured, limit].map((measure) =>
    unit === 'bps' ? formatBps(measure) : `${measure} ${unit}`,
  );
  const text = `${found}, limit ${most}${size}`;
  return { measured: measured.toString(), limit: limit.toString(), unit, text };
}

/** The largest size that is known to be GO, in US dollars; null if none is. @param large as in `largestKnownGo`. */
export function largestGoUsd(
  proposal: Proposal,
  judgement: Pick<Judgement, 'verdict' | 'findings'>,
  large: ChainFacts | undefined,
): string | null {
  const { side, asset, quoteAsset, chain } = proposal;
  const amountIn = largestKnownGo(proposal, judgement, large);
  // The feed that converts a size in dollars to the amount paid.
  const [paid, feed] = side === 'buy' ? [quoteAsset, chain.quoteToken] : [asset, chain.chainlink];
  if (amountIn === undefined || feed === undefined) return null;
  return formatUnits(mulDivDown(amountIn, feed.usdWad, 10n ** BigInt(paid.decimals)) / CENT, 2);
}

const CENT = 10n ** 16n;

type StatedJudgement = Omit<Judgement, 'reason'> & { readonly reason?: Judgement['reason'] | null };

/** The pools of a swap, in order, each with what it pays out; null if there is no route. */
export const showRoute = (route: readonly Hop[] | undefined) =>
  route?.map(({ pool, feeMillionths, tokenOut }) => ({
    symbol: symbolAt(tokenOut),
    fee_millionths: feeMillionths,
    pool,
  })) ?? null;

export const showFinding = (finding: Finding) => ({
  check: finding.check,
  question: finding.question,
  outcome: finding.outcome,
  reason: finding.reason ?? null,
  measured: finding.measured?.toString() ?? null,
  limit: finding.limit.toString(),
  caution_limit: finding.cautionLimit?.toString() ?? null,
  unit: finding.unit,
  ages: Object.fromEntries(Object.entries(finding.ages ?? {}).map(([source, age]) => [source, age.toString()])),
  detail: finding.detail,
});

/** @param show a USD price with 18 decimals as decimal text. */
export function listReferences(proposal: Priced, show: (usdWad: bigint) => string) {
  return references(proposal).map((reference) => {
    const { source, usdWad, feed, independent } = reference;
    const age = ageOf(proposal, reference)?.seconds;
    return {
      source,
      usd: show(usdWad),
      origin: originOf(proposal.asset, source, feed),
      independent,
      // A source's clock may run a second ahead; no age is below zero.
      age_seconds: age === undefined ? null : `${age < 0n ? 0n : age}`,
      fresh: isFresh(proposal, reference) ?? null,
    };
  });
}

function originOf({ exchangePair, pythId }: Asset, source: Reference['source'], feed: string | undefined): string {
  if (source === 'exchange') return `exchange pair ${exchangePair}`;
  if (source === 'pyth') return `pyth price ${pythId}`;
  if (source === 'redstone' || source === 'binance_oracle') return `${inWords[source]}, as Venus reads it`;
  return feed === undefined ? 'unknown' : `chainlink feed ${feed}`;
}

function amountUsd(proposal: Proposal): string | null {
  const { size, side, asset, quoteAsset, chain } = proposal;
  if ('usdWad' in size) return formatUnits(size.usdWad, 18);
  const { quote, chainlink } = chain;
  const [paid, usdWad] = side === 'buy' ? [quoteAsset, quoteUsdWad(proposal)] : [asset, chainlink?.usdWad];
  if (quote === undefined || usdWad === undefined) return null;
  const unit = 10n ** BigInt(paid.decimals);
  return formatUnits(mulDivDown(quote.amountIn, usdWad, unit), 18);
}

function swapOf({ side, asset, quoteAsset, chain: { quote } }: Proposal) {
  const [paid, received] = side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
  if (quote === undefined) return { pay: null, receive: null };
  return {
    pay: { symbol: paid.symbol, amount: formatUnits(quote.amountIn, paid.decimals) },
    receive: { symbol: received.symbol, amount: formatUnits(quote.amountOut, received.decimals) },
  };
}

// What a trade costs in US dollars, split into its parts. The total is the value of the check all_in_cost.

/**
 * Decimal text of US dollars; a negative cost is a gain. `fee_usd`, `distance_usd` (of the pool's price from the reference)
 * and `impact_usd` (the rest: what the size moves the price) add up to `total_usd`. Valued by the conservative reference,
 * or by the median of the independent ones where fewer than two are current. Null without a quote or a price.
 */
export function moneyOf(proposal: Proposal) {
  const reference = conservativeUsdWad(proposal, proposal.side) ?? referenceUsdWad(proposal);
  const worth = reference === undefined ? undefined : worthAt(proposal, reference);
  const parts = reference === undefined || worth === undefined ? undefined : partsAt(proposal, reference, worth);
  if (worth === undefined || parts === undefined) return null;
  const usd = (wad: bigint) => formatUnits(wad, 18);
  return {
    paid_usd: usd(worth.paidUsdWad),
    received_usd: usd(worth.receivedUsdWad),
    total_usd: usd(worth.paidUsdWad - worth.receivedUsdWad),
    fee_usd: usd(parts.feeUsdWad),
    distance_usd: usd(parts.distanceUsdWad),
    impact_usd: usd(parts.impactUsdWad),
    total_bps: worth.bps.toString(),
  };
}

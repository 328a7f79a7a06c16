import type { ChainFacts, Proposal } from '../domain/facts.ts';
import { largest, WAD } from '../domain/units.ts';
import type { Finding, Verdict } from '../domain/verdict.ts';
import { allInCost } from './checks/all-in-cost.ts';
import { judgeProposal } from './rules.ts';

/** Upper end of the search for the largest size, in US dollars. */
export const LARGE_USD_WAD = 1_000_000n * WAD;

interface Judged {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

/** A size that would be GO, and how many trades of it make up the requested size. */
export interface LargestGo {
  /** Base units of the token paid. */
  readonly amountIn: bigint;
  readonly slots: bigint;
}

/**
 * The largest size that would be GO now along the same route, if only the size prevents GO. Rounded down to three
 * digits, because the next block changes it by more than that. Undefined if a smaller size would not help.
 */
export function largestGo(proposal: Proposal, judged: Judged): LargestGo | undefined {
  const { quote } = proposal.chain;
  const amountIn = smallerGo(proposal, judged);
  // Less than a hundredth of the requested size is no help.
  if (quote === undefined || amountIn === undefined || amountIn * 100n < quote.amountIn) return undefined;
  return { amountIn, slots: (quote.amountIn + amountIn - 1n) / amountIn };
}

/**
 * The largest size that is known to be GO now, in base units of the token paid, even if the requested size is itself GO
 * or far too large. Undefined if none is.
 * @param large facts of the same trade for `LARGE_USD_WAD`, if read. They are some seconds old: prices are not theirs.
 */
export function largestKnownGo(proposal: Proposal, judged: Judged, large: ChainFacts | undefined): bigint | undefined {
  const { quote: asked } = proposal.chain;
  const isGo = judged.verdict === 'GO';
  if (asked === undefined || !(isGo || onlySizeFails(judged))) return undefined;
  const found = isGo ? asked.amountIn : largestGo(proposal, judged)?.amountIn;
  const { quote, route, play, spotWad, twapWad, smallerQuotes = [] } = large ?? {};
  if ((found !== undefined && !isGo) || !quote || !route || !play || !spotWad || !twapWad) return found;
  const chain = { ...proposal.chain, quote, route, play, spotWad, twapWad, smallerQuotes };
  const larger = { ...proposal, size: { usdWad: LARGE_USD_WAD }, chain };
  const judgedLarger = judgeProposal(larger);
  const known = judgedLarger.verdict === 'GO' ? quote.amountIn : smallerGo(larger, judgedLarger);
  if (known === undefined) return found;
  // At least a requested size that is GO: its own route may be better. Never above one that is not: pools may move.
  if (isGo) return largest([asked.amountIn, known]);
  return known < asked.amountIn ? known : undefined;
}

/** A smaller size costs less, but passes no other check that this one fails. */
const onlySizeFails = ({ verdict, findings }: Judged): boolean =>
  verdict !== 'GO' && findings.every(({ check, outcome }) => outcome === 'pass' || check === allInCost.id);

function smallerGo(proposal: Proposal, judged: Judged): bigint | undefined {
  const { quote, smallerQuotes = [] } = proposal.chain;
  if (quote === undefined || !onlySizeFails(judged)) return undefined;
  return largestWithin([quote, ...smallerQuotes], (point) => {
    const chain = { ...proposal.chain, quote: { ...quote, ...point } };
    return allInCost.run({ ...proposal, chain }).outcome === 'pass';
  });
}

/** A quote, in base units. */
export interface Point {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

/**
 * The largest size that passes, rounded down to three digits; undefined if none does.
 * @param quotes of one route, largest first.
 */
export function largestWithin(quotes: readonly Point[], passes: (point: Point) => boolean): bigint | undefined {
  const points = [...quotes, { amountIn: 0n, amountOut: 0n }];
  const isGo = (amountIn: bigint) => passes({ amountIn, amountOut: outAt(points, amountIn) });
  // The largest quoted size that is GO. The limit lies between it and the next larger one.
  const at = points.findIndex(({ amountIn }) => amountIn > 0n && isGo(amountIn));
  let [low, high] =
    at === -1 ? [0n, points.at(-2)?.amountIn ?? 0n] : [points[at]?.amountIn ?? 0n, points[at - 1]?.amountIn ?? 0n];
  // To a thousandth, which the rounding absorbs.
  while ((high - low) * 1_000n > high) {
    const middle = (low + high) / 2n;
    if (isGo(middle)) low = middle;
    else high = middle;
  }
  return low === 0n ? undefined : threeDigitsDown(low);
}

/**
 * The least that an amount brings, rounded down. Along one route every further unit brings no more than the one before,
 * so between two quotes the true output is above the straight line.
 */
function outAt(points: readonly Point[], amountIn: bigint): bigint {
  const next = points.findIndex((point) => point.amountIn <= amountIn);
  const [below, above] = [points[next], points[next - 1]];
  if (below === undefined) return 0n;
  if (above === undefined || above.amountIn === below.amountIn) return below.amountOut;
  const rise = above.amountOut - below.amountOut;
  return below.amountOut + (rise * (amountIn - below.amountIn)) / (above.amountIn - below.amountIn);
}

function threeDigitsDown(amount: bigint): bigint {
  const scale = 10n ** BigInt(Math.max(0, amount.toString().length - 3));
  return (amount / scale) * scale;
}

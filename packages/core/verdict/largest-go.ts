import type { Proposal } from '../domain/facts.ts';
import type { Finding, Verdict } from '../domain/verdict.ts';
import { allInCost } from './checks/all-in-cost.ts';

/** A size that would be GO, and how many of it make up the size that was asked for. */
export interface LargestGo {
  /** Base units of the token paid. */
  readonly amountIn: bigint;
  readonly slots: bigint;
}

/**
 * The largest size that would be GO now along the same route, where nothing but the size is in the way: rounded down to
 * three digits, since the next block moves it further. Undefined if a smaller size would not help.
 */
export function largestGo(
  proposal: Proposal,
  { verdict, findings }: { readonly verdict: Verdict; readonly findings: readonly Finding[] },
): LargestGo | undefined {
  const { quote, smallerQuotes = [] } = proposal.chain;
  // A smaller size costs less, and passes nothing else that this one does not.
  const others = findings.filter(({ check, outcome }) => outcome !== 'pass' && check !== allInCost.id);
  if (verdict === 'GO' || quote === undefined || others.length > 0) return undefined;
  // Quotes of one route, largest first, down to nothing.
  const points: readonly Point[] = [quote, ...smallerQuotes, { amountIn: 0n, amountOut: 0n }];
  const isGo = (amountIn: bigint) => {
    const smaller = { ...quote, amountIn, amountOut: outAt(points, amountIn) };
    return allInCost.run({ ...proposal, chain: { ...proposal.chain, quote: smaller } }).outcome === 'pass';
  };
  // The largest quoted size that is GO; between it and the next larger one lies the limit.
  const at = points.findIndex(({ amountIn }) => amountIn > 0n && isGo(amountIn));
  let [low, high] =
    at === -1 ? [0n, points.at(-2)?.amountIn ?? 0n] : [points[at]?.amountIn ?? 0n, points[at - 1]?.amountIn ?? 0n];
  // To a thousandth, which the rounding takes.
  while ((high - low) * 1_000n > high) {
    const middle = (low + high) / 2n;
    if (isGo(middle)) low = middle;
    else high = middle;
  }
  const amountIn = threeDigitsDown(low);
  // Less than a hundredth of what was asked for is no help.
  if (amountIn * 100n < quote.amountIn) return undefined;
  return { amountIn, slots: (quote.amountIn + amountIn - 1n) / amountIn };
}

interface Point {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

/**
 * What an amount brings at least, rounded down: along one route every further unit brings no more than the one before, so
 * between two quotes the truth is above the straight line.
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

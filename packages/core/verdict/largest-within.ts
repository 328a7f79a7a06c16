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
  return low === 0n ? undefined : threeDigitsDown(low);
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

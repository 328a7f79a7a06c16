/** Minimum range as a share of the price: a smaller one would draw a stablecoin's noise as a crash. */
const MIN_RANGE = 0.01;
/** In percent, over a day: less has no colour. */
const MIN_CHANGE = 0.1;

/** Lowest and highest price of a chart, at least 1 % apart around the middle. Floats are precise enough for pixels. */
export function scaleOf(prices: readonly number[]): readonly [number, number] {
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const room = Math.max(0, ((low + high) / 2) * MIN_RANGE - (high - low)) / 2;
  return [low - room, high + room];
}

/** Whether a change is worth a colour. @param percent decimal text. */
export function trendOf(percent: string | undefined): 'up' | 'down' | 'flat' {
  const change = Number(percent ?? 0);
  if (!(Math.abs(change) >= MIN_CHANGE)) return 'flat';
  return change < 0 ? 'down' : 'up';
}

interface Props {
  readonly history: readonly (readonly [number, string])[];
  readonly label: string;
  readonly trend: 'up' | 'down' | 'flat';
}

const width = 160;
const height = 44;
const edge = 3;

/** A small line of two prices or more. Floats are precise enough for pixels. */
export function PriceChart({ history, label, trend }: Props) {
  const prices = history.map(([, price]) => Number(price));
  const [low, high] = scaleOf(prices);
  const span = high - low || 1;
  const points = prices.map((price, at) => {
    const x = edge + (at / (prices.length - 1)) * (width - 2 * edge);
    const y = height - edge - ((price - low) / span) * (height - 2 * edge);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg className={`chart ${trend}`} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <polygon points={`${edge},${height} ${points.join(' ')} ${width - edge},${height}`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}

/** Minimum range as a share of the price: a smaller one would draw a stablecoin's noise as a crash. */
const MIN_RANGE = 0.01;
/** Smallest change over a day that gets a colour, in percent. */
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

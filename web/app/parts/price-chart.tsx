import { scaleOf } from './price-scale.ts';

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

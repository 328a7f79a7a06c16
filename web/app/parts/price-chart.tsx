interface Props {
  readonly history: readonly (readonly [number, string])[];
  readonly label: string;
  readonly isDown: boolean;
}

const width = 160;
const height = 44;
const edge = 3;

/** A small line of two prices or more. Floats are precise enough for pixels. */
export function PriceChart({ history, label, isDown }: Props) {
  const prices = history.map(([, price]) => Number(price));
  const low = Math.min(...prices);
  const span = Math.max(...prices) - low || 1;
  const points = prices.map((price, at) => {
    const x = edge + (at / (prices.length - 1)) * (width - 2 * edge);
    const y = height - edge - ((price - low) / span) * (height - 2 * edge);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg className={`chart ${isDown ? 'down' : 'up'}`} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <polygon points={`${edge},${height} ${points.join(' ')} ${width - edge},${height}`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}

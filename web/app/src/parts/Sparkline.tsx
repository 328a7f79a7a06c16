const width = 120;
const height = 36;

/** A price over its last hours. The only place where prices are floats: it is a picture. */
export function Sparkline({ history, label }: { history: readonly (readonly [number, string])[]; label: string }) {
  const prices = history.map(([, price]) => Number(price));
  if (prices.length < 2) return <span className="muted">no history</span>;
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const x = (at: number) => (at / (prices.length - 1)) * width;
  const y = (price: number) => (high === low ? height / 2 : 2 + (1 - (price - low) / (high - low)) * (height - 4));
  const points = prices.map((price, at) => `${x(at).toFixed(1)},${y(price).toFixed(1)}`);
  const isUp = (prices.at(-1) ?? 0) >= (prices[0] ?? 0);
  return (
    <svg className={`spark ${isUp ? 'up' : 'down'}`} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <polygon className="area" points={`0,${height} ${points.join(' ')} ${width},${height}`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}

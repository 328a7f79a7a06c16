import { formatUnits } from 'viem';
import { health } from '../format.ts';

interface HealthBarProps {
  readonly healthWad: bigint;
  readonly triggerWad?: bigint | undefined;
  readonly targetWad?: bigint | undefined;
}

/** From 0.9 to 2: below 1 a loan can be liquidated, and above 2 nothing is near. */
const [low, high] = [0.9, 2];
const width = 1_000;
const place = (wad: bigint) => {
  const share = (Number(formatUnits(wad, 18)) - low) / (high - low);
  return Math.min(Math.max(share, 0), 1) * width;
};

export function HealthBar({ healthWad, triggerWad, targetWad }: HealthBarProps) {
  const marks = [
    { name: 'Liquidation', wad: 10n ** 18n, kind: 'liquidation' },
    ...(triggerWad === undefined ? [] : [{ name: 'Trigger', wad: triggerWad, kind: 'trigger' }]),
    ...(targetWad === undefined ? [] : [{ name: 'Target', wad: targetWad, kind: 'target' }]),
  ];
  const isEndangered = healthWad < (triggerWad ?? 11n * 10n ** 17n);
  const said = [`Health ${health(healthWad)}`, ...marks.map(({ name, wad }) => `${name} ${health(wad)}`)].join(', ');
  return (
    <div className="health">
      <svg className="health-bar" viewBox={`0 0 ${width} 40`} preserveAspectRatio="none" role="img" aria-label={said}>
        <rect className="track" x="0" y="14" width={width} height="12" rx="6" />
        <rect className={isEndangered ? 'fill low' : 'fill'} x="0" y="14" width={place(healthWad)} height="12" rx="6" />
        {marks.map(({ name, wad, kind }) => (
          <line key={name} className={kind} x1={place(wad)} x2={place(wad)} y1="6" y2="34" />
        ))}
      </svg>
      <ul className="legend">
        {marks.map(({ name, wad, kind }) => (
          <li key={name} className={kind}>
            {name} <span className="num">{health(wad)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

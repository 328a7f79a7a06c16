import { type ReactNode, useId } from 'react';
import { usd } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';

interface Props {
  readonly symbol: string;
  /** USD price of one token, 18 decimals. */
  readonly nowWad: bigint;
  /** Price move in thousandths of the current price. */
  readonly move: number;
  readonly onMove: (move: number) => void;
  /** What happens at which price. */
  readonly children: ReactNode;
}

const LEAST = -900;
const MOST = 500;
/** Half a percent. */
const STEP = 5;

/** A native slider, so that arrow keys, Page Up and Page Down, Home and End move it. */
export function PriceSlider({ symbol, nowWad, move, onMove, children }: Props) {
  const id = useId();
  const there = usd((nowWad * BigInt(1_000 + move)) / 1_000n);
  return (
    <div className="price-slider">
      <label htmlFor={id}>{symbol}</label>
      <output htmlFor={id}>
        {there} <span className="faint">{share(move)}</span>
      </output>
      <input
        id={id}
        type="range"
        min={LEAST}
        max={MOST}
        step={STEP}
        value={move}
        aria-valuetext={guardWords.priceForOne(there, symbol, share(move))}
        onChange={(event) => onMove(Number(event.target.value))}
      />
      <div className="price-levels">{children}</div>
    </div>
  );
}

function share(move: number): string {
  if (move === 0) return guardWords.asNow;
  const percent = `${Math.abs(move) / 10} %`;
  return move < 0 ? guardWords.belowNow(percent) : guardWords.aboveNow(percent);
}

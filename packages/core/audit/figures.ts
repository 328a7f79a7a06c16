import { formatUnits, WAD } from '../domain/units.ts';
import type { PlanHistory, Run, Token } from './history.ts';

const executed = 1;

export const isRun = ({ outcome }: Pick<Run, 'outcome'>): boolean => outcome === executed;

/** What a plan's records add up to, in base units of its two tokens. */
export function sumsOf({ runs }: Pick<PlanHistory, 'runs'>) {
  const done = runs.filter(isRun);
  return {
    executed: done.length,
    deferred: runs.length - done.length,
    paid: done.reduce((sum, { amountIn }) => sum + amountIn, 0n),
    received: done.reduce((sum, { amountOut }) => sum + amountOut, 0n),
  };
}

/** "100231.48 USDT/BTCB", truncated; "–" if nothing was received. */
export function averagePrice(paid: bigint, received: bigint, pay: Token, buy: Token): string {
  if (received === 0n) return '–';
  const wad = (paid * WAD * 10n ** BigInt(buy.decimals)) / received / 10n ** BigInt(pay.decimals);
  return `${formatUnits(wad, 18).slice(0, 14)} ${pay.symbol}/${buy.symbol}`;
}

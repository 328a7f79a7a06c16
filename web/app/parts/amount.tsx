import { exactAmount, shortAmount, shortCost } from '../words/amounts.ts';

interface Props {
  /** Base units, not negative. */
  readonly base: bigint;
  readonly token: { readonly symbol: string; readonly decimals: number };
  /** Whether somebody pays it: what is paid is rounded up, what is received is cut. */
  readonly isPaid?: boolean;
}

/** An amount as people read it; to the unit when pointed at. */
export const Amount = ({ base, token: { symbol, decimals }, isPaid = false }: Props) => (
  <span title={`${exactAmount(base, decimals)} ${symbol}`}>
    {(isPaid ? shortCost : shortAmount)(base, decimals)} {symbol}
  </span>
);

import { exactAmount, shortAmount, shortCost } from '../words/amounts.ts';

interface Props {
  /** Base units, not negative. */
  readonly base: bigint;
  readonly token: { readonly symbol: string; readonly decimals: number };
  /** Whether somebody pays it: a payment is rounded up, a receipt is rounded down. */
  readonly isPaid?: boolean;
}

/** An amount in short form; exact to the base unit on hover. */
export const Amount = ({ base, token: { symbol, decimals }, isPaid = false }: Props) => (
  <span title={`${exactAmount(base, decimals)} ${symbol}`}>
    {(isPaid ? shortCost : shortAmount)(base, decimals)} {symbol}
  </span>
);

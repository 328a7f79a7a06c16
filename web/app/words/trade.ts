import { BPS, mulDivDown, mulDivUp, WAD } from '@bowline/core/domain/units';
import { percent as exactPercent } from '@bowline/core/texts/amounts';
import { shortAmount, shortCost, usd } from './amounts.ts';
import { partWords } from './en/parts.ts';

interface Token {
  readonly symbol: string;
  readonly decimals: number;
}

/** "1 BTCB = 100,251.3 USDT", rounded against the reader: what one whole token costs, or brings if worth more. */
export function rateOf(pay: Token, receive: Token, amountIn: bigint, amountOut: bigint): string | undefined {
  if (amountOut === 0n || amountIn === 0n) return undefined;
  const [payUnit, unit] = [10n ** BigInt(pay.decimals), 10n ** BigInt(receive.decimals)];
  if (amountOut * payUnit > amountIn * unit) {
    return `1 ${pay.symbol} = ${shortAmount((amountOut * payUnit) / amountIn, receive.decimals)} ${receive.symbol}`;
  }
  const price = mulDivUp(amountIn, unit, amountOut);
  return `1 ${receive.symbol} = ${shortCost(price, pay.decimals)} ${pay.symbol}`;
}

const MILLION = 1_000_000n;

/** The fees that a route's pools keep of an amount, in its base units, rounded up. */
export function poolFee(route: readonly { readonly feeMillionths: number }[], amountIn: bigint): bigint {
  const kept = route.reduce(
    (left, { feeMillionths }) => (left * (MILLION - BigInt(feeMillionths))) / MILLION,
    amountIn,
  );
  return amountIn - kept;
}

/**
 * How much the trade itself lowers its proceeds, without fees, in hundredths of a percent, rounded up.
 * @param unmoved what the same route would pay at the price before the trade.
 */
export const impactBps = (amountOut: bigint, unmoved: bigint): bigint =>
  unmoved <= amountOut ? 0n : mulDivUp(unmoved - amountOut, BPS, unmoved);

export const percent = (bps: bigint): string => (bps === 0n ? partWords.under('0.01 %') : exactPercent(bps));

/** "0.000131 BNB ($0.10)". @param bnbUsdWad undefined if not known. */
export function networkFee(wei: bigint, bnbUsdWad: bigint | undefined): string {
  const dollars = bnbUsdWad === undefined ? undefined : mulDivDown(wei, bnbUsdWad, WAD);
  const shown =
    dollars === undefined ? '' : dollars < 10n ** 16n ? ` (${partWords.under('$0.01')})` : ` (${usd(dollars)})`;
  return `${shortCost(wei, 18)} BNB${shown}`;
}

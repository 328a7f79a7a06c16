import { amount, span, when } from '../format.ts';

export interface PlanChoice {
  readonly payAmount: bigint;
  readonly paySymbol: string;
  readonly payDecimals: number;
  readonly buySymbol: string;
  readonly periodSeconds: number;
  readonly runs: bigint;
  readonly slippageBps: number;
  /** Pay tokens of one whole bought token, in base units; absent: none. */
  readonly limitPrice?: bigint | undefined;
  /** Unix seconds. */
  readonly endsAt: number;
}

/** What signing this permits, and nothing that it does not. */
export function summaryOf(choice: PlanChoice): string[] {
  const { payAmount, paySymbol, payDecimals, buySymbol, periodSeconds, runs, slippageBps, limitPrice, endsAt } = choice;
  const pay = (value: bigint) => `${amount(value, payDecimals)} ${paySymbol}`;
  return [
    `Each ${span(periodSeconds)}, at most once, exactly ${pay(payAmount)} leave your account and ${buySymbol} arrive in it.`,
    `After ${runs} ${runs === 1n ? 'run' : 'runs'} it is over, or at ${when(endsAt)}: at most ${pay(payAmount * runs)} in all.`,
    `You receive at least the fair price of that moment, by Chainlink, less ${slippageBps / 100}\u00a0%; otherwise nothing happens.`,
    ...(limitPrice === undefined ? [] : [`You never pay more than ${pay(limitPrice)} for one ${buySymbol}.`]),
    'You can pause or cancel it at any time. Nobody can change it.',
  ];
}

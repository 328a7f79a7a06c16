import type { Moment } from '../api/age.ts';
import { exactTime } from '../words/times.ts';

interface Answer {
  readonly data: { readonly readAt: Moment } | undefined;
  readonly isError: boolean;
}

/** Who says what the simulator shows, and when it was said. @param guards how many were asked. */
export function answeredBy({ data, isError }: Answer, protocol: string, guards: number): string {
  const formula = `Computed by the page with ${protocol}’s own formula and rounding`;
  if (isError)
    return `${formula}: this node could not simulate other prices${guards > 0 ? ', so what a guard would do is not known' : ''}.`;
  if (data === undefined) return `${formula}; asking ${protocol} …`;
  const contracts = guards > 0 ? ' and the guard contract' : '';
  return `Answered at ${exactTime(data.readAt.wall)} by ${protocol}${contracts}, simulated at these prices.`;
}

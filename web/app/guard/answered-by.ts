import type { Moment } from '../api/age.ts';
import { guardWords } from '../words/en/guard.ts';
import { exactAsOf } from '../words/times.ts';

interface Answer {
  readonly data: { readonly readAt: Moment } | undefined;
  readonly isError: boolean;
}

/** Who says what the simulator shows, and when it was said. @param guards how many were asked. */
export function answeredBy({ data, isError }: Answer, protocol: string, guards: number): string {
  if (isError) return (guards > 0 ? guardWords.computedWithout : guardWords.computedOnly)(protocol);
  if (data === undefined) return guardWords.computedAsking(protocol);
  const time = exactAsOf(data.readAt.wall);
  return guards > 0 ? guardWords.answeredWithGuards(time, protocol) : guardWords.answered(time, protocol);
}

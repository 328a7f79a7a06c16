import type { Guard } from '../read-guards.ts';

/**
 * Whether a guard may still take of its payer's tokens. An expired one is active by its status until it is cancelled, and
 * takes nothing. While the time is not known it may.
 * @param now the chain's time, unix seconds.
 */
export const mayTake = ({ status, expiresAt }: Pick<Guard, 'status' | 'expiresAt'>, now: bigint | undefined): boolean =>
  status === 'active' && (now === undefined || now < expiresAt);

/** Whether two guards are paid by one account in one token, so that they share its balance and its approval. */
export const isPaidAlike = (
  a: Pick<Guard, 'funder' | 'repayToken'>,
  b: Pick<Guard, 'funder' | 'repayToken'>,
): boolean => same(a.funder, b.funder) && same(a.repayToken, b.repayToken);

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

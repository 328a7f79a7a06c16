import { BowlineError } from '@bowline/core/domain/result';
import type { Address, Hex } from '@bowline/core/domain/units';
import { BaseError } from 'viem';
import { nodeAnswer } from '../chain-client.ts';

/** A borrower's account as a guard watches it. */
export interface Account {
  readonly borrower: Address;
  /** As the adapter names it. Interest accrues in this market before the account is read. */
  readonly market: Hex;
  /** Prices the collateral a second time. */
  readonly priceSource?: Address;
}

/** What health is computed from: values of one account in one unit. */
export interface Values {
  readonly debtValue: bigint;
  readonly weightedCollateralValue: bigint;
  /** By the account's price source; absent without one. */
  readonly weightedBySource?: bigint;
}

/**
 * Reads many accounts of one adapter in one `eth_call`, and remembers their positions. Throws LensUnsupported, or viem's
 * error.
 */
export interface LendingLens {
  /**
   * Values at the newest block as the adapter's own reading gives them, to the unit. The answer may end before the
   * question does. Undefined: only the adapter can read the account.
   * @param accounts those with the same market and source one after the other.
   */
  read(accounts: readonly Account[]): Promise<readonly (Values | undefined)[]>;
  /**
   * Values by the positions as last read, and by prices, interest and thresholds of the newest block, in one call.
   * Undefined: no position is known, or one of its markets has no price.
   */
  estimate(accounts: readonly Account[]): Promise<readonly (Values | undefined)[]>;
}

/** What one market adds to an account's values. */
export interface MarketPart {
  /** As the adapter names it; absent for debt outside the markets, at a fixed price. */
  readonly market?: Hex;
  readonly debtWad: bigint;
  readonly weightedWad: bigint;
}

/** Tells one account's markets apart. */
export interface PartsLens {
  /** At the newest block, or two if one comes meanwhile. Undefined: only the adapter can read the account. */
  parts(account: Account): Promise<readonly MarketPart[] | undefined>;
}

/** The node does not run code that is sent with a call, or gives it too little gas. */
export class LensUnsupported extends Error {
  constructor() {
    super('The node does not support the lens.');
    this.name = 'LensUnsupported';
  }
}

/** Accounts per eth_call. A call that runs out of gas answers a part of them. */
const PAGE = 800;
/** Pages in flight. A node that receives all of them at once answers none. */
const AT_ONCE = 4;
/** JSON-RPC: too many requests (EIP-1474). */
const LIMIT_EXCEEDED = -32_005;

export interface ReadByLens<Of extends Account> {
  /** Undefined: no lens can read the account. Absent: the node did not answer for it. */
  readonly values: ReadonlyMap<Of, Values | undefined>;
  /** Set if the node does not run the lens. */
  readonly isUnsupported: boolean;
  /** The error of the last call, if no call was answered. */
  readonly silence?: unknown;
}

/** Reads accounts by their lens, those first that come first, in at most `maxPages` calls. */
export async function readByLens<Of extends Account>(
  lens: LendingLens,
  accounts: readonly Of[],
  maxPages: number,
): Promise<ReadByLens<Of>> {
  const queue: Of[][] = [];
  for (let from = 0; from < accounts.length; from += PAGE) queue.push(accounts.slice(from, from + PAGE));
  const values = new Map<Of, Values | undefined>();
  let asked = 0;
  let isAnswered = false;
  let isRefused = false;
  let silence: unknown;

  async function readNext(page: readonly Of[]): Promise<void> {
    // Of accounts with one market and source, a lens reads what they share once.
    const sorted = page.toSorted(byGroup);
    try {
      const read = await lens.read(sorted);
      isAnswered = true;
      for (const [at, each] of read.entries()) values.set(sorted[at] as Of, each);
      // The first alone needs more gas than a call has.
      if (read.length === 0) values.set(sorted[0] as Of, undefined);
      const left = sorted.slice(Math.max(1, read.length));
      if (left.length > 0) queue.unshift(left);
    } catch (error) {
      if (!isOfNode(error)) throw error;
      if (isSilence(error)) silence = error;
      else {
        isRefused = true;
        for (const each of page) values.set(each, undefined);
      }
    }
  }
  const work = async () => {
    while (asked < maxPages && (silence === undefined || isAnswered)) {
      const page = queue.shift();
      if (page === undefined) return;
      asked += 1;
      await readNext(page);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const isSilent = silence !== undefined && !isAnswered && !isRefused;
  return { values, isUnsupported: isRefused && !isAnswered, ...(isSilent && { silence }) };
}

/** Whether the node is at fault, and not this code. */
export const isOfNode = (error: unknown): boolean =>
  error instanceof BaseError || error instanceof BowlineError || error instanceof LensUnsupported;

/** No answer, or a rate limit. Any other answer is about the call. */
function isSilence(error: unknown): boolean {
  if (error instanceof LensUnsupported) return false;
  const answer = nodeAnswer(error);
  return answer === undefined || answer.code === LIMIT_EXCEEDED;
}

const groupOf = ({ market, priceSource }: Account): string => `${market}${priceSource ?? ''}`;
const byGroup = (a: Account, b: Account): number => {
  const [of, than] = [groupOf(a), groupOf(b)];
  return of < than ? -1 : of > than ? 1 : 0;
};

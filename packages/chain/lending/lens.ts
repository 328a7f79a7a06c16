import type { Values } from '@bowline/core/domain/loan-health';
import type { Shape, Worths } from '@bowline/core/domain/trigger-index';
import type { Address, Hex } from '@bowline/core/domain/units';
import { faultOf, isAnswer } from '../errors.ts';

/** A borrower's account as a guard watches it. */
export interface Account {
  readonly borrower: Address;
  /** As the adapter names it. Interest accrues in this market before the account is read. */
  readonly market: Hex;
  /** Prices the collateral a second time. */
  readonly priceSource?: Address;
}

/** Prices, interest and thresholds of one block. */
export interface Rates {
  /** Worths of the parts that `LendingLens.shapeOf` names. */
  readonly worths: Worths;
  /** Values from the account's last read position. Undefined: none is known, or one of its markets has no price. */
  valued(account: Account): Values | undefined;
  /** Markets in which the accounts have collateral, as the adapter names them. */
  readonly markets: readonly Hex[];
  /** These rates with the price of this market's token multiplied, at the protocol and at every source. */
  moved(market: Hex, factor: number): Rates;
}

/**
 * Reads many accounts of one adapter in one `eth_call`, and remembers the position of each account object. Throws
 * LensUnsupported, or viem's error.
 */
export interface LendingLens {
  /**
   * Values at the newest block, equal to the adapter's own reading to the unit. The result may be shorter than
   * `accounts`. Undefined: only the adapter can read the account.
   * @param accounts those with the same market and source must be adjacent.
   */
  read(accounts: readonly Account[]): Promise<readonly (Values | undefined)[]>;
  /** Rates at the newest block for all markets of these accounts' positions, in one call; undefined: no position is known. */
  rates(accounts: readonly Account[]): Promise<Rates | undefined>;
  /** What the account's health depends on, by its position as last read. */
  shapeOf(account: Account): Shape | undefined;
}

/** The node does not run code that is sent with a call. */
export class LensUnsupported extends Error {
  constructor() {
    super('The node does not support the lens.');
    this.name = 'LensUnsupported';
  }
}

/** Accounts per eth_call. A call that runs out of gas answers a part of them. */
export const PAGE = 800;
/** Pages in flight. A node that receives all of them at once answers none. */
const AT_ONCE = 4;
/** After this many calls without an account, stop: a node that gives calls too little gas reads none. */
const MAX_IN_VAIN = 4;
/** Refused pages that are retried in halves, per reading: a call may have taken the node too long. */
const MAX_HALVINGS = 8;

export interface ReadByLens<Of extends Account> {
  /** Undefined: no lens can read the account. Absent: not read now. */
  readonly values: ReadonlyMap<Of, Values | undefined>;
  /**
   * - `works`: some account was read, or there was none.
   * - `refused`: the node answered but read none. A later reading may succeed.
   * - `silent`: the node did not answer.
   * - `unsupported`: the node does not run the lens.
   */
  readonly outcome: 'works' | 'refused' | 'silent' | 'unsupported';
  /** The last error of a call without an answer. */
  readonly silence?: unknown;
}

/**
 * Reads accounts through their lens in the given order, in at most `maxPages` calls. Accounts on the same market and
 * source are read together, because the lens reads what they share only once.
 */
export async function readByLens<Of extends Account>(
  lens: LendingLens,
  accounts: readonly Of[],
  maxPages: number,
): Promise<ReadByLens<Of>> {
  const queue: Of[][] = [];
  for (let from = 0; from < accounts.length; from += PAGE) queue.push(byGroup(accounts.slice(from, from + PAGE)));
  const values = new Map<Of, Values | undefined>();
  let asked = 0;
  let inVain = 0;
  let halvings = 0;
  let isRead = false;
  let isUnsupported = false;
  let silence: unknown;
  /** Groups whose first account could not be read: their shared values take more gas than a call has. */
  const heavy: Of[] = [];

  async function readNext(page: readonly Of[]): Promise<void> {
    try {
      const read = await lens.read(page);
      for (const [at, each] of read.entries()) values.set(page[at] as Of, each);
      let left = page.slice(read.length);
      if (read.length > 0) isRead = true;
      else {
        inVain += 1;
        const [first] = page as [Of];
        heavy.push(...page.filter((each) => groupOf(each) === groupOf(first)));
        left = page.filter((each) => groupOf(each) !== groupOf(first));
      }
      if (left.length > 0) queue.unshift(left);
    } catch (error) {
      if (!isUnread(error)) throw error;
      inVain += 1;
      if (error instanceof LensUnsupported) isUnsupported = true;
      else if (!isAnswer(error)) silence = error;
      else if (page.length > 1 && halvings < MAX_HALVINGS) {
        halvings += 1;
        const half = Math.ceil(page.length / 2);
        queue.push(page.slice(0, half), page.slice(half));
      }
    }
  }
  const work = async () => {
    while (asked < maxPages && (isRead || (inVain < MAX_IN_VAIN && silence === undefined))) {
      const page = queue.shift();
      if (page === undefined) return;
      asked += 1;
      await readNext(page);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // If no account was read at all, the node gives too little gas.
  if (isRead) for (const each of heavy) values.set(each, undefined);
  const isSilent = silence !== undefined;
  const failed = isUnsupported ? 'unsupported' : isSilent ? 'silent' : 'refused';
  const outcome = isRead || inVain === 0 ? 'works' : failed;
  return { values, outcome, ...(isSilent && { silence }) };
}

/** Whether the node or a contract gave no result; a fault of this code does not count. */
export const isUnread = (error: unknown): boolean => error instanceof LensUnsupported || faultOf(error) !== 'ours';

const groupOf = ({ market, priceSource }: Account): string => `${market}${priceSource ?? ''}`;
/** Grouped, in the order of each group's first account: a market's address does not delay its accounts. */
const byGroup = <Of extends Account>(page: readonly Of[]): Of[] => [...Map.groupBy(page, groupOf).values()].flat();

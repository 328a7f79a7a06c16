import type { Log } from '@bowline/core/domain/log';
import type { Address } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';

/** What the chain says about the escrow and the quote desk. */
interface Found {
  /** Names and addresses of contracts that only selling needs and that have no code on the chain. */
  readonly missing: readonly string[];
  /** The desk's maker, if that is not the keeper. */
  readonly maker: Address | undefined;
  readonly keeper: Address | undefined;
}

/**
 * The book without an escrow that has moved, and without a desk that has another maker: a desk's maker never changes.
 * Either ends that sale, and nothing else.
 */
export function withWhatSells(recorded: AddressBook, { missing, maker, keeper }: Found, log: Log): AddressBook {
  const { escrow, ...book } = recorded;
  const { quoteDesk: _, ...withoutDesk } = book.own;
  if (missing.length > 0) {
    const cause = `The chain has no code at the address of: ${missing.join(', ')}.`;
    log.error('selling.off', { cause, remedy: 'Correct packages/core/registry/bsc.json. Rescues and runs continue.' });
  }
  if (maker !== undefined) {
    const cause = `KEEPER_PRIVATE_KEY belongs to ${keeper}, but QuoteDesk's maker is ${maker}.`;
    const remedy = 'Deploy a desk for the new key (npx bowline deploy with DESK_MAKER). Rescues and runs continue.';
    log.error('desk.off', { cause, remedy });
  }
  return {
    ...book,
    ...(missing.length === 0 && escrow && { escrow }),
    ...(maker !== undefined && { own: withoutDesk }),
  };
}

import type { AddressBook } from '@bowline/core/registry/address-book';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Config, Secret } from '../config.ts';
import { createTicketSigner } from '../process/ticket-signer.ts';

// The keys that the agent holds, each for one purpose.

const accountOf = (key: Secret): PrivateKeyAccount => privateKeyToAccount(key.reveal() as `0x${string}`);

/** Operates the executor: by itself, or as the owner of an ERC-4337 account. */
export const keeperAccount = ({ keeperPrivateKey }: Config): PrivateKeyAccount => accountOf(keeperPrivateKey);

/** Pays for rescues in a queue of its own. Undefined: the keeper does. */
export const rescueAccount = ({ rescuePrivateKey }: Config): PrivateKeyAccount | undefined =>
  rescuePrivateKey && accountOf(rescuePrivateKey);

/** Signs verdict tickets. Undefined: verdicts are not signed. */
export const ticketSigner = ({ verdictPrivateKey, chainId }: Config, { own }: AddressBook) =>
  verdictPrivateKey && createTicketSigner(accountOf(verdictPrivateKey), chainId, own.planRegistry);

/** Signs offers and submits deliverables (the ERC-8183 provider). */
export const sellerAccount = (seller: NonNullable<Config['seller']>): PrivateKeyAccount => accountOf(seller.privateKey);

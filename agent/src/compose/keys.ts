import type { AddressBook } from '@bowline/core/registry/address-book';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Config, Secret } from '../config.ts';
import { createTicketSigner } from '../process/ticket-signer.ts';

// The agent's keys, each with one purpose.

const accountOf = (key: Secret): PrivateKeyAccount => privateKeyToAccount(key.reveal() as `0x${string}`);

/** Operates the executor: by itself, or as the owner of an ERC-4337 account. */
export const keeperAccount = ({ keeperPrivateKey }: Config): PrivateKeyAccount => accountOf(keeperPrivateKey);

/** Sends rescues from a queue of its own. Undefined: the keeper sends them. */
export const rescueAccount = ({ rescuePrivateKey }: Config): PrivateKeyAccount | undefined =>
  rescuePrivateKey && accountOf(rescuePrivateKey);

/** Signs verdict tickets. Undefined: verdicts are not signed. */
export const ticketSigner = ({ verdictPrivateKey, chainId }: Config, { own }: AddressBook) =>
  verdictPrivateKey && createTicketSigner(accountOf(verdictPrivateKey), chainId, own.planRegistry);

/** Signs offers and submits deliverables (the ERC-8183 provider). */
export const sellerAccount = (seller: NonNullable<Config['seller']>): PrivateKeyAccount => accountOf(seller.privateKey);

import type { AddressBook } from '@bowline/core/registry/address-book';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Config, Secret } from '../config.ts';
import { createTicketAccount } from '../process/ticket-account.ts';
import { createTicketSigner } from '../process/ticket-signer.ts';

// The agent's keys, each with one purpose.

const keyOf = (key: Secret) => key.reveal() as `0x${string}`;

const accountOf = (key: Secret): PrivateKeyAccount => privateKeyToAccount(keyOf(key));

const refuse = () => Promise.reject(new Error('A dry run signs nothing.'));

/** The same address, which can sign nothing in a dry run. */
const actingAccount = (key: Secret, { isDry }: Config): PrivateKeyAccount => ({
  ...accountOf(key),
  ...(isDry && {
    sign: refuse,
    signAuthorization: refuse,
    signMessage: refuse,
    signTransaction: refuse,
    signTypedData: refuse,
  }),
});

/** Operates the executor: by itself, or as the owner of an ERC-4337 account. Undefined: only rescues are made. */
export const keeperAccount = (config: Config): PrivateKeyAccount | undefined =>
  config.keeperPrivateKey && actingAccount(config.keeperPrivateKey, config);

/** Send rescues from queues of their own. None: the keeper sends them. */
export const rescueAccounts = (config: Config): readonly PrivateKeyAccount[] =>
  config.rescuePrivateKeys.map((key) => actingAccount(key, config));

/** Signs verdict tickets. Undefined: verdicts are not signed. */
export const ticketSigner = ({ verdictPrivateKey, chainId }: Config, { own }: AddressBook) =>
  verdictPrivateKey && createTicketSigner(createTicketAccount(keyOf(verdictPrivateKey)), chainId, own.planRegistry);

/** Signs offers and submits deliverables (the ERC-8183 provider). */
export const sellerAccount = (seller: NonNullable<Config['seller']>): PrivateKeyAccount => accountOf(seller.privateKey);

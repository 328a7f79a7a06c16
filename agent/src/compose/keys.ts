import type { Log } from '@bowline/core/domain/log';
import { type Look, Unready } from '@bowline/core/domain/readiness';
import type { TicketSigner } from '@bowline/core/domain/ticket';
import type { Address } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { timers } from '@bowline/http/clock';
import type { LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Config, Secret } from '../config.ts';
import { remoteKeyOf } from '../key-schemas.ts';
import { cardKeyOf } from '../process/card-key.ts';
import { createTicketSigner, resting } from '../process/ticket-signer.ts';
import { connectRemoteSigner } from '../sending/remote-signer.ts';

// The agent's keys, each with one purpose: in this process, or at a remote signer.

const keyOf = (key: Secret) => key.reveal() as `0x${string}`;

/** Undefined: the key is in this process. */
function remoteAccount(key: Secret, { signerUrl }: Config): LocalAccount | undefined {
  const address = remoteKeyOf(key.reveal());
  if (address === undefined) return undefined;
  // Unreachable: the configuration refuses settings without it.
  if (signerUrl === undefined) throw new Error('SIGNER_URL is missing.');
  return connectRemoteSigner(signerUrl.reveal()).account(address);
}

/** Public keys take milliseconds to compute. */
const localAccounts = new WeakMap<Secret, LocalAccount>();

function localAccount(key: Secret): LocalAccount {
  const account = localAccounts.get(key) ?? privateKeyToAccount(keyOf(key));
  localAccounts.set(key, account);
  return account;
}

const signingAccount = (key: Secret, config: Config): LocalAccount => remoteAccount(key, config) ?? localAccount(key);

/**
 * Warns of unencrypted keys, and checks that the remote signer holds every key that the settings name by its address.
 * @throws SignerError
 */
export async function openKeys(config: Config, log: Log): Promise<void> {
  if (config.rawKeys.length > 0) {
    const remedy = 'Put them into files (docs/operations.md) and unset RAW_KEYS.';
    log.warn('keys.raw', { settings: config.rawKeys, remedy });
  }
  await checkRemoteKeys(config);
}

const remoteAddresses = (keys: readonly (Secret | undefined)[]): readonly Address[] =>
  keys.flatMap((key) => (key && remoteKeyOf(key.reveal())) ?? []);

const sendingKeys = ({ keeperPrivateKey, rescuePrivateKeys }: Config) => [keeperPrivateKey, ...rescuePrivateKeys];

async function checkRemoteKeys(config: Config): Promise<void> {
  const { seller, verdictPrivateKey, formerVerdictPrivateKeys, signerUrl } = config;
  const keys = [...sendingKeys(config), seller?.privateKey, verdictPrivateKey, ...formerVerdictPrivateKeys];
  await (signerUrl && connectRemoteSigner(signerUrl.reveal()).check(remoteAddresses(keys)));
}

/** Whether the remote signer still holds the keys; undefined without one. */
export const signerLook = (config: Config): (Look & { readonly signsCalls: boolean }) | undefined =>
  config.signerUrl && {
    name: 'signer',
    signsCalls: remoteAddresses(sendingKeys(config)).length > 0,
    look: async () => {
      await checkRemoteKeys(config).catch((error: Error) => {
        throw new Unready('signer_unavailable', error.message);
      });
      return 'holds its keys';
    },
  };

/** Operates the executor: by itself, or as the owner of an ERC-4337 account. Undefined: only rescues are made. */
export const keeperAccount = (config: Config): LocalAccount | undefined =>
  config.keeperPrivateKey && signingAccount(config.keeperPrivateKey, config);

/** Accounts that send rescues from their own queues. Empty: the keeper sends them. */
export const rescueAccounts = (config: Config): readonly LocalAccount[] =>
  config.rescuePrivateKeys.map((key) => signingAccount(key, config));

/** Undefined: there is no verdict key. */
export const verdictAddress = (config: Config): Address | undefined =>
  config.verdictPrivateKey && signingAccount(config.verdictPrivateKey, config).address;

/** Signs verdict tickets. Undefined: verdicts are not signed. */
export const ticketSigner = (config: Config, book: AddressBook): TicketSigner | undefined =>
  config.verdictPrivateKey === undefined ? undefined : signerOf(config.verdictPrivateKey, config, book);

/** Signers from before a rotation of the verdict key, for plans that name them. */
export const formerTicketSigners = (config: Config, book: AddressBook): readonly TicketSigner[] =>
  config.formerVerdictPrivateKeys.map((key) => signerOf(key, config, book));

function signerOf(key: Secret, config: Config, { own }: AddressBook): TicketSigner {
  const remote = remoteAccount(key, config);
  const account = remote ? resting(remote, timers) : localAccount(key);
  return createTicketSigner(account, config.chainId, own.planRegistry);
}

/** Signs offers and submits deliverables (the ERC-8183 provider). */
export const sellerAccount = (seller: NonNullable<Config['seller']>, config: Config): LocalAccount =>
  signingAccount(seller.privateKey, config);

/** The key of the agent card. Undefined with a remote signer, which does not give away its key. */
export const cardKey = ({ seller }: Config): ReturnType<typeof cardKeyOf> | undefined =>
  seller && remoteKeyOf(seller.privateKey.reveal()) === undefined
    ? cardKeyOf(Buffer.from(keyOf(seller.privateKey).slice(2), 'hex'))
    : undefined;

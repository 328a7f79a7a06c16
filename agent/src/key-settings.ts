import { addressOfKey } from '@bowline/http/private-key';
import type { Secret } from '@bowline/http/secret';
import { remoteKeyOf } from './key-schemas.ts';

// Conflicts between the settings of the agent's keys.

const keyNames = ['KEEPER_PRIVATE_KEY', 'RESCUE_PRIVATE_KEYS', 'SELLER_PRIVATE_KEY', 'VERDICT_PRIVATE_KEY'] as const;
type KeyName = (typeof keyNames)[number];

type Keys = { readonly [Name in KeyName]?: Secret | readonly Secret[] | undefined } & {
  readonly CHAIN: string;
  readonly RAW_KEYS?: 'accepted' | undefined;
  readonly SIGNER_URL?: Secret | undefined;
  readonly REDIS_URL?: Secret | undefined;
};

/**
 * Keys that must differ: two senders with one key would use the same nonces. The verdict key holds no funds and must
 * not be the account that holds the rescues' BNB. Default keys count too.
 */
const mustDiffer = [
  ['SELLER_PRIVATE_KEY', 'KEEPER_PRIVATE_KEY'],
  ['RESCUE_PRIVATE_KEYS', 'KEEPER_PRIVATE_KEY'],
  ['RESCUE_PRIVATE_KEYS', 'SELLER_PRIVATE_KEY'],
  ['RESCUE_PRIVATE_KEYS', 'VERDICT_PRIVATE_KEY'],
] as const;

/** Without the keeper's `off`. */
const keysOf = (keys: Keys, name: KeyName): string[] =>
  [keys[name] ?? []]
    .flat()
    .map((key) => key.reveal())
    .filter((key) => key !== 'off');

/** In lower case. One setting may give a key itself, another its address at the remote signer. */
const addressOf = (key: string): string => remoteKeyOf(key)?.toLowerCase() ?? addressOfKey(key);

/** @param publicKeys keys that everybody knows; only a local chain accepts them. */
export function keyConflicts(keys: Keys, publicKeys: readonly string[]): string[] {
  const addressesOf = (name: KeyName) => keysOf(keys, name).map(addressOf);
  const known = publicKeys.map(addressOf);
  const isRemote = (name: KeyName) => keysOf(keys, name).some((key) => remoteKeyOf(key) !== undefined);
  return [
    ...keyNames
      .filter((name) => keys.SIGNER_URL === undefined && isRemote(name))
      .map((name) => `SIGNER_URL is missing: ${name} names a key of a remote signer.`),
    ...(keys.REDIS_URL && !keys.RESCUE_PRIVATE_KEYS
      ? ['RESCUE_PRIVATE_KEYS is missing: with REDIS_URL each worker needs keys of its own.']
      : []),
    ...(keysOf(keys, 'KEEPER_PRIVATE_KEY').length > 0 || keys.RESCUE_PRIVATE_KEYS
      ? []
      : ['RESCUE_PRIVATE_KEYS is missing: KEEPER_PRIVATE_KEY is off, so that no key could make a rescue.']),
    ...mustDiffer
      .filter(([one, other]) => addressesOf(one).some((key) => addressesOf(other).includes(key)))
      .map(([one, other]) => `${one} must not be the same key as ${other}.`),
    ...keyNames
      .filter((name) => keys.CHAIN !== 'local' && addressesOf(name).some((key) => known.includes(key)))
      .map((name) => `${name} is a publicly known key of local chains.`),
  ];
}

/** Key settings with an unencrypted private key in the environment itself. */
export const rawKeysOf = (keys: Keys, isInEnvironment: (name: KeyName) => boolean): KeyName[] =>
  keyNames.filter((name) => isInEnvironment(name) && keysOf(keys, name).some((key) => remoteKeyOf(key) === undefined));

/** Anyone who reads the environment of the process, its children or a crash report has the keys. */
export const rawKeyConflicts = (keys: Keys, isInEnvironment: (name: KeyName) => boolean): string[] =>
  keys.CHAIN !== 'bsc' || keys.RAW_KEYS === 'accepted'
    ? []
    : rawKeysOf(keys, isInEnvironment).map(
        (name) =>
          `${name} is an unencrypted private key in the environment, which is refused on bsc: ` +
          `use ${name}_FILE or a remote signer, or set RAW_KEYS to accepted.`,
      );

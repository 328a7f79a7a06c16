import { bscChainId, localChainId } from '@bowline/core/domain/chains';
import { type Environment, group, readEnvironment, type Setting } from '@bowline/http/environment';
import { openKeystore } from '@bowline/http/keystore';
import { Secret } from '@bowline/http/secret';
import { secret, url } from '@bowline/http/setting-schemas';
import type { Hex, LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { accountKey, remoteKeyOf } from '../../agent/src/key-schemas.ts';
import { connectRemoteSigner } from '../../agent/src/sending/remote-signer.ts';
import { localKeys } from '../../agent/src/settings.ts';

// Keys of commands that send transactions: plain, in files, in keystores or at a remote signer, as for the agent.

const shared = {
  SIGNER_URL: { about: 'As of the agent.', schema: secret(url).optional() },
  RAW_KEYS: { about: 'As of the agent.', schema: z.literal('accepted', 'must be accepted, or not be set').optional() },
};

/**
 * Returns the account of each key setting. Undefined if it is not set, unless it has a public default on a local chain.
 * @param environment only the shell's, without `.env`: a command's keys do not belong in any file of the agent.
 * @throws one line for each wrong setting, as the agent's start does; on BNB Chain also for a key in the environment itself.
 */
export function accountsOf<Name extends string>(
  names: readonly Name[],
  environment: Environment,
  chainId: number,
): (name: Name) => LocalAccount | undefined {
  const keys = names.map((name) => [name, keySetting] as const);
  const settings: Readonly<Record<string, Setting>> = group('Keys', { ...Object.fromEntries(keys), ...shared });
  const values = readEnvironment(settings, environment, (env, _, isInEnvironment) =>
    names.flatMap((name) => {
      const isRemote = remoteAddress(env[name]) !== undefined;
      if (isRemote) return env.SIGNER_URL ? [] : [`SIGNER_URL is missing: ${name} names a key of a remote signer.`];
      if (chainId !== bscChainId || env.RAW_KEYS === 'accepted' || !isInEnvironment(name)) return [];
      return [`${name} is an unencrypted private key in the environment, which is refused on bsc: use ${name}_FILE.`];
    }),
  );
  return (name) => {
    const local = chainId === localChainId ? publicKeys[name] : undefined;
    return accountOf(values[name], values.SIGNER_URL) ?? (local && privateKeyToAccount(local));
  };
}

/** @throws a sentence, if it is not set. */
export function neededOf<Name extends string>(
  account: (name: Name) => LocalAccount | undefined,
  name: Name,
): LocalAccount {
  const found = account(name);
  if (found === undefined) throw new Error(`${name} is missing: set it or ${name}_FILE.`);
  return found;
}

/** Publicly known keys for local chains: the agent's seller, and anvil's first account, which pays. */
const publicKeys: Readonly<Record<string, Hex>> = {
  SELLER_PRIVATE_KEY: localKeys.seller,
  PAYER_PRIVATE_KEY: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
};

const keySetting = { about: 'A key of this command.', schema: secret(accountKey).optional(), unlock: openKeystore };

const remoteAddress = (key: unknown) => (key instanceof Secret ? remoteKeyOf(key.reveal()) : undefined);

function accountOf(key: unknown, signerUrl: unknown): LocalAccount | undefined {
  if (!(key instanceof Secret)) return undefined;
  const address = remoteAddress(key);
  if (address === undefined || !(signerUrl instanceof Secret))
    return privateKeyToAccount(key.reveal() as `0x${string}`);
  return connectRemoteSigner(signerUrl.reveal()).account(address);
}

import { bscChainId } from '@bowline/core/domain/chains';
import { type Environment, group, readEnvironment } from '@bowline/http/environment';
import { openKeystore } from '@bowline/http/keystore';
import type { Secret } from '@bowline/http/secret';
import { accountKey, remoteKeyOf, secret, url } from '@bowline/http/setting-schemas';
import type { LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { connectRemoteSigner } from '../../agent/src/sending/remote-signer.ts';

// Keys of a rotation. They are read from the environment and from files, never from .env: the rotator's key belongs into no
// file of the agent's.

const key = (about: string) => ({ about, schema: secret(accountKey).optional(), unlock: openKeystore });

const settings = group('Rotation', {
  ROTATOR_PRIVATE_KEY: key("The rotator's. Without it the command prints the call that the rotator has to make."),
  NEW_OPERATOR_PRIVATE_KEY: key(
    "The next operator's: its own account, or the owner of the wallet that becomes operator.",
  ),
  SELLER_PRIVATE_KEY: key("The seller's whose place is taken."),
  NEW_SELLER_PRIVATE_KEY: key("The next seller's."),
  VERDICT_PRIVATE_KEY: key("The next verdict signer's, as the agent has it."),
  SIGNER_URL: { about: 'As of the agent.', schema: secret(url).optional() },
  RAW_KEYS: { about: 'As of the agent.', schema: z.literal('accepted', 'must be accepted, or not be set').optional() },
});

export type KeyName = Exclude<keyof typeof settings, 'SIGNER_URL' | 'RAW_KEYS'>;

/**
 * The account of a key setting; undefined if it is not set.
 * @throws one line for each wrong setting, as the agent's start does; on BNB Chain also for a key in the environment itself.
 */
export function accountsOf(environment: Environment, chainId: number): (name: KeyName) => LocalAccount | undefined {
  const values = readEnvironment(settings, environment, (env, _, isInEnvironment) =>
    (Object.keys(settings) as (keyof typeof settings)[]).flatMap((name) => {
      if (name === 'SIGNER_URL' || name === 'RAW_KEYS') return [];
      const isRemote = env[name] !== undefined && remoteKeyOf(env[name].reveal()) !== undefined;
      if (isRemote) return env.SIGNER_URL ? [] : [`SIGNER_URL is missing: ${name} names a key of a remote signer.`];
      if (chainId !== bscChainId || env.RAW_KEYS === 'accepted' || !isInEnvironment(name)) return [];
      return [`${name} is an unencrypted private key in the environment, which is refused on bsc: use ${name}_FILE.`];
    }),
  );
  return (name) => values[name] && accountOf(values[name], values.SIGNER_URL);
}

function accountOf(secretKey: Secret, signerUrl: Secret | undefined): LocalAccount {
  const text = secretKey.reveal();
  const address = remoteKeyOf(text);
  if (address === undefined || signerUrl === undefined) return privateKeyToAccount(text as `0x${string}`);
  return connectRemoteSigner(signerUrl.reveal()).account(address);
}

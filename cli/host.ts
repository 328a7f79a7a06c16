import { localChainId } from '@bowline/core/domain/chains';
import { localAccountFactory } from '@bowline/core/registry/address-book';
import { chainIds } from '@bowline/http/common-settings';
import type { Environment } from '@bowline/http/environment';
import { readSecretFile } from '@bowline/http/secret-file';
import { isWebSocketUrl } from '@bowline/http/setting-schemas';
import { type Address, isAddress } from 'viem';
import { shellEnvironment } from './environment.ts';
import { recordPath } from './record.ts';

// What a command looks at where no option names anything: what the agent of this host is told to look at. A command with a default of
// its own would look at another chain than the agent's, and find nothing wrong there.

export interface Host {
  readonly environment: Environment;
  /** A setting of the shell or of `.env`, without white space at its ends; empty if it is not set. */
  setting(name: string): string;
  /**
   * A secret setting, itself or by its file; empty if it is not set.
   * @throws a sentence that names the setting, if there is no such file.
   */
  secret(name: string): string;
  /** As CHAIN names it; empty if it does not. */
  readonly chain: string;
  /** Of CHAIN, which is local by default. */
  readonly chainId: number;
  /** Of the ERC-4337 wallet; undefined if no setting names one and the chain is no local one. */
  readonly accountFactory: Address | undefined;
  /** Folder of the deployment records, relative to the project. */
  readonly deployments: string;
  /** The record of that chain in it. */
  readonly record: string;
  /** The agent's data folder, relative to the project. */
  readonly data: string;
  readonly agentUrl: string;
  /**
   * The nodes, the preferred one first. A command that is given one by an option does not ask: it may run where the files of the
   * settings cannot be read.
   * @param otherwise where no setting names any.
   * @throws a sentence that names the setting.
   */
  rpcUrls(otherwise?: string): readonly [string, ...string[]];
}

/**
 * By the settings of the shell and of `.env`, as the agent reads them.
 * @throws a sentence, if CHAIN names no chain.
 */
export function hostOf(environment = shellEnvironment()): Host {
  const setting = (name: string) => environment[name]?.trim() ?? '';
  const secret = (name: string) => secretOf(setting, name);
  const chain = setting('CHAIN');
  const chainId = (chainIds as Readonly<Record<string, number>>)[chain || 'local'];
  if (chainId === undefined) throw new Error(`CHAIN must be one of ${Object.keys(chainIds).join(', ')}.`);
  const named = setting('ACCOUNT_FACTORY');
  if (named !== '' && !isAddress(named, { strict: false })) throw new Error('ACCOUNT_FACTORY must be an address.');
  const accountFactory = named || (chainId === localChainId ? localAccountFactory : undefined);
  const deployments = setting('DEPLOYMENTS_DIR') || 'script/deployments';
  return {
    ...{
      environment,
      setting,
      secret,
      chain,
      chainId,
      accountFactory,
      deployments,
      record: recordPath(chainId, deployments),
    },
    data: setting('DATA_DIR') || 'data',
    agentUrl: `http://127.0.0.1:${setting('PORT') || '4020'}`,
    rpcUrls(otherwise = 'http://127.0.0.1:8545') {
      const named = (secret('RPC_URL') || otherwise).split(',').map((url) => url.trim());
      const [first = otherwise, ...others] = named.filter((url) => !isWebSocketUrl(url));
      return [first, ...others];
    },
  };
}

function secretOf(setting: Host['setting'], name: string): string {
  const paths = setting(`${name}_FILE`);
  if (setting(name) !== '' || paths === '') return setting(name);
  try {
    return paths
      .split(',')
      .map((path) => readSecretFile(path.trim()))
      .join(',');
  } catch (cause) {
    throw new Error(`${name}_FILE ${(cause as Error).message}.`, { cause });
  }
}

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { chainIds } from '@bowline/http/common-settings';
import { type Environment, readEnvironment } from '@bowline/http/environment';
import { isWebSocketUrl } from '@bowline/http/setting-schemas';
import { settings } from '../agent/src/settings.ts';
import { recordPath } from './record.ts';

/** The shell's environment, plus `.env` in the working directory, as the agent itself would read them. */
export function shellEnvironment(): Environment {
  return { ...fileEnvironment(), ...process.env };
}

function fileEnvironment(): Environment {
  try {
    return parseEnv(readFileSync('.env', 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error('.env cannot be read.', { cause: error });
  }
}

// Defaults of commands when no option is given: the settings of this host's agent. A command with its own default
// would look at another chain than the agent's, and find nothing wrong there.

export type Host = ReturnType<typeof hostOf>;

/**
 * Reads the settings of the shell and `.env` as the agent does.
 * @throws a line for each malformed setting.
 */
export function hostOf(environment = shellEnvironment()) {
  const { CHAIN, ACCOUNT_FACTORY, DEPLOYMENTS_DIR, DATA_DIR, PORT, RPC_URL } = settings;
  const read = readEnvironment({ CHAIN, ACCOUNT_FACTORY, DEPLOYMENTS_DIR, DATA_DIR, PORT }, environment);
  const chainId = chainIds[read.CHAIN];
  return {
    environment,
    /** A setting of the shell or `.env`, trimmed; empty if it is not set. */
    setting: (name: string) => environment[name]?.trim() ?? '',
    /** From CHAIN, which defaults to local. */
    chainId,
    /** Factory of the ERC-4337 wallet; undefined if no setting names one and the chain is not local. */
    accountFactory: read.ACCOUNT_FACTORY,
    /** Folder of the deployment records, relative to the project. */
    deployments: read.DEPLOYMENTS_DIR,
    /** That chain's record in it. */
    record: recordPath(chainId, read.DEPLOYMENTS_DIR),
    /** The agent's data folder, relative to the project. */
    data: read.DATA_DIR,
    agentUrl: `http://127.0.0.1:${read.PORT}`,
    /**
     * The nodes, the preferred one first. Not called by a command with a node option: it may run where the files of the
     * settings cannot be read.
     * @throws a sentence that names the setting.
     */
    rpcUrls(): readonly [string, ...string[]] {
      const urls = readEnvironment({ CHAIN, RPC_URL }, environment).RPC_URL.map((url) => url.reveal());
      const [first, ...others] = urls.filter((url) => !isWebSocketUrl(url));
      if (first === undefined) throw new Error('RPC_URL must have an http or https URL.');
      return [first, ...others];
    },
  };
}

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

// What the programs of `npm start` are given of the shell's environment. A setting left over from something else, for
// another chain say, must not decide what a demo does: of the agent's own, only those of a model, of the price and of the log pass.

type Environment = Readonly<Record<string, string | undefined>>;

/** How a program finds its files and the network on this machine. */
const ofTheMachine = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TZ',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'NODE_USE_ENV_PROXY',
  'NODE_EXTRA_CA_CERTS',
] as const;

const ofAModel = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'] as const;

/** Settings that pass. Those of a model only with its key: without it they would be an error of the agent's. */
export function chosenSettings(environment: Environment): Record<string, string> {
  const names = ['LOG_LEVEL', 'PRICE_USD', ...(environment.OPENAI_API_KEY?.trim() ? ofAModel : [])];
  return present(names, environment);
}

export const machineSettings = (environment: Environment): Record<string, string> => present(ofTheMachine, environment);

/** The shell's environment, and what `.env` in the working directory adds to it, as for the agent when it runs alone. */
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

function present(names: readonly string[], environment: Environment): Record<string, string> {
  const found = names.map((name) => [name, environment[name]?.trim()] as const);
  return Object.fromEntries(found.filter((each): each is [string, string] => Boolean(each[1])));
}

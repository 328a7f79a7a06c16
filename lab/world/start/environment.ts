import type { Environment } from '@bowline/http/environment';
import { withoutProxy } from '../../tools/loopback.mjs';

// The environment of the programs of `npm start`. A leftover setting, for example for another chain, must not change
// the demo: of the agent's own settings, only those for a model, the price and the log pass.

/** Variables that a program needs to find its files and this machine's network. */
const ofTheMachine = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TZ',
  'HTTP_PROXY',
  'http_proxy',
  'HTTPS_PROXY',
  'https_proxy',
  'NODE_USE_ENV_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'NODE_COMPILE_CACHE',
] as const;

const ofAModel = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'] as const;

/** Settings that pass. A model's settings pass only with its key; without the key the agent would refuse them. */
export function chosenSettings(environment: Environment): Record<string, string> {
  const names = ['LOG_LEVEL', 'PRICE_USD', ...(environment.OPENAI_API_KEY?.trim() ? ofAModel : [])];
  return present(names, environment);
}

/** Programs on this machine reach each other without a proxy. */
export const machineSettings = (environment: Environment): Record<string, string> => ({
  ...present(ofTheMachine, environment),
  ...withoutProxy(environment),
});

function present(names: readonly string[], environment: Environment): Record<string, string> {
  const found = names.map((name) => [name, environment[name]?.trim()] as const);
  return Object.fromEntries(found.filter((each): each is [string, string] => Boolean(each[1])));
}

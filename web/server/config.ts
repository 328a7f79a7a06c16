import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export interface Config {
  readonly chainId: number;
  readonly host: string;
  readonly port: number;
  /** By which it may be called: in lower case, without port. */
  readonly allowedHosts: readonly string[];
  readonly agentUrl: string;
  /** For the page to read the chain by. Public. */
  readonly rpcUrl: string;
  /** Absent: there is no exchange. */
  readonly marketDataUrl?: string;
  /** Secret. */
  readonly marketDataKey: string;
  readonly deployments: URL;
  /** Folder of the built page. */
  readonly files: string;
}

const root = new URL('../../', import.meta.url);

const isUrl = (text: string) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');
const url = z.string().refine(isUrl, 'must be an http or https URL');

/** Every variable that there is. `.env.example` tells what each is for. */
export const variables = z.object({
  CHAIN: z.enum(['local', 'bsc'], 'must be local or bsc').default('local'),
  WEB_HOST: z.string().default('127.0.0.1'),
  WEB_PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port')
    .default('3000'),
  WEB_ALLOWED_HOSTS: z.string().default(''),
  AGENT_URL: url.default('http://127.0.0.1:4020'),
  WEB_RPC_URL: url,
  MARKET_DATA_URL: z.string().refine((text) => text === 'off' || isUrl(text), 'must be an http or https URL, or off'),
  MARKET_DATA_KEY: z.string().default(''),
  DEPLOYMENTS_DIR: z.string().default('script/deployments'),
  WEB_FILES: z.string().default('web/dist'),
});

const defaults = {
  local: { WEB_RPC_URL: 'http://127.0.0.1:8545', MARKET_DATA_URL: 'http://127.0.0.1:4030' },
  bsc: { MARKET_DATA_URL: 'https://data-api.binance.vision' },
} as const;

/**
 * What the environment says.
 * @throws an error whose message has one line for each variable that is missing or malformed. No value is repeated.
 */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = variables.safeParse({ ...defaults[set.CHAIN === 'bsc' ? 'bsc' : 'local'], ...set });
  if (!parsed.success) {
    const told = parsed.error.issues.map(({ path, message }) =>
      set[path.join('')] === undefined ? `${path.join('')} is required.` : `${path.join('')} ${message}.`,
    );
    throw new Error(told.join('\n'));
  }
  const env = parsed.data;
  const others = env.WEB_ALLOWED_HOSTS.split(',').map((host) => host.trim().toLowerCase());
  return {
    chainId: env.CHAIN === 'bsc' ? 56 : 31_337,
    host: env.WEB_HOST,
    port: Number(env.WEB_PORT),
    allowedHosts: [env.WEB_HOST, 'localhost', '127.0.0.1', '[::1]', ...others.filter(Boolean)],
    agentUrl: env.AGENT_URL.replace(/\/+$/, ''),
    rpcUrl: env.WEB_RPC_URL,
    ...(env.MARKET_DATA_URL !== 'off' && { marketDataUrl: env.MARKET_DATA_URL }),
    marketDataKey: env.MARKET_DATA_KEY,
    deployments: new URL(`${env.DEPLOYMENTS_DIR}/`, root),
    files: fileURLToPath(new URL(`${env.WEB_FILES}/`, root)),
  };
}

/** What `.env` in the working directory adds to the environment. */
export function readEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

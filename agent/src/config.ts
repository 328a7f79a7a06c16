// The settings, from the environment, which nothing else reads. A variable that is empty is one that is not set.

import { inspect } from 'node:util';
import type { AssetClass } from '@bowline/core/domain/assets';
import { bscChainId, localChainId } from '@bowline/core/domain/chains';
import type { Limits } from '@bowline/core/domain/facts';
import { parseUnitsDown } from '@bowline/core/domain/units';
import { withOwnLimits } from '@bowline/core/verdict/own-limits';
import { z } from 'zod';
import type { ServingPolicy } from './loops/executor/plan.ts';
import type { GuardServingPolicy } from './loops/loan-guard/plan.ts';
import { type LogLevel, logLevels } from './process/log.ts';
import type { GasBounds } from './sending/calls.ts';

/** A text that is shown to nobody by accident: in a log, in an error or in a debugger it is "[secret]". */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}

export interface Config {
  readonly chain: 'local' | 'bsc';
  readonly chainId: typeof localChainId | typeof bscChainId;
  /** Secret, because providers put their key into it. */
  readonly rpcUrl: Secret;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Host names, IPv6 addresses in brackets, that callers and pages may call the agent by; `*` is all. */
  readonly allowedHosts: readonly string[];
  /** Absent: no exchange. */
  readonly marketDataUrl?: Secret;
  /** Absent: Pyth is not asked. */
  readonly pythUrl?: Secret;
  /** Absent: Pyth is asked without a key. */
  readonly pythApiKey?: Secret;
  /** Pyth is not asked because its own address takes no questions without a key, and none is set. */
  readonly pythKeyMissing: boolean;
  /** What verdicts are held to. */
  readonly limits: Readonly<Record<AssetClass, Limits>>;
  readonly keeperPrivateKey: Secret;
  /** Absent: rescues wait in the keeper's own queue. */
  readonly rescuePrivateKey?: Secret;
  /** Of an ERC-4337 bundler. */
  readonly bundlerUrl?: Secret;
  /** Absent: nothing is sold. */
  readonly seller?: { readonly privateKey: Secret /** Whole tokens with 18 decimals. */; readonly priceWad: bigint };
  /** Where others reach this service, without a slash at the end. Absent: where it listens. */
  readonly publicUrl?: string;
  /** Folder of what was delivered. */
  readonly deliverables: URL;
  readonly jobsIntervalSeconds: number;
  /** Absent: verdicts are not signed. */
  readonly verdictPrivateKey?: Secret;
  /** Absent: questions are answered without a model. */
  readonly model?: { readonly apiKey: Secret; readonly baseUrl: Secret; readonly name: string };
  /** Absent: answers are free. */
  readonly payment?: PaymentConfig;
  readonly executorIntervalSeconds: number;
  readonly guardIntervalSeconds: number;
  /** 0: blocks are not looked for. */
  readonly guardBlockPollMs: number;
  readonly servingPolicy: ServingPolicy;
  readonly guardServingPolicy: GuardServingPolicy;
  readonly gasBounds: GasBounds;
  readonly logLevel: LogLevel;
  /** Folder of the deployment records. */
  readonly deployments: URL;
}

interface PaymentConfig {
  /** Of one answer, with 18 decimals. */
  readonly priceUsdWad: bigint;
  readonly payTo: `0x${string}`;
  readonly rail:
    | { readonly name: 'x402'; readonly facilitatorUrl: string }
    | {
        readonly name: 'b402';
        readonly baseUrl: string;
        readonly clientId: string;
        readonly accessToken: Secret;
        readonly privateKey: Secret;
      };
}

/** Every text of the configuration that must not appear anywhere. */
export const secretsOf = ({
  rpcUrl,
  marketDataUrl,
  pythUrl,
  pythApiKey,
  keeperPrivateKey,
  rescuePrivateKey,
  bundlerUrl,
  verdictPrivateKey,
  seller,
  model,
  payment,
}: Config): string[] =>
  [
    ...[
      rpcUrl,
      marketDataUrl,
      pythUrl,
      pythApiKey,
      keeperPrivateKey,
      rescuePrivateKey,
      bundlerUrl,
      verdictPrivateKey,
      seller?.privateKey,
      model?.apiKey,
      model?.baseUrl,
    ],
    ...(payment?.rail.name === 'b402' ? [payment.rail.accessToken, payment.rail.privateKey] : []),
  ]
    .filter((secret) => secret !== undefined)
    .map((secret) => secret.reveal());

const chains = ['local', 'bsc', 'bsc-testnet'] as const;

// Anvil's seventh account, from which other agents buy on a local chain. Its key is public.
const localSellerKey = '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e';

const localSellerAddress = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';

// Anvil's second account, which operates the executor that is deployed on a local chain. Its key is public.
const localKeeperKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

// Signs verdicts on a local chain, and holds nothing. It is public: a sentence of 32 letters.
const localVerdictKey = '0x626f776c696e653a207665726469637473206f6e206c6f63616c20636861696e';

/** Pyth's own Hermes, which answers nobody without a key. */
const pythOwnUrl = 'https://pyth.dourolabs.app/hermes';
// Anvil's twelfth account, which carries rescues under `npm start`. Its key is public.
const localRescueKey = '0x701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82';

/** Everybody has them. */
const localKeys = [localKeeperKey, localSellerKey, localRescueKey, localVerdictKey];

/** What is taken when a variable is not set. On the local chain minutes are seconds. */
const defaults = {
  local: {
    RPC_URL: 'http://127.0.0.1:8545',
    MARKET_DATA_URL: 'http://127.0.0.1:4030',
    // The local market answers as Pyth, too.
    PYTH_URL: 'http://127.0.0.1:4030',
    KEEPER_PRIVATE_KEY: localKeeperKey,
    SELLER_PRIVATE_KEY: localSellerKey,
    JOBS_INTERVAL_SECONDS: '5',
    PAYMENT_RAIL: 'x402',
    X402_FACILITATOR_URL: 'http://127.0.0.1:4050',
    PAY_TO: localSellerAddress,
    VERDICT_PRIVATE_KEY: localVerdictKey,
    EXECUTOR_INTERVAL_SECONDS: '15',
    GUARD_INTERVAL_SECONDS: '5',
    MIN_RUN_USD: '5',
    MIN_PERIOD_SECONDS: '60',
    MAX_GAS_PER_OWNER_PER_DAY: '2000000000',
    MAX_GAS_BNB_PER_DAY: '30',
    GUARD_MIN_COOLDOWN_SECONDS: '0',
  },
  bsc: {
    // The exchange's host for public prices alone.
    MARKET_DATA_URL: 'https://data-api.binance.vision',
    PYTH_URL: pythOwnUrl,
    JOBS_INTERVAL_SECONDS: '60',
    EXECUTOR_INTERVAL_SECONDS: '900',
    GUARD_INTERVAL_SECONDS: '300',
    MIN_RUN_USD: '5',
    MIN_PERIOD_SECONDS: '3600',
    MAX_GAS_PER_OWNER_PER_DAY: '20000000',
    MAX_GAS_BNB_PER_DAY: '0.5',
    GUARD_MIN_COOLDOWN_SECONDS: '300',
  },
} as const;

function isUrl(text: string): boolean {
  const parsed = URL.parse(text);
  return parsed !== null && ['http:', 'https:'].includes(parsed.protocol);
}

const url = z.string().refine(isUrl, 'must be an http or https URL');

const urlOrOff = z.string().refine((text) => text === 'off' || isUrl(text), 'must be an http or https URL, or off');

const ownLimits = z.string().transform((text, context) => {
  try {
    return withOwnLimits(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
});

/** As it stands in a URL: an IPv6 address in brackets. */
const inUrl = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host).toLowerCase();

// What only looks like an address, as 300.1.1.1 and 1.2.3 do, is no host of a URL or is another one there.
const isHost = (host: string) => /^[\w.:[\]-]+$/.test(host) && URL.parse(`http://${inUrl(host)}`)?.host === inUrl(host);

const words = (text: string): string[] => text.split(',').map((word) => word.trim());

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .transform(Number);

const amount = (decimals: number, unit?: string) =>
  z.string().transform((text, context) => {
    const parsed = parseUnitsDown(text, decimals);
    if (parsed !== undefined) return parsed;
    const number = unit === undefined ? 'a number' : `a number of ${unit}`;
    context.addIssue({ code: 'custom', message: `must be ${number}, like 5 or 0.5` });
    return z.NEVER;
  });

const secondsPerDay = 86_400;

/** Of secp256k1: private keys lie below it. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')
  .refine((key) => !/^0x[0-9a-fA-F]{64}$/.test(key) || (BigInt(key) > 0n && BigInt(key) < curveOrder), {
    error: 'is no key of the curve: zero, or too large',
  });

/** Every variable that there is. `.env.example` tells what each is for. */
export const variables = z.object({
  CHAIN: z.enum(chains, `must be one of ${chains.join(', ')}`).default('local'),
  RPC_URL: url,
  HOST: z.string().refine(isHost, 'must be a host name or an address').default('127.0.0.1'),
  ALLOWED_HOSTS: z
    .string()
    .transform(words)
    .refine((hosts) => hosts.every((host) => host === '*' || isHost(host)), {
      error: 'must be host names or addresses without port and with commas between them, or *',
    })
    .default([]),
  PORT: wholeNumber(0, 65_535).prefault('4020'),
  MARKET_DATA_URL: urlOrOff,
  PYTH_URL: urlOrOff,
  // A header is made of it: with a line break in it, two.
  PYTH_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be the key alone: printable ASCII without spaces')
    .optional(),
  GUARD_LIMITS: ownLimits.prefault('{}'),
  PUBLIC_URL: url.refine((text) => !/[?#]|\/$/.test(text), 'must have no slash at the end, no ? and no #').optional(),
  KEEPER_PRIVATE_KEY: privateKey,
  RESCUE_PRIVATE_KEY: privateKey.optional(),
  BUNDLER_URL: url.optional(),
  SELLER_PRIVATE_KEY: privateKey.optional(),
  JOB_PRICE: amount(18, 'whole tokens').prefault('1'),
  JOBS_INTERVAL_SECONDS: wholeNumber(1, secondsPerDay),
  DELIVERABLES_DIR: z.string().default('.cache/deliverables'),
  VERDICT_PRIVATE_KEY: privateKey.optional(),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: url.default('https://api.openai.com/v1'),
  OPENAI_MODEL: z.string().default('gpt-5-mini'),
  PRICE_USD: amount(18, 'US dollars').prefault('0'),
  PAYMENT_RAIL: z.enum(['x402', 'b402'], 'must be x402 or b402').default('b402'),
  PAY_TO: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits')
    .optional(),
  X402_FACILITATOR_URL: url.optional(),
  B402_BASE_URL: url.optional(),
  B402_CLIENT_ID: z.string().optional(),
  B402_ACCESS_TOKEN: z.string().optional(),
  B402_PRIVATE_KEY: z.string().optional(),
  EXECUTOR_INTERVAL_SECONDS: wholeNumber(1, secondsPerDay),
  GUARD_INTERVAL_SECONDS: wholeNumber(1, secondsPerDay),
  GUARD_BLOCK_POLL_MS: wholeNumber(0, 60_000).prefault('450'),
  SERVED_TOKENS: z
    .string()
    .transform(words)
    .refine((symbols) => symbols.every((symbol) => /^[A-Z0-9]+$/.test(symbol)), {
      error: 'must be symbols in upper case with commas between them',
    })
    .prefault('BTCB,ETH,WBNB,USDC,USDT'),
  MIN_RUN_USD: amount(18, 'US dollars'),
  MIN_PERIOD_SECONDS: wholeNumber(0, 366 * secondsPerDay),
  MAX_GAS_PER_OWNER_PER_DAY: wholeNumber(0, 1e12),
  GUARD_MAX_TRIGGER: amount(18).prefault('2'),
  GUARD_MIN_COOLDOWN_SECONDS: wholeNumber(0, 366 * secondsPerDay),
  GUARD_MIN_REPAY_USD: amount(18, 'US dollars').prefault('5'),
  MAX_GAS_PRICE_GWEI: amount(9, 'gwei')
    .refine((wei) => wei > 0n, 'must be above 0')
    .prefault('5'),
  RESCUE_MAX_GAS_PRICE_GWEI: amount(9, 'gwei').prefault('20'),
  MAX_GAS_BNB_PER_DAY: amount(18, 'BNB'),
  DEPLOYMENTS_DIR: z.string().default('script/deployments'),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
});

const root = new URL('../../', import.meta.url);

type Variable = keyof typeof variables.shape;

/** Their values are repeated nowhere, not even to say that they are wrong. */
const secretVariables: readonly Variable[] = [
  'RPC_URL',
  'MARKET_DATA_URL',
  'PYTH_URL',
  'PYTH_API_KEY',
  'KEEPER_PRIVATE_KEY',
  'RESCUE_PRIVATE_KEY',
  'BUNDLER_URL',
  'SELLER_PRIVATE_KEY',
  'B402_ACCESS_TOKEN',
  'B402_PRIVATE_KEY',
  'VERDICT_PRIVATE_KEY',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
];

/**
 * The configuration that the environment describes.
 * @throws an error whose message has one line for each variable that is missing or malformed.
 */
export function loadConfig(environment: Readonly<Record<string, string | undefined>> = fromProcess()): Config {
  const set: Environment = Object.fromEntries(
    Object.entries(environment)
      .map(([name, value]) => [name, value?.trim()])
      .filter(([, value]) => value),
  );
  const chain = set.CHAIN === 'bsc' ? 'bsc' : 'local';
  const parsed = variables.safeParse({ ...defaults[chain], ...set });
  const problems = [
    ...(parsed.error?.issues ?? []).map(({ path: [name], message }) => complaint(name as Variable, message, set)),
    ...conflicts(set),
    ...(parsed.success
      ? [...gasConflicts(parsed.data), ...pythConflicts(parsed.data), ...rescueKeyConflicts(parsed.data)]
      : []),
  ];
  if (!parsed.success || problems.length > 0) throw new Error(problems.join('\n'));

  const env = parsed.data;
  const payment = paymentOf(env);
  // Any other address may be a copy that wants none.
  const pythKeyMissing = env.PYTH_API_KEY === undefined && isPythOwn(env.PYTH_URL);
  return {
    chain,
    chainId: chain === 'bsc' ? bscChainId : localChainId,
    rpcUrl: new Secret(env.RPC_URL),
    host: env.HOST,
    port: env.PORT,
    allowedHosts: [env.HOST, 'localhost', '127.0.0.1', '::1', ...env.ALLOWED_HOSTS].map(inUrl),
    ...(env.MARKET_DATA_URL !== 'off' && { marketDataUrl: new Secret(env.MARKET_DATA_URL) }),
    ...(env.PYTH_URL !== 'off' && !pythKeyMissing && { pythUrl: new Secret(env.PYTH_URL) }),
    ...(env.PYTH_API_KEY !== undefined && { pythApiKey: new Secret(env.PYTH_API_KEY) }),
    pythKeyMissing,
    limits: env.GUARD_LIMITS,
    keeperPrivateKey: new Secret(env.KEEPER_PRIVATE_KEY),
    ...(env.RESCUE_PRIVATE_KEY !== undefined && { rescuePrivateKey: new Secret(env.RESCUE_PRIVATE_KEY) }),
    ...(env.BUNDLER_URL !== undefined && { bundlerUrl: new Secret(env.BUNDLER_URL) }),
    ...(env.SELLER_PRIVATE_KEY !== undefined && {
      seller: { privateKey: new Secret(env.SELLER_PRIVATE_KEY), priceWad: env.JOB_PRICE },
    }),
    ...(env.PUBLIC_URL !== undefined && { publicUrl: env.PUBLIC_URL }),
    deliverables: new URL(`${env.DELIVERABLES_DIR}/`, root),
    jobsIntervalSeconds: env.JOBS_INTERVAL_SECONDS,
    ...(env.VERDICT_PRIVATE_KEY !== undefined && { verdictPrivateKey: new Secret(env.VERDICT_PRIVATE_KEY) }),
    ...(env.OPENAI_API_KEY !== undefined && {
      model: {
        apiKey: new Secret(env.OPENAI_API_KEY),
        baseUrl: new Secret(env.OPENAI_BASE_URL),
        name: env.OPENAI_MODEL,
      },
    }),
    ...(payment && { payment }),
    executorIntervalSeconds: env.EXECUTOR_INTERVAL_SECONDS,
    guardIntervalSeconds: env.GUARD_INTERVAL_SECONDS,
    guardBlockPollMs: env.GUARD_BLOCK_POLL_MS,
    servingPolicy: {
      tokens: env.SERVED_TOKENS,
      minimumRunUsdWad: env.MIN_RUN_USD,
      minimumPeriodSeconds: BigInt(env.MIN_PERIOD_SECONDS),
      gasPerOwnerPerDay: BigInt(env.MAX_GAS_PER_OWNER_PER_DAY),
    },
    guardServingPolicy: {
      maxTriggerHealthWad: env.GUARD_MAX_TRIGGER,
      minimumCooldownSeconds: BigInt(env.GUARD_MIN_COOLDOWN_SECONDS),
      minimumRepayUsdWad: env.GUARD_MIN_REPAY_USD,
    },
    gasBounds: {
      maxGasPriceWei: env.MAX_GAS_PRICE_GWEI,
      rescueMaxGasPriceWei: env.RESCUE_MAX_GAS_PRICE_GWEI,
      maxDayWei: env.MAX_GAS_BNB_PER_DAY,
    },
    logLevel: env.LOG_LEVEL,
    deployments: new URL(`${env.DEPLOYMENTS_DIR}/`, root),
  };
}

/**
 * How answers are paid for; undefined at a price of 0.
 * @throws one line for each variable that the price makes necessary and that is not set.
 */
function paymentOf(env: z.output<typeof variables>): PaymentConfig | undefined {
  if (env.PRICE_USD === 0n) return undefined;
  const needed = {
    x402: ['PAY_TO', 'X402_FACILITATOR_URL'],
    b402: ['PAY_TO', 'B402_BASE_URL', 'B402_CLIENT_ID', 'B402_ACCESS_TOKEN', 'B402_PRIVATE_KEY'],
  } as const;
  const absent = needed[env.PAYMENT_RAIL].filter((name) => env[name] === undefined);
  if (absent.length > 0) {
    throw new Error(
      absent
        .map((name) => `${name} is missing: PRICE_USD is above 0 and PAYMENT_RAIL is ${env.PAYMENT_RAIL}.`)
        .join('\n'),
    );
  }
  const text = (name: (typeof needed)['b402' | 'x402'][number]): string => env[name] ?? '';
  return {
    priceUsdWad: env.PRICE_USD,
    payTo: text('PAY_TO') as `0x${string}`,
    rail:
      env.PAYMENT_RAIL === 'x402'
        ? { name: 'x402', facilitatorUrl: text('X402_FACILITATOR_URL') }
        : {
            name: 'b402',
            baseUrl: text('B402_BASE_URL'),
            clientId: text('B402_CLIENT_ID'),
            accessToken: new Secret(text('B402_ACCESS_TOKEN')),
            privateKey: new Secret(text('B402_PRIVATE_KEY')),
          },
  };
}

/** The process's own environment, with what `.env` in the working directory adds to it. */
function fromProcess(): Environment {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return process.env;
}

type Environment = Readonly<Record<string, string | undefined>>;

function complaint(name: Variable, message: string, set: Environment): string {
  const value = set[name];
  if (value === undefined) return `${name} is required when CHAIN is ${set.CHAIN}.`;
  return secretVariables.includes(name) ? `${name} ${message}.` : `${name} ${message}; it is "${value.slice(0, 40)}".`;
}

/** What no variable shows by itself. */
function conflicts(set: Environment): string[] {
  const problems: string[] = [];
  if (set.CHAIN === 'bsc-testnet') problems.push('CHAIN bsc-testnet has no address book yet.');
  if ((set.CHAIN ?? 'local') === 'local' && set.RPC_URL !== undefined && !isLoopback(set.RPC_URL)) {
    problems.push('RPC_URL must be on this machine (127.0.0.1) when CHAIN is local.');
  }
  if (set.CHAIN === 'bsc' && set.KEEPER_PRIVATE_KEY?.toLowerCase() === localKeeperKey) {
    problems.push('KEEPER_PRIVATE_KEY is the public key of a local chain.');
  }
  if (set.CHAIN === 'bsc' && set.SELLER_PRIVATE_KEY?.toLowerCase() === localSellerKey) {
    problems.push('SELLER_PRIVATE_KEY is the public key of a local chain.');
  }
  if (set.SELLER_PRIVATE_KEY && set.SELLER_PRIVATE_KEY.toLowerCase() === set.KEEPER_PRIVATE_KEY?.toLowerCase()) {
    // Each numbers its own transactions: with one key both would take the same numbers.
    problems.push('SELLER_PRIVATE_KEY must be another key than KEEPER_PRIVATE_KEY.');
  }
  if (set.CHAIN === 'bsc' && set.VERDICT_PRIVATE_KEY === localVerdictKey) {
    problems.push('VERDICT_PRIVATE_KEY is the public key of a local chain.');
  }
  if (set.OPENAI_BASE_URL !== undefined && set.OPENAI_API_KEY === undefined) {
    problems.push('OPENAI_BASE_URL has no effect without OPENAI_API_KEY.');
  }
  return problems;
}

/**
 * Each key numbers its own transactions, and with one key both would take the same numbers; the verdict key holds nothing,
 * and must not be where BNB lies. Defaults count: they are keys, too.
 */
function rescueKeyConflicts(env: z.output<typeof variables>): string[] {
  const rescue = env.RESCUE_PRIVATE_KEY?.toLowerCase();
  if (rescue === undefined) return [];
  const others = ['KEEPER_PRIVATE_KEY', 'SELLER_PRIVATE_KEY', 'VERDICT_PRIVATE_KEY'] as const;
  const same = others.filter((name) => env[name]?.toLowerCase() === rescue);
  const isPublic = env.CHAIN === 'bsc' && localKeys.some((key) => key === rescue);
  return [
    ...same.map((name) => `RESCUE_PRIVATE_KEY must be another key than ${name}.`),
    ...(isPublic ? ['RESCUE_PRIVATE_KEY is the public key of a local chain.'] : []),
  ];
}

// A default that the other variable has overtaken would make rescues the first thing to stop.
const gasConflicts = ({ MAX_GAS_PRICE_GWEI, RESCUE_MAX_GAS_PRICE_GWEI }: z.output<typeof variables>): string[] =>
  RESCUE_MAX_GAS_PRICE_GWEI < MAX_GAS_PRICE_GWEI
    ? ['RESCUE_MAX_GAS_PRICE_GWEI must not be below MAX_GAS_PRICE_GWEI.']
    : [];

const isPythOwn = (text: string): boolean => URL.parse(text)?.hostname === URL.parse(pythOwnUrl)?.hostname;

const pythConflicts = ({ PYTH_URL, PYTH_API_KEY }: z.output<typeof variables>): string[] =>
  PYTH_API_KEY !== undefined && URL.parse(PYTH_URL)?.protocol === 'http:' && !isLoopback(PYTH_URL)
    ? [
        'PYTH_URL must begin with https, or be on this machine, when PYTH_API_KEY is set: anybody on the way could read the key.',
      ]
    : [];

function isLoopback(text: string): boolean {
  const host = URL.parse(text)?.hostname;
  // What is no URL at all has been complained of already.
  return host === undefined || host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

// The agent's configuration, parsed from the environment. Nothing else reads the environment.

import { isPermit2Token, type Permit2Token } from '@bowline/core/domain/payment';
import { type Address, WAD } from '@bowline/core/domain/units';
import { listedSymbols } from '@bowline/core/registry/assets';
import { chainIds } from '@bowline/http/common-settings';
import { type Environment, formerSettings, readEnvFile, readEnvironment, type Values } from '@bowline/http/environment';
import { placeIn } from '@bowline/http/place';
import type { Secret } from '@bowline/http/secret';
import { allowedHosts, isWebSocketUrl } from '@bowline/http/setting-schemas';
import { answersOf } from './api/http/limits.ts';
import { keyConflicts, rawKeyConflicts, rawKeysOf } from './key-settings.ts';
import { servingPolicyOf } from './loops/executor/plan.ts';
import { servedByDefault } from './loops/loan-guard/plan.ts';
import { isPublicUrl } from './notify/addresses.ts';
import { dataPlaces } from './process/data-places.ts';
import { gasBoundsOf } from './sending/calls.ts';
import { former, localKeys, pythOwnUrl, settings } from './settings.ts';

export { Secret, secretsOf } from '@bowline/http/secret';

export type Config = ReturnType<typeof loadConfig>;

interface PaymentConfig {
  /** Price of one answer in USD with 18 decimals. */
  readonly priceUsdWad: bigint;
  readonly payTo: `0x${string}`;
  /** Symbols of the tokens that pay by Permit2. */
  readonly permit2Tokens: readonly Permit2Token[];
  readonly rail:
    | { readonly name: 'x402'; readonly facilitatorUrl: Secret }
    | {
        readonly name: 'b402';
        readonly baseUrl: Secret;
        readonly clientId: string;
        readonly accessToken: Secret;
        readonly privateKey: Secret;
      };
}

const root = new URL('../../', import.meta.url);

type Env = Values<typeof settings>;

/**
 * Parses the configuration from the environment.
 * @throws an error whose message has one line for each missing or malformed setting; or, if there are none,
 * for each conflict between settings.
 */
export function loadConfig(environment: Environment = readEnvFile()) {
  const env = readEnvironment(settings, environment, (values, isSet, isInEnvironment) => [
    ...formerSettings(former, environment),
    ...chainConflicts(values),
    ...keyConflicts(values, Object.values(localKeys)),
    ...rawKeyConflicts(values, isInEnvironment),
    ...sellerConflicts(values),
    ...pythConflicts(values),
    ...paymentConflicts(values),
    ...(isSet('OPENAI_BASE_URL') && !isSet('OPENAI_API_KEY')
      ? ['OPENAI_BASE_URL has no effect without OPENAI_API_KEY.']
      : []),
  ]);
  return { ...addressesOf(env), ...keysOf(env, environment), ...servicesOf(env) };
}

/** Addresses that the agent calls or listens on. Node addresses are secret: providers put their API key into them. */
const addressesOf = (env: Env) => ({
  chain: env.CHAIN,
  chainId: chainIds[env.CHAIN],
  /** The preferred one first. */
  rpcUrls: env.RPC_URL.filter((url) => !isWebSocket(url)),
  rpcWsUrls: env.RPC_URL.filter(isWebSocket),
  privateSendUrls: env.PRIVATE_SEND_URLS ?? [],
  host: env.HOST,
  port: env.PORT,
  /** Host names, IPv6 in brackets, that requests and calling pages may use; `*` accepts all. */
  allowedHosts: allowedHosts(env.HOST, env.ALLOWED_HOSTS ?? []),
  trustedProxies: env.TRUSTED_PROXIES,
  requestLimits: { ...answersOf(env.ANSWER_LIMIT, env.PAGE_SECRET !== undefined), caller: env.CALLER_LIMIT },
  ...(env.PAGE_SECRET && { pageSecret: env.PAGE_SECRET }),
  ...(env.PUBLIC_URL && { publicUrl: env.PUBLIC_URL }),
  ...(env.REDIS_URL && { redisUrl: env.REDIS_URL }),
  /** Folder of the deployment records. */
  deployments: placeIn(root, `${env.DEPLOYMENTS_DIR}/`),
  ...dataPlaces(placeIn(root, `${env.DATA_DIR}/`)),
});

/** The agent's signing keys. Work whose key is absent is left out. */
function keysOf(env: Env, environment: Environment) {
  const [verdictPrivateKey, ...formerVerdictPrivateKeys] = env.VERDICT_PRIVATE_KEY ?? [];
  return {
    ...(env.SIGNER_URL && { signerUrl: env.SIGNER_URL }),
    /** Settings on BNB Chain that hold an unencrypted private key. */
    rawKeys: env.CHAIN === 'bsc' ? rawKeysOf(env, (name) => Boolean(environment[name]?.trim())) : [],
    ...(isOn(env.KEEPER_PRIVATE_KEY) && { keeperPrivateKey: env.KEEPER_PRIVATE_KEY }),
    rescuePrivateKeys: env.RESCUE_PRIVATE_KEYS ?? [],
    ...(env.ACCOUNT_FACTORY && { accountFactory: env.ACCOUNT_FACTORY as Address }),
    bundlerUrls: env.BUNDLER_URL ?? [],
    ...(verdictPrivateKey && { verdictPrivateKey }),
    /** Earlier keys, which still sign tickets of plans that name them. */
    formerVerdictPrivateKeys,
    /** Whether the verdict key is the local chain's public default, not one that the operator set. */
    hasDefaultVerdictKey: verdictPrivateKey?.reveal() === localKeys.verdict,
    /** The price has 18 decimals. */
    ...(env.SELLER_PRIVATE_KEY && { seller: { privateKey: env.SELLER_PRIVATE_KEY, priceWad: jobPriceOf(env) } }),
  };
}

/** Price sources, model, payments, messages, intervals, serving policies and log level. */
function servicesOf(env: Env) {
  const payment = paymentOf(env);
  // Any other URL may be a mirror without keys.
  const pythKeyMissing = env.PYTH_API_KEY === undefined && isPythOwn(env.PYTH_URL);
  const gasBounds = gasBoundsOf(env.MAX_GAS_PRICE_GWEI, env.MAX_GAS_BNB_PER_DAY);
  return {
    ...(isOn(env.MARKET_DATA_URL) && { marketDataUrl: env.MARKET_DATA_URL }),
    ...(isOn(env.PYTH_URL) && !pythKeyMissing && { pythUrl: env.PYTH_URL }),
    ...(env.PYTH_API_KEY && { pythApiKey: env.PYTH_API_KEY }),
    /** Pyth is off because its own Hermes requires a key and none is set. */
    pythKeyMissing,
    ...(env.OPENAI_API_KEY && {
      model: { apiKey: env.OPENAI_API_KEY, baseUrl: env.OPENAI_BASE_URL, name: env.OPENAI_MODEL },
    }),
    ...(payment && { payment }),
    ...(env.TELEGRAM_BOT_TOKEN && { telegramToken: env.TELEGRAM_BOT_TOKEN }),
    jobsIntervalSeconds: env.JOBS_INTERVAL_SECONDS,
    executorIntervalSeconds: env.EXECUTOR_INTERVAL_SECONDS,
    guardIntervalSeconds: Math.ceil(env.EXECUTOR_INTERVAL_SECONDS / 3),
    /** 0: no polling for blocks. */
    guardBlockPollMs: env.GUARD_BLOCK_POLL_MS,
    servingPolicy: servingPolicyOf(listedSymbols, env.EXECUTOR_INTERVAL_SECONDS, gasBounds),
    guardServingPolicy: servedByDefault,
    gasBounds,
    logLevel: env.LOG_LEVEL,
  };
}

/** The same for an agent that serves only one owner's plans and loans. */
export const onlyFor = (config: Config, owner: Address): Config => ({
  ...config,
  servingPolicy: { ...config.servingPolicy, owner },
  guardServingPolicy: { ...config.guardServingPolicy, owner },
});

const isOn = (setting: Secret): boolean => setting.reveal() !== 'off';
const isWebSocket = (url: Secret): boolean => isWebSocketUrl(url.reveal());

/** A verdict costs the same as a job. If answers are free, a job costs one token: the escrow accepts no free jobs. */
const jobPriceOf = ({ JOB_PRICE, PRICE_USD }: Env): bigint => JOB_PRICE ?? (PRICE_USD > 0n ? PRICE_USD : WAD);

/** Payment configuration; undefined at a price of 0. */
function paymentOf(env: Env): PaymentConfig | undefined {
  const rail = railOf(env);
  if (env.PRICE_USD === 0n || env.PAY_TO === undefined || rail === undefined || !env.VERDICT_PRIVATE_KEY)
    return undefined;
  const permit2Tokens = env.PERMIT2_TOKENS.filter(isPermit2Token);
  return { priceUsdWad: env.PRICE_USD, payTo: env.PAY_TO as `0x${string}`, permit2Tokens, rail };
}

/** Undefined if a setting is missing, which is a conflict when the price is above 0. */
function railOf(env: Env): PaymentConfig['rail'] | undefined {
  if (env.PAYMENT_RAIL === 'x402') {
    return env.X402_FACILITATOR_URL && { name: 'x402', facilitatorUrl: env.X402_FACILITATOR_URL };
  }
  const { B402_BASE_URL: baseUrl, B402_CLIENT_ID: clientId } = env;
  const { B402_ACCESS_TOKEN: accessToken, B402_PRIVATE_KEY: privateKey } = env;
  if (!baseUrl || !clientId || !accessToken || !privateKey) return undefined;
  return { name: 'b402', baseUrl, clientId, accessToken, privateKey };
}

const neededFor = {
  x402: ['PAY_TO', 'X402_FACILITATOR_URL'],
  b402: ['PAY_TO', 'B402_BASE_URL', 'B402_CLIENT_ID', 'B402_ACCESS_TOKEN', 'B402_PRIVATE_KEY'],
} as const;

const paymentConflicts = (env: Env): string[] =>
  env.PRICE_USD === 0n
    ? []
    : [
        ...neededFor[env.PAYMENT_RAIL]
          .filter((name) => env[name] === undefined)
          .map((name) => `${name} is missing: PRICE_USD is above 0 and PAYMENT_RAIL is ${env.PAYMENT_RAIL}.`),
        ...(env.VERDICT_PRIVATE_KEY === undefined
          ? ['VERDICT_PRIVATE_KEY is missing: PRICE_USD is above 0, and it signs the verdicts that are sold.']
          : []),
        ...(env.JOB_PRICE !== undefined && env.JOB_PRICE !== env.PRICE_USD
          ? ['JOB_PRICE must be PRICE_USD, or not be set: a verdict costs the same as a job.']
          : []),
      ];

const nodeNames = ['RPC_URL', 'PRIVATE_SEND_URLS'] as const;

function chainConflicts(env: Env): string[] {
  const areElsewhere = (name: (typeof nodeNames)[number]) => ![env[name] ?? []].flat().every(isLoopback);
  return [
    ...(env.RPC_URL.every(isWebSocket) ? ['RPC_URL must have an http or https URL.'] : []),
    ...nodeNames
      .filter((name) => env.CHAIN === 'local' && areElsewhere(name))
      .map((name) => `${name} must be on this machine (127.0.0.1) when CHAIN is local.`),
  ];
}

/** Every delivery writes PUBLIC_URL on chain. If buyers cannot reach it, the work would be voted down. */
const sellerConflicts = ({ CHAIN, SELLER_PRIVATE_KEY, PUBLIC_URL }: Env): string[] =>
  CHAIN === 'bsc' && SELLER_PRIVATE_KEY !== undefined && !isPublicUrl(PUBLIC_URL ?? '')
    ? [
        `PUBLIC_URL ${PUBLIC_URL === undefined ? 'is missing' : 'is not public'}: with SELLER_PRIVATE_KEY, buyers on bsc fetch what they paid for from it.`,
      ]
    : [];

const parsed = (url: Secret) => URL.parse(url.reveal());

const isPythOwn = (url: Secret): boolean => parsed(url)?.hostname === new URL(pythOwnUrl).hostname;

const pythConflicts = ({ PYTH_URL, PYTH_API_KEY }: Env): string[] =>
  PYTH_API_KEY !== undefined && parsed(PYTH_URL)?.protocol === 'http:' && !isLoopback(PYTH_URL)
    ? [
        'PYTH_URL must use https or be on this machine when PYTH_API_KEY is set: others on the network could read the key.',
      ]
    : [];

function isLoopback(url: Secret): boolean {
  const host = parsed(url)?.hostname ?? '';
  return ['localhost', '[::1]'].includes(host) || /^127(\.\d+){3}$/.test(host);
}

import { isPermit2Token } from '@bowline/core/domain/payment';
import { localAccountFactory } from '@bowline/core/registry/address-book';
import { withOwnLimits } from '@bowline/core/verdict/own-limits';
import { commonSettings } from '@bowline/http/common-settings';
import { group } from '@bowline/http/environment';
import { openKeystore } from '@bowline/http/keystore';
import {
  accountAddress,
  accountKey,
  accountKeyOrOff,
  accountKeys,
  amount,
  apiKey,
  host,
  hosts,
  redisUrl,
  secret,
  secrets,
  url,
  urlOrOff,
  webSocketUrl,
  wholeNumber,
  words,
} from '@bowline/http/setting-schemas';
import { z } from 'zod';
import { logLevels } from './process/log.ts';

// The agent's settings, each declared once. After a change, run npm run lab -- settings.

/** Publicly known private keys. All but the last belong to anvil's accounts. */
export const localKeys = {
  keeper: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  seller: '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e',
  rescue: '0x701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82',
  // 32 ASCII characters of text. Its account holds nothing.
  verdict: '0x626f776c696e653a207665726469637473206f6e206c6f63616c20636861696e',
} as const;

const localSellerAddress = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';

/** Pyth's own Hermes, which requires an API key. */
export const pythOwnUrl = 'https://pyth.dourolabs.app/hermes';

const secondsPerDay = 86_400;

// Unlike other messages about settings, these quote names and numbers of the JSON. A text that is not JSON of objects,
// such as a misplaced secret, is never quoted.
const ownLimits = z.string().transform((text, context) => {
  try {
    return withOwnLimits(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
});

const guardShare = z
  .string()
  .regex(/^[1-9]\d{0,2}\/[1-9]\d{0,2}$/, 'must be two whole numbers from 1 to 999, such as 2/4')
  .transform((text) => {
    const [part, of] = text.split('/').map(Number) as [number, number];
    return { part, of };
  })
  .refine(({ part, of }) => part <= of, 'must not name a part above their number');

const urls = secrets(url, 'must be http or https URLs, separated by commas');

const chain = group('Chain', {
  RPC_URL: {
    about: 'JSON-RPC address of a node. Required on bsc unless RPC_URLS is set. On local, it must be on this machine.',
    schema: secret(url).optional(),
    default: { local: 'http://127.0.0.1:8545' },
  },
  RPC_URLS: {
    about:
      'JSON-RPC addresses of several nodes, used instead of RPC_URL, separated by commas, the preferred one first. The agent skips a node that is behind, silent or on another chain. With three or more nodes, two must agree on a block before the agent signs anything based on it. With two, the agent believes one that lies.',
    schema: urls.optional(),
  },
  RPC_WS_URLS: {
    about:
      'WebSocket addresses (ws or wss) of nodes that announce new blocks sooner than polling finds them, separated by commas.',
    schema: secrets(webSocketUrl, 'must be ws or wss URLs without #, separated by commas').optional(),
  },
  SEND_URLS: {
    about: 'JSON-RPC addresses that receive every transaction at the same time, separated by commas.',
    schema: urls.optional(),
    defaultName: 'the addresses of RPC_URL or RPC_URLS',
  },
  PRIVATE_SEND_URLS: {
    about:
      'JSON-RPC addresses of private relays, separated by commas. If set, the agent sends runs only to these relays, which keeps them out of the public mempool, where others could trade ahead of them. Rescues go to the relays and to SEND_URLS. For operations sent to a bundler, the bundler chooses the route.',
    schema: urls.optional(),
  },
  PRIVATE_SEND_BUMP_AFTER_BLOCKS: {
    about:
      'Blocks that may pass over a transaction which only the relays of PRIVATE_SEND_URLS have, before the agent offers a higher price for it. Relays are slower than the public pool: with fewer blocks, the agent bids against itself.',
    schema: wholeNumber(2, 60),
    default: '12',
  },
});

const server = group('Agent server', {
  HOST: {
    about: 'Address that the agent listens on.',
    schema: host,
    default: '127.0.0.1',
  },
  PORT: {
    about: 'Port that the agent listens on. 0 takes any free port.',
    schema: wholeNumber(0, 65_535),
    default: '4020',
  },
  ALLOWED_HOSTS: {
    about:
      "Additional host names and addresses, without a port, that requests and calling web pages may use. HOST and this machine's own names are always allowed; all others get host_not_allowed, but for the documents, terms and verdicts that any page may read. * allows all: use it only behind a gateway that checks hosts itself.",
    schema: hosts.optional(),
  },
  PUBLIC_URL: {
    about:
      'Public address of the agent, published in the agent card and the API description, and on chain with each delivery. Required on bsc with SELLER_PRIVATE_KEY.',
    schema: url
      .refine((text) => !/[?#]|\/$/.test(text), 'must not end with a slash, and must not contain ? or #')
      .optional(),
    defaultName: 'http://HOST:PORT',
  },
  PAGE_URL: {
    about: 'Public address of the page, which the tool `about` tells.',
    schema: url.optional(),
    default: { local: 'http://127.0.0.1:3000' },
  },
  SECURITY_CONTACT: {
    about:
      'Where to report vulnerabilities: a mailto, https or tel URI, published in /.well-known/security.txt. Without it, the agent does not serve that document.',
    schema: z
      .string()
      .regex(/^(mailto:|https:\/\/|tel:)[\x21-\x7e]+$/, 'must be a mailto, https or tel URI')
      .optional(),
    default: { local: 'mailto:security@localhost' },
  },
  LOG_LEVEL: {
    about: `One of ${logLevels.join(', ')}. debug logs every round, even one without work.`,
    schema: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`),
    default: 'info',
  },
  STOP_FILE: {
    about:
      'File, relative to the project, that stops all actions on chain. While it exists, the agent begins no run, deferral, rescue or delivery. It continues to read, answer and track what it has sent, and /ready is 503.',
    schema: z.string(),
    default: '.cache/stop',
  },
  DATA_DIR: {
    about:
      "Folder, relative to the project, of what the chain does not hold: evidence (19 kB for each run and deferral), payments with their answers, delivered reports, and owners' webhooks with their signing secrets. One agent per folder. Keep it private, and back it up (npx bowline backup): without it, nobody can replay a record's verdict.",
    schema: z.string(),
    default: 'data',
  },
});

const limits = group('Limits of requests', {
  TRUSTED_PROXIES: {
    about:
      'Number of proxies in front of the agent. Each must append the address of its caller to X-Forwarded-For. Limits identify a caller by the address that the outermost proxy reports: an IPv4 address, or an IPv6 /64. If the number is too low, all callers count as one; if it is too high, a caller can forge its address.',
    schema: wholeNumber(0, 10),
    default: '0',
  },
  CALLER_LIMIT: {
    about:
      'Requests a minute from one caller at each of /verdict, /plans, /swap-draft, /desk-quote, /evidence, /a2a and the deliverables. The page server is exempt.',
    schema: wholeNumber(1, 1e9),
    default: '120',
  },
  DOOR_LIMIT: {
    about:
      'Requests a minute from all callers together at each of these, and at /mcp. The agent refuses a caller that has used as much as is left for all others. At /mcp this is the only limit for a caller: half, if it is alone. Each of these requests costs the node work.',
    schema: wholeNumber(2, 1e9),
    default: '2400',
  },
  REFUSAL_LIMIT: {
    about:
      'Requests a minute from one caller at /x402 that are neither a payment nor a question. They count separately.',
    schema: wholeNumber(1, 1e9),
    default: '6000',
  },
  ANSWER_LIMIT: {
    about:
      'Questions in words that the agent answers per minute, for all callers and over all APIs. With a price, the limit applies to paid and to free questions separately.',
    schema: wholeNumber(1, 1e9),
    default: '20',
  },
  ANSWER_LIMIT_PAGE: {
    about:
      'How many of ANSWER_LIMIT are reserved for the page server (PAGE_SECRET). With a price, its further answers come from the free limit only.',
    schema: wholeNumber(0, 1e9),
    default: '0',
  },
});

const priceSources = group('Price sources', {
  PYTH_URL: {
    about:
      "Address of Pyth's Hermes, another independent price source for verdicts, or off. The default on bsc needs PYTH_API_KEY; without the key, Pyth is off and the agent logs pyth.off at startup.",
    schema: secret(urlOrOff),
    // The local market serves Pyth's API, too.
    default: { local: 'http://127.0.0.1:4030', bsc: pythOwnUrl },
  },
  PYTH_API_KEY: {
    about:
      'Key for PYTH_URL: printable ASCII without spaces. The agent sends it as "Authorization: Bearer", only over https or to this machine.',
    schema: secret(apiKey).optional(),
  },
});

const keys = group('Keys', {
  SIGNER_URL: {
    about:
      'Address of a remote signer with the JSON-RPC API of Web3Signer (eth1). To use one of its keys, set a key setting to signer: and the address, such as signer:0x…. The agent checks every signature before it uses it.',
    schema: secret(url).optional(),
  },
  RAW_KEYS: {
    about:
      'accepted allows unencrypted private keys in the environment or .env on bsc, where every child process, crash report and copy of .env contains them. Without it, the agent refuses them there: use files, keystores or a remote signer.',
    schema: z.literal('accepted', 'must be accepted, or not be set').optional(),
  },
});

const verdicts = group('Verdicts', {
  VERDICT_LIMITS: {
    about:
      'Overrides limits of verdicts (packages/core/verdict/limits.ts), as JSON of class, limit and value: {"crypto": {"costBps": {"caution": 20, "noGo": 80}, "referenceAgeSeconds": 120}}. Other limits stay unchanged. Maximum: 5000 bps, 7 days, ten times the project\'s blocks and deviations, or the project\'s own limit if that is higher. At startup, the agent logs limits that are looser than the project\'s.',
    schema: ownLimits,
    default: '{}',
  },
  VERDICT_PRIVATE_KEY: {
    about: 'Key that signs tickets. It needs no funds. Without it, verdicts are unsigned.',
    schema: secret(accountKey).optional(),
    default: { local: localKeys.verdict },
    defaultName: { local: 'a publicly known key' },
    unlock: openKeystore,
  },
  VERDICT_FORMER_PRIVATE_KEYS: {
    about:
      'Keys, separated by commas, that signed tickets before VERDICT_PRIVATE_KEY. Plans that name one of them still run on its tickets; it signs nothing else. npx bowline rotate verdict reports when no plan names it any more.',
    schema: accountKeys.optional(),
    unlock: openKeystore,
  },
  UNNAMED_VERDICT_SIGNER: {
    about:
      'accepted allows a VERDICT_PRIVATE_KEY that the deployment record does not name in verdictSigners, or none although the record names one. Without it, the agent refuses to start so: it would leave out every plan that names a signer of the record. For an agent that only answers or only rescues.',
    schema: z.literal('accepted', 'must be accepted, or not be set').optional(),
  },
});

const keeper = group('Keeper', {
  KEEPER_PRIVATE_KEY: {
    about:
      "Key that signs runs, deferrals and rescues. It cannot take anybody's funds. SwapExecutor's operator must be this key's own account or its ERC-4337 wallet, which then sends, pays for gas and needs BNB as well. With off, the agent makes no runs, and only the rescues that RESCUE_PRIVATE_KEYS may make.",
    schema: secret(accountKeyOrOff),
    default: { local: localKeys.keeper },
    defaultName: { local: "anvil's second account" },
    unlock: openKeystore,
  },
  ACCOUNT_FACTORY: {
    about:
      "Address of the factory that makes the keeper's ERC-4337 wallet: the SimpleAccountFactory of EntryPoint 0.9. Required if SwapExecutor's operator is a wallet. No address of one on BNB Chain is published, so name the one that you or somebody you trust deployed: it decides what code the wallet has.",
    schema: accountAddress.optional(),
    default: { local: localAccountFactory },
  },
  BUNDLER_URL: {
    about:
      "JSON-RPC address of an ERC-4337 bundler. The wallet's runs go through it; rescues never do. Without it, or if it fails, the keeper's key submits the operations that the wallet has signed.",
    schema: secret(url).optional(),
  },
  BUNDLER_URLS: {
    about:
      'Addresses of several bundlers, used instead of BUNDLER_URL, separated by commas. Each receives every operation.',
    schema: urls.optional(),
  },
  MAX_GAS_PRICE_GWEI: {
    about: 'Maximum gas price of runs and deferrals.',
    schema: amount(9, 'gwei').refine((wei) => wei > 0n, 'must be above 0'),
    default: '5',
  },
  MAX_GAS_BNB_PER_DAY: {
    about:
      "Maximum that each of the keeper's keys, and its wallet, may pay for gas in one UTC day. Runs and deferrals stop at half of it, which leaves the rest for rescues; deferrals alone at a tenth. A restart resets the count to 0.",
    schema: amount(18, 'BNB'),
    default: { local: '30', bsc: '0.5' },
  },
});

const plans = group('Plans', {
  EXECUTOR_INTERVAL_SECONDS: {
    about: 'Time between two rounds of the executor.',
    schema: wholeNumber(1, secondsPerDay),
    default: { local: '15', bsc: '900' },
  },
  PLAN_TOKENS: {
    about:
      'Symbols of the assets that a plan may pay with and buy. The keeper pays no gas for plans outside this and the next three bounds; they count as not served.',
    schema: words((symbol) => /^[A-Z0-9]+$/.test(symbol), 'must be symbols in upper case, separated by commas'),
    default: 'BTCB,ETH,WBNB,USDC,USDT',
  },
  PLAN_MIN_RUN_USD: {
    about: 'Minimum value of one run in US dollars.',
    schema: amount(18, 'US dollars'),
    default: '5',
  },
  PLAN_MIN_PERIOD_SECONDS: {
    about: 'Minimum period of a plan.',
    schema: wholeNumber(0, 366 * secondsPerDay),
    default: { local: '60', bsc: '3600' },
  },
  PLAN_MAX_GAS_PER_OWNER_PER_DAY: {
    about: 'Maximum gas for all plans of one owner in one UTC day.',
    schema: wholeNumber(0, 1e12),
    default: { local: '2000000000', bsc: '20000000' },
  },
});

const guards = group('Loan guards and rescues', {
  GUARD_INTERVAL_SECONDS: {
    about: 'Time between two rounds that read all guards. The agent detects a new guard within this time.',
    schema: wholeNumber(1, secondsPerDay),
    default: { local: '5', bsc: '300' },
  },
  GUARD_BLOCK_POLL_MS: {
    about:
      'Milliseconds between two polls for a new block. At each new block, the agent checks the known loans. With 0, it reads them only every GUARD_INTERVAL_SECONDS.',
    schema: wholeNumber(0, 60_000),
    default: '450',
  },
  GUARD_MAX_TRIGGER: {
    about:
      'Maximum trigger of a guard, as a health factor. The keeper pays no gas for guards outside this and the next two bounds; they count as not served.',
    schema: amount(18),
    default: '2',
  },
  GUARD_MIN_COOLDOWN_SECONDS: {
    about: 'Minimum cooldown between two rescues by one guard.',
    schema: wholeNumber(0, 366 * secondsPerDay),
    default: { local: '0', bsc: '300' },
  },
  GUARD_MIN_REPAY_USD: {
    about: 'Minimum value of one repayment in US dollars.',
    schema: amount(18, 'US dollars'),
    default: '5',
  },
  GUARD_SHARE: {
    about: 'Which guards this process serves, such as 2/4: the second of four equal parts. Unset: all of them.',
    schema: guardShare.optional(),
  },
  RESCUE_PRIVATE_KEYS: {
    about:
      "Keys, separated by commas, that send rescues with their own nonces, so that no rescue waits for a run. Without them, or while none of them can pay for gas, the keeper's key sends rescues. They must differ from the agent's other keys and need BNB. They cannot take anybody's funds.",
    schema: accountKeys.optional(),
    unlock: openKeystore,
  },
  RESCUE_MAX_GAS_PRICE_GWEI: {
    about: 'Maximum gas price of rescues. It must not be below MAX_GAS_PRICE_GWEI.',
    schema: amount(9, 'gwei'),
    default: '20',
  },
});

const questions = group('Questions', {
  OPENAI_API_KEY: {
    about:
      'Key of a language model with an OpenAI-compatible API: printable ASCII without spaces. Without it, rules answer questions.',
    schema: secret(apiKey).optional(),
  },
  OPENAI_BASE_URL: {
    about: "Address of the language model's API.",
    schema: secret(url),
    default: 'https://api.openai.com/v1',
  },
  OPENAI_MODEL: {
    about: 'Name of the language model.',
    schema: z.string(),
    default: 'gpt-5-mini',
  },
});

const payments = group('Payment for answers', {
  PRICE_USD: {
    about:
      'Price of one verdict in US dollars, the same in every interface. With a model, it also applies to questions that only the model answers. At 0, answers are free, and the agent loads no payment code. Above 0, VERDICT_PRIVATE_KEY is required: it signs the verdicts that are sold.',
    schema: amount(18, 'US dollars'),
    default: '0',
  },
  PAYMENT_RAIL: {
    about: "Facilitator of the payments: b402 (Binance's facilitator) or x402 (any facilitator of x402 v2).",
    schema: z.enum(['x402', 'b402'], 'must be x402 or b402'),
    default: { local: 'x402', bsc: 'b402' },
  },
  PAY_TO: {
    about: 'Address that receives the payments. No other agent may use it. Required if PRICE_USD is above 0.',
    schema: accountAddress.optional(),
    default: { local: localSellerAddress },
  },
  PERMIT2_TOKENS: {
    about:
      "Symbols of the stablecoins that callers may pay with over B402 through Permit2, in addition to the escrow's token, which uses EIP-3009: USDT, USDC, both or none. One dollar of each counts as one dollar of the price. One that the facilitator does not accept is left out.",
    schema: words((word) => word === 'none' || isPermit2Token(word), 'must be USDT, USDC, both or none'),
    default: 'USDT,USDC',
  },
  X402_FACILITATOR_URL: {
    about: 'Address of the x402 facilitator. Required for x402.',
    schema: secret(url).optional(),
    default: { local: 'http://127.0.0.1:4050' },
  },
  B402_BASE_URL: {
    about: "Address of Binance's facilitator, from its onboarding. Required for b402, as are the next three.",
    schema: secret(url).optional(),
  },
  B402_CLIENT_ID: {
    about: "Client id from Binance's onboarding.",
    schema: z.string().optional(),
  },
  B402_ACCESS_TOKEN: {
    about: "Access token from Binance's onboarding: printable ASCII without spaces.",
    schema: secret(apiKey).optional(),
  },
  B402_PRIVATE_KEY: {
    about: "Key from Binance's onboarding that signs requests to the facilitator.",
    schema: secret(z.string()).optional(),
  },
});

const jobs = group('Jobs', {
  SELLER_PRIVATE_KEY: {
    about:
      "Key of the account that sells work to other agents (ERC-8183) and pays the gas for deliveries. It must differ from the keeper's. Without it, the agent sells no jobs.",
    schema: secret(accountKey).optional(),
    default: { local: localKeys.seller },
    defaultName: { local: "anvil's seventh account" },
    unlock: openKeystore,
  },
  JOB_PRICE: {
    about:
      "Price of a verdict report, in whole tokens of the escrow's currency. The default is PRICE_USD, or 1 if that is 0. If PRICE_USD is above 0, the two must be equal: a verdict costs the same in every interface.",
    schema: amount(18, 'whole tokens').optional(),
  },
  JOBS_INTERVAL_SECONDS: {
    about: 'Time between two rounds that look for funded jobs and settle finished ones.',
    schema: wholeNumber(1, secondsPerDay),
    default: { local: '5', bsc: '60' },
  },
});

const workers = group('Several workers', {
  REDIS_URL: {
    about:
      'Address of a Redis (redis or rediss) through which several agents of the same contracts share rescues and runs. Each needs its own RESCUE_PRIVATE_KEYS; the first of them identifies it. The data in Redis can change who acts first, but never what is done. You may empty or stop Redis at any time. Without this setting, the agent works alone and uses no Redis.',
    schema: secret(redisUrl).optional(),
  },
});

export const settings = {
  ...commonSettings,
  ...chain,
  ...server,
  ...limits,
  ...priceSources,
  ...keys,
  ...verdicts,
  ...keeper,
  ...plans,
  ...guards,
  ...questions,
  ...payments,
  ...jobs,
  ...workers,
};

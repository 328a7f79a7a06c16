import { isPermit2Token } from '@bowline/core/domain/payment';
import { address } from '@bowline/core/schemas';
import { withOwnLimits } from '@bowline/core/verdict/own-limits';
import { commonSettings } from '@bowline/http/common-settings';
import { group } from '@bowline/http/environment';
import { openKeystore } from '@bowline/http/keystore';
import {
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
import { logLevels } from './process/log-levels.ts';

// The agent's settings, each declared once. After a change, run npm run settings.

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
    about: 'JSON-RPC address of a node. Required on bsc unless RPC_URLS is set. On local it must be on this machine.',
    schema: secret(url).optional(),
    default: { local: 'http://127.0.0.1:8545' },
  },
  RPC_URLS: {
    about:
      'JSON-RPC addresses of several nodes in place of RPC_URL, separated by commas, the preferred one first. A node that is behind, silent or on another chain is passed over. With three or more, two must say the same of a block before anything is signed on it; with two, one that lies is believed.',
    schema: urls.optional(),
  },
  RPC_WS_URLS: {
    about:
      'WebSocket addresses (ws or wss) of nodes that tell of new blocks sooner than polling does, separated by commas.',
    schema: secrets(webSocketUrl, 'must be ws or wss URLs without #, separated by commas').optional(),
  },
  SEND_URLS: {
    about: 'JSON-RPC addresses that get every transaction, all at once, separated by commas.',
    schema: urls.optional(),
    defaultName: 'the addresses of RPC_URL or RPC_URLS',
  },
  PRIVATE_SEND_URLS: {
    about:
      "JSON-RPC addresses of private relays, separated by commas. With them, runs go to them alone and stay out of the public mempool, where others could trade ahead of them; rescues go to them and to SEND_URLS. What goes to a bundler takes the bundler's way.",
    schema: urls.optional(),
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
      "More host names and addresses, without a port, that callers may use and that calling web pages may come from. HOST and this machine's own names are always allowed; others get host_not_allowed. * allows all: only for an agent behind a gateway that checks hosts itself.",
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
  SECURITY_CONTACT: {
    about:
      'Where vulnerabilities are reported, as a mailto, https or tel URI, published in /.well-known/security.txt. Without it there is no such document.',
    schema: z
      .string()
      .regex(/^(mailto:|https:\/\/|tel:)[\x21-\x7e]+$/, 'must be a mailto, https or tel URI')
      .optional(),
    default: { local: 'mailto:security@localhost' },
  },
  LOG_LEVEL: {
    about: `One of ${logLevels.join(', ')}. debug logs every round, even without work.`,
    schema: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`),
    default: 'info',
  },
  STOP_FILE: {
    about:
      'File, relative to the project, that stops all actions on chain: while it exists, no run, deferral, rescue or delivery begins. The agent goes on reading, answering and following what it has sent, and /ready is 503.',
    schema: z.string(),
    default: '.cache/stop',
  },
});

const limits = group('Limits of requests', {
  TRUSTED_PROXIES: {
    about:
      'How many proxies stand in front of the agent, each of which appends the address that it was called from to X-Forwarded-For. Limits tell callers apart by the address that the outermost of them names: an IPv4 address, or a /64 of IPv6. With too few all callers are one, with too many each can name itself.',
    schema: wholeNumber(0, 10),
    default: '0',
  },
  CALLER_LIMIT: {
    about:
      'Requests a minute of one caller at each of /verdict, /plans, /swap-draft, /desk-quote, /evidence, /a2a and the deliverables. The server of the page has none.',
    schema: wholeNumber(1, 1e9),
    default: '120',
  },
  DOOR_LIMIT: {
    about:
      'Requests a minute of all callers together at each of these, and at /mcp. A caller is refused once it holds as much as is left for the others; at /mcp that is its only limit: half, if it is alone. Each request asks the node something.',
    schema: wholeNumber(2, 1e9),
    default: '2400',
  },
  REFUSAL_LIMIT: {
    about:
      'Requests a minute of one caller at /x402 that are neither a payment nor a question. They are counted apart.',
    schema: wholeNumber(1, 1e9),
    default: '6000',
  },
  ANSWER_LIMIT: {
    about:
      'Questions in words that are answered a minute, of all callers and over all APIs. With a price, as many free ones are answered ' +
      'beside the paid ones.',
    schema: wholeNumber(1, 1e9),
    default: '20',
  },
  ANSWER_LIMIT_PAGE: {
    about:
      'How many of ANSWER_LIMIT are kept for the server of the page (PAGE_SECRET). With a price, it gets the others from the free ones alone.',
    schema: wholeNumber(0, 1e9),
    default: '0',
  },
});

const priceSources = group('Price sources', {
  PYTH_URL: {
    about:
      "Address of Pyth's Hermes, a further independent price source of verdicts, or off. The default on bsc needs PYTH_API_KEY; without the key Pyth is off, and the start logs pyth.off.",
    schema: secret(urlOrOff),
    // The local market serves Pyth's API, too.
    default: { local: 'http://127.0.0.1:4030', bsc: pythOwnUrl },
  },
  PYTH_API_KEY: {
    about:
      'Key for PYTH_URL: printable ASCII without spaces. It is sent as "Authorization: Bearer", over https or to this machine only.',
    schema: secret(apiKey).optional(),
  },
});

const keys = group('Keys', {
  SIGNER_URL: {
    about:
      'Address of a remote signer with the JSON-RPC of Web3Signer (eth1). A key setting whose value is signer: and an address, such as signer:0x…, names a key that it holds. Every signature is checked before it is used.',
    schema: secret(url).optional(),
  },
  RAW_KEYS: {
    about:
      'accepted lets private keys stand unencrypted in the environment or .env on bsc, where every child process, crash report and copy of .env has them. Without it they are refused there: use files, keystores or a remote signer.',
    schema: z.literal('accepted', 'must be accepted, or not be set').optional(),
  },
});

const verdicts = group('Verdicts', {
  VERDICT_LIMITS: {
    about:
      'Replaces limits of verdicts (packages/core/verdict/limits.ts), as JSON of class, limit and value: {"crypto": {"impactBps": {"caution": 20, "noGo": 80}, "referenceAgeSeconds": 120}}. Other limits stay unchanged. At most 5000 bps, 7 days, ten times the project\'s blocks and deviations, or the project\'s own limit where it is higher; the start logs limits that are looser than the project\'s.',
    schema: ownLimits,
    default: '{}',
    formerly: 'GUARD_LIMITS',
  },
  VERDICT_PRIVATE_KEY: {
    about:
      'Key that signs tickets and, where verdicts have a price, credits for paid work that failed. It needs no funds. Without it verdicts are not signed.',
    schema: secret(accountKey).optional(),
    default: { local: localKeys.verdict },
    defaultName: { local: 'a publicly known key' },
    unlock: openKeystore,
  },
  VERDICT_FORMER_PRIVATE_KEYS: {
    about:
      'Keys, separated by commas, that signed tickets before VERDICT_PRIVATE_KEY. Plans that name one of them still run on its tickets; nothing else is signed by it. npm run rotate -- verdict tells when no plan names it any more.',
    schema: accountKeys.optional(),
    unlock: openKeystore,
  },
  EVIDENCE_DIR: {
    about:
      "Folder of the evidence behind each run and deferral, relative to the project: 19 kB each, served at /evidence/HASH. Nobody can replay a record's verdict without it: keep it.",
    schema: z.string(),
    default: 'data/evidence',
  },
});

const keeper = group('Keeper', {
  KEEPER_PRIVATE_KEY: {
    about:
      "Key that signs runs, deferrals and rescues. It cannot take anybody's funds. SwapExecutor's operator must be this key's ERC-4337 wallet, which then acts and pays and needs BNB as well, or this key's own account. With off the agent makes no runs, and only those rescues that RESCUE_PRIVATE_KEYS may make.",
    schema: secret(accountKeyOrOff),
    default: { local: localKeys.keeper },
    defaultName: { local: "anvil's second account" },
    unlock: openKeystore,
  },
  BUNDLER_URL: {
    about:
      "JSON-RPC address of an ERC-4337 bundler. The wallet's runs go through it, rescues never do. Without it, or when it fails, the keeper's key carries the operations that the wallet has signed.",
    schema: secret(url).optional(),
  },
  BUNDLER_URLS: {
    about: 'Addresses of several bundlers in place of BUNDLER_URL, separated by commas. Each gets every operation.',
    schema: urls.optional(),
  },
  MAX_GAS_PRICE_GWEI: {
    about: 'Maximum gas price of runs and deferrals.',
    schema: amount(9, 'gwei').refine((wei) => wei > 0n, 'must be above 0'),
    default: '5',
  },
  MAX_GAS_BNB_PER_DAY: {
    about:
      "Maximum that each of the keeper's keys, and its wallet, may pay for gas in one UTC day. Runs and deferrals stop at half of it and leave the rest to rescues. A restart resets the count to 0.",
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
      'Symbols of the assets that a plan may pay and buy. The keeper pays no gas for plans outside this and the next three bounds; they are counted as not served.',
    schema: words((symbol) => /^[A-Z0-9]+$/.test(symbol), 'must be symbols in upper case, separated by commas'),
    default: 'BTCB,ETH,WBNB,USDC,USDT',
    formerly: 'SERVED_TOKENS',
  },
  PLAN_MIN_RUN_USD: {
    about: 'Minimum value of one run in US dollars.',
    schema: amount(18, 'US dollars'),
    default: '5',
    formerly: 'MIN_RUN_USD',
  },
  PLAN_MIN_PERIOD_SECONDS: {
    about: 'Minimum period of a plan.',
    schema: wholeNumber(0, 366 * secondsPerDay),
    default: { local: '60', bsc: '3600' },
    formerly: 'MIN_PERIOD_SECONDS',
  },
  PLAN_MAX_GAS_PER_OWNER_PER_DAY: {
    about: 'Maximum gas for all plans of one owner in one UTC day.',
    schema: wholeNumber(0, 1e12),
    default: { local: '2000000000', bsc: '20000000' },
    formerly: 'MAX_GAS_PER_OWNER_PER_DAY',
  },
});

const guards = group('Loan guards and rescues', {
  GUARD_INTERVAL_SECONDS: {
    about: 'Time between two rounds that read all guards. The agent learns of a new guard within this time.',
    schema: wholeNumber(1, secondsPerDay),
    default: { local: '5', bsc: '300' },
  },
  GUARD_BLOCK_POLL_MS: {
    about:
      'Milliseconds between two polls for a new block. At each new block the agent watches the known loans. With 0 it reads them only every GUARD_INTERVAL_SECONDS.',
    schema: wholeNumber(0, 60_000),
    default: '450',
  },
  GUARD_MAX_TRIGGER: {
    about:
      'Maximum trigger of a guard, as a health factor. The keeper pays no gas for guards outside this and the next two bounds; they are counted as not served.',
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
      "Keys, separated by commas, that send rescues with nonces of their own, so that no rescue waits for a run. Without them, or while none of them can pay for gas, the keeper's key sends rescues. They must differ from the agent's other keys, need BNB, and cannot take anybody's funds.",
    schema: accountKeys.optional(),
    formerly: 'RESCUE_PRIVATE_KEY',
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
      'Key of a language model with an OpenAI-compatible API: printable ASCII without spaces. Without it questions are answered by rules.',
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
      'Price of one verdict in US dollars, the same at every door; with a model, also of what only the model answers. At 0 answers are free, and no payment code is loaded unless payments of before are open. Above 0, VERDICT_PRIVATE_KEY is required: it also signs credits for paid work that failed.',
    schema: amount(18, 'US dollars'),
    default: '0',
  },
  PAYMENT_RAIL: {
    about: "Facilitator of the payments: b402 (Binance's facilitator) or x402 (any facilitator of x402 v2).",
    schema: z.enum(['x402', 'b402'], 'must be x402 or b402'),
    default: { local: 'x402', bsc: 'b402' },
  },
  PAY_TO: {
    about: 'Address that receives the payments, of this agent alone. Required when PRICE_USD is above 0.',
    schema: address.optional(),
    default: { local: localSellerAddress },
  },
  PERMIT2_TOKENS: {
    about:
      "Symbols of the stablecoins that pay for answers by Permit2, beside the escrow's token, which pays by EIP-3009: USDT, USDC, both or none. One dollar of each is one dollar of the price. Left out where the chain has no Permit2, or the facilitator does not take them.",
    schema: words((word) => word === 'none' || isPermit2Token(word), 'must be USDT, USDC, both or none'),
    default: 'USDT,USDC',
  },
  PAYMENTS_DIR: {
    about:
      'Folder of payments, of the answers to them, and of A2A tasks, relative to the project. One agent per folder. Keep it: a payment that is sent again after a restart gets its answer from here.',
    schema: z.string(),
    default: 'data/payments',
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
      "Key of the account that sells work to other agents (ERC-8183) and pays the gas for delivering it. It must differ from the keeper's. Without it the agent sells nothing.",
    schema: secret(accountKey).optional(),
    default: { local: localKeys.seller },
    defaultName: { local: "anvil's seventh account" },
    unlock: openKeystore,
  },
  JOB_PRICE: {
    about:
      "Price of a verdict report, in whole tokens of the escrow's currency. By default PRICE_USD, or 1 where that is 0. It must be PRICE_USD if that is above 0: a verdict costs the same at every door.",
    schema: amount(18, 'whole tokens').optional(),
  },
  JOBS_INTERVAL_SECONDS: {
    about: 'Time between two rounds that look for funded jobs and settle finished ones.',
    schema: wholeNumber(1, secondsPerDay),
    default: { local: '5', bsc: '60' },
  },
  DELIVERABLES_DIR: {
    about: 'Folder of delivered reports, relative to the project. Buyers fetch them later: keep it.',
    schema: z.string(),
    default: 'data/deliverables',
  },
});

const workers = group('Several workers', {
  REDIS_URL: {
    about:
      'Address of a Redis (redis or rediss), through which several agents of the same contracts share rescues and runs. Each needs RESCUE_PRIVATE_KEYS of its own, and is known by the first of them. What stands there may change who acts first, never what is done, and it may be emptied or stopped at any time. Without it there is one agent, and no Redis is used.',
    schema: secret(redisUrl).optional(),
  },
});

const notices = group('Notices to owners', {
  NOTICES_FILE: {
    about:
      'File of the webhooks that owners have registered at /webhooks, with the secrets of their signatures, relative to the project. One agent per file: keep it, and keep it private.',
    schema: z.string(),
    default: 'data/notices.json',
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
  ...notices,
};

import { isPermit2Token } from '@bowline/core/domain/payment';
import { localAccountFactory } from '@bowline/core/registry/address-book';
import { commonSettings } from '@bowline/http/common-settings';
import { group } from '@bowline/http/environment';
import { openKeystore } from '@bowline/http/keystore';
import {
  accountAddress,
  amount,
  apiKey,
  host,
  nodeUrl,
  secret,
  secrets,
  url,
  urlOrOff,
  wholeNumber,
  words,
} from '@bowline/http/setting-schemas';
import { z } from 'zod';
import { accountKey, accountKeyOrOff, accountKeys } from './key-schemas.ts';
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

const redisUrl = z
  .string()
  .refine((text) => ['redis:', 'rediss:'].includes(URL.parse(text)?.protocol ?? ''), 'must be a redis or rediss URL');

const urls = secrets(url, 'must be http or https URLs, separated by commas');

const chain = group('Chain', {
  RPC_URL: {
    about:
      'JSON-RPC addresses of nodes, separated by commas, the preferred one first; on local, on this machine. At least one is needed; while the only one is down, the agent does nothing. With three http or https addresses or more, two must agree on a block before the agent signs anything based on it; with two, the agent believes one that lies. ws and wss addresses among them announce new blocks sooner than polling finds them, and do not count as nodes that agree.',
    schema: secrets(nodeUrl, 'must be http, https, ws or wss URLs without #, separated by commas'),
    default: { local: 'http://127.0.0.1:8545' },
  },
  PRIVATE_SEND_URLS: {
    about:
      'JSON-RPC addresses of private relays, separated by commas. Runs are sent only to them; rescues go to nodes and relays. For operators who make runs on BNB Chain: without relays, others see a run before it is mined, and can trade ahead of it. For operations sent to a bundler, the bundler chooses the route.',
    schema: urls.optional(),
  },
});

const server = group('Agent server', {
  HOST: {
    about:
      'Address that the agent listens on. Set it where callers are on other machines: nobody else reaches the default.',
    schema: host,
    default: '127.0.0.1',
  },
  PORT: {
    about: 'Port that the agent listens on. Set it if another program has the default. 0 takes any free port.',
    schema: wholeNumber(0, 65_535),
    default: '4020',
  },
  PUBLIC_URL: {
    about:
      'Public address of the agent, published in the agent card and the API description, and on chain with each delivery. For an agent that others call: without it, the address that it listens on is published. Required on bsc with SELLER_PRIVATE_KEY.',
    schema: url
      .refine((text) => !/[?#]|\/$/.test(text), 'must not end with a slash, and must not contain ? or #')
      .optional(),
    defaultName: 'http://HOST:PORT',
  },
  LOG_LEVEL: {
    about: `One of ${logLevels.join(', ')}. Set debug to find a problem: it logs every round, the default only rounds with work.`,
    schema: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`),
    default: 'info',
  },
  DATA_DIR: {
    about:
      "Folder, relative to the project, for what the chain does not hold: evidence (19 kB for each run and deferral), payments with their answers, delivered reports, and owners' webhooks with their signing secrets. While a file named stop is in it, the agent starts nothing on chain. One agent per folder: set it if the default folder is not persistent, as in a container. Keep it private, and back it up (npx bowline backup): without it, nobody can replay a record's verdict.",
    schema: z.string(),
    default: 'data',
  },
});

const limits = group('Request limits', {
  CALLER_LIMIT: {
    about:
      'Requests a minute from one caller at each of /verdict, /plans, /swap-draft, /desk-quote, /evidence, /a2a and the deliverables; from all callers together twenty times as many, also at /mcp. For a public agent whose node allows more or less than the default needs. The page server is exempt.',
    schema: wholeNumber(1, 1e9),
    default: '120',
  },
  ANSWER_LIMIT: {
    about:
      'Questions in plain words that the agent answers per minute, for all callers across all APIs. For a public agent whose node or model allows more or less than the default needs. The page server (PAGE_SECRET) has a quarter as many of its own. With a price, the limit applies to paid and to free questions separately, and what the page asks beyond its share is free.',
    schema: wholeNumber(1, 1e9),
    default: '20',
  },
});

const priceSources = group('Price sources', {
  PYTH_URL: {
    about:
      "Address of Pyth's Hermes, another independent price source for verdicts, or off. The default on bsc needs PYTH_API_KEY; without the key, Pyth is off and the agent logs pyth.off at startup. Set it to use a mirror.",
    schema: secret(urlOrOff),
    // The local market serves Pyth's API, too.
    default: { local: 'http://127.0.0.1:4030', bsc: pythOwnUrl },
  },
  PYTH_API_KEY: {
    about:
      'Key for PYTH_URL: printable ASCII without spaces. Every agent that signs verdicts on bsc should have one: without it, they rest on one fewer source. The agent sends it as "Authorization: Bearer", only over https or to this machine.',
    schema: secret(apiKey).optional(),
  },
});

const keys = group('Keys', {
  SIGNER_URL: {
    about:
      "Address of a remote signer with the JSON-RPC API of Web3Signer (eth1), for operators who keep keys there: without it, the agent holds its keys itself. To use one of the signer's keys, set a key setting to signer: and the address, such as signer:0x…. The agent checks every signature before it uses it.",
    schema: secret(url).optional(),
  },
  RAW_KEYS: {
    about:
      'accepted allows unencrypted private keys in the environment or .env on bsc, where every child process, crash report and copy of .env contains them. For platforms that have no files: without it, the agent refuses such keys there, and takes files, keystores and a remote signer.',
    schema: z.literal('accepted', 'must be accepted, or not be set').optional(),
  },
});

const verdicts = group('Verdicts', {
  VERDICT_PRIVATE_KEY: {
    about:
      'Key that signs tickets. It needs no funds. To run plans, it must be the one that the deployment record names; without it, verdicts are unsigned. After a rotation, list former keys after it, separated by commas: plans that name one of them still run on its tickets, and it signs nothing else. npx bowline rotate verdict reports when no plan names them any more.',
    schema: accountKeys.optional(),
    default: { local: localKeys.verdict },
    defaultName: { local: 'a publicly known key' },
    unlock: openKeystore,
  },
});

const keeper = group('Keeper', {
  KEEPER_PRIVATE_KEY: {
    about:
      "Key that signs runs, deferrals and rescues. With it a thief takes at most what the signed terms leave: of a run what its floor allows, of a sale its maximum cost. SwapExecutor's operator must be this key's own account or its ERC-4337 wallet, which then sends and pays for gas, so it needs BNB as well. With off, for an agent that only answers or only rescues, the agent makes no runs, may have any verdict key, and makes only the rescues that RESCUE_PRIVATE_KEYS may make.",
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
      "JSON-RPC addresses of ERC-4337 bundlers, separated by commas, for an operator that is a wallet. Each receives every operation of its runs; rescues never go there. Without one, or if all fail, the keeper's key submits the operations that the wallet has signed.",
    schema: urls.optional(),
  },
  MAX_GAS_PRICE_GWEI: {
    about:
      'Maximum gas price of runs and deferrals. A rescue may cost four times as much, or up to forty times where half of the liquidation penalty that it saves pays for it, since in a crash everybody else bids, too. Raise it if gas on the chain costs more: until then, the agent does not act.',
    schema: amount(9, 'gwei').refine((wei) => wei > 0n, 'must be above 0'),
    default: '5',
  },
  MAX_GAS_BNB_PER_DAY: {
    about:
      "Maximum that each of the keeper's keys, and its wallet, may pay for gas in one UTC day: choose what a fault may cost you. Runs and deferrals stop at half of it, which leaves the rest for rescues; deferrals alone stop at a tenth, rescues about which nodes disagree at another tenth, and one owner's plans at a fifth at the maximum gas price, or at 20 million gas if that is more. A restart resets the count to 0.",
    schema: amount(18, 'BNB'),
    default: { local: '30', bsc: '0.5' },
  },
});

const plans = group('Plans', {
  EXECUTOR_INTERVAL_SECONDS: {
    about:
      'Time between two rounds of the executor. All guards are read again every third of that time, which finds new ones. Plans that run more often than every fourth round are not served: lower it to serve them, at the cost of more requests to the nodes.',
    schema: wholeNumber(1, secondsPerDay),
    default: { local: '15', bsc: '900' },
  },
});

const guards = group('Loan guards and rescues', {
  GUARD_BLOCK_POLL_MS: {
    about:
      'Milliseconds between two polls for a new block. At each new block, the agent checks the known loans; while none is near its trigger, it checks them instead of polling. The default is the block time of BNB Chain; raise it if your node allows fewer requests, and rescues come that much later. With 0, loans are read only when all guards are.',
    schema: wholeNumber(0, 60_000),
    default: '450',
  },
  RESCUE_PRIVATE_KEYS: {
    about:
      "Keys, separated by commas, that send rescues with their own nonces, so that no rescue waits for a run. For operators who make both: without them, or while none of them can pay for gas, the keeper's key sends rescues. They must differ from the agent's other keys and need BNB. They can move tokens only into the repayment of a guarded loan, at worst at the maximum cost of a sale.",
    schema: accountKeys.optional(),
    unlock: openKeystore,
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
      'Address of a Redis (redis or rediss) through which several agents of the same contracts share rescues, runs and the reading of loans. Each needs its own RESCUE_PRIVATE_KEYS; the first of them identifies it. The data in Redis can change which agent acts first and which loans each reads, but never what is done. You may empty or stop Redis at any time. Without this setting, the agent works alone and uses no Redis.',
    schema: secret(redisUrl).optional(),
  },
});

const telegram = group('Telegram', {
  TELEGRAM_BOT_TOKEN: {
    about:
      'Token of your own Telegram bot, from @BotFather: printable ASCII without spaces. It also sends the notices of owners who have registered a chat, as docs/owners.md describes; no other program may read its messages. Without it, notices go only to webhooks.',
    schema: secret(apiKey).optional(),
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
  ...telegram,
};

/** Former settings, each with the setting that replaced it, if any. */
export const former: Readonly<Record<string, string>> = {
  ...{ RPC_URLS: 'RPC_URL', RPC_WS_URLS: 'RPC_URL', SEND_URLS: 'RPC_URL', BUNDLER_URLS: 'BUNDLER_URL' },
  ...{ VERDICT_FORMER_PRIVATE_KEYS: 'VERDICT_PRIVATE_KEY', UNNAMED_VERDICT_SIGNER: 'KEEPER_PRIVATE_KEY (off)' },
  ...{ RESCUE_MAX_GAS_PRICE_GWEI: 'MAX_GAS_PRICE_GWEI', PLAN_MAX_GAS_PER_OWNER_PER_DAY: 'MAX_GAS_BNB_PER_DAY' },
  ...{ GUARD_INTERVAL_SECONDS: 'EXECUTOR_INTERVAL_SECONDS', PLAN_MIN_PERIOD_SECONDS: 'EXECUTOR_INTERVAL_SECONDS' },
  ...{
    ANSWER_LIMIT_PAGE: 'ANSWER_LIMIT',
    DOOR_LIMIT: 'CALLER_LIMIT',
    REFUSAL_LIMIT: 'CALLER_LIMIT',
    STOP_FILE: 'DATA_DIR (the file stop in it)',
  },
  ...{ PRIVATE_SEND_BUMP_AFTER_BLOCKS: '', VERDICT_LIMITS: '', LENDING_OFF: '', PAGE_URL: '', SECURITY_CONTACT: '' },
  ...{ PLAN_TOKENS: '', PLAN_MIN_RUN_USD: '', GUARD_MAX_TRIGGER: '', GUARD_MIN_COOLDOWN_SECONDS: '' },
  ...{ GUARD_MIN_REPAY_USD: '', GUARD_SHARE: 'REDIS_URL (the same on all workers, which share the guards)' },
};

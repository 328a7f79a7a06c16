import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from '@bowline/core/domain/answer';
import { type Asset, assetClasses } from '@bowline/core/domain/assets';
import type { Log } from '@bowline/core/domain/ports';
import { type Dependency, readinessOf } from '@bowline/core/domain/readiness';
import { formatUnits, mulDivUp, WAD } from '@bowline/core/domain/units';
import { type AddressBook, withoutInvented } from '@bowline/core/registry/address-book';
import { readTradingCalendars } from '@bowline/core/registry/calendars';
import { looserLimits } from '@bowline/core/verdict/looser';
import { createMarketData } from '@bowline/exchange/exchange';
import { readAddressBook } from '@bowline/http/address-book';
import { createLimit, type Limit, limited, limitedAnswer } from '@bowline/http/rate-limit';
import { keccak256, stringToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import manifest from '../../package.json' with { type: 'json' };
import { createA2a } from './api/a2a.ts';
import { createApi } from './api/http/api.ts';
import { createDeliverables } from './api/http/deliverables.ts';
import { openApiOf } from './api/http/openapi.ts';
import { createOperations } from './api/http/operations.ts';
import { apiLimit, createApp, promptLimit } from './api/http.ts';
import { createMcpRouter } from './api/mcp.ts';
import { createAnswer } from './ask/answer.ts';
import { verdictRequest } from './ask/intent/intent.ts';
import { createLanguageModel } from './ask/language-model.ts';
import { createBatchPreviewer } from './chain/batch-previewer.ts';
import { type ChainClient, connectChain, hasCode, newestBlock } from './chain/chain-client.ts';
import { checkAddressBook, checkChain, checkMaker } from './chain/check-address-book.ts';
import { createDesk } from './chain/desk.ts';
import { connectEscrow } from './chain/escrow.ts';
import { createGuardReader } from './chain/guard-reader.ts';
import { watchHead } from './chain/head.ts';
import { createHealthReader } from './chain/health-reader.ts';
import { createMarketReader } from './chain/market-reader.ts';
import { isSilent, untilAnswered } from './chain/node-wait.ts';
import { createPlanReader } from './chain/plan-reader.ts';
import { createPriceReader } from './chain/price-reader.ts';
import { createSwapDrafter } from './chain/swap-drafter.ts';
import { type Config, loadConfig, type PaymentConfig, type Secret, secretsOf } from './config.ts';
import { executorTick } from './loops/executor/tick.ts';
import { createJobsLoop } from './loops/jobs/tick.ts';
import { loanGuardTick } from './loops/loan-guard/tick.ts';
import { createWaitingRescues, maxUnseenMsOf, rescuesDependency } from './loops/loan-guard/waiting.ts';
import { type Loop, startLoop, type Timers } from './loops/runner.ts';
import { createLog } from './process/log.ts';
import { createMetrics } from './process/metrics.ts';
import { createTicketSigner } from './process/ticket-signer.ts';
import { openDeliverables } from './seller/deliverables.ts';
import { createDeskQuote } from './seller/desk-quote.ts';
import { createJobs } from './seller/jobs.ts';
import { createNegotiate } from './seller/negotiate.ts';
import { createNotifyFunded } from './seller/notify-funded.ts';
import { createOffers, hashManifest } from './seller/offers.ts';
import { createCalls } from './sending/calls.ts';
import { createSender } from './sending/eoa/sender.ts';
import { gasDependencies } from './sending/gas-dependencies.ts';
import { type Keeper, openKeeper } from './sending/keeper.ts';
import { sellerCalls } from './sending/seller-calls.ts';
import type { Sources } from './sources/propose.ts';
import { createPyth } from './sources/pyth.ts';
import { sparing } from './sources/sparing.ts';
import { type CallTool, callTool } from './tools/call.ts';
import { tools } from './tools/index.ts';
import { createIssued } from './tools/issued.ts';

// Puts everything together: settings → adapters → tools → faces and loops, until it is told to stop.

const clock = () => BigInt(Math.floor(Date.now() / 1000));
const timers: Timers = {
  now: () => performance.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};

let secrets: string[] = [];
try {
  const config = loadConfig();
  secrets = secretsOf(config);
  await run(config);
} catch (error) {
  // Our own errors are one line; of others the first line must do, and none may tell a secret.
  const message = secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), (error as Error).message);
  process.stderr.write(`${secrets.length === 0 ? message : message.split('\n')[0]}\n`);
  process.exitCode = 1;
}

async function run(config: Config): Promise<void> {
  const metrics = createMetrics(createLog({ level: config.logLevel, secrets: secretsOf(config) }));
  const { log } = metrics;
  tellOwnLimits(config, log);
  tellPythOff(config, log);
  const client = connectChain(config.rpcUrl.reveal());
  await untilAnswered(log, () => checkChain(client, config.chainId), isSilent);
  const listed = readAddressBook(config.chainId, config.deployments);
  const book = await untilAnswered(log, () => withoutInvented(listed, hasCode(client)));
  await untilAnswered(log, () => checkAddressBook(client, book, config.chainId));
  const { assets, own, venus } = book;
  const unlisted = config.servingPolicy.tokens.filter((token) => !assets.some(({ symbol }) => symbol === token));
  if (unlisted.length > 0) throw new Error(`SERVED_TOKENS names what is not listed: ${unlisted.join(', ')}.`);

  const account = privateKeyToAccount(config.keeperPrivateKey.reveal() as `0x${string}`);
  await untilAnswered(log, () => checkMaker(client, book, account.address));
  const plans = createPlanReader(client, own, assets);
  const { chainId, gasBounds } = config;
  const bundlerUrl = config.bundlerUrl?.reveal();
  const rescueKey = config.rescuePrivateKey?.reveal() as `0x${string}` | undefined;
  const rescuer = rescueKey && privateKeyToAccount(rescueKey);
  const keys = { account, rescuer };
  const keeper = await untilAnswered(log, () =>
    openKeeper({ client, book, ...keys, chainId, gasBounds, bundlerUrl, log, clock }),
  );
  const { sender } = keeper;
  const guards = createGuardReader(client, { ...own, vUsdt: venus.vUsdt }, sender.address);
  const offChain = {
    ...(config.marketDataUrl && { exchange: createMarketData(config.marketDataUrl.reveal(), clock) }),
    ...(config.pythUrl && { pyth: openPyth(config.pythUrl, config, log) }),
  };
  const sources = {
    assets,
    limitsOf: (asset: Asset) => config.limits[asset.class],
    chain: createMarketReader(connectChain(config.rpcUrl.reveal(), true), book),
    calendars: readTradingCalendars(),
    clock,
    ...sparing(offChain, clock),
  };

  const hash = (text: string) => keccak256(stringToBytes(text));
  const verdictKey = config.verdictPrivateKey?.reveal() as `0x${string}` | undefined;
  const prices = createPriceReader(client, book);
  const tickets = verdictKey && createTicketSigner(privateKeyToAccount(verdictKey), config.chainId, own.planRegistry);
  const drafter = createSwapDrafter(client, book.pancake.router);
  const context = {
    ...sources,
    drafter,
    chain: { ...sources.chain, ...prices, ...plans, ...guards },
    hash,
    ...(tickets && { tickets }),
    issued: createIssued(),
  };
  const call = callTool(tools, context, (error) => log.error('tool.internal', { error }));
  const { model } = config;
  const answer = createAnswer({
    tools,
    call,
    assets,
    log,
    timeoutMs: 45_000,
    ...(model && {
      model: createLanguageModel({
        apiKey: model.apiKey.reveal(),
        baseUrl: model.baseUrl.reveal(),
        model: model.name,
        timeoutMs: 20_000,
        maxRetries: 1,
      }),
    }),
  });
  const { version } = manifest;
  const mcp = createMcpRouter({ tools, call, log, version });
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.port, config.host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(whyNotListening(error, config));
  });
  const { port } = server.address() as AddressInfo;
  const publicUrl = config.publicUrl ?? `http://${config.host}:${port}`;
  const shop = await untilAnswered(log, () => openShop(config, { client, book, call, publicUrl, log }));
  const limit = createLimit(promptLimit, timers.now);
  const ofAgents = limitedAnswer(answer, limit);
  const a2a = createA2a({
    tools,
    call,
    answer: ofAgents,
    ...(shop && { seller: shop.seller }),
    publicUrl,
    version,
    log,
  });
  const payment = config.payment && (await openTill(config, config.payment, { client, book, publicUrl, limit, log }));
  const desk = own.quoteDesk && createDesk(client, account, config.chainId, own.quoteDesk);
  const waiting = createWaitingRescues(timers);
  const maxUnseenMs = maxUnseenMsOf(config.guardBlockPollMs, config.guardIntervalSeconds);
  const dependencies = [...dependenciesOf(sources, client, keeper), rescuesDependency(waiting, maxUnseenMs)];
  server.on(
    'request',
    createApp({
      answer,
      limit,
      ...(payment && { payment }),
      mcp,
      a2a,
      ...(shop && { deliverables: shop.routes }),
      allowedHosts: config.allowedHosts,
      routes: [
        createApi({
          call,
          limit: (name) => limited(createLimit({ ...apiLimit, name }, timers.now)),
          ...(desk && { deskQuote: createDeskQuote(desk, call) }),
        }),
        createOperations({
          readiness: () => readinessOf(dependencies),
          metrics: metrics.expose,
          openApi: openApiOf(tools, version, publicUrl),
        }),
      ],
      log,
      nowMs: timers.now,
    }),
  );
  log.info('agent.ready', {
    chainId,
    port,
    ...keeper.payers,
    bundler: bundlerUrl !== undefined,
    model: model?.name ?? 'none',
  });

  const calls = createCalls(own);
  const executor = startLoop(
    'executor',
    executorTick({
      reader: plans,
      sources,
      prices,
      calls,
      previewer: createBatchPreviewer(client, sender.address),
      sender,
      executor: own.swapExecutor,
      policy: config.servingPolicy,
      priceSources: [own.chainlinkPriceSource, own.venusPriceSource],
      hash,
      ...(tickets && { tickets }),
      log,
    }),
    config.executorIntervalSeconds,
    timers,
    log,
  );
  const loanGuard = startLoop(
    'loan-guard',
    loanGuardTick({
      reader: { ...guards, balances: plans.balances },
      loans: createHealthReader(client),
      assets,
      prices,
      serving: config.guardServingPolicy,
      calls,
      sender,
      waiting,
      clock,
      log,
    }),
    config.guardIntervalSeconds,
    timers,
    log,
  );
  const loops = [executor, loanGuard, ...(shop ? [shop.startJobs(config.jobsIntervalSeconds)] : [])];
  const stopWatching =
    config.guardBlockPollMs === 0
      ? () => {}
      : watchHead({ client, pollMs: config.guardBlockPollMs, clock, log }, loanGuard.trigger);

  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  log.info('agent.stopping');
  stopWatching();
  // What has been signed is waited for; no new round begins.
  await Promise.all(loops.map((loop) => loop.stop()));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  // A request to a facilitator or a model may still be open, and nobody waits for its answer any more.
  process.exit();
}

/** Whoever relies on a verdict must be able to see that it was held to less than the project holds it to. */
function tellOwnLimits({ limits }: Config, log: Log): void {
  const looser = assetClasses.flatMap((kind) =>
    looserLimits(kind, limits[kind]).map(({ limit, ...values }) => ({ limit: `${kind}.${limit}`, ...values })),
  );
  if (looser.length > 0) log.warn('limits.own', { looser });
}

/** Who reads a verdict without Pyth should find out why it has a witness less. */
function tellPythOff({ pythKeyMissing }: Config, log: Log): void {
  if (!pythKeyMissing) return;
  const cause = 'Pyth wants a key, and PYTH_API_KEY is not set: verdicts are reached without Pyth.';
  log.warn('pyth.off', { cause, remedy: 'Set PYTH_API_KEY, or PYTH_URL to off where that is wanted.' });
}

function openPyth(url: Secret, { pythApiKey }: Config, log: Log) {
  return createPyth(url.reveal(), clock, { log, ...(pythApiKey && { apiKey: pythApiKey.reveal() }) });
}

function whyNotListening({ code, message }: NodeJS.ErrnoException, { host, port }: Config): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port}, on which the agent listens, is taken: stop what runs there (lsof -i :${port}), or set PORT to another.`;
    case 'EACCES':
      return `This user may not listen on port ${port}: set PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST must be an address of this machine; it is "${host}".`;
    default:
      return message;
  }
}

interface ShopDeps {
  readonly client: ChainClient;
  readonly book: AddressBook;
  readonly call: CallTool;
  readonly publicUrl: string;
  readonly log: Log;
}

/** What sells the agent's work to other agents; undefined where there is no escrow, or no key to sell with. */
async function openShop(config: Config, { client, book, call, publicUrl, log }: ShopDeps) {
  if (config.seller === undefined || book.escrow === undefined) return undefined;
  const { token, ...contracts } = book.escrow;
  const account = privateKeyToAccount(config.seller.privateKey.reveal() as `0x${string}`);
  const price = config.seller.priceWad / 10n ** BigInt(18 - token.decimals);
  const currency = token.address;
  const { chainId } = config;
  const offers = createOffers({ account, chainId, commerce: contracts.commerce, currency, price, clock });
  const escrow = await connectEscrow(client, contracts);
  const { disputeWindowSeconds } = escrow;
  const provider = account.address;
  const jobs = createJobs(escrow, offers, {
    provider,
    contracts,
    disputeWindowSeconds,
    workSeconds: 60n,
    price,
    currency,
  });
  const interpret = (task: string) => verdictRequest(task, book.assets);
  const store = await openDeliverables(config.deliverables, hashManifest);
  let loop: Loop | undefined;
  const { tick, inbox } = createJobsLoop({
    jobs,
    escrow,
    deliver: { call, interpret, store, chainId, contracts, hashManifest },
    sender: createSender({
      client,
      account,
      policy: { chainId, calls: sellerCalls(contracts, config.gasBounds) },
      log,
      clock,
      receiptSeconds: 30n,
      pollMs: 250,
    }),
    publicUrl,
    onWork: () => loop?.trigger(),
    log,
  });
  return {
    seller: { negotiate: createNegotiate(offers, interpret), notifyFunded: createNotifyFunded(jobs, inbox) },
    routes: createDeliverables(store, escrow),
    startJobs: (seconds: number) => (loop = startLoop('jobs', tick, seconds, timers, log)),
  };
}

/** What takes payment for answers. Loaded only where they have a price. */
async function openTill(
  { chainId }: Config,
  { priceUsdWad, payTo, rail }: PaymentConfig,
  { client, book, publicUrl, limit, log }: Omit<ShopDeps, 'call'> & { readonly limit: Limit },
) {
  const token = book.escrow?.token;
  if (token === undefined) throw new Error('PRICE_USD is above 0, but this chain has no token to be paid in.');
  const [{ createPaymentRail }, { createPaymentProof }, { b402Facilitator, x402Facilitator }, { createPaywall }] =
    await Promise.all([
      import('./payments/payment-rail.ts'),
      import('./payments/payment-proof.ts'),
      import('./payments/facilitators.ts'),
      import('./payments/paywall.ts'),
    ]);
  // The token is a dollar. Rounded up: a price above 0 is never free.
  const amount = mulDivUp(priceUsdWad, 10n ** BigInt(token.decimals), WAD);
  const terms = { network: `eip155:${chainId}`, asset: token.address, amount, payTo } as const;
  const patience = { timeoutMs: 10_000, pendingMs: 20_000, pollMs: 1_000 };
  const chosen =
    rail.name === 'x402'
      ? x402Facilitator(rail.facilitatorUrl, patience)
      : b402Facilitator(
          { ...rail, accessToken: rail.accessToken.reveal(), privateKey: rail.privateKey.reveal() },
          patience,
        );
  const wallets = createLimit({ ...apiLimit, name: 'contract-wallets' }, timers.now);
  const paymentRail = createPaymentRail({
    ...chosen,
    terms,
    token: { name: token.name, version: token.version },
    resource: { url: `${publicUrl}/x402`, description: 'One answer of Bowline' },
    admitWallet: () => wallets.take().allowed,
    proof: createPaymentProof(client, terms),
    clock,
    lookMs: 5_000,
    pollMs: 500,
    resubmitMs: 5_000,
    log,
  });
  const { network, asset } = terms;
  const shown = {
    price_usd: Number(formatUnits(priceUsdWad, 18)),
    payment: { rail: rail.name, network, asset, amount: amount.toString(), pay_to: payTo },
  };
  return { shown, paywall: createPaywall<Answer>(paymentRail, limit, log) };
}

/** What this process stands on. Of these, only the chain is needed for everything. */
function dependenciesOf({ assets, exchange, pyth }: Sources, client: ChainClient, keeper: Keeper): Dependency[] {
  const pair = assets.find(({ exchangePair }) => exchangePair !== undefined)?.exchangePair;
  const pythId = assets.find((asset) => asset.pythId !== undefined)?.pythId;
  const chain: Dependency = {
    name: 'chain',
    needed: true,
    look: async () => {
      const { number, timestamp } = await newestBlock(client);
      const seconds = clock() - timestamp;
      if (seconds > 60n) throw new Error('the newest block is old');
      return `block ${number}, ${seconds} s old`;
    },
  };
  const market = exchange &&
    pair !== undefined && {
      name: 'exchange',
      needed: false,
      look: async () => {
        await exchange.bookTicker(pair);
        return `${pair} has a price`;
      },
    };
  const oracle = pyth &&
    pythId !== undefined && {
      name: 'pyth',
      needed: false,
      look: async () => {
        await pyth.price(pythId);
        return `${pythId} has a price`;
      },
    };
  return [chain, ...gasDependencies(client, keeper), ...(market ? [market] : []), ...(oracle ? [oracle] : [])];
}

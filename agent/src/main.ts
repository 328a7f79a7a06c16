import type { AddressInfo } from 'node:net';
import { keccak256, stringToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import manifest from '../../package.json' with { type: 'json' };
import { readAddressBook } from './adapters/address-book.ts';
import { createCalls, keeperCalls } from './adapters/calls.ts';
import { connectChain } from './adapters/chain-client.ts';
import { checkAddressBook, checkChain, checkKeeper } from './adapters/check-address-book.ts';
import { createGuardReader } from './adapters/guard-reader.ts';
import { watchHead } from './adapters/head.ts';
import { createHealthReader } from './adapters/health-reader.ts';
import { createLanguageModel } from './adapters/llm.ts';
import { createLog } from './adapters/log.ts';
import { createMarketData } from './adapters/market-data.ts';
import { createMarketReader } from './adapters/market-reader.ts';
import { createPlanReader } from './adapters/plan-reader.ts';
import { createSender } from './adapters/sender.ts';
import { createTicketSigner } from './adapters/ticket-signer.ts';
import { type Config, loadConfig, secretsOf } from './config.ts';
import type { Asset } from './domain/assets.ts';
import { createApp } from './faces/http.ts';
import { createMcpRouter } from './faces/mcp.ts';
import { createAnswer } from './faces/prompt.ts';
import { limitsOf } from './guard/limits.ts';
import { executorTick } from './loops/executor/tick.ts';
import { loanGuardTick } from './loops/loan-guard/tick.ts';
import { startLoop, type Timers } from './loops/runner.ts';
import { callTool } from './tools/call.ts';
import { tools } from './tools/index.ts';

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
  const log = createLog({ level: config.logLevel, secrets: secretsOf(config) });
  const client = connectChain(config.rpcUrl.reveal());
  await checkChain(client, config.chainId);
  const book = readAddressBook(config.chainId, config.deployments);
  await checkAddressBook(client, book, config.chainId);
  const { assets, own, venus } = book;
  const unlisted = config.servingPolicy.tokens.filter((token) => !assets.some(({ symbol }) => symbol === token));
  if (unlisted.length > 0) throw new Error(`SERVED_TOKENS names what is not listed: ${unlisted.join(', ')}.`);

  const account = privateKeyToAccount(config.keeperPrivateKey.reveal() as `0x${string}`);
  await checkKeeper(client, book, account.address);
  const plans = createPlanReader(client, own, assets);
  const guards = createGuardReader(client, { ...own, vUsdt: venus.vUsdt }, account.address);
  const sources = {
    assets,
    limitsOf: (asset: Asset) => limitsOf[asset.class],
    chain: createMarketReader(client, book),
    clock,
    ...(config.marketDataUrl && { exchange: createMarketData(config.marketDataUrl.reveal()) }),
  };
  const sender = createSender({
    client,
    account,
    policy: { chainId: config.chainId, calls: keeperCalls(own, config.gasBounds) },
    log,
    clock,
    receiptSeconds: 30n,
    pollMs: 250,
  });

  const hash = (text: string) => keccak256(stringToBytes(text));
  const verdictKey = config.verdictPrivateKey?.reveal() as `0x${string}` | undefined;
  const tickets = verdictKey && createTicketSigner(privateKeyToAccount(verdictKey), config.chainId, own.planRegistry);
  const context = { ...sources, chain: { ...sources.chain, ...plans, ...guards }, hash, ...(tickets && { tickets }) };
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
  const mcp = createMcpRouter({ tools, call, log, version: manifest.version });
  const app = createApp({ answer, mcp, allowedHosts: config.allowedHosts, log, nowMs: timers.now });
  const server = await new Promise<ReturnType<typeof app.listen>>((resolve, reject) => {
    const listening = app.listen(config.port, config.host, (error) => (error ? reject(error) : resolve(listening)));
  }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(whyNotListening(error, config));
  });
  const { port } = server.address() as AddressInfo;
  log.info('agent.ready', { chainId: config.chainId, port, keeper: account.address, model: model?.name ?? 'none' });

  const calls = createCalls(own);
  const executor = startLoop(
    'executor',
    executorTick({
      reader: plans,
      sources,
      calls,
      sender,
      executor: own.swapExecutor,
      policy: config.servingPolicy,
      priceSources: [own.chainlinkPriceSource, own.venusPriceSource],
      hash,
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
      chain: sources.chain,
      serving: config.guardServingPolicy,
      calls,
      sender,
      clock,
      log,
    }),
    config.guardIntervalSeconds,
    timers,
    log,
  );
  const loops = [executor, loanGuard];
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

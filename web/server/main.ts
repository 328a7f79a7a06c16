import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createMarketData } from '@bowline/exchange/exchange';
import { readAddressBook } from '@bowline/http/address-book';
import { pageHeaders } from '@bowline/http/caller';
import { clock } from '@bowline/http/clock';
import { complaintOf, secretsOf } from '@bowline/http/secret';
import { createHttpServer } from '@bowline/http/server';
import { createPublicClient, http } from 'viem';
import { connectAgent } from './agent.ts';
import { createWebApp } from './app.ts';
import { UnsoundDraft } from './buy.ts';
import { loadConfig } from './config.ts';
import { pageOf } from './page.ts';
import { createQuotes, createYears } from './quote.ts';

// The web server: settings → the agent, the exchange, the page → its routes, until it is stopped. Its only argument
// is the folder of the built page, by default that of npm run build:web.

let secrets: string[] = [];
try {
  const config = loadConfig();
  secrets = secretsOf(config);
  const files = `${process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url))}/`;
  if (!existsSync(`${files}index.html`)) throw new Error('The page has not been built: npm run build:web');
  const chain = createPublicClient({ transport: http(config.rpcUrl, { timeout: 5_000 }) });
  const book = readAddressBook(config.chainId, config.deployments);
  const agent = connectAgent(config.agentUrl.reveal(), pageHeaders(config.pageSecret));
  const exchange =
    config.marketDataUrl &&
    createMarketData(config.marketDataUrl.reveal(), clock, {
      apiKey: config.marketDataKey?.reveal(),
      log: { error: (event, fields) => say('error', { event, ...fields }) },
    });
  const app = createWebApp({
    agent,
    quotes: createQuotes(agent, book.assets, exchange, Date.now),
    yearOf: createYears(book.assets, exchange, () => performance.now()),
    page: pageOf(book, config),
    chain,
    assets: book.assets,
    files,
    allowedHosts: config.allowedHosts,
    trustedProxies: config.trustedProxies,
    nowMs: () => performance.now(),
    report: (error) =>
      error instanceof UnsoundDraft
        ? say('error', { event: 'web.unsound_draft', reason: error.reason })
        : say('error', { event: 'web.internal', error: error instanceof Error ? error.name : 'unknown' }),
  });
  const server = createHttpServer(app);
  server.once('error', (error: NodeJS.ErrnoException) => {
    process.stderr.write(
      `The web server cannot listen on port ${config.port} (${error.code}): set WEB_PORT to another.\n`,
    );
    process.exitCode = 1;
  });
  server.listen(config.port, config.host, () => {
    const address = server.address();
    say('info', { event: 'web.ready', port: typeof address === 'object' ? address?.port : undefined });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
} catch (error) {
  process.stderr.write(`${complaintOf(error as Error, secrets)}\n`);
  process.exitCode = 1;
}

/** One line of JSON, in the agent's format. */
function say(level: 'info' | 'error', fields: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...fields })}\n`);
}

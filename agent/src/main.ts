import { complaintOf } from '@bowline/http/secret';
import { openApi } from './compose/api.ts';
import { openChain } from './compose/chain.ts';
import { ticketSigner } from './compose/keys.ts';
import { startLoops } from './compose/loops.ts';
import { openQuestions, openReaders } from './compose/questions.ts';
import { dependenciesOf } from './compose/readiness.ts';
import { openSelling } from './compose/seller.ts';
import { openSending } from './compose/sending.ts';
import { listen, type Server } from './compose/server.ts';
import { timers } from './compose/time.ts';
import { openSources, warnOfVerdictSettings } from './compose/verdict.ts';
import { type Config, loadConfig, secretsOf } from './config.ts';
import { createWaitingRescues, maxUnreadMsOf, rescuesDependency } from './loops/loan-guard/waiting.ts';
import { createLog } from './process/log.ts';
import { createMetrics } from './process/metrics.ts';

// Start-up: settings → chain → tools → API and loops, until a signal stops it.

let secrets: string[] = [];
let server: Server | undefined;
try {
  const config = loadConfig();
  secrets = secretsOf(config);
  server = await listen(config);
  await run(config, server);
} catch (error) {
  process.stderr.write(`${complaintOf(error as Error, secrets)}\n`);
  process.exitCode = 1;
  await server?.close();
}

async function run(config: Config, { port, serve, close }: Server): Promise<void> {
  const metrics = createMetrics(createLog({ level: config.logLevel, secrets: secretsOf(config) }));
  const { log } = metrics;
  warnOfVerdictSettings(config, log);
  const chain = await openChain(config, log);
  const sources = openSources(config, chain, log);
  const keeper = await openSending(config, chain, log);
  const readers = openReaders(chain, keeper);
  const tickets = ticketSigner(config, chain.book);
  const questions = openQuestions(config, chain, { sources, readers, tickets, log });
  const publicUrl = config.publicUrl ?? `http://${config.host}:${port}`;
  const selling = await openSelling(config, chain, { call: questions.call, publicUrl, log });
  const waiting = createWaitingRescues(timers);
  const maxUnreadMs = maxUnreadMsOf(config.guardBlockPollMs, config.guardIntervalSeconds);
  const dependencies = [...dependenciesOf(chain, sources, keeper), rescuesDependency(waiting, maxUnreadMs)];
  serve(await openApi(config, chain, { questions, selling, publicUrl, dependencies, metrics: metrics.expose, log }));
  log.info('agent.ready', {
    chainId: config.chainId,
    port,
    ...keeper.payers,
    bundler: config.bundlerUrl !== undefined,
    model: config.model?.name ?? 'none',
  });
  const stopLoops = startLoops(config, chain, { sources, readers, tickets, keeper, selling, waiting, log });

  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  log.info('agent.stopping');
  await stopLoops();
  await close();
  // A request to a facilitator or a model may still be open, but nobody waits for its answer.
  process.exit();
}

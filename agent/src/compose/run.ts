import { sleep } from '@bowline/core/domain/sleep';
import { clock, timers } from '@bowline/http/clock';
import { type Config, secretsOf } from '../config.ts';
import type { LastReads } from '../loops/left-out.ts';
import { createWaitingRescues } from '../loops/loan-guard/waiting.ts';
import type { Loop } from '../loops/runner.ts';
import { ENDING_MS } from '../process/ending.ts';
import { createEvidenceStore } from '../process/evidence-store.ts';
import { createLog } from '../process/log.ts';
import { createMetrics } from '../process/metrics.ts';
import { createStopFile, heldBy } from '../process/stop-file.ts';
import { checkVerdictKey } from '../process/ticket-signer.ts';
import { createVitals } from '../process/vitals.ts';
import type { Keeper } from '../sending/keeper.ts';
import { warnOfVerdictSettings } from '../sources/warnings.ts';
import { openApi } from './api.ts';
import { buildOf } from './build.ts';
import { openChain, openHeads } from './chain.ts';
import { formerTicketSigners, openKeys, ticketSigner, verdictAddress } from './keys.ts';
import { openLeftOut } from './left-out.ts';
import { startLoops } from './loops.ts';
import { openNotices } from './notices.ts';
import type { Parts } from './parts.ts';
import { hash, openQuestions, openReaders } from './questions.ts';
import { openReadiness } from './readiness.ts';
import { openRelayWatch, openSending } from './sending.ts';
import type { Server } from './server.ts';
import { openSources } from './verdict.ts';
import { noting, watchedOf } from './vitals.ts';
import { openWorkers } from './workers.ts';

/**
 * Settings → chain → tools → API and loops, until it is told to stop.
 * @param onEnd receives the function that ends it, once there is something to end.
 */
export async function run(config: Config, server: Server, onEnd: (end: () => void) => void): Promise<void> {
  const metrics = createMetrics(createLog({ level: config.logLevel, secrets: secretsOf(config) }));
  const { log } = metrics;
  warnOfVerdictSettings(config, log);
  await openKeys(config, log);
  const chain = await openChain(config, log);
  const isVerdictKeyNamed = checkVerdictKey(verdictAddress(config), chain.book.verdictSigners, config);
  const sources = openSources(config, chain, log);
  const isStopped = createStopFile(config.stopFile, log);
  const heads = openHeads(config, chain, log);
  const keys = await openSending(config, chain, heads, log);
  const keeper = { ...keys, sender: heldBy(keys.sender, isStopped) };
  const vitals = createVitals(clock, timers);
  const waiting = createWaitingRescues(timers, heads);
  const workers = await openWorkers(config, chain, keeper, { isStopped, waiting, vitals }, log);
  heads.onHead(vitals.headSeen);
  const tickets = ticketSigner(config, chain.book);
  const allTickets = [...(tickets ? [tickets] : []), ...formerTicketSigners(config, chain.book)];
  const read = openReaders(chain, keeper);
  const reads: LastReads = {};
  const leftOut = openLeftOut(config, chain, keeper, read, reads, allTickets);
  const readers = noting(read, vitals, reads, workers);
  const evidenceStore = createEvidenceStore({ folder: config.evidence, hash, log });
  const questions = openQuestions(config, chain, { sources, readers, tickets, heads, evidence: evidenceStore, log });
  const publicUrl = config.publicUrl ?? `http://${config.host}:${server.port}`;
  const sold = { call: questions.call, publicUrl, heads, isStopped, log };
  // Not even loaded where nothing is sold.
  const selling = config.seller && (await (await import('./seller.ts')).openSelling(config, chain, sold));
  const relays = openRelayWatch(config);
  const telling = await openNotices(config, chain, readers, log);
  const parts: Parts = {
    ...{ config, chain, log, isStopped, heads, keeper, vitals, workers, sources, readers, leftOut, evidenceStore },
    ...{ publicUrl, questions, selling, waiting, relays, telling, tickets: allTickets },
  };
  const ready = readyLine(config, keeper);
  const ending = new Promise<void>((resolve) => onEnd(resolve));
  const loops: Loop[] = [];
  const watched = watchedOf(parts, loops, !isVerdictKeyNamed);
  const { dependencies, stop: stopLooking } = openReadiness(parts, watched);
  metrics.watch(watched, dependencies);
  // Rescues do not wait for what was paid before a restart to be read.
  const started = startLoops(parts);
  loops.push(...started.loops);
  const stopNotices = telling?.start();
  const { app, payments } = await openApi(parts, { watched, dependencies, metrics: metrics.expose });
  server.serve(app);
  log.info('agent.ready', { port: server.port, ...ready });
  void payments?.recover();

  await ending;
  log.info('agent.stopping');
  for (const stop of [stopLooking, stopNotices, workers?.stop, server.stopListening]) stop?.();
  // What is being paid for is answered first; what takes longer is in a file, and looked up when the payer comes again. A round may wait
  // for a node that does not answer. The restart reads the chain again.
  const ended = Promise.all([started.stop(), payments?.drain()]).then(server.close);
  await Promise.race([ended, sleep(timers, ENDING_MS)]);
  log.info('agent.stopped', leftBehind(loops, keeper));
  // A request to a facilitator or a model may still be open, but nobody waits for its answer.
  process.exit();
}

const readyLine = (config: Config, { payers }: Pick<Keeper, 'payers'>) => ({
  ...buildOf(),
  chainId: config.chainId,
  ...payers,
  bundler: config.bundlerUrls.length > 0,
  model: config.model?.name ?? 'none',
  ...(config.guardServingPolicy.owner && { onlyOwner: config.guardServingPolicy.owner }),
});

/** What a shutdown leaves behind: operations that may still be mined, and loops whose round was cut short. */
function leftBehind(loops: readonly Loop[], keeper: Keeper) {
  return {
    open: keeper.open().map(({ lane, label, hash }) => ({ lane, label, hash })),
    cut: loops.filter((loop) => loop.isTicking()).map((loop) => loop.state().name),
  };
}

import { sleep } from '@bowline/core/domain/sleep';
import { timers } from '@bowline/http/clock';
import { type Config, secretsOf } from '../config.ts';
import type { Loop } from '../loops/runner.ts';
import { createLog } from '../process/log.ts';
import { createMetrics } from '../process/metrics.ts';
import type { Keeper } from '../sending/keeper.ts';
import { openApi } from './api.ts';
import { buildOf } from './build.ts';
import { startLoops } from './loops.ts';
import { openParts } from './parts.ts';
import { openReadiness } from './readiness.ts';
import { ENDING_MS, type Server } from './server.ts';

/**
 * Settings → chain → tools → API and loops, until it is told to stop.
 * @param onEnd receives the function that ends it, once there is something to end.
 */
export async function run(config: Config, server: Server, onEnd: (end: () => void) => void): Promise<void> {
  const metrics = createMetrics(createLog({ level: config.logLevel, secrets: secretsOf(config) }));
  const { log } = metrics;
  const parts = await openParts(config, log, server.port);
  const { keeper, workers, telling } = parts;
  const ready = readyLine(config, keeper);
  const ending = new Promise<void>((resolve) => onEnd(resolve));
  const loops: Loop[] = [];
  const { watched, dependencies, stop: stopLooking } = openReadiness(parts, loops);
  metrics.watch(watched, dependencies);
  // Loops start first: rescues do not wait while payments from before a restart are read.
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
  // Payments in progress are answered first; slower ones are in a file and are looked up when the payer returns. A
  // round may wait for a node that does not answer. The restart reads the chain again.
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
    open: keeper.open().map(({ queue, label, hash }) => ({ queue, label, hash })),
    cut: loops.filter((loop) => loop.isTicking()).map((loop) => loop.state().name),
  };
}

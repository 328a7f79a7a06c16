import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refusal } from '@bowline/core/domain/refusal';
import { createHttpServer } from '@bowline/http/server';
import { createStarting } from '../api/http/starting.ts';
import type { Config } from '../config.ts';
import { version } from './build.ts';

/** Milliseconds for an orderly end. An orchestrator kills after ten seconds. */
export const ENDING_MS = 4_800;
/** Milliseconds for the last bytes of an answer to leave. */
const SENT_MS = 100;

export type Server = Awaited<ReturnType<typeof listen>>;

/**
 * Listens before the rest of the agent starts: a taken port is detected at once, and callers get an immediate answer.
 * @throws Refusal
 */
export async function listen(config: Config) {
  const { allowedHosts, publicUrl } = config;
  let handler: RequestListener = createStarting(version, allowedHosts, publicUrl);
  const server = createHttpServer((request, response) => handler(request, response), publicUrl);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.port, config.host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    throw whyNotListening(error, config);
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** Serves this app from now on; until then callers are told that the agent is starting. */
    serve: (app: RequestListener) => {
      handler = app;
    },
    /** Accepts no more connections, and closes those without a request. */
    stopListening() {
      server.close();
      server.closeIdleConnections();
    },
    /** Also closes open connections. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        // The last responses may still be in flight.
        setTimeout(() => server.closeAllConnections(), SENT_MS);
      }),
  };
}

function whyNotListening(error: NodeJS.ErrnoException, { host, port }: Config): Refusal {
  const stop = `Stop the process that uses it (lsof -i :${port}), or set PORT to another port.`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new Refusal('port_taken', `Port ${port} is taken.`, stop);
    case 'EACCES':
      return new Refusal('port_refused', `This user may not listen on port ${port}.`, 'Set PORT to one above 1023.');
    default:
      return new Refusal(
        'port_refused',
        `The agent cannot listen on "${host}" (${error.code}).`,
        'Set HOST to an address of this machine.',
      );
  }
}

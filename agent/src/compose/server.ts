import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStarting } from '../api/http/starting.ts';
import type { Config } from '../config.ts';

export interface Server {
  readonly port: number;
  /** From now on this answers; until then callers are told that the agent is starting. */
  serve(app: RequestListener): void;
  /** Ends what is under way, too. */
  close(): Promise<void>;
}

/**
 * Listens, before anything else of the agent is there: a taken port is found at once, and no caller waits for an answer.
 * @throws one line that says why it cannot listen, and what to do.
 */
export async function listen(config: Config): Promise<Server> {
  let handler: RequestListener = createStarting(config.allowedHosts);
  const server = createServer((request, response) => handler(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.port, config.host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(whyNotListening(error, config));
  });
  return {
    port: (server.address() as AddressInfo).port,
    serve: (app) => {
      handler = app;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function whyNotListening({ code, message }: NodeJS.ErrnoException, { host, port }: Config): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken: stop what listens there (lsof -i :${port}), or set PORT to another.`;
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

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that others run, on loopback: it answers as it is told, and remembers what it was asked. */
export interface Provider {
  readonly url: string;
  asked: string[];
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Ends the answers that are under way. */
  hangUp(): void;
  stop(): void;
}

export async function startProvider(): Promise<Provider> {
  const server = createServer((request, response) => {
    provider.asked.push(request.url ?? '');
    provider.answer(request, response);
  }).listen(0, '127.0.0.1');
  const provider: Provider = {
    url: '',
    asked: [],
    answer: (_, response) => response.destroy(),
    hangUp: () => server.closeAllConnections(),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  await once(server, 'listening');
  return Object.assign(provider, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

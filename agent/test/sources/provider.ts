import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Somebody else's service, on loopback: it answers as it is told, and remembers what it was asked. */
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

/** More than any answer may have. */
export const FLOOD_BYTES = 64 * 1_048_576;

/** Makes it answer with a JSON text that is far too long. @returns how many bytes of it were taken, once it has ended. */
export function flood(provider: Provider): () => Promise<number> {
  const ended = Promise.withResolvers<number>();
  provider.answer = (_, response) => {
    const part = Buffer.alloc(65_536, ' ');
    let written = 0;
    response.once('close', () => ended.resolve(written));
    const more = (): void => {
      while (written < FLOOD_BYTES && !response.destroyed) {
        written += part.length;
        if (!response.write(part)) return void response.once('drain', more);
      }
      response.end('[]');
    };
    response.writeHead(200);
    more();
  };
  return () => ended.promise;
}

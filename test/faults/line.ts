import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A JSON-RPC call, as it stands in a request. A fault may change its parameters before the request is passed on. */
export interface Call {
  readonly id: number;
  readonly method: string;
  params: unknown[];
}

export interface Answer {
  id: number;
  result?: unknown;
  error?: unknown;
}

/** A request, and what can be done with it. One of `send`, `part` and `cut` ends it. */
export interface Exchange {
  readonly calls: readonly Call[];
  /** Sends the calls, as they now are, to the node behind the line. Rejects if it does not answer. */
  pass(): Promise<Answer[]>;
  /** Asks the node behind the line for something else. */
  ask(method: string, params: unknown[]): Promise<unknown>;
  /** Formats the answers as the node would: a list for a batch. */
  reply(answers: readonly Answer[]): string;
  send(text: string, status?: number): void;
  /** Sends part of a text as if the rest would follow, then cuts the line. */
  part(text: string): void;
  cut(): void;
  /** Resolves when the fault ends. */
  readonly over: Promise<void>;
}

/** What a line does with a request while something is wrong with it. */
export type Treatment = (exchange: Exchange) => Promise<void> | void;

export interface Line {
  readonly url: string;
  /** Treats every request like this from now on; `undefined`: passes it on. */
  set(treatment: Treatment | undefined): void;
  /** Number of requests that came since the last `set`. */
  readonly requests: () => number;
  stop(): Promise<void>;
}

const plain: Treatment = async (exchange) => exchange.send(exchange.reply(await exchange.pass()));

/** An HTTP line to a JSON-RPC server, in which faults can be set. */
export async function startLine(url: string): Promise<Line> {
  let treatment: Treatment = plain;
  let requests = 0;
  let end = () => {};
  let over = new Promise<void>(() => {});

  const server = createServer(async (request, response) => {
    let body = '';
    requests += 1;
    try {
      for await (const chunk of request) body += chunk;
      const question: Call | Call[] = JSON.parse(body);
      await treatment({ ...exchangeOf(question, response, url), over });
    } catch {
      // One side has gone.
      request.socket.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    set(next) {
      end();
      over = new Promise((resolve) => {
        end = resolve;
      });
      treatment = next ?? plain;
      requests = 0;
    },
    requests: () => requests,
    stop: async () => {
      end();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const headers = { 'content-type': 'application/json' };

function exchangeOf(question: Call | Call[], response: ServerResponse, url: string): Omit<Exchange, 'over'> {
  const post = async (body: unknown) => {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return [(await answer.json()) as Answer | Answer[]].flat();
  };
  return {
    calls: [question].flat(),
    pass: () => post(question),
    ask: async (method, params) => (await post({ jsonrpc: '2.0', id: 1, method, params }))[0]?.result,
    reply: (answers) => JSON.stringify(Array.isArray(question) ? answers : answers[0]),
    send: (text, status = 200) => void response.writeHead(status, headers).end(text),
    part(text) {
      response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
    },
    cut: () => void response.destroy(),
  };
}
